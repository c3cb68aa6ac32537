"""The model of sessions: linear in points.

In one hand, for the entry i on a seat, with j and k on the other two,

    E[points of i] = position + theta_i - (theta_j + theta_k) / 2 + lambda_left - lambda_right

position: eldest, middle or dealer; theta: strength, in points a hand; lambda_left: what the one on
i's left gives away to the seat behind it. The thetas are held at mean 0 by their prior. Fitted by
least squares over hands, every seat of every hand one observation; as the three points of a hand
have exchangeable errors and the theta terms of a hand add up to 0, weighting them by their
covariance changes nothing. Only sums per (session, seat, dealer) are needed.

Source: docs/ratings.md, "Sessions". Valid for any number of hands; positions need not be balanced.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from arena.ratings.columns import SessionColumns
from arena.ratings.newton import Floats, Ints, gather, pairs

HAND_VARIANCE = 1.5
"""Half the variance of the difference of two seats' points in one hand, in points squared.

Measured by benchmarks/fit_elo_scale.py under the rule set `standard`: 1.41, and 1.55 at tables of
three equal bots. Only scales priors and stands in while there are few blocks.
"""

STRENGTH_HANDS = 3.0
"""The prior of theta: as if every entry had played this many further hands and scored evenly.

That is theta ~ Normal(0, HAND_VARIANCE / 1.5 / 3), standard deviation 0.58 points a hand.
"""

NEIGHBOUR_DEVIATION = 0.05
"""The prior of lambda, standard deviation in points a hand; measured effects are 0.02 to 0.07."""

_POSITION_HANDS = 1e-6
"""Keeps positions nobody has played from making the equations singular."""

# Order of the parameters of one block: three thetas, three lambdas, then the positions.
ELDEST, MIDDLE, DEALER = 6, 7, 8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SessionBlocks:
    """Sufficient statistics of all blocks. Entries are numbered 0 ... n-1."""

    index: Ints
    """(9, B): theta i, n + i for lambda i, 2n ... 2n+2 for the positions."""
    numbers: Ints
    """(B,): the block numbers of the columns, ascending."""
    products: Floats
    """(45, B): sums over hands and seats of products of two explanatory values, by `pairs(9)`."""
    responses: Floats
    """(9, B): sums of explanatory value times points."""
    hands: Floats
    """(B,): hands that count."""

    @classmethod
    def of(cls, columns: SessionColumns) -> SessionBlocks:
        """Sum up what counts; sessions without a hand that counts leave no trace."""
        played = np.flatnonzero(columns.hands.sum(1))
        numbers, block = np.unique(columns.block[played], return_inverse=True)
        seats = columns.seats[played]
        trio = np.zeros((3, len(numbers)), dtype=np.int64)
        trio[:, block] = np.sort(seats, axis=1).T
        seating = _seating(seats)
        hands, points = columns.hands[played], columns.points[played]
        n = len(columns.entries)
        positions = np.broadcast_to(2 * n + np.arange(3)[:, None], trio.shape)
        # Of raw points everything here is a sum of multiples of a quarter: exact in any order.
        rows, other = pairs(9)
        products = np.einsum("pdsa,pdsb->abpd", _DESIGN, _DESIGN)[rows, other]
        return cls(
            hands=gather(block, hands.sum(axis=1).astype(np.float64), len(numbers)),
            index=np.vstack([trio, trio + n, positions]),
            numbers=numbers,
            products=products.reshape(45, -1) @ _by_seating(block, seating, hands, len(numbers)),
            responses=_DESIGN.reshape(-1, 9).T
            @ _by_seating(block, seating, points.swapaxes(1, 2), len(numbers)),
        )

    def slope(self, parameters: Floats) -> tuple[float, Floats]:
        """Return minus half the sum of squares, without its constant, and its derivatives."""
        own = parameters[self.index]
        fitted = np.zeros(own.shape)
        for row, other, product in zip(*pairs(9), self.products, strict=True):
            fitted[row] += product * own[other]
            if row != other:
                fitted[other] += product * own[row]
        value = float((own * (self.responses - fitted / 2.0)).sum())
        return value, self.responses - fitted

    def information(self, parameters: Floats) -> Floats:
        """Return the products, wherever one stands."""
        return self.products


@dataclass(frozen=True, slots=True)
class SessionPrior:
    """Independent normal priors, in units of the residual variance of one observation."""

    entries: int

    def at(self, parameters: Floats) -> tuple[float, Floats, Floats]:
        """Return value, first derivatives and minus second derivatives."""
        precision = np.repeat(
            [1.5 * STRENGTH_HANDS, HAND_VARIANCE / NEIGHBOUR_DEVIATION**2, _POSITION_HANDS],
            [self.entries, self.entries, 3],
        )
        value = -float((precision * parameters**2).sum()) / 2.0
        return value, -precision * parameters, precision


_SEATINGS = tuple(permutations(range(3)))
"""The six ways in which the three entries of a block, numbered 0, 1, 2, can sit on the seats."""


def _design() -> Floats:
    """Return the explanatory values of a hand: (seating, dealer, seat, parameter of the block)."""
    design = np.zeros((len(_SEATINGS), 3, 3, 9))
    for number, at in enumerate(_SEATINGS):
        for seat in range(3):
            own, left, right = at[seat], at[(seat + 1) % 3], at[(seat + 2) % 3]
            design[number, :, seat, own] = 1.0
            design[number, :, seat, [left, right]] = -0.5
            design[number, :, seat, 3 + left] = 1.0
            design[number, :, seat, 3 + right] = -1.0
            # Eldest sits at the dealer's left.
            design[number, (seat + 2) % 3, seat, ELDEST] = 1.0
            design[number, (seat + 1) % 3, seat, MIDDLE] = 1.0
            design[number, seat, seat, DEALER] = 1.0
    return design


_DESIGN = _design()


def _seating(seats: Ints) -> Ints:
    """Return for each row which of `_SEATINGS` it is, its entries numbered by size."""
    at = np.argsort(np.argsort(seats, axis=1), axis=1)
    number = np.zeros((3, 3), dtype=np.int64)
    for index, (first, second, _) in enumerate(_SEATINGS):
        number[first, second] = index
    return number[at[:, 0], at[:, 1]]


def _by_seating(block: Ints, seating: Ints, values: Ints | Floats, blocks: int) -> Floats:
    """Add up rows by block and seating: (seating x ..., B)."""
    width = int(np.prod(values.shape[1:]))
    row = (seating[:, None] * width + np.arange(width)) * blocks + block[:, None]
    total = gather(row, values.reshape(-1, width).astype(np.float64), 6 * width * blocks)
    return total.reshape(6 * width, blocks)
