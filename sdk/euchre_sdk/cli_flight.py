"""`euchre flight`: what went in and out of a bot's seat, and what the referee made of it."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from euchre_sdk.cli_arena import chosen_token, dial_options, token_options
from euchre_sdk.cli_ranking_screen import table_console
from euchre_sdk.cli_replay import THEME, CardHighlighter
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.client_flights import dialled
from euchre_sdk.errors import EuchreError
from euchre_sdk.flight import FlightSummary
from euchre_sdk.flight_story import plain_flight, tell_flight

DEFAULT_ADDRESS = "localhost:50051"


@click.command()
@click.argument("where", nargs=-1, metavar="[ADDRESS] [GAME]")
@click.option("--bot", default="", help="Which bot; an author's token needs it.")
@click.option("--all", "everything", is_flag=True, help="Show ordinary play, too.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
@token_options
@dial_options
def flight(
    *,
    where: tuple[str, ...],
    bot: str,
    everything: bool,
    as_json: bool,
    token: str | None,
    token_file: Path | None,
    security: Security | None,
    ca_file: Path | None,
) -> None:
    """Show what went in and out of a bot's seat in GAME, and what the referee made of it.

    Refused and dropped answers, moves made by the arena, and lost connections: with what the bot
    was shown, its bytes, the times, the reason and what would have been legal. Without GAME the
    games are listed of which there is something to show. Without ADDRESS the arena of this machine
    is asked. It is for the bot's owner only: with its token, or with its author's and --bot.
    """
    address, game = _where(where)
    dial = Dial(address=Address(address), security=security or Security.AUTOMATIC, ca_file=ca_file)
    found = chosen_token(token, token_file)
    if found is None:
        raise click.UsageError(
            "a token is needed: set the variable EUCHRE_TOKEN, or give --token-file FILE."
        )
    with dialled(dial, found) as flights:
        if game is None:
            _list(flights.newest(bot=bot), as_json=as_json)
            return
        record = flights.record(game, bot=bot)
    if as_json:
        click.echo(json.dumps(plain_flight(record), indent=2, ensure_ascii=False))
        return
    story = tell_flight(record, everything=everything)
    Console(theme=THEME, highlighter=CardHighlighter()).print(story, soft_wrap=True, markup=False)


def _where(where: tuple[str, ...]) -> tuple[str, str | None]:
    """Return address and game: an address has a colon, the id of a game has none."""
    addresses = [each for each in where if ":" in each]
    games = [each for each in where if ":" not in each]
    if len(addresses) > 1 or len(games) > 1:
        raise EuchreError(
            "expected one ADDRESS, such as localhost:50051, and one GAME, such as g0123456789abcdef"
            f", not {' '.join(where)}."
        )
    return addresses[0] if addresses else DEFAULT_ADDRESS, games[0] if games else None


def _list(found: tuple[FlightSummary, ...], *, as_json: bool) -> None:
    if as_json:
        click.echo(
            json.dumps(
                [
                    {
                        "game_id": each.game_id,
                        "tournament": each.tournament,
                        "seat": int(each.seat),
                        "refused": each.refused,
                        "forced": each.forced,
                    }
                    for each in found
                ],
                indent=2,
            )
        )
        return
    if not found:
        click.echo("There is nothing to show: no answer refused, no move made by the arena.")
        return
    table = Table(box=None, header_style="dim")
    for column in ("game", "tournament"):
        table.add_column(column, overflow="fold")
    for column in ("seat", "refused", "made by the arena"):
        table.add_column(column, justify="right")
    for each in found:
        numbers = (str(int(each.seat)), f"{each.refused:,}", f"{each.forced:,}")
        table.add_row(each.game_id, each.tournament, *numbers)
    table_console().print(table)
