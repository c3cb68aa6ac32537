"""Results that were read before, so that a table reads those of new games only.

What a finished game of a complete block counts for never changes; only whether it counts does.
Reading all of them anew is what a large table mostly costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from arena.store import results

R = TypeVar("R")

Read = Callable[[Sequence[str] | None], Sequence[R]]
"""Reads the results of some games, or of all; the rated ones, in the order of `rated_games`."""

MOST_KEPT = 50_000
"""Results that are remembered of a tournament, about 700 bytes each; larger ones are read anew."""


class ResultsRead(Generic[R]):
    """What was read of one tournament, by game."""

    def __init__(self) -> None:
        self._by_game: dict[str, R] = {}

    def up_to_date(self, rated: Sequence[str], read: Read[R]) -> tuple[R, ...]:
        """Return the results of these games, all that count now; read those that are new."""
        if len(rated) > MOST_KEPT:
            self._by_game.clear()
            return tuple(read(None))
        kept = {game: self._by_game[game] for game in rated if game in self._by_game}
        missing = [game for game in rated if game not in kept]
        for start in range(0, len(missing), results.MOST_AT_ONCE):
            part = missing[start : start + results.MOST_AT_ONCE]
            kept |= zip(part, read(part), strict=True)
        self._by_game = kept
        return tuple(kept[game] for game in rated)
