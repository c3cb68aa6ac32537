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

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from arena.ratings.columns import SessionColumns
from arena.ratings.newton import PIECE, Fit, gather, numbered, ranks
from arena.ratings.square import (
    Floats,
    Ints,
    Square,
    factor,
    gather_square,
    inverse,
    pairs,
    solve,
)

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

# Order of the parameters of one block: three thetas, the positions, then three lambdas.
ELDEST, MIDDLE, DEALER = 3, 4, 5
POSITIONS = 3
_CORE = 6
"""Thetas and positions."""
_CORE_PAIRS = _CORE * (_CORE + 1) // 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SessionBlocks:
    """Sufficient statistics of all blocks. Entries are numbered 0 ... n-1.

    In a block that is whole, with its mirror, what lambdas do is orthogonal to thetas and
    positions. If all blocks are, lambdas bear on nothing else and are left out: k = 6, else 9.
    """

    trio: Ints
    """(3, B): the entries of each block, in order of number."""
    numbers: Ints
    """(B,): the block numbers of the columns, ascending."""
    products: Floats
    """(k (k + 1) / 2, B): sums over hands and seats of products of two explanatory values."""
    responses: Floats
    """(k, B): sums of explanatory value times points."""
    hands: Floats
    """(B,): hands that count."""

    @classmethod
    def of(cls, columns: SessionColumns) -> SessionBlocks:
        """Sum up what counts; sessions without a hand that counts leave no trace."""
        seats, block, hands = columns.seats, columns.block, columns.hands
        points = columns.points
        played = hands.any(axis=1)
        if not played.all():
            seats, block, hands = seats[played], block[played], hands[played]
            points = points[played]
        numbers, row = numbered(block)
        rank = ranks(seats)
        trio = np.zeros((3, len(numbers)), dtype=np.int64)
        for seat in range(3):
            trio[rank[seat], row] = seats[:, seat]
        seating = _SEATING[3 * rank[0] + rank[1]]
        # Of raw points everything here is a sum of multiples of a quarter: exact in any order.
        per_seating = _by_seating(row, seating, hands, len(numbers))
        pair, other = pairs(9)
        products = np.einsum("pdsa,pdsb->abpd", _DESIGN, _DESIGN)[pair, other].reshape(45, -1)
        across = products[(pair >= _CORE) & (other < _CORE)] @ per_seating
        size = 9 if across.any() else _CORE
        return cls(
            trio=trio,
            numbers=numbers,
            products=products[: size * (size + 1) // 2] @ per_seating,
            responses=_DESIGN.reshape(-1, 9).T[:size]
            @ _by_seating(row, seating, points.swapaxes(1, 2), len(numbers)),
            hands=per_seating.sum(axis=0),
        )

    @property
    def entangled(self) -> bool:
        """Whether lambdas bear on strengths."""
        return len(self.responses) == 9

    def index(self, entries: int) -> Ints:
        """Return which parameters each block touches, (k, B): thetas, positions, lambdas."""
        positions = np.broadcast_to(entries + np.arange(3)[:, None], self.trio.shape)
        return np.vstack([self.trio, positions, self.trio + entries + 3])[: len(self.responses)]

    def some(self, kept: Ints | slice) -> SessionBlocks:
        """Return some of the blocks."""
        return SessionBlocks(
            trio=self.trio[:, kept],
            numbers=self.numbers[kept],
            products=self.products[:, kept],
            responses=self.responses[:, kept],
            hands=self.hands[kept],
        )

    def parts(self) -> Sequence[SessionBlocks]:
        """Return the same blocks in pieces."""
        size = len(self.numbers)
        return [self.some(slice(begin, begin + PIECE)) for begin in range(0, size, PIECE)]

    def slope(self, parameters: Floats) -> tuple[float, Floats]:
        """Return minus half the sum of squares, without its constant, and its derivatives."""
        entries = len(parameters) - POSITIONS
        if self.entangled:
            entries //= 2
        own = parameters[self.index(entries)]
        fitted = np.zeros(own.shape)
        for row, other, product in zip(*pairs(len(own)), self.products, strict=True):
            fitted[row] += product * own[other]
            if row != other:
                fitted[other] += product * own[row]
        value = float((own * (self.responses - fitted / 2.0)).sum())
        return value, self.responses - fitted

    def information(self, parameters: Floats) -> Floats:
        """Return the products, wherever one stands."""
        return self.products


def strength_precision() -> float:
    """Return the precision of theta under its prior, as hands that say 1.5 each."""
    return 1.5 * STRENGTH_HANDS


def fit_sessions(blocks: SessionBlocks, entries: int, precision: float | None = None) -> Fit:
    """Solve the normal equations; `precision`: of thetas, another than that of the weak prior.

    Priors are independent normal ones, in units of the residual variance of one observation.
    """
    size = entries + POSITIONS
    core = np.repeat(
        [strength_precision() if precision is None else precision, _POSITION_HANDS],
        [entries, POSITIONS],
    )
    square = Square(blocks.trio, size, POSITIONS)
    whole = square.total(part.products[:_CORE_PAIRS] for part in blocks.parts())
    whole[np.diag_indices(size)] += core
    response = np.concatenate(
        [
            sum(gather(blocks.trio[row], blocks.responses[row], entries) for row in range(3)),
            blocks.responses[3:_CORE].sum(axis=1),
        ]
    )
    if not blocks.entangled:
        factored = factor(whole)
        found = solve(factored, response)
        return Fit(parameters=found, inverse=inverse(factored), square=square)
    # Lambdas are eliminated: what they take with them is a Schur complement.
    index = blocks.index(entries)
    everything = gather_square(index, blocks.products, size + entries)
    ridge = HAND_VARIANCE / NEIGHBOUR_DEVIATION**2
    gifts = factor(everything[size:, size:] + ridge * np.eye(entries))
    across = everything[size:, :size]
    gift_response = sum(
        gather(blocks.trio[row], blocks.responses[_CORE + row], entries) for row in range(3)
    )
    passed_on = solve(gifts, across).T
    factored = factor(whole - passed_on @ across)
    found = solve(factored, response - passed_on @ gift_response)
    gift = solve(gifts, gift_response - across @ found)
    return Fit(
        parameters=np.concatenate([found, gift]),
        inverse=inverse(factored),
        square=square,
        passed_on=passed_on,
    )


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
            design[number, :, seat, _CORE + left] = 1.0
            design[number, :, seat, _CORE + right] = -1.0
            # Eldest sits at the dealer's left.
            design[number, (seat + 2) % 3, seat, ELDEST] = 1.0
            design[number, (seat + 1) % 3, seat, MIDDLE] = 1.0
            design[number, seat, seat, DEALER] = 1.0
    return design


_DESIGN = _design()


_SEATING = np.zeros(9, dtype=np.int64)
"""Which of `_SEATINGS` it is, by 3 times the number of the first seat's entry plus the second's."""
for _number, (_first, _second, _third) in enumerate(_SEATINGS):
    _SEATING[3 * _first + _second] = _number


def _by_seating(block: Ints, seating: Ints, values: Ints | Floats, blocks: int) -> Floats:
    """Add up rows by block and seating: (seating x ..., B)."""
    width = int(np.prod(values.shape[1:]))
    flat = values.reshape(-1, width)
    total = np.empty((len(_SEATINGS), width, blocks))
    row = seating * blocks + block
    for column in range(width):
        total[:, column] = np.bincount(
            row, np.ascontiguousarray(flat[:, column], dtype=np.float64), len(_SEATINGS) * blocks
        ).reshape(len(_SEATINGS), blocks)
    return total.reshape(len(_SEATINGS) * width, blocks)
