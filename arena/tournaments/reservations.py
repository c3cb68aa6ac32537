"""Who has room for one more game, over all tournaments of the arena."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import trio

from arena.store.tournaments import StoredEntry
from arena.tournaments.host_guard import HostGuard
from arena.tournaments.playroom import Playroom


class Reservations:
    """Counts games that are about to be ordered, so that no seat is promised twice.

    A game is reserved when its director decides on it, and counted by the playroom from the moment
    `play` is called; between the two its offer is being stored.
    """

    def __init__(self, playroom: Playroom, guard: HostGuard) -> None:
        self._playroom = playroom
        self._guard = guard
        self._reserved: Counter[str] = Counter()
        self._games = 0
        self._freed = trio.Event()

    def free(self, entry: StoredEntry) -> int:
        """Return how many more games an entry takes now: 0 if another version of it is here."""
        if self._games >= self._guard.limit or self._is_another(entry):
            return 0
        return self._playroom.presence(entry.bot_id) - self._reserved[entry.bot_id]

    def here(self, entries: Iterable[StoredEntry]) -> list[StoredEntry]:
        """Return those who are here with the version that plays, however busy they are."""
        return [
            entry
            for entry in entries
            if self._playroom.version(entry.bot_id) is not None and not self._is_another(entry)
        ]

    def _is_another(self, entry: StoredEntry) -> bool:
        """Tell whether another version of an entry is here than the one that plays."""
        if entry.version is None or entry.house:
            return False
        return self._playroom.version(entry.bot_id) not in {None, entry.version}

    def reserve(self, bots: Iterable[str]) -> None:
        """Count a game that was decided on, and keep a seat for each of its bots."""
        self._reserved.update(bots)
        self._games += 1

    def hand_over(self, bots: Iterable[str]) -> None:
        """Keep the seats no longer: the playroom counts them from now on, or nobody does."""
        self._reserved.subtract(bots)

    def over(self) -> None:
        """Count a game less: any tournament may have waited for that."""
        self._games -= 1
        self.raised()

    def raised(self) -> None:
        """Wake whoever waits: there may be room for a game more."""
        self._freed.set()
        self._freed = trio.Event()

    async def wait_change(self) -> None:
        """Wait until there may be room for a game more, of whichever tournament."""
        await self._freed.wait()
