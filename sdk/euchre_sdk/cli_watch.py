"""`euchre watch`: a tournament's ranking as it changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from pathlib import Path

import click

from euchre_sdk.cli_arena import chosen_token, dial_options, token_options
from euchre_sdk.cli_ranking_options import ranking_json, ranking_options
from euchre_sdk.cli_ranking_screen import RankingScreen, print_ranking, table_console
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.client_rankings import get_ranking, watch_rankings
from euchre_sdk.client_redial import Redial
from euchre_sdk.errors import EuchreError
from euchre_sdk.rankings import Ranking


@click.command()
@click.argument("address")
@click.argument("tournament")
@token_options
@click.option("--once", is_flag=True, help="Print the ranking as it is and stop.")
@click.option(
    "--matrix", is_flag=True, help="Print every pair of bots compared, too, as it is, and stop."
)
@click.option("--json", "as_json", is_flag=True, help="Print each ranking as a line of JSON.")
@ranking_options
@dial_options
def watch(
    *,
    address: str,
    tournament: str,
    token: str | None,
    token_file: Path | None,
    once: bool,
    matrix: bool,
    as_json: bool,
    leave_out_forfeits: bool,
    wanted: tuple[str, ...],
    security: Security | None,
    ca_file: Path | None,
) -> None:
    """Show the ranking of TOURNAMENT in the arena at ADDRESS until it is over.

    No token is needed where the arena shows its rankings to everybody. If the arena goes
    away it is dialled again for a minute. Ctrl-C stops watching.
    """
    try:
        dial = Dial(
            address=Address(address), security=security or Security.AUTOMATIC, ca_file=ca_file
        )
        who = chosen_token(token, token_file)
        if once or matrix:
            found = get_ranking(
                dial, tournament, who, leave_out_forfeits=leave_out_forfeits, matrix=matrix
            )
            _print_once(asyncio.run(found), wanted, as_json=as_json)
            return
        follow = partial(
            watch_rankings, dial, tournament, who, leave_out_forfeits=leave_out_forfeits
        )
        if as_json:
            told = Redial(dial, tell=partial(click.echo, err=True))
            asyncio.run(_write(follow(redial=told)))
            return
        with RankingScreen(table_console(), wanted=wanted) as screen:
            asyncio.run(_show(follow(redial=Redial(dial, tell=screen.say)), screen))
    except EuchreError as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None


def _print_once(ranking: Ranking, wanted: tuple[str, ...], *, as_json: bool) -> None:
    if as_json:
        click.echo(ranking_json(ranking))
        return
    print_ranking(ranking, table_console(), wanted)


async def _write(rankings: AsyncGenerator[Ranking, None]) -> None:
    async with aclosing(rankings):
        async for ranking in rankings:
            click.echo(ranking_json(ranking))


async def _show(rankings: AsyncGenerator[Ranking, None], screen: RankingScreen) -> None:
    async with aclosing(rankings):
        async for ranking in rankings:
            screen.show(ranking)
