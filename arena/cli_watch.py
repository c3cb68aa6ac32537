"""`arena watch NAME`: the ranking as it changes, in a terminal or line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
    """Watch a tournament until it is over. Ctrl-C stops watching."""
    try:
        with dialled(dial) as arena:
            _watch(arena.watch_rankings(name), as_json=as_json)
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None


def _watch(tables: Iterator[Any], *, as_json: bool) -> None:
    if as_json:
        for rankings in tables:
            show_json(rankings)
        return
    with RankingScreen(table_console()) as screen:
        for rankings in tables:
            screen.show(read_rankings(rankings))
