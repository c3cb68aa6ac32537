"""Maximum a posteriori by Newton's method, for likelihoods that fall into blocks.

Both models are sums over blocks. Each block touches the strengths of its three entries, of which
only the differences matter, and t parameters common to all. With k = 3 + t and B the number of
blocks (last, so that numpy works along long rows):

* `trio` (3, B): the three entries, by their numbers;
* `score` (k, B): derivatives of a block's log-likelihood by its parameters;
* `information` (k (k + 1) / 2, B): minus its second derivatives, the pairs as in `pairs(k)`.

Parameters are the strengths of all n entries, then the common ones: p = n + t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from arena.errors import ArenaBugError
from arena.ratings.square import Floats, Ints, Square, factor, inverse, solve

Bools = npt.NDArray[np.bool_]

PIECE = 1 << 14
"""So many blocks at a time, that their arrays stay in the cache."""

_MAX_STEPS = 200
_TOLERANCE = 1e-7
"""A step smaller than this is the last, in the model's own unit: some 1e-5 Elo."""
_NEAR = 0.1
"""Below steps of this size the last second derivatives serve on: a chord step costs a third."""
_SAME = 1e-3
"""So near to where it was taken, an information serves: a variance moves by 0.1 % at most."""
_ROUGH_STEPS = 3


class Blocks(Protocol):
    """The log-likelihood of all blocks. Concave."""

    @property
    def trio(self) -> Ints:
        """(3, B): the entries of each block."""

    def parts(self) -> Sequence[Blocks]:
        """Return the same blocks in pieces of at most `PIECE`, in order."""

    def slope(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the value, up to a constant, and the score of every block."""

    def information(self, parameters: Floats) -> Floats:
        """Return the information of every block."""


class Prior(Protocol):
    """A log-density that falls into parameters. Strictly concave where the blocks say nothing."""

    def at(self, parameters: Floats) -> tuple[float, Floats, Floats]:
        """Return value, first derivatives and minus second derivatives, (p,) each."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """The point of highest posterior density and what is known there."""

    parameters: Floats
    """(p,), and whatever was eliminated."""
    inverse: Floats
    """(p, p): inverse of the information of blocks and prior together."""
    square: Square
    passed_on: Floats | None = None
    """(p, q): what the scores of q eliminated parameters mean for the others; None without any."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Point:
    """Where the climb stands. Value and gradient are of blocks and prior together."""

    place: Floats
    value: float
    gradient: Floats


class _Climb:
    """The sum of all blocks and the prior as one function."""

    def __init__(self, blocks: Blocks, prior: Prior, size: int, common: int) -> None:
        self._parts = blocks.parts()
        self._prior = prior
        self._size = size
        self._strengths = size - common
        self.square = Square(blocks.trio, size, common)

    def at(self, place: Floats) -> _Point:
        value, gradient, _ = self._prior.at(place)
        for part in self._parts:
            more, score = part.slope(place)
            value += more
            self._add(gradient, part.trio, score)
        return _Point(place=place, value=value, gradient=gradient)

    def curvature(self, place: Floats) -> Floats:
        """Return the diagonal of the information, (p,)."""
        _, _, diagonal = self._prior.at(place)
        for part in self._parts:
            information = part.information(place)
            size = 3 + self._size - self._strengths
            on = [row * (row + 3) // 2 for row in range(size)]
            self._add(diagonal, part.trio, information[on])
        return diagonal

    def factor(self, place: Floats) -> Floats:
        """Return the Cholesky factor of the information."""
        whole = self.square.total(part.information(place) for part in self._parts)
        whole[np.diag_indices(self._size)] += self._prior.at(place)[2]
        return factor(whole)

    def take(self, here: _Point, step: Floats) -> _Point:
        """Take the step, or as many halves of it as are needed not to fall."""
        rounding = 1e-12 * (1.0 + abs(here.value))
        while True:
            there = self.at(here.place + step)
            if there.value >= here.value - rounding or np.abs(step).max() < _TOLERANCE:
                return there
            step = step / 2.0

    def roughly(self, here: _Point) -> _Point:
        """Go near the maximum by the diagonal alone: where many met many, that is nearly all."""
        curvature = self.curvature(here.place)
        for _ in range(_ROUGH_STEPS):
            step = here.gradient / curvature
            size = float(np.abs(step).max(initial=0.0))
            if size < _SAME / 4:
                break
            here = self.take(here, step)
            if size > _NEAR:
                curvature = self.curvature(here.place)
        return here

    def _add(self, total: Floats, trio: Ints, values: Floats) -> None:
        """Add values of blocks, one row for each of their parameters."""
        for entries, row in zip(trio, values[:3], strict=True):
            total[: self._strengths] += np.bincount(entries, row, self._strengths)
        total[self._strengths :] += values[3:].sum(axis=1)


def fit(blocks: Blocks, prior: Prior, start: Floats, *, common: int) -> Fit:
    """Climb from `start`, of which the last `common` parameters belong to all, to the maximum.

    Steps that do not gain are halved: the sum is concave, so this cannot end anywhere else.
    """
    climb = _Climb(blocks, prior, len(start), common)
    here = climb.roughly(climb.at(start))
    factored, taken_at = climb.factor(here.place), here.place
    for _ in range(_MAX_STEPS):
        step = solve(factored, here.gradient)
        size = float(np.abs(step).max(initial=0.0))
        moved = float(np.abs(here.place - taken_at).max(initial=0.0))
        if size < _TOLERANCE:
            if moved > _SAME:
                factored = climb.factor(here.place)
            # The last step costs nothing and leaves an error much smaller than itself.
            return Fit(parameters=here.place + step, inverse=inverse(factored), square=climb.square)
        here = climb.take(here, step)
        if size > _NEAR:
            factored, taken_at = climb.factor(here.place), here.place
    msg = "The fit of the ratings did not settle."
    raise ArenaBugError(msg)


def numbered(labels: Ints) -> tuple[Ints, Ints]:
    """Return the distinct labels, ascending, and the number of each label among them.

    Labels count from 0 and leave out few.
    """
    seen = np.bincount(labels) > 0
    if seen.all():
        return np.arange(len(seen)), labels
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[labels]


def gather(index: Ints, values: Floats, size: int) -> Floats:
    """Add up values by index."""
    total = np.bincount(index.ravel(), weights=values.ravel(), minlength=size)
    return total.astype(np.float64, copy=False)


def ranks(seats: Ints) -> Ints:
    """Return for each seat how many at its table have a smaller number: (N, 3) -> (3, N)."""
    first, second, third = (np.ascontiguousarray(column) for column in seats.T)
    a, b, c = first > second, first > third, second > third
    return np.stack([a.astype(np.int64) + b, c + (~a).astype(np.int64), (~b).astype(np.int64) + ~c])
