"""Online Elo, for the live view of a ladder: quick to follow, and it never decides anything.

After each block every pair of the table is one comparison, and all three are taken at once, from
the ratings before the block: the order of seats does not matter. The order of blocks does, as in
every online rating, so blocks are taken by their numbers.

Source: Elo, The Rating of Chessplayers, Past and Present (1978), in its logistic form; pairs of a
table weigh half, so that a block moves nobody by more than K.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeVar

K = 24.0
"""The most by which one block moves a rating, in Elo."""
START = 1500.0
"""Of whoever has played nothing."""

EntryT = TypeVar("EntryT", bound=str)


def online_elo(blocks: Iterable[Mapping[EntryT, float]]) -> dict[EntryT, float]:
    """Return everybody's rating after these blocks, each given as what its three entries scored.

    >>> after = online_elo([{"a": 9, "b": 9, "c": 4}])
    >>> [round(after[entry], 1) for entry in "abc"]
    [1506.0, 1506.0, 1488.0]
    """
    rating: dict[EntryT, float] = {}
    for scored in blocks:
        before = {entry: rating.get(entry, START) for entry in scored}
        for entry, points in scored.items():
            surprise = sum(
                _score(points, scored[other]) - _expected(before[entry] - before[other])
                for other in scored
                if other != entry
            )
            rating[entry] = before[entry] + K * surprise / (len(scored) - 1)
    return rating


def _score(own: float, other: float) -> float:
    return 0.5 if own == other else float(own > other)


def _expected(ahead: float) -> float:
    """Return the expected score of who is so much ahead, in Elo."""
    return 1.0 / (1.0 + math.pow(10.0, -ahead / 400.0))
