"""The newest table of a tournament, computed again only when its results have changed."""

from __future__ import annotations

from dataclasses import replace

import structlog
import trio

from arena.ratings import Forfeits
from arena.store import Store, results
from arena.store.tournaments import StoredTournament
from arena.tournaments.standings import Table
from arena.tournaments.tabling import ReadBefore, compute_table

log = structlog.get_logger(__name__)


class TableCache:
    """The newest table of one tournament; computed again only when its results have changed.

    The hands are counted for everybody who asks, as they change long before a result does; who asks
    while others are counted for waits, and all who wait share one count.
    """

    def __init__(
        self,
        store: Store,
        tournament: StoredTournament,
        *,
        forfeits: Forfeits = Forfeits.COUNTED,
    ) -> None:
        self._store = store
        self._tournament = tournament
        self._forfeits = forfeits
        self._read = ReadBefore()
        self._lock = trio.Lock()
        self._results = -1
        self._rounds: int | None = None
        self._asked = 0
        self._answered = 0
        self._table: Table | None = None

    async def table(self, results_so_far: int, *, rounds: int | None = None) -> Table:
        """Return the table as of at least so many changes of the results, with all hands so far.

        `rounds`: only what was played in so many cycles.
        """
        self._asked += 1
        mine = self._asked
        async with self._lock:
            asked = self._asked
            stale = self._results < results_so_far or self._rounds != rounds
            if self._table is None or stale:
                began = trio.current_time()
                self._table = await compute_table(
                    self._store,
                    self._tournament,
                    rounds=rounds,
                    forfeits=self._forfeits,
                    read=self._read,
                )
                self._rounds = rounds
                log.debug(
                    "ratings_updated",
                    tournament=self._tournament.name,
                    entries=len(self._table.rows),
                    hands=self._table.hands,
                    elapsed_ms=round((trio.current_time() - began) * 1e3, 3),
                )
                self._results, self._answered = results_so_far, asked
            elif self._answered < mine:
                tid = self._tournament.tournament_id
                hands = await self._store.read(results.hands_played, tid, rounds=rounds)
                self._table = replace(self._table, hands=hands)
                self._answered = asked
            return self._table
