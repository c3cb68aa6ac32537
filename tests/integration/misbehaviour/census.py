"""What an arena keeps in memory, counted."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter

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


_PARTS = ("PlayedGame", "Table", "Sitter", "Clock", "Chair", "Link", "Stream", "Question", "Hand")


def census(a: Arena) -> dict[str, int]:
    """Count what the arena keeps for games and bots."""
    gc.collect()
    kinds = Counter(
        type(each).__name__ for each in gc.get_objects() if type(each).__name__ in _PARTS
    )
    play = a.play
    return {
        **{kind: kinds[kind] for kind in _PARTS},
        "trio tasks": trio.lowlevel.current_statistics().tasks_living,
        "asyncio tasks": len(asyncio.all_tasks(a.edge._loop)),
        "games": len(play._tables.games),
        "links": len(play._links._links),
        "links to write to": len(play._links._dirty),
        "streams": len(play._streams) + len(a.edge._streams) + play._porter._door._open,
        "streams that wait": len(play._porter._queued),
    }
