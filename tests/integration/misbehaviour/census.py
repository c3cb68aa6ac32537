"""What an arena keeps in memory, counted."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from functools import _lru_cache_wrapper

import trio
import trio.testing

from arena.rpc.edge import _LAST_WRITE
from tests.integration.raw_bot import Arena


async def settled(a: Arena) -> None:
    """Wait until nothing is under way any more: timers of closed streams hold them."""
    await _last_timer(a.edge._loop)
    await trio.testing.wait_all_tasks_blocked()


async def _last_timer(loop: asyncio.AbstractEventLoop) -> None:
    """Wait until the timers of streams that were closed have run out: they hold them."""
    done, token = trio.Event(), trio.lowlevel.current_trio_token()

    def after_them() -> None:
        loop.call_later(_LAST_WRITE, token.run_sync_soon, done.set)

    loop.call_soon_threadsafe(after_them)
    await done.wait()


_KEPT_BY_THE_TEST = ("arena.referee.outcome", "arena.store", "arena.tournaments")
_FOR_EACH_BOT = frozenset({"Bucket", "Departure"})
"""What is kept of a bot: how often it has connected lately, when its last questions left."""


def census(a: Arena) -> dict[str, int]:
    """Count what the arena keeps for games and bots, but for caches, which have their bounds."""
    for cached in [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]:
        if cached.__wrapped__.__module__.startswith("arena."):
            cached.cache_clear()
    gc.collect()
    kinds = Counter(
        kind.__name__
        for kind in map(type, gc.get_objects())
        if str(kind.__module__).startswith(("arena.", "euchre_sdk.game.hand"))
        and not kind.__module__.startswith(_KEPT_BY_THE_TEST)
        and kind.__name__ not in _FOR_EACH_BOT
    )
    play = a.play
    return {
        **kinds,
        "trio tasks": trio.lowlevel.current_statistics().tasks_living,
        "asyncio tasks": len(asyncio.all_tasks(a.edge._loop)),
        "games": len(play._tables.games),
        "links": len(play._links._links),
        "links to write to": len(play._links._dirty),
        "streams": len(play._streams) + len(a.edge._streams) + play._porter._door._open,
        "streams that wait": len(play._porter._queued),
    }
