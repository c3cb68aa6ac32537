"""`arena status`."""

from __future__ import annotations

import click

from arena.cli_common import arena_options, dialled, json_option, show_json
from arena.cli_plan import counted
from arena.rpc.plain import plain
from euchre_sdk.cli_ranking_screen import table_console
from euchre_sdk.client_dial import Dial


@click.command()
@json_option
@arena_options
def status(*, as_json: bool, dial: Dial) -> None:
    """Say whether an arena answers, who is there, and what is being played."""
    with dialled(dial) as arena:
        tournaments = [
            each for each in arena.list_tournaments() if plain(each)["state"] == "running"
        ]
        bots = arena.list_bots()
    games = sum(each.progress.games_running for each in tournaments)
    present = [each.name for each in bots if each.free_games or plain(each)["free_games"]]
    if as_json:
        show_json(
            {
                "address": dial.address.text,
                "tournaments_running": [each.name for each in tournaments],
                "games_running": games,
                "bots": len(bots),
                "bots_free": present,
            }
        )
        return
    table_console().print(
        f"The arena at {dial.address.text} answers: {counted(len(tournaments), 'tournament')} and "
        f"{counted(games, 'game')} running, {counted(len(bots), 'bot')} registered, "
        f"{len(present):,} free for a game."
    )
    for each in tournaments:
        done = f"{each.progress.blocks_complete:,}/{each.progress.blocks_total:,} blocks"
        table_console().print(f"  {each.name}: {done}. Watch it: arena watch {each.name}")
