"""The model of games: Plackett-Luce on places, with ties.

A result is made in stages: who is first among three; then, unless that settles it, who is first of
the two left. In a stage with the entries A, the set C (one entry, or several that tie) comes out
with probability proportional to delta_C * (product of alpha_i over C) ** (1 / |C|), alpha = exp of
the strength theta, delta = 1 for a single entry. Source: Turner, van Etten, Firth and Kosmidis,
Modelling rankings in R: the PlackettLuce package, Computational Statistics 35 (2020) 1027-1057,
section 2; the ties are Davidson's (Firth, Kosmidis and Turner, Davidson-Luce model for multi-item
choice with ties, arXiv:1909.07123).

Our one deviation: the paper has one delta for each size of a tie; here two tied for first and two
tied for last have a delta each, because the rules make the first rarer (play on after a tie), so
that no rule set can bend the strengths. A kind of tie that never occurred has delta = 0.

Given that i and j do not tie, i is ahead with odds alpha_i : alpha_j, whoever the third is (Luce's
axiom): theta differences are log odds of finishing ahead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.ratings.columns import GameColumns
from arena.ratings.newton import Derivatives, Floats, Ints, gather

PRIOR_GAMES = 0.5
"""The prior of theta: as if every entry had won and lost half a game against one of mean strength.

The default of the PlackettLuce package (`npseudo`), section 3 of the paper above.
"""

# A stage is a table of what can come out: one row each, columns theta of the block's three entries,
# then log delta of a tie for first, for last, and of all three.
_FIRST_OF_THREE = np.array(
    [
        [1, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0],
        [0, 1 / 2, 1 / 2, 1, 0, 0],
        [1 / 2, 0, 1 / 2, 1, 0, 0],
        [1 / 2, 1 / 2, 0, 1, 0, 0],
        [1 / 3, 1 / 3, 1 / 3, 0, 0, 1],
    ]
)
_FIRST_OF_TWO = np.array(
    [
        # (who was first in the stage before) by (what can come out)
        [[0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 1 / 2, 1 / 2, 0, 1, 0]],
        [[1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [1 / 2, 0, 1 / 2, 0, 1, 0]],
        [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1 / 2, 1 / 2, 0, 0, 1, 0]],
    ]
)
TIES = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameBlocks:
    """Sufficient statistics of all blocks. Entries are numbered 0 ... n-1."""

    index: Ints
    """(B, 3 + t): theta of the three entries, then n ... for the t kinds of tie that occurred."""
    numbers: Ints
    """(B,): the block numbers of the columns, ascending."""
    stages: tuple[tuple[Floats, Floats], ...]
    """Each a table of what can come out, and (B, rows): how often it did."""

    @classmethod
    def of(cls, columns: GameColumns) -> GameBlocks:
        """Count what came out; forfeited and unfinished games leave no trace."""
        rated = np.flatnonzero(~columns.offenders.any(axis=1) & (columns.places[:, 0] > 0))
        numbers, block = np.unique(columns.block[rated], return_inverse=True)
        order = np.argsort(columns.seats[rated], axis=1)
        trio = np.zeros((len(numbers), 3), dtype=np.int64)
        trio[block] = np.take_along_axis(columns.seats[rated], order, axis=1)
        places = np.take_along_axis(columns.places[rated], order, axis=1)
        first, second = _outcomes(places)
        counts = [_count(block, first, 7, len(numbers))]
        for leader in range(3):
            behind = first == leader
            counts.append(_count(block[behind], second[behind], 3, len(numbers)))
        tables = [_FIRST_OF_THREE, *_FIRST_OF_TWO]
        stages, ties = _without_absent(tables, counts)
        extra = np.broadcast_to(len(columns.entries) + np.arange(ties), (len(numbers), ties))
        return cls(index=np.hstack([trio, extra]), numbers=numbers, stages=stages)

    @property
    def games(self) -> Floats:
        """(B,): rated games."""
        _, first_of_three = self.stages[0]
        games: Floats = first_of_three.sum(axis=1)
        return games

    @property
    def ties(self) -> int:
        """Kinds of tie that occurred."""
        return int(self.index.shape[1]) - 3

    def at(self, parameters: Floats) -> Derivatives:
        """Return the log-likelihood and its derivatives."""
        own = parameters[self.index]
        k = own.shape[1]
        value = 0.0
        score = np.zeros(own.shape)
        square = np.zeros((len(own), k * k))
        for table, counts in self.stages:
            products = (table[:, :, None] * table[:, None, :]).reshape(len(table), k * k)
            weight = own @ table.T
            top = weight.max(axis=1, keepdims=True, initial=-np.inf)
            chance = np.exp(weight - top)
            sum_of_all = chance.sum(axis=1, keepdims=True)
            chance /= sum_of_all
            total = counts.sum(axis=1, keepdims=True)
            value += float((counts * (weight - top - np.log(sum_of_all))).sum())
            expected = chance @ table
            score += counts @ table - total * expected
            outer = (expected[:, :, None] * expected[:, None, :]).reshape(len(own), k * k)
            square += total * (chance @ products - outer)
        return Derivatives(value=value, score=score, information=square.reshape(len(own), k, k))


@dataclass(frozen=True, slots=True)
class GamePrior:
    """Half a game won and half a game lost against a ghost of strength 0; ties nearly free."""

    entries: int

    def at(self, parameters: Floats) -> tuple[float, Floats, Floats]:
        """Return value, first derivatives and minus second derivatives."""
        theta, ties = parameters[: self.entries], parameters[self.entries :]
        ahead = 1.0 / (1.0 + np.exp(-theta))
        value = PRIOR_GAMES * float((theta - 2.0 * np.logaddexp(0.0, theta)).sum())
        slope = PRIOR_GAMES * (1.0 - 2.0 * ahead)
        curvature = 2.0 * PRIOR_GAMES * ahead * (1.0 - ahead)
        # Normal with standard deviation 5 for log delta: finite even if everything was a tie.
        precision = np.full(len(ties), 1.0 / 25.0)
        value -= float((precision * ties**2).sum()) / 2.0
        return (
            value,
            np.concatenate([slope, -precision * ties]),
            np.concatenate([curvature, precision]),
        )


def _outcomes(places: Ints) -> tuple[Ints, Ints]:
    """Return which row of each stage's table came out; the second only where the first is below 3.

    `places` are those of the block's three entries in the order of their numbers.
    """
    leaders = places == 1
    count = leaders.sum(axis=1)
    first = np.where(
        count == 1, leaders.argmax(axis=1), np.where(count == 2, 3 + (~leaders).argmax(axis=1), 6)
    )
    rest = np.sort(np.where(leaders, -1, np.arange(3)), axis=1)
    row = np.arange(len(places))
    lower, upper = places[row, rest[:, 1]], places[row, rest[:, 2]]
    return first, np.where(lower == upper, 2, np.where(lower < upper, 0, 1))


def _count(block: Ints, outcome: Ints, kinds: int, blocks: int) -> Floats:
    counts = gather(block * kinds + outcome, np.ones(len(block)), blocks * kinds)
    return counts.reshape(blocks, kinds)


def _without_absent(
    tables: list[Floats], counts: list[Floats]
) -> tuple[tuple[tuple[Floats, Floats], ...], int]:
    """Drop the kinds of tie that never came out; their delta is 0."""
    seen = np.zeros(TIES)
    for table, count in zip(tables, counts, strict=True):
        seen += count.sum(axis=0) @ table[:, 3:]
    kept_ties = np.flatnonzero(seen)
    columns = np.concatenate([np.arange(3), 3 + kept_ties])
    stages = []
    for table, count in zip(tables, counts, strict=True):
        rows = np.flatnonzero(~table[:, 3:][:, seen == 0].any(axis=1))
        stages.append((table[np.ix_(rows, columns)], count[:, rows]))
    return tuple(stages), len(kept_ties)
