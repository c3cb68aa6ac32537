"""What is counted, not fitted: hands, blocks, places, and points a hand with their error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.ratings.newton import Bools, gather, numbered, ranks
from arena.ratings.sandwich import PRIOR_BLOCKS
from arena.ratings.square import Floats, Ints
from arena.ratings.student import reach_95

POINT_VARIANCE = 1.2
"""Variance of one seat's points in one hand, points squared; stands in while there are few blocks.

Measured by benchmarks/fit_elo_scale.py under the rule set `standard`: 1.16, and 1.20 at tables of
three equal bots.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally:
    """Counts of every entry, (n,) or (n, 3), in the order of their numbers."""

    hands: Ints
    blocks: Ints
    places: Ints
    """(n, 3): how often first, second, third."""
    forfeits: Ints
    points_per_hand: Floats
    points_error: Floats
    """Half-width of the 95 % interval; infinite where there are no hands."""


def tally(
    *,
    n: int,
    seats: Ints,
    block: Ints,
    hands: Ints,
    points: Ints | Floats,
    counted: Ints,
    places: Ints,
    offenders: Bools,
) -> Tally:
    """Count everything.

    Columns are per row and seat, (N, 3), `block` per row: one trio each. `counted`: the hands by
    which `points` are divided (scheduled ones where a session was forfeited); `hands`: those really
    played.
    """
    played, forfeits = np.zeros(n), np.zeros(n, dtype=np.int64)
    kinds = np.zeros(4 * n, dtype=np.int64)
    for seat in range(3):
        entry = np.ascontiguousarray(seats[:, seat])
        played += gather(entry, hands[:, seat].astype(np.float64), n)
        kinds += np.bincount(4 * entry + np.clip(places[:, seat], 0, 3), minlength=4 * n)
        forfeits += np.bincount(entry[offenders[:, seat]], minlength=n)
    owner, block_hands, block_points = _by_block(seats, block, counted, points)
    mean, error = _means(n, owner, block_hands, block_points)
    return Tally(
        hands=_whole(played),
        blocks=np.bincount(owner, minlength=n),
        places=kinds.reshape(n, 4)[:, 1:],
        forfeits=forfeits,
        points_per_hand=mean,
        points_error=error,
    )


def _by_block(
    seats: Ints, block: Ints, hands: Ints, points: Ints | Floats
) -> tuple[Ints, Floats, Floats]:
    """Return entry, hands and points of every entry in every block, (3 B,) each."""
    numbers, row = numbered(block)
    if len(numbers) == len(row):
        order = np.argsort(row) if (row[1:] < row[:-1]).any() else slice(None)
        played, scored = (column[order].T.ravel() for column in (hands, points))
        return seats[order].T.ravel(), played.astype(np.float64), scored.astype(np.float64)
    # All rows of a block have the same three entries: each is known by its place among them.
    rank, size = ranks(seats), 3 * len(numbers)
    owner, totals = np.zeros(size, dtype=np.int64), np.zeros((2, size))
    for seat in range(3):
        code = 3 * row + rank[seat]
        owner[code] = seats[:, seat]
        totals[0] += gather(code, hands[:, seat].astype(np.float64), size)
        totals[1] += gather(code, points[:, seat].astype(np.float64), size)
    return owner, totals[0], totals[1]


def _means(n: int, owner: Ints, hands: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Return each entry's points a hand and its error, from sums per (entry, block).

    A ratio of sums over blocks; its variance from the blocks' residuals. Source: Cochran, Sampling
    Techniques, 3rd ed. 1977, chapter 6. With few blocks that variance is moderated as in
    `sandwich`, here towards the pooled one.
    """
    total = gather(owner, hands, n)
    known = total > 0.0
    mean = np.divide(gather(owner, points, n), total, out=np.zeros(n), where=known)
    squares = gather(owner, (points - mean[owner] * hands) ** 2, n)
    blocks = np.bincount(owner[hands > 0.0], minlength=n)
    free = np.maximum(0, blocks - 1)
    # Per hand: sum of squares over hands, times K / (K - 1) for the mean that was fitted.
    own = np.divide(squares * blocks, total * free, out=np.zeros(n), where=free > 0)
    pooled = (float((free * own).sum()) + PRIOR_BLOCKS * POINT_VARIANCE) / (
        float(free.sum()) + PRIOR_BLOCKS
    )
    variance = (free * own + PRIOR_BLOCKS * pooled) / (free + PRIOR_BLOCKS)
    error = np.full(n, np.inf)
    error[known] = reach_95(free[known] + PRIOR_BLOCKS) * np.sqrt(variance[known] / total[known])
    return mean, error


def _whole(values: Floats) -> Ints:
    return np.rint(values).astype(np.int64)
