"""`euchre record`: records of finished games from an arena."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from euchre_sdk.cli_arena import dial_options
from euchre_sdk.cli_group import Directory
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.client_matches import Matches, dialled
from euchre_sdk.errors import EuchreError
from euchre_sdk.record_files import SUFFIX

_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
"""What may become the name of a file."""


@click.command()
@click.argument("address")
@click.argument("games", nargs=-1, metavar="[GAME...]")
@click.option(
    "--tournament", metavar="NAME", help="All games of this tournament that are over by now."
)
@click.option(
    "--to",
    "directory",
    type=Directory(),
    metavar="DIR",
    default=Path(),
    help="Write them into this directory instead of here.",
)
@dial_options
def record(
    *,
    address: str,
    games: tuple[str, ...],
    tournament: str | None,
    directory: Path,
    security: Security | None,
    ca_file: Path | None,
) -> None:
    """Fetch records of finished games from the arena at ADDRESS, each into a file GAME.jsonl.

    `euchre verify` checks them, `euchre replay` shows them. No token is needed.
    """
    if not games and tournament is None:
        raise click.UsageError("say which games: their ids, or --tournament NAME")
    dial = Dial(address=Address(address), security=security or Security.AUTOMATIC, ca_file=ca_file)
    written = 0
    with dialled(dial) as arena:
        for game in _wanted(arena, games, tournament):
            _write(directory / f"{game}{SUFFIX}", arena.record(game))
            written += 1
    records = "1 record" if written == 1 else f"{written:,} records"
    click.echo(f"{records} in {directory}")


def _wanted(arena: Matches, games: tuple[str, ...], tournament: str | None) -> Iterator[str]:
    for game in games:
        if not _ID.fullmatch(game):
            raise click.UsageError(f"{game!r} is no id of a game, such as g0123456789abcdef")
        yield game
    if tournament is not None:
        yield from filter(_ID.fullmatch, arena.finished(tournament))


def _write(file: Path, content: bytes) -> None:
    """Write a record; one that is there already must be the same. Raises `EuchreError`."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.read_bytes() != content:
            raise EuchreError(f"{file} is there already and differs from the arena's record.")
        file.write_bytes(content)
    except OSError as error:
        raise EuchreError(f"cannot write {file}: {error.strerror}.") from error
