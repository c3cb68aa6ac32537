"""`arena watch NAME`: the ranking as it changes, in a terminal or line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click

from arena.cli_common import Refusal, arena_options, json_option, show_json
from arena.rpc.watching import watch_rankings
from euchre_sdk.cli_ranking_options import ranking_options
from euchre_sdk.cli_ranking_screen import RankingScreen, table_console
from euchre_sdk.client_dial import Dial
from euchre_sdk.client_redial import Redial
from euchre_sdk.errors import EuchreError
from euchre_sdk.wire_rankings import read_rankings


@click.command()
@click.argument("name")
@json_option
@ranking_options
@arena_options
def watch(
    name: str, *, as_json: bool, leave_out_forfeits: bool, wanted: tuple[str, ...], dial: Dial
) -> None:
    """Watch a tournament until it is over. Ctrl-C stops watching.

    If the arena goes away it is dialled again for a minute.
    """

    def tables(tell: Callable[[str], None]) -> Iterator[Any]:
        return watch_rankings(
            dial, name, redial=Redial(dial, tell=tell), leave_out_forfeits=leave_out_forfeits
        )

    try:
        if as_json:
            for rankings in tables(partial(click.echo, err=True)):
                show_json(rankings)
            return
        with RankingScreen(table_console(), wanted=wanted) as screen:
            for rankings in tables(screen.say):
                screen.show(read_rankings(rankings))
    except EuchreError as error:
        raise Refusal(str(error)) from error
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
