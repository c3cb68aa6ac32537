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

from dataclasses import dataclass

import numpy as np

from arena.ratings.newton import Bools, Fit, Floats, Ints, gather, gather_square, pairs

PRIOR_BLOCKS = 4.0
"""How many blocks the model's own variance counts for beside the blocks of an entry."""

_HIGHEST_LEVERAGE = 1.0 - 1e-6
_CHUNK = 1 << 13
"""So many blocks at a time, that their small matrices stay in the cache."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Uncertainty:
    """How far the strengths may be off. n entries, in the order of their numbers."""

    covariance: Floats
    """(n, n)"""
    degrees: Floats
    """(n,): degrees of freedom of each entry's variance."""
    dispersion: Floats
    """(): pooled ratio of the scores' variance to what the model expects."""


def uncertainty(
    index: Ints, fit: Fit, weight: Floats, one_sided: Bools, usual_dispersion: float
) -> Uncertainty:
    """Estimate the covariance of the strengths.

    `weight` (B,): hands or games of each block. `one_sided` (n,): whose strength the data do not
    bound. `usual_dispersion`: what the dispersion is taken for while there are few blocks.
    """
    n, size = len(one_sided), len(fit.inverse)
    trio = index[:3]
    score, observed, expected = _without_leverage(trio, fit)
    # Every block says two things about its three entries' differences.
    free = max(0.0, 2.0 * index.shape[1] - expected)
    pooled = observed / expected if expected > 0.0 else usual_dispersion
    dispersion = (free * pooled + PRIOR_BLOCKS * usual_dispersion) / (free + PRIOR_BLOCKS)

    rows, other = pairs(len(index))
    meat = gather_square(index, score[rows] * score[other], size)
    robust = fit.inverse[:n] @ meat @ fit.inverse[:, :n]
    # Where only the prior bounds a strength, evenly spread scores are no sign of certainty.
    scale = np.where(one_sided, max(dispersion, usual_dispersion), dispersion)

    degrees = np.maximum(0.0, _effective_blocks(trio, weight, n) - 1.0)
    trust = np.where(one_sided, 0.0, degrees / (degrees + PRIOR_BLOCKS))
    own, model = np.sqrt(trust), np.sqrt((1.0 - trust) * scale)
    return Uncertainty(
        covariance=own[:, None] * robust * own + model[:, None] * fit.inverse[:n, :n] * model,
        degrees=degrees + PRIOR_BLOCKS,
        dispersion=np.asarray(dispersion),
    )


def _without_leverage(trio: Ints, fit: Fit) -> tuple[Floats, float, float]:
    """Return the scores without the pull of each block, how they vary, and how the model says."""
    rows, other = pairs(3)
    score = fit.score.copy()
    observed = expected = 0.0
    for begin in range(0, trio.shape[1], _CHUNK):
        some = slice(begin, begin + _CHUNK)
        here = trio[:, some]
        inverse = _whole(fit.inverse[here[rows], here[other]])
        leverage = _times(_whole(fit.information[:6, some]), inverse)
        moved = _undo_leverage(leverage, score[:3, some])
        score[:3, some] = moved
        observed += float(np.vdot(moved, _on(inverse, moved)))
        expected += float(_trace(leverage).sum())
    return score, observed, expected


def _undo_leverage(leverage: Floats, score: Floats) -> Floats:
    """Return (I - A)^(-1/2) s for every block's A and s.

    A has the eigenvalues 0, u and v, as nothing in a block says how strong its entries are on the
    whole. So the function of A is I + a A + b A^2, exactly, with a and b from its values at u, v.
    """
    trace = _trace(leverage)
    square = _trace(_times(leverage, leverage))
    gap = np.sqrt(np.maximum(0.0, 2.0 * square - trace**2))
    larger = np.clip((trace + gap) / 2.0, 0.0, _HIGHEST_LEVERAGE)
    smaller = np.clip((trace - gap) / 2.0, 0.0, _HIGHEST_LEVERAGE)
    # g(x) = ((1-x)^(-1/2) - 1) / x without cancellation; (g(u) - g(v)) / (u - v) likewise.
    p, q = np.sqrt(1.0 - larger), np.sqrt(1.0 - smaller)
    bend = (1.0 + p + q) / (p * q * (1.0 + p) * (1.0 + q) * (p + q))
    slope = 1.0 / (p * (1.0 + p)) - bend * larger
    once = _on(leverage, score)
    moved: Floats = score + slope * once + bend * _on(leverage, once)
    return moved


# Small matrices of all blocks at once: (3, 3, B), so that numpy works along long rows.


def _whole(half: Floats) -> Floats:
    """Return symmetric 3 x 3 matrices from their `pairs`."""
    whole: Floats = half[np.array([[0, 1, 3], [1, 2, 4], [3, 4, 5]])]
    return whole


def _times(left: Floats, right: Floats) -> Floats:
    product: Floats = np.einsum("ijb,jkb->ikb", left, right)
    return product


def _on(matrix: Floats, vector: Floats) -> Floats:
    product: Floats = np.einsum("ijb,jb->ib", matrix, vector)
    return product


def _trace(matrix: Floats) -> Floats:
    trace: Floats = matrix[0, 0] + matrix[1, 1] + matrix[2, 2]
    return trace


def _effective_blocks(trio: Ints, weight: Floats, n: int) -> Floats:
    """Return how many equal blocks each entry's blocks are worth: (sum w)^2 / sum w^2."""
    weights = np.broadcast_to(weight, trio.shape)
    total = gather(trio, weights, n)
    squares = gather(trio, weights**2, n)
    return np.divide(total**2, squares, out=np.zeros(n), where=squares > 0.0)
