"""What the commands that dial an arena have in common."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

# gRPC would write lines of its own to the terminal; what they mean is told in our words.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import click

from euchre_sdk.client_dial import Security

F = TypeVar("F", bound=Callable[..., Any])

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def dial_options(command: F) -> F:
    """Add the options that say how to dial."""
    command = click.option(
        "--ca", "ca_file", type=_FILE, help="Certificates to trust, a PEM file. Implies TLS."
    )(command)
    command = click.option(
        "--plaintext",
        "security",
        flag_value=Security.PLAINTEXT,
        type=click.UNPROCESSED,
        help="Do not encrypt. The default to this machine only.",
    )(command)
    return click.option(
        "--tls",
        "security",
        flag_value=Security.TLS,
        type=click.UNPROCESSED,
        help="Encrypt. The default to any other machine.",
    )(command)


def token_options(command: F) -> F:
    """Add the options that say who calls."""
    command = click.option(
        "--token-file", type=_FILE, help="Read the token from the first line of this file."
    )(command)
    return click.option(
        "--token",
        envvar="EUCHRE_TOKEN",
        help="The token. Better in EUCHRE_TOKEN or a file: other users of this machine can read "
        "command lines.",
    )(command)


def chosen_token(token: str | None, token_file: Path | None) -> str | None:
    """Return the token of the options, `None` if they give none. Raises `click.UsageError`."""
    if token_file is None:
        return token
    try:
        lines = token_file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"cannot read a token from {token_file}: {error}.") from error
    if not lines or not lines[0].strip():
        raise click.UsageError(f"the first line of {token_file} holds no token.")
    return lines[0].strip()
