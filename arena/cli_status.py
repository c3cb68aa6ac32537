"""`arena status`: whether an arena works, who is there, what is played, and how fast."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from arena.cli_common import Refusal, arena_options, dialled, json_option, show_json
from arena.cli_plan import counted
from arena.rpc.plain import plain
from euchre_sdk.cli_ranking_screen import table_console
from euchre_sdk.client_dial import Dial
from euchre_sdk.client_errors import ConnectError


@click.command()
@json_option
@arena_options
def status(*, as_json: bool, dial: Dial) -> None:
    """Say whether an arena works, who is there, what is being played, and how fast.

    Ends with 1 if no arena answers, or if it says itself that something does not work.
    """
    with dialled(dial) as arena:
        services = arena.services_that_work()
        try:
            now = arena.get_status()
        except ConnectError as error:
            if any(services.values()):
                raise
            raise Refusal(
                f"the arena at {dial.address.text} hangs or is about to stop: its health service "
                "answers that nothing works, and nothing else answers."
            ) from error
        tournaments = [
            each for each in arena.list_tournaments() if plain(each)["state"] == "running"
        ]
        bots = arena.list_bots()
    works = all(services.values()) and not now.troubles
    free = [each.name for each in bots if each.free_games]
    if as_json:
        show_json(
            {
                "address": dial.address.text,
                "works": works,
                "services": services,
                "tournaments_running": [each.name for each in tournaments],
                "games_running": now.games_running,
                "bots": len(bots),
                "bots_free": free,
                "status": plain(now),
            }
        )
    else:
        say = partial(table_console().print, soft_wrap=True)
        say(
            f"The arena at {dial.address.text} answers: {counted(len(tournaments), 'tournament')} "
            f"and {counted(now.games_running, 'game')} running, {counted(len(bots), 'bot')} "
            f"registered, {len(free):,} free for a game."
        )
        for each in tournaments:
            done = f"{each.progress.blocks_complete:,}/{each.progress.blocks_total:,} blocks"
            say(f"  {each.name}: {done}. Watch it: arena watch {each.name}")
        for name, line in lines(now).items():
            say(f"  {name:9} {line}", highlight=False)
        if not works:
            say(f"It does not work as it should: {troubles(now, services)}.", style="bold red")
    if not works:
        raise click.exceptions.Exit(1)


def lines(now: Any) -> dict[str, str]:
    """Return what people are told of a status, by what it is about."""
    up = plain(now.up_duration)
    games = f"{now.games_running:,} running, {now.games_limit:,} may run at once"
    if now.games_limit < now.games_allowed:
        games += f" (lowered from {now.games_allowed:,}: this machine was too slow)"
    faults = [f"{each.count:,} {each.kind}" for each in now.faults if each.count]
    if now.house_late:
        faults.append(f"{counted(now.house_late, 'answer')} computed for late house bots")
    return {
        "up": f"{_time(up)}, start {now.incarnation:,}, version {now.server_version}",
        "streams": f"{now.streams:,} open, {counted(now.links, 'connection')} of bots",
        "games": f"{games}, {counted(now.blocks_left, 'block')} left",
        "played": f"{counted(now.decisions, 'decision')} in {counted(now.hands, 'hand')}",
        "delay": f"the arena {_delay(now.own_delay)}, bots {_delay(now.response)}",
        "faults": ", ".join(faults) or "none",
        "database": f"{counted(now.store_queue, 'change')} waiting, commits "
        f"{_delay(now.store_commit)}, {counted(now.store_failures, 'failure')}",
    }


def troubles(now: Any, services: dict[str, bool]) -> str:
    """Return what does not work."""
    if now.troubles:
        return "; ".join(each.message for each in now.troubles)
    return ", ".join(name for name, works in services.items() if not works) + " not serving"


def _delay(delay: Any) -> str:
    if not delay.count:
        return "not measured yet"
    median, p99 = plain(delay)["median_duration"], plain(delay)["p99_duration"]
    return f"{_bound(median)} (99 %: {_bound(p99)})"


def _bound(seconds: float | None) -> str:
    return "longer than measured" if seconds is None else f"≤ {seconds * 1000:g} ms"


def _time(seconds: float) -> str:
    """Return a time in the two units that say most.

    >>> _time(59.9), _time(3661), _time(100_000)
    ('59 s', '1 h 1 min', '1 d 3 h')
    """
    units = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
    left = int(seconds)
    told: list[str] = []
    for name, size in units:
        if left >= size or told:
            told.append(f"{left // size} {name}")
            left %= size
    return " ".join(told[:2]) or "0 s"
