"""`arena watch NAME`: the ranking as it changes, in a terminal or line by line."""

from __future__ import annotations

import click

from arena.cli_common import arena_options, dialled, json_option, show_json
from euchre_sdk.cli_ranking_screen import RankingScreen, table_console
from euchre_sdk.client_dial import Dial
from euchre_sdk.wire_rankings import read_rankings


@click.command()
@click.argument("name")
@json_option
@arena_options
def watch(name: str, *, as_json: bool, dial: Dial) -> None:
    """Watch a tournament until it is over."""
    with dialled(dial) as arena:
        tables = arena.watch_rankings(name)
        if as_json:
            for rankings in tables:
                show_json(rankings)
            return
        with RankingScreen(table_console()) as screen:
            for rankings in tables:
                screen.show(read_rankings(rankings))
