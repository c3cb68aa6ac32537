"""Tells watchers of a tournament that something has changed; a slow one misses only in-betweens."""

from __future__ import annotations

import trio


class Feed:
    """Counts changes. Whoever watches reads the newest state, and waits for the next change."""

    def __init__(self) -> None:
        self.revision = 0
        """Changes so far."""
        self.results = 0
        """Changes so far that standings depend on."""
        self._event = trio.Event()

    def changed(self, *, results: bool = False) -> None:
        """Note a change, one of the results or not."""
        self.revision += 1
        self.results += results
        self._event.set()
        self._event = trio.Event()

    async def wait_beyond(self, revision: int) -> None:
        """Return as soon as there are more changes than that."""
        while self.revision <= revision:
            await self._event.wait()
