"""Keeps what ratings were while tournaments were played: few moments of each, to whatever end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from math import isfinite
from typing import Protocol

import structlog
import trio

from arena.store import Store, history, tournaments
from arena.store.history import Moment, RatingPoint
from arena.tournaments.standings import Table
from arena.tournaments.tabling import compute_table

log = structlog.get_logger(__name__)

MOST_MOMENTS = 64
"""Moments kept of a tournament, at most, beside the last one."""
PERIOD = 1.0
"""Seconds between two looks at what has changed."""


class Watched(Protocol):
    """What tells that results have changed."""

    def results_so_far(self) -> Mapping[str, object]:
        """Return something that changes with the results of each tournament, by its id."""
        ...


def stride(blocks: int) -> int:
    """Return after how many blocks another moment is kept: a power of two that grows with them.

    >>> [stride(blocks) for blocks in (10, 64, 65, 1000)]
    [1, 1, 2, 16]
    """
    step = 1
    while blocks > step * MOST_MOMENTS:
        step *= 2
    return step


def thinned(kept: tuple[int, ...], blocks: int) -> tuple[int, ...]:
    """Return which of the kept moments are too many once there is one at `blocks`.

    Of each stretch of `stride(blocks)` blocks the first stays. Moments beyond `blocks` come from
    blocks that were struck and are played again, and go.
    """
    step = stride(blocks)
    seen: set[int] = set()
    dropped = []
    for moment in sorted(kept):
        if moment > blocks or moment // step in seen:
            dropped.append(moment)
        seen.add(moment // step)
    return tuple(dropped)


class HistoryKeeper:
    """Looks at the tournaments whose results have changed, and keeps a moment where one is due."""

    def __init__(self, store: Store, watched: Watched, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._watched = watched
        self._now = now
        self._seen: dict[str, object] = {}

    async def run(self) -> None:
        """Keep moments until cancelled; first those of the ends that were missed."""
        await self.catch_up()
        while True:
            await self.look_at_changes()
            await trio.sleep(PERIOD)

    async def catch_up(self) -> None:
        """Look at every tournament there is, as at a start."""
        for tournament in await self._store.read(tournaments.all_tournaments):
            await self._try(tournament.tournament_id)

    async def look_at_changes(self) -> None:
        """Look at every tournament whose results have changed since the last look."""
        for tid, changes in tuple(self._watched.results_so_far().items()):
            if self._seen.get(tid) != changes:
                await self._try(tid)
                self._seen[tid] = changes

    async def _try(self, tournament_id: str) -> None:
        """Look; a history that has a gap ends no tournament."""
        try:
            await self.look(tournament_id)
        except Exception:
            log.exception("ratings_not_kept", tournament_id=tournament_id)

    async def look(self, tournament_id: str) -> None:
        """Keep the ratings of a tournament as they are, if a moment is due."""
        tournament = await self._store.read(tournaments.tournament_with_id, tournament_id)
        blocks = await self._store.read(history.blocks_complete, tournament_id)
        kept = await self._store.read(history.moments_of, tournament_id)
        step = stride(blocks)
        reached = bool(kept) and kept[-1] // step >= blocks // step and kept[-1] <= blocks
        # At the end the very last is kept; what is struck after the end is told of, too.
        again = tournament.state.over and tournament_id in self._seen
        due = not reached or again or (tournament.state.over and kept[-1] != blocks)
        if not blocks or not due:
            return
        table = await compute_table(self._store, tournament)
        moment = Moment(blocks=blocks, time=self._now(), anchored=table.anchor is not None)
        dropped = thinned(kept, blocks)
        await self._store.write(
            history.keep_moment, tournament_id, moment, _points(table), dropped=dropped
        )
        log.debug("ratings_kept", tournament=tournament.name, blocks=blocks)


def _points(table: Table) -> list[RatingPoint]:
    return [
        RatingPoint(
            entry_id=row.entry.entry_id,
            rank=row.rank,
            elo=standing.elo,
            elo_error=_or_none(standing.elo_error),
            points_per_hand=standing.points_per_hand if standing.hands else None,
            points_error=_or_none(standing.points_error),
        )
        for row in table.rows
        if (standing := row.standing) is not None and row.rank is not None
    ]


def _or_none(error: float) -> float | None:
    return error if error > 0 and isfinite(error) else None
