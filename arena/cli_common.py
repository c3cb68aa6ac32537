"""What the commands share: where the arena is, who asks, how answers and failures are shown."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.places import DEFAULT_ADDRESS, DEFAULT_DATA, TOKEN_FILE
from arena.rpc.client import ArenaClient, connect
from arena.rpc.plain import plain
from euchre_sdk.errors import EuchreError

F = TypeVar("F", bound=Callable[..., Any])


class Refusal(click.ClickException):
    """What a command says instead of a traceback: one sentence, exit status 1."""

    def show(self, file: Any = None) -> None:
        """Write the sentence, and nothing else."""
        click.echo(self.message, err=True, file=file)


def arena_options(command: F) -> F:
    """Give a command the options that say which arena is meant."""
    for option in (
        click.option(
            "--plaintext", is_flag=True, help="Do without TLS although it is another machine."
        ),
        click.option(
            "--ca-file",
            type=click.Path(path_type=Path),
            help="Certificates to trust, PEM. Implies TLS.",
        ),
        click.option(
            "--arena",
            "address",
            default=DEFAULT_ADDRESS,
            envvar="ARENA_SERVER",
            show_default=True,
            metavar="HOST:PORT",
            help="Where the arena is; also the variable ARENA_SERVER.",
        ),
    ):
        command = option(command)
    return command


def token_option(command: F) -> F:
    """Give a command the option that says where its token is.

    There is none for the token itself: command lines end in histories.
    """
    return click.option(
        "--token-file",
        type=click.Path(path_type=Path),
        help="File with the token. Without it: the variable ARENA_TOKEN, then the file "
        f"{DEFAULT_DATA}/{TOKEN_FILE}, then a prompt.",
    )(command)


def json_option(command: F) -> F:
    """Give a command the option to answer in JSON."""
    return click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(command)


@contextmanager
def dialled(
    address: str,
    ca_file: Path | None,
    plaintext: bool,  # noqa: FBT001 - a flag as click hands it on
    token: str | None = None,
) -> Iterator[ArenaClient]:
    """Give the arena's services; whatever goes wrong becomes one sentence."""
    try:
        with connect(address, token=token, ca_file=ca_file, plaintext=plaintext) as client:
            yield client
    except EuchreError as error:
        raise Refusal(str(error)) from error


def find_token(token_file: Path | None) -> str:
    """Return the token from a file, the environment, the data directory here, or a prompt."""
    if token_file is None and (token := os.environ.get("ARENA_TOKEN", "").strip()):
        return token
    near = DEFAULT_DATA / TOKEN_FILE
    path = token_file or (near if near.is_file() else None)
    if path is not None:
        try:
            token = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise Refusal(f"the token file {path} cannot be read: {error}.") from error
        if not token:
            raise Refusal(f"the token file {path} is empty.")
        return token
    if not sys.stdin.isatty():
        raise Refusal(
            "a token is needed: give --token-file FILE, or set the variable ARENA_TOKEN. "
            f"`arena serve` prints where the organiser's is (DATA/{TOKEN_FILE})."
        )
    return str(click.prompt("token", hide_input=True)).strip()


def show_json(value: Any) -> None:
    """Write a message, a list of them, or plain values as JSON."""
    click.echo(json.dumps(_plain(value), indent=2, ensure_ascii=False))


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict | str | int | float | None):
        return value
    return plain(value)
