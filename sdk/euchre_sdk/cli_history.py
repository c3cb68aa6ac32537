"""`euchre history`: what the ratings of a bot were."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from euchre_sdk.cli_arena import chosen_token, dial_options, token_options
from euchre_sdk.cli_history_view import history_view, moments_view
from euchre_sdk.cli_ranking_options import simple
from euchre_sdk.cli_ranking_screen import table_console
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.client_rankings import get_history
from euchre_sdk.errors import EuchreError
from euchre_sdk.history import TournamentHistory


@click.command()
@click.argument("address")
@click.argument("bot")
@token_options
@click.option("--tournament", help="Draw how the rating moved in this tournament.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@dial_options
def history(
    *,
    address: str,
    bot: str,
    token: str | None,
    token_file: Path | None,
    tournament: str | None,
    as_json: bool,
    security: Security | None,
    ca_file: Path | None,
) -> None:
    """Show what the ratings of BOT were in the tournaments of the arena at ADDRESS."""
    try:
        dial = Dial(
            address=Address(address), security=security or Security.AUTOMATIC, ca_file=ca_file
        )
        found = asyncio.run(get_history(dial, bot, chosen_token(token, token_file)))
    except EuchreError as error:
        raise click.ClickException(str(error)) from None
    if tournament is not None:
        found = [one_tournament(bot, found, tournament)]
    if as_json:
        told = [asdict(each) for each in found]
        click.echo(json.dumps(told, default=simple, ensure_ascii=False))
        return
    print_history(bot, found, one=tournament is not None)


def one_tournament(
    bot: str, histories: Sequence[TournamentHistory], name: str
) -> TournamentHistory:
    """Return the history in one tournament. Raises `click.ClickException` where there is none."""
    for each in histories:
        if each.tournament == name:
            return each
    known = ", ".join(each.tournament for each in histories[:10])
    played = f"it has played in {known}" if known else "it has played in none"
    raise click.ClickException(f"nothing is told of {bot} in a tournament {name!r}: {played}.")


def print_history(bot: str, histories: Sequence[TournamentHistory], *, one: bool) -> None:
    """Write a table of tournaments, or the moments of the one."""
    out = table_console()
    if one:
        out.print(moments_view(bot, histories[0], width=out.width))
    else:
        out.print(history_view(bot, histories, width=out.width))
