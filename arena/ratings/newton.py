"""Maximum a posteriori by Newton's method, for likelihoods that fall into blocks.

Both models are sums over blocks; each block touches a few parameters only. With k the parameters of
one block and p all of them:

* `index` (B, k): which parameters each block touches;
* `score` (B, k): derivatives of a block's log-likelihood by them;
* `information` (B, k, k): minus its second derivatives.

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

_MAX_STEPS = 100
_TOLERANCE = 1e-9
"""Largest change of a parameter in the last step, in the model's own unit."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Derivatives:
    """What the blocks say at one point."""

    value: float
    """Log-likelihood, up to a constant."""
    score: Floats
    information: Floats


class Blocks(Protocol):
    """The likelihood of all blocks. Concave."""

    @property
    def index(self) -> Ints:
        """(B, k): which parameters each block touches."""

    def at(self, parameters: Floats) -> Derivatives:
        """Return value and derivatives at a point."""


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
    last: Derivatives
    """At the parameters."""


def fit(blocks: Blocks, prior: Prior, start: Floats) -> Fit:
    """Climb from `start` to the maximum; quadratic log-likelihoods take one step.

    Steps that do not gain are halved: the sum is concave, so this cannot end anywhere else.
    """
    here = _Point.at(blocks, prior, start)
    for _ in range(_MAX_STEPS):
        factor = here.factor(blocks.index)
        gradient = here.slope + gather(blocks.index, here.blocks.score, len(start))
        step = linalg.cho_solve((factor, True), gradient, check_finite=False)
        if np.abs(step).max(initial=0.0) < _TOLERANCE:
            return Fit(parameters=here.place, inverse=_inverse(factor), last=here.blocks)
        here = _climb(blocks, prior, here, step)
    msg = "The fit of the ratings did not settle."
    raise ArenaBugError(msg)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Point:
    """Where the climb stands, and what blocks and prior say there."""

    place: Floats
    value: float
    """Of blocks and prior together."""
    blocks: Derivatives
    slope: Floats
    """Of the prior."""
    curvature: Floats
    """Of the prior."""

    @classmethod
    def at(cls, blocks: Blocks, prior: Prior, place: Floats) -> _Point:
        derivatives = blocks.at(place)
        value, slope, curvature = prior.at(place)
        return cls(
            place=place,
            value=derivatives.value + value,
            blocks=derivatives,
            slope=slope,
            curvature=curvature,
        )

    def factor(self, index: Ints) -> Floats:
        """Return the lower Cholesky factor of the information of blocks and prior together."""
        size = len(self.place)
        whole = gather_square(index, self.blocks.information, size)
        whole[np.diag_indices(size)] += self.curvature
        factor, _ = linalg.cho_factor(whole, lower=True, overwrite_a=True, check_finite=False)
        return np.asarray(factor, dtype=np.float64)


def _climb(blocks: Blocks, prior: Prior, here: _Point, step: Floats) -> _Point:
    """Take the step, or as many halves of it as are needed not to fall."""
    rounding = 1e-12 * (1.0 + abs(here.value))
    while True:
        there = _Point.at(blocks, prior, here.place + step)
        if there.value >= here.value - rounding or np.abs(step).max() < _TOLERANCE:
            return there
        step = step / 2.0


def gather(index: Ints, values: Floats, size: int) -> Floats:
    """Add up what the blocks say about each parameter."""
    total = np.bincount(index.ravel(), weights=values.ravel(), minlength=size)
    return total.astype(np.float64, copy=False)


def gather_square(index: Ints, values: Floats, size: int) -> Floats:
    """Add up symmetric (B, k, k) matrices of blocks into one (size, size) matrix."""
    rows, columns = np.tril_indices(index.shape[1])
    flat = index[:, rows] * size + index[:, columns]
    half = gather(flat, values[:, rows, columns], size**2).reshape(size, size)
    return _mirrored(half)


def _inverse(factor: Floats) -> Floats:
    """Invert a positive definite matrix from its lower Cholesky factor."""
    lower, _ = linalg.lapack.dpotri(factor, lower=1)
    return _mirrored(np.tril(lower))


def _mirrored(half: Floats) -> Floats:
    """Return the symmetric matrix whose every pair of entries is given on one side only."""
    whole = half + half.T
    whole[np.diag_indices(len(whole))] /= 2.0
    return whole
