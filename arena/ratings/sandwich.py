"""Covariance by block: what the blocks themselves say about how far estimates are off.

With M the inverse information of the fit and s_b the score of block b, the covariance of the
estimates is M (sum of s_b s_b') M: whatever happens inside a block may depend on anything else
there. Source: Liang and Zeger, Biometrika 73 (1986) 13-22.

A block pulls the fit towards itself, so its score is too small. CR2 undoes that on average:
s_b -> (I - S_b M_b)^(-1/2) s_b, with S_b the block's information and M_b the part of M that belongs
to its entries. Source: Bell and McCaffrey, Survey Methodology 28 (2002) 169-181; Pustejovsky and
Tipton, Journal of Business & Economic Statistics 36 (2018) 672-683. (Their X_b' (I - H_bb)^(-1/2)
e_b, pushed through X_b.) It is applied to the strengths; position and neighbour terms are
orthogonal to them within a whole block.

With few blocks even an unbiased variance is a wild guess. It is averaged with what the model says
(M times the pooled dispersion), which counts like PRIOR_BLOCKS blocks: variance moderation, Smyth,
Statistical Applications in Genetics and Molecular Biology 3 (2004) art. 3. Where the data put no
bound on a strength (see `one_sided`), scores say nothing and the model's variance is taken alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arena.ratings.covariance import Covariance
from arena.ratings.newton import Bools, Fit, gather
from arena.ratings.square import Floats, Ints, gather_square, mirrored, pairs, times

PRIOR_BLOCKS = 4.0
"""How many blocks the model's own variance counts for beside the blocks of an entry."""

_LEAST_LEFT = 1e-9
"""Of what a block leaves to the others; less is rounding."""


class ScoredBlocks(Protocol):
    """What is needed of blocks, see `newton`; scores of eliminated parameters come last."""

    @property
    def trio(self) -> Ints:
        """Return the entries of each block, (3, B)."""

    def parts(self) -> Sequence[ScoredBlocks]:
        """Return the same blocks in pieces."""

    def slope(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the value and the score of every block."""

    def information(self, parameters: Floats) -> Floats:
        """Return the information of every block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPrior:
    """A prior of strengths that is itself estimated, in units of the fit. See `field`."""

    precision: float
    """Of each strength."""
    width_variance: float
    """Of the log of the prior's variance, as it is only estimated."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Uncertainty:
    """How far the strengths may be off. n entries, in the order of their numbers."""

    covariance: Covariance
    degrees: Floats
    """(n,): degrees of freedom of each entry's variance."""
    dispersion: float
    """Pooled ratio of the scores' variance to what the model expects."""


def uncertainty(
    blocks: ScoredBlocks,
    fit: Fit,
    weight: Floats,
    one_sided: Bools,
    usual_dispersion: float,
    field: FieldPrior | None = None,
) -> Uncertainty:
    """Estimate the covariance of the strengths.

    `weight` (B,): hands or games of each block. `one_sided` (n,): whose strength the data do not
    bound. `usual_dispersion`: what the dispersion is taken for while there are few blocks.
    """
    n = len(one_sided)
    trio = blocks.trio
    meat, observed, expected = _meat(blocks, fit, n)
    dispersion = pooled(trio.shape[1], observed, expected, usual_dispersion)
    strength = fit.parameters[:n]
    shift = np.zeros(n)
    if field is not None:
        # The prior is a fact about the field and has its own part in the spread of estimates.
        meat[np.arange(n), np.arange(n)] += field.precision * dispersion
        # d strength / d log width, times how far off that may be.
        gradient = field.precision * (fit.inverse[:n, :n] @ strength)
        shift = np.sqrt(field.width_variance) * gradient
    # Where only the prior bounds a strength, evenly spread scores are no sign of certainty.
    scale = np.where(one_sided, max(dispersion, usual_dispersion), dispersion)
    degrees = np.maximum(0.0, _effective_blocks(trio, weight, n) - 1.0)
    trust = np.where(one_sided, 0.0, degrees / (degrees + PRIOR_BLOCKS))
    return Uncertainty(
        covariance=Covariance(
            inverse=fit.inverse,
            product=times(meat, fit.inverse),
            own=np.sqrt(trust),
            model=np.sqrt((1.0 - trust) * scale),
            shift=shift,
        ),
        degrees=degrees + PRIOR_BLOCKS,
        dispersion=dispersion,
    )


def pooled(blocks: int, observed: float, expected: float, usual: float) -> float:
    """Return the dispersion, which counts for `usual` as much as PRIOR_BLOCKS scores say.

    Every block says two things about its three entries' differences.
    """
    free = max(0.0, 2.0 * blocks - expected)
    ratio = observed / expected if expected > 0.0 else usual
    return float((free * ratio + PRIOR_BLOCKS * usual) / (free + PRIOR_BLOCKS))


def dispersion_of(blocks: ScoredBlocks, fit: Fit, usual: float) -> float:
    """Return the dispersion alone."""
    observed = expected = 0.0
    begin = 0
    for part in blocks.parts():
        sides = fit.square.sides[:, begin : begin + part.trio.shape[1]]
        begin += part.trio.shape[1]
        _, seen, hoped = _without_leverage(part, fit, sides)
        observed, expected = observed + seen, expected + hoped
    return pooled(begin, observed, expected, usual)


def _meat(blocks: ScoredBlocks, fit: Fit, n: int) -> tuple[Floats, float, float]:
    """Return the sum of squared scores (lower triangle), how they vary, and how the model says."""
    size = len(fit.inverse)
    sums = [0.0, 0.0]
    every: list[Floats] = []

    def products() -> Iterator[Floats]:
        begin = 0
        for part in blocks.parts():
            sides = fit.square.sides[:, begin : begin + part.trio.shape[1]]
            begin += part.trio.shape[1]
            score, observed, expected = _without_leverage(part, fit, sides)
            sums[0] += observed
            sums[1] += expected
            if fit.passed_on is not None:
                every.append(score)
            rows, other = pairs(3 + size - n)
            yield score[rows] * score[other]

    meat = fit.square.total(products())
    if fit.passed_on is not None:
        meat = _with_eliminated(mirrored(meat), blocks.trio, np.hstack(every), fit.passed_on, n)
    return meat, sums[0], sums[1]


def _with_eliminated(meat: Floats, trio: Ints, score: Floats, passed_on: Floats, n: int) -> Floats:
    """Return the sum of squares of s - K t: t, the scores of eliminated parameters, come last."""
    size, eliminated = passed_on.shape
    common = size - n
    positions = np.broadcast_to(n + np.arange(common)[:, None], (common, trio.shape[1]))
    index = np.vstack([trio, positions, trio + size])
    rows, other = pairs(len(index))
    whole = gather_square(index, score[rows] * score[other], size + eliminated)
    both = passed_on @ whole[size:, :size]
    changed: Floats = meat - both - both.T + passed_on @ whole[size:, size:] @ passed_on.T
    return changed


def _without_leverage(part: ScoredBlocks, fit: Fit, sides: Ints) -> tuple[Floats, float, float]:
    """Return the scores without the pull of each block, how they vary, and how the model says.

    As nothing in a block says how strong its entries are on the whole, two of its three scores say
    all, and everything is about the differences to the third entry: 2 x 2 matrices, in closed form.
    """
    _, score = part.slope(fit.parameters)
    information = part.information(fit.parameters)
    a, b, c = information[0], information[1], information[2]
    on = np.diagonal(fit.inverse).copy()
    first, second, third = (on[entries] for entries in part.trio)
    with_second, with_third, of_both = (fit.inverse.ravel()[side] for side in sides)
    # Covariances of the differences to the third entry.
    p = first + third - 2.0 * with_third
    q = with_second - with_third - of_both + third
    r = second + third - 2.0 * of_both
    # I - A, A the leverage.
    upper, right = 1.0 - (a * p + b * q), -(a * q + b * r)
    left, lower = -(b * p + c * q), 1.0 - (b * q + c * r)
    trace = upper + lower
    root = np.sqrt(np.maximum(upper * lower - right * left, _LEAST_LEFT))
    # X^(-1/2) = adj(X + root I) / (root sqrt(trace + 2 root)) for 2 x 2 matrices X, root^2 = det X.
    scale = 1.0 / (root * np.sqrt(trace + 2.0 * root))
    u, v = score[0], score[1]
    moved_u = scale * ((lower + root) * u - right * v)
    moved_v = scale * ((upper + root) * v - left * u)
    score[0], score[1] = moved_u, moved_v
    score[2] = -moved_u - moved_v
    observed = p @ moved_u**2 + 2.0 * (q @ (moved_u * moved_v)) + r @ moved_v**2
    return score, float(observed), float((2.0 - trace).sum())


def _effective_blocks(trio: Ints, weight: Floats, n: int) -> Floats:
    """Return how many equal blocks each entry's blocks are worth: (sum w)^2 / sum w^2."""
    weights = np.broadcast_to(weight, trio.shape)
    total = gather(trio, weights, n)
    squares = gather(trio, weights**2, n)
    return np.divide(total**2, squares, out=np.zeros(n), where=squares > 0.0)
