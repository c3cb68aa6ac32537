"""What the commands share: where the arena is, who asks, how answers and failures are shown."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.places import DEFAULT_ADDRESS, DEFAULT_DATA, TOKEN_FILE
from arena.rpc.client import ArenaClient, connect
from arena.rpc.plain import plain
from euchre_sdk.cli_arena import dial_options, token_in
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.errors import EuchreError

F = TypeVar("F", bound=Callable[..., Any])


class Refusal(click.ClickException):
    """What a command says instead of a traceback: one sentence, exit status 1."""


def arena_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say which arena is meant; it is called with a `Dial`."""

    @click.option(
        "--arena",
        "address",
        default=DEFAULT_ADDRESS,
        envvar="ARENA_SERVER",
        show_default=True,
        metavar="HOST:PORT",
        help="Where the arena is; also the variable ARENA_SERVER.",
    )
    @dial_options
    @wraps(command)
    def with_dial(
        *, address: str, security: Security | None, ca_file: Path | None, **given: Any
    ) -> None:
        with _in_a_sentence():
            dial = Dial(
                address=Address(address),
                security=security or Security.AUTOMATIC,
                ca_file=ca_file,
                how_to_change="--arena HOST:PORT",
            )
        command(dial=dial, **given)

    return with_dial


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
def dialled(dial: Dial, token: str | None = None) -> Iterator[ArenaClient]:
    """Give the arena's services; whatever goes wrong becomes one sentence."""
    with _in_a_sentence(), connect(dial, token=token) as client:
        yield client


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    try:
        yield
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
            return token_in(path)
        except click.UsageError as error:
            raise Refusal(error.message) from error
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
