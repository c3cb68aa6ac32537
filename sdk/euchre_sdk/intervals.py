"""Error bars from blocks: a ratio of sums, its 95 % interval, and who is ahead of whom.

Blocks are independent of one another, what lies within one need not be. Each block gives for every
bot an amount (its points) and one size for all (its hands); the estimate is the ratio of the sums,
and its variance that of a ratio estimator over blocks. All sums are whole numbers, so the result
does not depend on the order in which blocks arrive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import atan, cos, pi, sin, sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
"""Probability of the intervals that are reported."""
_EXACT_UP_TO = 500
"""Degrees of freedom above which Student's t is taken from the normal distribution."""


@dataclass(slots=True)
class BlockSums:
    """Running sums over blocks of the amounts of three bots; memory does not grow."""

    blocks: int = 0
    size: int = 0
    """Sum of the blocks' sizes."""
    size_squared: int = 0
    amounts: list[int] = field(default_factory=lambda: [0, 0, 0])
    amounts_by_size: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Sum of amount × size, for each bot."""
    products: list[list[int]] = field(default_factory=lambda: [[0, 0, 0] for _ in range(3)])
    """Sum of amount × amount, for each pair of bots."""

    def add(self, amounts: Sequence[int], size: int) -> None:
        """Count one block."""
        self.blocks += 1
        self.size += size
        self.size_squared += size * size
        for i, amount in enumerate(amounts):
            self.amounts[i] += amount
            self.amounts_by_size[i] += amount * size
            for j, other in enumerate(amounts):
                self.products[i][j] += amount * other

    def mean(self, bot: int) -> float | None:
        """Return a bot's amount for one unit of size, `None` before there is any."""
        return self.amounts[bot] / self.size if self.size else None

    def error(self, bot: int) -> float | None:
        """Return the half-width of the 95 % interval of `mean`; `None` with fewer than two blocks.

        Source: Cochran, Sampling Techniques (1977), chapters 6 (ratio estimator) and 9A (clusters
        of unequal size); Student's t with one degree of freedom less than there are blocks.
        """
        standard_error = self._standard_error([float(bot == i) for i in range(3)])
        if standard_error is None:
            return None
        return t_quantile((1 + CONFIDENCE) / 2, self.blocks - 1) * standard_error

    def superiority(self, bot: int, other: int) -> float | None:
        """Return the likelihood that `bot` is better than `other`, in (0, 1).

        That is Student's distribution function at their difference over its standard error, with
        the pairing within blocks; `None` where the blocks do not vary or there are fewer than two.
        """
        standard_error = self._standard_error(
            [float(bot == i) - float(other == i) for i in range(3)]
        )
        if not standard_error:
            return None
        ahead = (self.amounts[bot] - self.amounts[other]) / self.size
        return t_probability(ahead / standard_error, self.blocks - 1)

    def _standard_error(self, weights: Sequence[float]) -> float | None:
        """Return the standard error of a weighted sum of the bots' means."""
        n = self.blocks
        if n < 2 or not self.size:
            return None
        pairs = [(i, j) for i in range(3) for j in range(3)]
        amount = sum(w * a for w, a in zip(weights, self.amounts, strict=True))
        squares = sum(weights[i] * weights[j] * self.products[i][j] for i, j in pairs)
        by_size = sum(w * a for w, a in zip(weights, self.amounts_by_size, strict=True))
        ratio = amount / self.size
        residuals = squares - 2 * ratio * by_size + ratio * ratio * self.size_squared
        # What is left of exact cancellation may be a hair below zero.
        return sqrt(max(residuals, 0.0) * n / (n - 1)) / self.size


def t_probability(t: float, degrees: int) -> float:
    """Return the probability that Student's t with so many degrees of freedom is at most `t`.

    Exact up to 500 degrees, within 1e-6 above. Source: Abramowitz & Stegun (1964), 26.7.3 and
    26.7.4 (finite series), 26.7.8 (by the normal distribution).
    """
    if degrees > _EXACT_UP_TO:
        return NormalDist().cdf(t * (1 - 1 / (4 * degrees)) / sqrt(1 + t * t / (2 * degrees)))
    angle = atan(t / sqrt(degrees))
    square = cos(angle) ** 2
    odd = degrees % 2
    term, total = (cos(angle), 0.0) if odd else (1.0, 0.0)
    for n in range(odd, degrees - 1, 2):
        total += term
        term *= square * (n + 1) / (n + 2)
    within = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return (1 + within) / 2


def t_quantile(probability: float, degrees: int) -> float:
    """Return the value that Student's t stays below with a probability in [0.5, 1)."""
    low, high = 0.0, 1.0
    while t_probability(high, degrees) < probability:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        if t_probability(middle, degrees) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2
