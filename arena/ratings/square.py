"""One symmetric matrix from those of all blocks, factored and inverted where it stands.

Matrices are kept in C order with the lower triangle filled; LAPACK takes the same memory for an
upper triangle in its own order, so that nothing is copied: at 10,000 entries each copy is 800 MB.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from scipy import linalg
from scipy.linalg import blas, lapack

from arena.errors import ArenaBugError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SIDES = ((1, 0), (2, 0), (2, 1))
"""The pairs of a block's three entries."""
_TILE = 512


def pairs(size: int) -> tuple[Ints, Ints]:
    """Return rows and columns of the lower triangle, diagonal included, of a symmetric matrix."""
    rows, columns = np.tril_indices(size)
    return rows, columns


class Square:
    """Adds up matrices of blocks that have three strengths each, and parameters common to all.

    In every row of a block's matrix what belongs to the strengths adds up to 0, as only their
    differences matter. So the diagonal of the strengths is minus the sum of the rest of its row.
    """

    def __init__(self, trio: Ints, size: int, common: int) -> None:
        """Take the blocks' entries, (3, B), and how many of `size` parameters are common."""
        self._trio = trio
        self._size = size
        self._common = common
        self.sides = np.empty(trio.shape, dtype=np.int64)
        """(3, B): where the three pairs of a block stand in the flat matrix."""
        for row, (first, second) in enumerate(_SIDES):
            np.maximum(trio[first], trio[second], out=self.sides[row])
            self.sides[row] *= size
            self.sides[row] += np.minimum(trio[first], trio[second])
        self._values = np.empty(trio.shape)

    def total(self, pieces: Iterable[Floats]) -> Floats:
        """Add up matrices of consecutive blocks, given by their `pairs`: (pairs, b) each."""
        strengths = self._size - self._common
        edge = np.zeros((self._common, self._size))
        begin = 0
        for values in pieces:
            here = slice(begin, begin + values.shape[1])
            begin = here.stop
            for row, (first, second) in enumerate(_SIDES):
                self._values[row, here] = values[first * (first + 1) // 2 + second]
            for row in range(self._common):
                own = (3 + row) * (4 + row) // 2
                for column in range(3):
                    edge[row] += np.bincount(
                        self._trio[column, here], values[own + column], self._size
                    )
                for column in range(row + 1):
                    edge[row, strengths + column] += values[own + 3 + column].sum()
        flat = np.bincount(self.sides.ravel(), self._values.ravel(), self._size**2)
        whole: Floats = flat.astype(np.float64, copy=False).reshape(self._size, self._size)
        among = whole[:strengths, :strengths]
        among[np.diag_indices(strengths)] = -(among.sum(axis=0) + among.sum(axis=1))
        whole[strengths:] += edge
        return whole


def gather_square(index: Ints, values: Floats, size: int) -> Floats:
    """Add up symmetric matrices of any blocks, given by their `pairs`, into a whole one."""
    rows, columns = pairs(len(index))
    apart = rows != columns
    flat = index[rows[apart]] * size + index[columns[apart]]
    half = np.bincount(flat.ravel(), values[apart].ravel(), size**2).reshape(size, size)
    diagonal = np.bincount(index.ravel(), values[~apart].ravel(), size)
    whole: Floats = np.asarray(half + half.T, dtype=np.float64)
    whole[np.diag_indices(size)] += diagonal
    return whole


def factor(whole: Floats) -> Floats:
    """Return the Cholesky factor of a positive definite matrix, in its place."""
    if not whole.size:  # nobody is entered; LAPACK complains about such a matrix
        return whole
    found, fault = lapack.dpotrf(whole.T, lower=0, overwrite_a=1, clean=0)
    if fault:
        msg = "The information of the ratings is not positive definite."
        raise ArenaBugError(msg)
    return np.asarray(found, dtype=np.float64).T


def solve(factored: Floats, right: Floats) -> Floats:
    """Solve for one or more right-hand sides, given the factor."""
    if not factored.size:
        return right
    found = linalg.cho_solve((factored.T, False), right, check_finite=False)
    return np.asarray(found, dtype=np.float64)


def inverse(factored: Floats) -> Floats:
    """Return the whole inverse of a matrix from its factor, in the factor's place."""
    if not factored.size:
        return factored
    found, _ = lapack.dpotri(factored.T, lower=0, overwrite_c=1)
    return mirrored(np.asarray(found, dtype=np.float64).T)


def times(half: Floats, whole: Floats) -> Floats:
    """Return (half @ whole).T for symmetric matrices, the first given by its lower triangle."""
    if not half.size:
        return half
    return np.asarray(blas.dsymm(1.0, half.T, whole.T, lower=0), dtype=np.float64).T


def mirrored(half: Floats) -> Floats:
    """Fill the upper triangle from the lower one, in place."""
    for begin in range(0, len(half), _TILE):
        end = begin + _TILE
        half[begin:end, end:] = half[end:, begin:end].T
        tile = half[begin:end, begin:end]
        tile[...] = np.tril(tile) + np.tril(tile, -1).T
    return half
