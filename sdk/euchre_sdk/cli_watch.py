"""`euchre watch`: a tournament's ranking as it changes."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import click
from rich.console import Console
from rich.live import Live

from euchre_sdk.cli_arena import chosen_token, dial_options, token_options
from euchre_sdk.cli_ranking import ranking_table
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.client_rankings import watch_rankings
from euchre_sdk.errors import EuchreError
from euchre_sdk.rankings import Ranking


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

    No token is needed where the arena shows its rankings to everybody. Ctrl-C stops watching.
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
    console = Console()
    async with aclosing(watch_rankings(dial, tournament, token)) as rankings:
        if console.is_terminal and not once:
            with Live(console=console, auto_refresh=False) as live:
                async for ranking in rankings:
                    live.update(ranking_table(ranking, width=console.width), refresh=True)
            return
        last: Ranking | None = None
        async for ranking in rankings:
            last = ranking
            if once:
                break
    if last is not None:
        console.print(ranking_table(last, width=console.width))
