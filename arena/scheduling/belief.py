"""What a ladder knows of strengths while blocks come in: a normal mean and covariance.

For scheduling only: it has a common variance of luck and no neighbours or positions, and no rating
is ever taken from it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from arena.scheduling.block import BlockId, EntryId, Trio
from arena.scheduling.course import BlockResult

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PRIOR_DEVIATION = 0.5
"""Standard deviation of strengths before any result, in points a hand."""
HAND_VARIANCE = 1.5
"""Half the variance of the difference of two seats' points in one hand, in points squared."""
_CENTRE = np.eye(3) - 1.0 / 3.0


class Belief:
    """Strengths in points a hand, about their common mean, of entries numbered from 0.

    Points of a seat are its strength less half of the others', so the points of two in one hand
    differ by one and a half times what their strengths do. A block that is open counts in the
    covariance already: how sure it makes does not depend on who wins.
    """

    def __init__(self, entries: Sequence[EntryId], *, block_hands: float) -> None:
        """Know nothing of these entries yet; `block_hands`: hands that a block is planned with."""
        self.entries = tuple(entries)
        self._number = {entry: place for place, entry in enumerate(entries)}
        self._block_hands = block_hands
        self._prior = np.eye(len(entries)) / PRIOR_DEVIATION**2
        self._planned: Floats = self._prior.copy()
        self._known: Floats = self._prior.copy()
        self._evidence: Floats = np.zeros(len(entries))
        self._applied: dict[BlockId, BlockResult | None] = {}

    def knows(self, block_id: BlockId, result: BlockResult | None) -> bool:
        """Return whether a block is counted in just as it stands."""
        return block_id in self._applied and self._applied[block_id] is result

    def count(self, block_id: BlockId, trio: Trio, result: BlockResult | None) -> None:
        """Count a block in, with its result if it has one; or anew, if that has changed."""
        self.forget(block_id, trio)
        self._add(trio, result, sign=1.0)
        self._applied[block_id] = result

    def forget(self, block_id: BlockId, trio: Trio) -> None:
        """Take a block out again, if it was counted in."""
        if block_id in self._applied:
            self._add(trio, self._applied.pop(block_id), sign=-1.0)

    def mean(self) -> Floats:
        """Return the mean of each strength after all results, (n,)."""
        return np.asarray(np.linalg.solve(self._known, self._evidence), dtype=np.float64)

    def covariance(self) -> Floats:
        """Return the covariance of strengths once all counted blocks are over, (n, n)."""
        return np.asarray(np.linalg.inv(self._planned), dtype=np.float64)

    def _add(self, trio: Trio, result: BlockResult | None, *, sign: float) -> None:
        at = [self._number[entry] for entry in trio]
        hands = self._block_hands if result is None else result.hands
        information = sign * information_of(hands)
        grid = np.ix_(at, at)
        self._planned[grid] += information
        if result is not None and result.hands:
            self._known[grid] += information
            points = np.array([result.points[entry] for entry in trio], dtype=float) / result.hands
            self._evidence[at] += sign * 1.5 * hands / HAND_VARIANCE * (points - points.mean())


def information_of(hands: float) -> Floats:
    """Return the precision that so many hands add to the strengths of their three, (3, 3)."""
    information: Floats = 2.25 * hands / HAND_VARIANCE * _CENTRE
    return information


def expected_gain(
    ranked: Ints, mean: Floats, covariance: Floats, trios: Ints, *, hands: float
) -> Floats:
    """Return how much a block of each trio is expected to make the ranking surer, (m,).

    `ranked` (n,): entries from the best down; `trios` (m, 3): entries. The gap of two neighbours,
    estimated as d with variance v, has the expected square d^2 + v. A block that takes v down by u
    is worth u / (d^2 + v), added up over the neighbours of which one is in the trio: the doubt that
    goes, in proportion to the gap it hides. It falls with the square of the gap and no faster: a
    rule that turns away sooner from what looks settled separates no field faster, and estimates
    are biased by having stopped when they looked good (see benchmarks/ladder.py, rating_coverage).
    """
    place = np.zeros(len(mean), dtype=np.int64)
    place[ranked] = np.arange(len(ranked))
    gap = np.abs(np.diff(mean[ranked]))
    pairs = (place[trios][:, :, None] + np.array([-1, 0])).reshape(len(trios), 6)
    pairs = np.sort(np.clip(pairs, 0, len(gap) - 1), axis=1)
    fresh = np.ones(pairs.shape, dtype=bool)
    fresh[:, 1:] = pairs[:, 1:] != pairs[:, :-1]
    upper, lower = ranked[pairs], ranked[pairs + 1]
    own = covariance[trios[:, :, None], trios[:, None, :]]
    weight = 2.25 * hands / HAND_VARIANCE
    shrink = weight * _CENTRE @ np.linalg.inv(np.eye(3) + weight * own @ _CENTRE)
    seated = trios[:, None, :]
    spread = covariance[upper[:, :, None], seated] - covariance[lower[:, :, None], seated]
    taken = np.einsum("mps,mst,mpt->mp", spread, shrink, spread)
    each = np.diag(covariance)
    variance = each[upper] + each[lower] - 2.0 * covariance[upper, lower]
    gain = taken / (gap[pairs] ** 2 + variance)
    total: Floats = np.where(fresh, gain, 0.0).sum(axis=1)
    return total
