"""The newest table of a tournament, computed again only when its results have changed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import structlog
import trio

from arena.ratings import Forfeits
from arena.store import Store, results
from arena.store.tournaments import StoredTournament
from arena.tournaments.fitting import ReadBefore
from arena.tournaments.standings import Table
from arena.tournaments.tabling import compute_table

log = structlog.get_logger(__name__)

LIVE_FROM = 0.25
"""Seconds: watchers of a table that takes longer than that are told of new blocks in between."""
REST = 8.0
"""So many times as long as a full table took, watchers have those in between."""


@dataclass(slots=True, kw_only=True)
class _Told:
    """The newest table with forfeits counted, or left out."""

    table: Table
    results: int
    """As of how many changes of the results."""
    rounds: int | None
    answered: int
    """Up to which of those who asked the hands are counted."""


class TableCache:
    """The newest table of one tournament; computed again only when its results have changed.

    The hands are counted for everybody who asks, as they change long before a result does; who asks
    while others are counted for waits, and all who wait share one count.

    Where a table takes long, watchers get one step from the last fit after new blocks: the errors
    are those of that fit, and soon a full one follows. Nobody else ever gets that.
    """

    def __init__(self, store: Store, tournament: StoredTournament) -> None:
        self._store = store
        self._tournament = tournament
        self._read = ReadBefore()
        self._lock = trio.Lock()
        self._asked = 0
        self._told: dict[Forfeits, _Told] = {}
        self._rests_until = 0.0

    async def table(
        self,
        results_so_far: int,
        *,
        rounds: int | None = None,
        forfeits: Forfeits = Forfeits.COUNTED,
        live: bool = False,
    ) -> Table:
        """Return the table as of at least so many changes of the results, with all hands so far.

        `rounds`: only what was played in so many cycles. `live`: for who watches what goes on.
        """
        self._asked += 1
        mine = self._asked
        async with self._lock:
            asked = self._asked
            told = self._told.get(forfeits)
            rests = live and trio.current_time() < self._rests_until
            stale = told is None or told.results < results_so_far or told.rounds != rounds
            if told is None or stale or (told.table.is_live and not rests):
                table = await self._computed(rounds, forfeits, live=rests)
                told = _Told(table=table, results=results_so_far, rounds=rounds, answered=asked)
                self._told[forfeits] = told
            elif told.answered < mine:
                tid = self._tournament.tournament_id
                hands = await self._store.read(results.hands_played, tid, rounds=rounds)
                told.table = replace(told.table, hands=hands)
                told.answered = asked
            return told.table

    async def _computed(self, rounds: int | None, forfeits: Forfeits, *, live: bool) -> Table:
        began = trio.current_time()
        table = await compute_table(
            self._store,
            self._tournament,
            rounds=rounds,
            forfeits=forfeits,
            read=self._read,
            live=live,
        )
        ended = trio.current_time()
        took = ended - began
        if not table.is_live:
            self._rests_until = ended + REST * took if took > LIVE_FROM else 0.0
        log.debug(
            "ratings_updated",
            tournament=self._tournament.name,
            entries=len(table.rows),
            hands=table.hands,
            elapsed_ms=round(took * 1e3, 3),
        )
        return table
