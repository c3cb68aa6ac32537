"""Maximum a posteriori by Newton's method, for likelihoods that fall into blocks.

Both models are sums over blocks; each block touches a few parameters only. With k the parameters of
one block and B the number of blocks (last, so that numpy works along long rows):

* `index` (k, B): which parameters each block touches;
* `score` (k, B): derivatives of a block's log-likelihood by them;
* `information` (k (k + 1) / 2, B): minus its second derivatives, the pairs as in `pairs(k)`.

The first three parameters of every block are the strengths of its three entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import linalg

from arena.errors import ArenaBugError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_MAX_STEPS = 200
_TOLERANCE = 1e-7
"""A step smaller than this is not taken, in the model's own unit: some 1e-5 Elo."""
_NEAR = 0.1
"""Below steps of this size the last second derivatives serve on: a chord step costs a third."""


class Blocks(Protocol):
    """The log-likelihood of all blocks. Concave."""

    @property
    def index(self) -> Ints:
        """(k, B): which parameters each block touches."""

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
    inverse: Floats
    """(p, p): inverse of the information of blocks and prior together."""
    score: Floats
    information: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Point:
    """Where the climb stands, and how it goes on from there."""

    place: Floats
    value: float
    """Of blocks and prior together."""
    score: Floats
    """Of the blocks."""
    gradient: Floats
    """Of blocks and prior together."""

    @classmethod
    def at(cls, blocks: Blocks, prior: Prior, place: Floats) -> _Point:
        value, score = blocks.slope(place)
        prior_value, prior_slope, _ = prior.at(place)
        return cls(
            place=place,
            value=value + prior_value,
            score=score,
            gradient=prior_slope + gather(blocks.index, score, len(place)),
        )


def fit(blocks: Blocks, prior: Prior, start: Floats) -> Fit:
    """Climb from `start` to the maximum; quadratic log-likelihoods take one step.

    Steps that do not gain are halved: the sum is concave, so this cannot end anywhere else.
    """
    here = _Point.at(blocks, prior, start)
    factor = _factor(blocks, prior, start, blocks.information(start))
    for _ in range(_MAX_STEPS):
        step = linalg.cho_solve((factor, True), here.gradient, check_finite=False)
        size = float(np.abs(step).max(initial=0.0))
        if size < _TOLERANCE:
            information = blocks.information(here.place)
            factor = _factor(blocks, prior, here.place, information)
            return Fit(
                parameters=here.place,
                inverse=_inverse(factor),
                score=here.score,
                information=information,
            )
        here = _climb(blocks, prior, here, step)
        if size > _NEAR:
            factor = _factor(blocks, prior, here.place, blocks.information(here.place))
    msg = "The fit of the ratings did not settle."
    raise ArenaBugError(msg)


def _climb(blocks: Blocks, prior: Prior, here: _Point, step: Floats) -> _Point:
    """Take the step, or as many halves of it as are needed not to fall."""
    rounding = 1e-12 * (1.0 + abs(here.value))
    while True:
        there = _Point.at(blocks, prior, here.place + step)
        if there.value >= here.value - rounding or np.abs(step).max() < _TOLERANCE:
            return there
        step = step / 2.0


def pairs(size: int) -> tuple[Ints, Ints]:
    """Return rows and columns of the lower triangle, diagonal included, of a symmetric matrix."""
    rows, columns = np.tril_indices(size)
    return rows, columns


def numbered(labels: Ints) -> tuple[Ints, Ints]:
    """Return the distinct labels, ascending, and the number of each label among them."""
    if len(labels) and (labels[1:] >= labels[:-1]).all():  # as results come: nothing to be sorted
        fresh = np.concatenate([[True], labels[1:] != labels[:-1]])
        return labels[fresh], np.cumsum(fresh) - 1
    distinct, number = np.unique(labels, return_inverse=True)
    return distinct, number


def gather(index: Ints, values: Floats, size: int) -> Floats:
    """Add up what the blocks say about each parameter."""
    total = np.bincount(index.ravel(), weights=values.ravel(), minlength=size)
    return total.astype(np.float64, copy=False)


def gather_square(index: Ints, values: Floats, size: int) -> Floats:
    """Add up symmetric matrices of blocks, given by their `pairs`, into one (size, size) matrix."""
    rows, columns = pairs(len(index))
    apart = rows != columns
    flat = index[rows[apart]] * size + index[columns[apart]]
    whole = gather(flat, values[apart], size**2).reshape(size, size)
    whole = whole + whole.T
    whole[np.diag_indices(size)] += gather(index, values[~apart], size)
    return whole


def _factor(blocks: Blocks, prior: Prior, place: Floats, information: Floats) -> Floats:
    """Return the lower Cholesky factor of the information of blocks and prior together."""
    _, _, curvature = prior.at(place)
    whole = gather_square(blocks.index, information, len(place))
    whole[np.diag_indices(len(place))] += curvature
    factor, _ = linalg.cho_factor(whole, lower=True, overwrite_a=True, check_finite=False)
    return np.asarray(factor, dtype=np.float64)


def _inverse(factor: Floats) -> Floats:
    """Invert a positive definite matrix from its lower Cholesky factor."""
    if not factor.size:  # nobody is entered; LAPACK complains about such a matrix
        return factor
    lower, _ = linalg.lapack.dpotri(factor, lower=1)
    return _mirrored(np.tril(lower))


def _mirrored(half: Floats) -> Floats:
    """Return the symmetric matrix whose every pair of entries is given on one side only."""
    whole = half + half.T
    whole[np.diag_indices(len(whole))] /= 2.0
    return whole
