"""`arena bot history`: what the ratings of a bot were."""

from __future__ import annotations

import click

from arena.cli_common import arena_options, dialled, json_option, show_json
from euchre_sdk.cli_history import one_tournament, print_history
from euchre_sdk.client_dial import Dial
from euchre_sdk.wire_history import read_history


@click.command()
@click.argument("name")
@click.option("--tournament", help="Draw how the rating moved in this tournament.")
@json_option
@arena_options
def history(name: str, *, tournament: str | None, as_json: bool, dial: Dial) -> None:
    """Show what the ratings of a bot were in its tournaments."""
    with dialled(dial) as arena:
        messages = arena.rating_history(name)
    if tournament is not None:
        messages = [each for each in messages if each.tournament == tournament] or messages
    found = [read_history(each) for each in messages]
    if tournament is not None:
        found = [one_tournament(name, found, tournament)]
    if as_json:
        show_json(messages)
    else:
        print_history(name, found, one=tournament is not None)
