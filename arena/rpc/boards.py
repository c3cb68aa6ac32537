"""The table of each watched tournament, made once for all who watch it.

However many watch, and however fast hands are played, a table is made at most every `PAUSE`, and
takes at most one fifth of the time where it is a large one; else watchers would cost as much as the
games, whose loop waits now and then for the thread in which a table is computed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import trio

from arena.tournaments.standings import Rankings
from euchre.v1 import tournaments_pb2 as pb

PAUSE = 0.5
"""Seconds between two tables of one tournament, at least."""

SHARE = 0.2
"""Of the time, for making tables of one tournament; at most."""

Wait = Callable[[Rankings], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A table as all watchers are shown it."""

    rankings: Rankings
    response: pb.WatchRankingsResponse
    """Shared: nobody changes it."""
    made: float
    """When, by trio's clock."""
    took: float
    """Seconds it took to make."""

    @property
    def good_until(self) -> float:
        """Before that no other is made, by trio's clock."""
        return self.made + max(PAUSE, self.took / SHARE)

    @property
    def is_last(self) -> bool:
        """Whether nothing will change any more."""
        return self.rankings.state.over and not self.rankings.progress.games_running


class Board:
    """The newest table of one tournament."""

    def __init__(self, make: Callable[[], Awaitable[Shown]], wait_change: Wait) -> None:
        self._make = make
        self._wait_change = wait_change
        self._lock = trio.Lock()
        self._shown: Shown | None = None

    async def newest(self) -> Shown:
        """Return a table that is hardly older than the pause between two."""
        async with self._lock:
            shown = self._shown
            if shown is None or shown.good_until <= trio.current_time():
                shown = self._shown = await self._make()
            return shown

    async def after(self, seen: Shown) -> Shown:
        """Return a table with whatever has changed since the one seen, as soon as something has."""
        await self._wait_change(seen.rankings)
        async with self._lock:
            shown = self._shown or seen
            if shown.rankings.revision <= seen.rankings.revision:
                await trio.sleep_until(shown.good_until)
                shown = self._shown = await self._make()
            return shown
