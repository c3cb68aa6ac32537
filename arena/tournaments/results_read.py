"""Results that were read before, so that a table reads those of new games only.

What a finished game of a complete block counts for never changes; only whether it counts does.
Reading all of them anew is what a large table mostly costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Generic, TypeVar

from arena.ratings import GameResult, SessionResult
from arena.store import results

R = TypeVar("R", SessionResult, GameResult)

Read = Callable[[Sequence[str] | None], Sequence[R]]
"""Reads the results of some games, or of all; the rated ones, in the order of `rated_games`."""

MOST_KEPT = 50_000
"""Results that are remembered of a tournament, about 400 bytes each; larger ones are read anew."""
MOST_SHARED = 20_000
"""Parts of results that are held once for all of them."""


class ResultsRead(Generic[R]):
    """What was read of one tournament, by game."""

    def __init__(self) -> None:
        self._by_game: dict[str, R] = {}
        self._shared: dict[object, object] = {}

    def up_to_date(self, rated: Sequence[str], read: Read[R]) -> tuple[R, ...]:
        """Return the results of these games, all that count now; read those that are new."""
        if len(rated) > MOST_KEPT:
            self._by_game.clear()
            return tuple(read(None))
        kept = {game: self._by_game[game] for game in rated if game in self._by_game}
        missing = [game for game in rated if game not in kept]
        for start in range(0, len(missing), results.MOST_AT_ONCE):
            part = missing[start : start + results.MOST_AT_ONCE]
            kept |= zip(part, map(self._lean, read(part)), strict=True)
        self._by_game = kept
        return tuple(kept[game] for game in rated)

    def _lean(self, result: R) -> R:
        """Return a result whose parts are those of others that have the same: mostly there are."""
        if len(self._shared) > MOST_SHARED:
            self._shared.clear()
        return replace(result, **dict(self._parts(result)))

    def _parts(self, result: R) -> Iterator[tuple[str, Any]]:
        for each in fields(result):
            part: object = getattr(result, each.name)
            if isinstance(part, tuple):
                part = tuple(self._shared.setdefault(inner, inner) for inner in part)
            yield each.name, self._shared.setdefault(part, part)
