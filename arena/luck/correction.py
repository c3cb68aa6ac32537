"""Points without luck: minus their best linear prediction from baselines, fitted elsewhere.

With y the points of the three positions in a hand, x its baselines (K numbers: every term of every
position) and b its block,

    corrected y = y - (x - mean x)' beta_b,

beta_b being the least-squares coefficients of y on x over all *other* blocks, so that no result has
a part in its own correction. As x does not depend on what anybody did and its mean is taken off,
corrected and raw points have the same mean at every position. The means are those over all hands at
hand: they are made of baselines only.

Sources: control variates (Lavenberg and Welch, Management Science 27 (1981) 322-335); regression by
independent subsets against its bias (Avramidis and Wilson, Operations Research Letters 14 (1993)
187-198); learned baselines in games: MIVAT (White and Bowling, IJCAI 2009), AIVAT (Burch et al.,
AAAI 2018).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arena.luck.cards import Floats, Ints, Singles
from arena.luck.deals import POSITIONS
from arena.luck.errors import LuckError

PRIOR_HANDS = 30.0
"""A ridge: as if in so many further hands points had nothing to do with the baselines."""
LEAST_HANDS = 100
"""Fewer hands in all other blocks say too little: the block is left as it is."""
BLOCKS_AT_ONCE = 2_000
"""Blocks whose equations are solved together: bounds the memory."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandsPlayed:
    """N hands of a field, by position."""

    block: Ints
    """(N,): block numbers, from 0."""
    points: Ints | Floats
    """(N, 3)"""
    terms: Singles
    """(N, terms, 3): baselines."""

    def __post_init__(self) -> None:
        hands = len(self.block)
        if self.points.shape != (hands, 3) or self.terms.shape[::2] != (hands, 3):
            raise LuckError(
                f"points {self.points.shape} and baselines {self.terms.shape} are not those of "
                f"{hands} hands; accepted are (N, 3) and (N, terms, 3)"
            )
        if hands and self.block.min() < 0:
            raise LuckError("a negative number of a block; accepted are 0 and more")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CorrectedHands:
    """The same hands without luck, as far as it is known."""

    points: Floats
    """(N, 3), by position."""
    coefficients: Floats
    """(blocks, K, 3): what each block was corrected by; zeros where too little is known."""


def correct(played: HandsPlayed) -> CorrectedHands:
    """Correct every hand by what all other blocks say."""
    hands, terms = played.terms.shape[:2]
    width = terms * POSITIONS
    if not hands:
        return CorrectedHands(points=np.zeros((0, 3)), coefficients=np.zeros((0, width, 3)))
    x = played.terms.reshape(hands, width).astype(np.float64)
    x -= x.mean(axis=0)
    y = played.points.astype(np.float64)
    coefficients = _elsewhere(played.block, x, y)
    corrected = y.copy()
    order = np.argsort(played.block, kind="stable")
    edges = np.searchsorted(played.block[order], np.arange(len(coefficients) + 1))
    for (first, last), beta in zip(pairwise(edges), coefficients, strict=True):
        rows = order[first:last]
        corrected[rows] -= x[rows] @ beta
    return CorrectedHands(points=corrected, coefficients=coefficients)


def _elsewhere(block: Ints, x: Floats, y: Floats) -> Floats:
    """Return for each block the coefficients that all others give: (blocks, K, 3)."""
    blocks, width = int(block.max()) + 1, x.shape[1]
    order = np.argsort(block, kind="stable")
    edges = np.searchsorted(block[order], np.arange(blocks + 1))
    count = np.diff(edges).astype(np.float64)
    own_x, own_y = np.zeros((blocks, width)), np.zeros((blocks, POSITIONS))
    own_xx, own_xy = np.zeros((blocks, width, width)), np.zeros((blocks, width, POSITIONS))
    for number, (first, last) in enumerate(pairwise(edges)):
        some_x, some_y = x[order[first:last]], y[order[first:last]]
        own_x[number], own_y[number] = some_x.sum(axis=0), some_y.sum(axis=0)
        own_xx[number], own_xy[number] = some_x.T @ some_x, some_x.T @ some_y
    whole = (
        count.sum(),
        own_x.sum(axis=0),
        own_y.sum(axis=0),
        own_xx.sum(axis=0),
        own_xy.sum(axis=0),
    )
    coefficients = np.zeros((blocks, width, POSITIONS))
    for start in range(0, blocks, BLOCKS_AT_ONCE):
        part = slice(start, start + BLOCKS_AT_ONCE)
        hands = whole[0] - count[part]
        known = hands >= LEAST_HANDS
        n = hands[known, None, None]
        sum_x, sum_y = (whole[1] - own_x[part])[known], (whole[2] - own_y[part])[known]
        xx = (whole[3] - own_xx[part])[known] - sum_x[:, :, None] * sum_x[:, None, :] / n
        xy = (whole[4] - own_xy[part])[known] - sum_x[:, :, None] * sum_y[:, None, :] / n
        variance = np.einsum("bkk->bk", xx) / n[:, :, 0]
        # What never varies gets no coefficient, whatever its rounding errors say.
        ridge = PRIOR_HANDS * variance + np.where(variance > 1e-9, 0.0, 1.0)
        xx[:, np.arange(width), np.arange(width)] += ridge
        coefficients[np.flatnonzero(known) + start] = np.linalg.solve(xx, xy)
    return coefficients
