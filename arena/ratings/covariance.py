"""Covariances of strengths, worked out for the pairs that somebody asks for.

All pairs of 10,000 entries are 800 MB, and a table needs some 30,000 of them. One product of two
matrices is made once; after that each pair is a product of two of its rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.ratings.square import Floats, Ints

_ROWS = 256
"""So many rows at a time."""
_FEW = 8
"""Where fewer than one in so many are meant, only their rows are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Covariance:
    """What blocks say, in part, and for the rest the model: own V own + share M share + d d'.

    n entries; p >= n parameters of the fit.
    """

    inverse: Floats
    """(p, p): M, symmetric."""
    product: Floats
    """(p, p): M times the sum of the blocks' squared scores, so that V = product M."""
    own: Floats
    """(n,): the root of the weight of V."""
    model: Floats
    """(n,): the root of the weight of M."""
    shift: Floats
    """(n,): d, a deviation that all share."""

    def between(self, first: Ints, second: Ints) -> Floats:
        """Return the covariances of pairs of entries, (m,)."""
        found = np.empty(len(first))
        # One order of each pair: to the last bit the same both ways.
        upper, lower = np.minimum(first, second), np.maximum(first, second)
        for begin in range(0, len(first), _ROWS):
            some = slice(begin, begin + _ROWS)
            i, j = upper[some], lower[some]
            blocks = np.einsum("ij,ij->i", self.product[i], self.inverse[j])
            found[some] = (
                self.own[i] * blocks * self.own[j]
                + self.model[i] * self.inverse[i, j] * self.model[j]
                + self.shift[i] * self.shift[j]
            )
        return found

    def dense(self) -> Floats:
        """Return all of them, (n, n)."""
        n = len(self.own)
        blocks = self.product[:n] @ self.inverse[:, :n]
        return (
            self.own[:, None] * (blocks + blocks.T) / 2.0 * self.own
            + self.model[:, None] * self.inverse[:n, :n] * self.model
            + np.outer(self.shift, self.shift)
        )

    def row_sums(self, members: Ints) -> Floats:
        """Return for each of some entries the sum of its covariances with all of them."""
        own, model, shift = self.own[members], self.model[members], self.shift[members]
        if _FEW * len(members) < len(self.inverse):
            rows = self.inverse[members]
            blocks = self.product[members] @ (rows.T @ own)
            alone = rows[:, members] @ model
        else:  # without copies of what may be most of the matrices
            weight = np.zeros((len(self.inverse), 2))
            weight[members, 0], weight[members, 1] = own, model
            both = self.inverse @ weight
            blocks = (self.product @ both[:, 0])[members]
            alone = both[members, 1]
        total: Floats = own * blocks + model * alone + shift * shift.sum()
        return total
