"""What the commands that dial an arena have in common."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

# gRPC would write lines of its own to the terminal; what they mean is told in our words.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import click
from click.core import ParameterSource

from euchre_sdk.client_dial import Security

F = TypeVar("F", bound=Callable[..., Any])

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def dial_options(command: F) -> F:
    """Add the options that say how to dial."""
    command = click.option(
        "--ca",
        "ca_file",
        type=_FILE,
        help="Certificates to trust, a PEM file; implies TLS. Else those in the file named by "
        "EUCHRE_CA.",
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
        callback=_warned,
        help="The token. Better in EUCHRE_TOKEN or a file: other users of this machine can read "
        "command lines.",
    )(command)


def _warned(context: click.Context, parameter: click.Parameter, token: str | None) -> str | None:
    """Return the token; say so if everybody on this machine can read it."""
    if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
        click.echo(
            "everybody on this machine can read the token in the list of processes: "
            "give it in EUCHRE_TOKEN or with --token-file FILE.",
            err=True,
        )
    return token


LONGEST_TOKEN = 1000
"""Characters of a token, at most: nothing is read for ever."""


def chosen_token(token: str | None, token_file: Path | None) -> str | None:
    """Return the token of the options, `None` if they give none. Raises `click.UsageError`."""
    return token if token_file is None else token_in(token_file)


def token_in(file: Path) -> str:
    """Return the token that a file holds in its first line. Raises `click.UsageError`."""
    try:
        with file.open(encoding="utf-8") as lines:
            token = lines.readline(LONGEST_TOKEN + 1).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"cannot read a token from {file}: {error}.") from error
    if not token:
        raise click.UsageError(f"the first line of {file} holds no token.")
    if len(token) > LONGEST_TOKEN:
        raise click.UsageError(
            f"the first line of {file} is no token: it is over {LONGEST_TOKEN} characters long."
        )
    return token
