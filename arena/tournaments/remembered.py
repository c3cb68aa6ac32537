"""Numbers that take long to compute: once for each state of what they hang on, not for each asker.

Anybody may ask how long a tournament is, as often as the limits on calls let him. Who computed it
for each of them in the main thread would let all games stand still meanwhile.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio


class Remembered:
    """The newest number of each tournament. Who asks while it is computed waits for it."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, int]] = {}
        self._computing: dict[str, trio.Lock] = {}

    async def number(
        self, tournament_id: str, state: object, compute: Callable[[], Awaitable[int]]
    ) -> int:
        """Return what `compute` gives, or gave when `state` was equal to what it is now."""
        async with self._computing.setdefault(tournament_id, trio.Lock()):
            known = self._known.get(tournament_id)
            if known is None or known[0] != state:
                known = self._known[tournament_id] = (state, await compute())
            return known[1]
