"""`euchre watch`: a tournament's ranking as it changes."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import click

from euchre_sdk.cli_arena import chosen_token, dial_options, token_options
from euchre_sdk.cli_ranking_screen import RankingScreen, table_console
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.client_rankings import watch_rankings
from euchre_sdk.client_redial import Redial
from euchre_sdk.errors import EuchreError


@click.command()
@click.argument("address")
@click.argument("tournament")
@token_options
@click.option("--once", is_flag=True, help="Print the ranking as it is and stop.")
@dial_options
def watch(
    *,
    address: str,
    tournament: str,
    token: str | None,
    token_file: Path | None,
    once: bool,
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
        asyncio.run(_watch(dial, tournament, chosen_token(token, token_file), once=once))
    except EuchreError as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None


async def _watch(dial: Dial, tournament: str, token: str | None, *, once: bool) -> None:
    with RankingScreen(table_console()) as screen:
        redial = Redial(dial, tell=screen.say)
        watched = watch_rankings(dial, tournament, token, redial=redial)
        async with aclosing(watched) as rankings:
            async for ranking in rankings:
                screen.show(ranking)
                if once:
                    return
