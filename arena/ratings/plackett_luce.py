"""The model of games: Plackett-Luce on places, with ties.

A result is made in stages: who is first among three; then, unless that settles it, who is first of
the two left. In a stage with the entries A, the set C (one entry, or several that tie) comes out
with probability proportional to delta_C * (product of alpha_i over C) ** (1 / |C|), alpha = exp of
the strength theta, delta = 1 for a single entry. Source: Turner, van Etten, Firth and Kosmidis,
Modelling rankings in R: the PlackettLuce package, Computational Statistics 35 (2020) 1027-1057,
and the package's help page of that name, "Model definition"; the ties are Davidson's (Firth,
Kosmidis and Turner, Davidson-Luce model for multi-item choice with ties, arXiv:1909.07123).

Our one deviation: the paper has one delta for each size of a tie; here two tied for first and two
tied for last have a delta each, because the rules make the first rarer (play on after a tie), so
that no rule set can bend the strengths. A kind of tie that never occurred has delta = 0.

While nobody ties for first, i is ahead of j with odds alpha_i : alpha_j, whoever the third is and
however many tie for last (Luce's axiom): theta differences are log odds of finishing ahead. Ties
for first pull those odds towards 1, as a tie of i with the third counts by the root of alpha_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from arena.ratings.columns import GameColumns
from arena.ratings.newton import PIECE, gather, numbered
from arena.ratings.square import Floats, Ints, pairs

PRIOR_GAMES = 0.5
"""The prior of theta: as if every entry had won and lost half a game against one of mean strength.

The default of the package named above (`npseudo = 0.5`).
"""

TIES = 3
"""Kinds of tie: for first, for last, and of all three."""

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
_TABLES = (_FIRST_OF_THREE, *_FIRST_OF_TWO)

_ENDINGS = tuple(
    places
    for places in product((1, 2, 3), repeat=3)
    if all(place == 1 + sum(other < place for other in places) for place in places)
)
"""The thirteen ways in which places of a block's three entries can come out."""


def _what_came_out(places: tuple[int, ...]) -> Floats:
    """Return how often parameters and stages came out in a game that ended so, (6 + 4,)."""
    leaders = [entry for entry in range(3) if places[entry] == 1]
    stages = np.zeros(len(_TABLES))
    stages[0] = 1.0
    if len(leaders) != 1:
        row = 6 if len(leaders) == 3 else 3 + next(e for e in range(3) if e not in leaders)
        return np.concatenate([_FIRST_OF_THREE[row], stages])
    first = leaders[0]
    lower, upper = (entry for entry in range(3) if entry != first)
    row = 2 if places[lower] == places[upper] else int(places[lower] > places[upper])
    stages[1 + first] = 1.0
    return np.concatenate([_FIRST_OF_THREE[first] + _FIRST_OF_TWO[first, row], stages])


_CAME_OUT = np.array([_what_came_out(places) for places in _ENDINGS]).T
"""(6 + 4, 13): by ending, how often parameters and stages came out."""
_ENDING = np.zeros(64, dtype=np.int64)
"""Which ending it is, by places in base 4."""
for _number, (_first, _second, _third) in enumerate(_ENDINGS):
    _ENDING[16 * _first + 4 * _second + _third] = _number

_NUMBER_BITS = 40
"""Of an entry's number; its place stands above them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """One stage of all blocks."""

    table: Floats
    """(rows, 3 + t): what can come out."""
    total: Floats
    """(B,): how often the stage was reached in each block."""
    alone: tuple[int, ...] | None
    """The entry that each row stands for, if no row is a tie."""

    @classmethod
    def of(cls, table: Floats, total: Floats) -> Stage:
        """Make a stage."""
        single = ((table == 1.0).sum(axis=1) == 1) & ((table != 0.0).sum(axis=1) == 1)
        alone = tuple(table.argmax(axis=1).tolist()) if single.all() else None
        return cls(table=table, total=total, alone=alone)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameBlocks:
    """Sufficient statistics of all blocks. Entries are numbered 0 ... n-1."""

    trio: Ints
    """(3, B): in order of number; where every block is one game, of place and then of number."""
    numbers: Ints
    """(B,): the block numbers of the columns, ascending."""
    games: Floats
    """(B,): rated games."""
    came_out: Floats
    """(3 + t, B): how often each parameter came out, over all stages."""
    stages: tuple[Stage, ...]
    kinds: tuple[int, ...] = ()
    """Of which ties there are parameters: 0 for first, 1 for last, 2 of all three."""

    @classmethod
    def of(cls, columns: GameColumns, *, kinds: tuple[int, ...] | None = None) -> GameBlocks:
        """Count what came out; forfeited and unfinished games leave no trace.

        `kinds`: of which ties there are parameters; None for those that occurred. Raises
        `ValueError` if another one occurred.
        """
        seats, places, block = columns.seats, columns.places, columns.block
        rated = ~columns.offenders.any(axis=1) & (places[:, 0] > 0)
        if not rated.all():
            seats, places, block = seats[rated], places[rated], block[rated]
        numbers, row = numbered(block)
        blocks = len(numbers)
        if blocks == len(row):
            # In order of place: who can be first of the two left is then the same in every block.
            if (row[1:] < row[:-1]).any():
                order = np.argsort(row)
                seats, places = seats[order], places[order]
            key = _sorted_rows((places << _NUMBER_BITS) | seats)
            trio, places = key & ((1 << _NUMBER_BITS) - 1), key >> _NUMBER_BITS
            ending = _ending(places)
            seen = np.bincount(ending, minlength=len(_ENDINGS))
            count = _CAME_OUT[:, ending[:1]] if (seen > 0).sum() == 1 else _CAME_OUT[:, ending]
            count = np.broadcast_to(count, (len(_CAME_OUT), blocks))
        else:
            key = _sorted_rows((seats << 2) | places)
            trio = np.zeros((3, blocks), dtype=np.int64)
            trio[:, row] = key >> 2
            ending = _ending(key & 3)
            ending *= blocks
            ending += row
            counts = np.bincount(ending, minlength=len(_ENDINGS) * blocks)
            counts = counts.reshape(len(_ENDINGS), blocks)
            seen = counts.sum(axis=1)
            count = _CAME_OUT @ counts.astype(np.float64)
        kinds = _kinds(seen, kinds)
        kept = [0, 1, 2, *(3 + kind for kind in kinds)]
        return cls(
            trio=trio,
            numbers=numbers,
            games=count[6],
            came_out=count[:6][kept] if len(kept) < 6 else count[:6],
            stages=_stages(count[6:], seen, kinds, kept),
            kinds=kinds,
        )

    @property
    def ties(self) -> int:
        """Kinds of tie of which there are parameters."""
        return len(self.kinds)

    def some(self, kept: Ints | slice) -> GameBlocks:
        """Return some of the blocks."""
        return GameBlocks(
            trio=self.trio[:, kept],
            numbers=self.numbers[kept],
            games=self.games[kept],
            came_out=self.came_out[:, kept],
            stages=tuple(
                Stage(table=stage.table, total=stage.total[kept], alone=stage.alone)
                for stage in self.stages
            ),
            kinds=self.kinds,
        )

    def parts(self) -> Sequence[GameBlocks]:
        """Return the same blocks in pieces."""
        size = len(self.numbers)
        return [self.some(slice(begin, begin + PIECE)) for begin in range(0, size, PIECE)]

    def slope(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the log-likelihood and its derivatives."""
        own, alpha = self._own(parameters)
        value, score = float(np.vdot(self.came_out, own)), self.came_out.copy()
        for stage in self.stages:
            if stage.alone is None:
                chance, log_sum = _chances(stage.table @ own)
                chance *= stage.total
                score -= stage.table.T @ chance
            else:
                weight = _sum(alpha, stage.alone)
                log_sum = np.log(weight)
                each = stage.total / weight
                for entry in stage.alone:
                    score[entry] -= alpha[entry] * each
            value -= float(np.vdot(stage.total, log_sum))
        return value, score

    def information(self, parameters: Floats) -> Floats:
        """Return the covariance, stage by stage, of what comes out."""
        own, alpha = self._own(parameters)
        rows, other = pairs(len(own))
        information = np.zeros((len(rows), own.shape[1]))
        for stage in self.stages:
            if stage.alone is None:
                chance, _ = _chances(stage.table @ own)
                mean = stage.table.T @ chance
                square = (stage.table[:, rows] * stage.table[:, other]).T @ chance
                information += stage.total * (square - mean[rows] * mean[other])
                continue
            weight = _sum(alpha, stage.alone)
            weight *= weight
            each = stage.total / weight
            for place, upper in enumerate(stage.alone):
                for lower in stage.alone[:place]:
                    part = alpha[upper] * alpha[lower]
                    part *= each
                    information[upper * (upper + 1) // 2 + lower] -= part
                    information[upper * (upper + 3) // 2] += part
                    information[lower * (lower + 3) // 2] += part
        return information

    def _own(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the parameters of every block, (3 + t, B), and the exponentials of strengths.

        Strengths are counted from the greatest, as only differences matter: nothing overflows.
        """
        n = len(parameters) - self.ties
        strength = parameters[:n] - parameters[:n].max(initial=-np.inf) if n else parameters[:0]
        own = np.empty((3 + self.ties, self.trio.shape[1]))
        np.take(strength, self.trio, out=own[:3], mode="clip")  # else numpy makes a copy
        own[3:] = parameters[n:, None]
        return own, np.exp(own[:3])

    def start(self, entries: int) -> Floats:
        """Return a point near the maximum: log odds of the share of stages that each one won."""
        ahead, played = np.zeros(entries), np.zeros(entries)
        for part in self.parts():
            for entry in range(3):
                reached = np.zeros(part.trio.shape[1])
                for stage in part.stages:
                    if stage.table[:, entry].any():
                        reached += stage.total
                ahead += gather(part.trio[entry], part.came_out[entry], entries)
                played += gather(part.trio[entry], reached, entries)
        share = (ahead + 0.5) / (played + 1.2)
        odds = np.log(share / (1.0 - share))
        if entries:
            odds -= odds.mean()
        return np.concatenate([odds, np.zeros(self.ties)])

    def of_entry(self, entry: int) -> GameBlocks:
        """Return the blocks of one entry alone."""
        return self.some(np.flatnonzero((self.trio == entry).any(axis=0)))


@dataclass(frozen=True, slots=True)
class GamePrior:
    """Half a game won and half a game lost against a ghost of strength 0; ties nearly free."""

    entries: int
    precision: float | None = None
    """Of normal strengths about 0, instead of the ghost."""

    def at(self, parameters: Floats) -> tuple[float, Floats, Floats]:
        """Return value, first derivatives and minus second derivatives."""
        theta, ties = parameters[: self.entries], parameters[self.entries :]
        if self.precision is None:
            ahead = 1.0 / (1.0 + np.exp(-theta))
            value = PRIOR_GAMES * float((theta - 2.0 * np.logaddexp(0.0, theta)).sum())
            slope = PRIOR_GAMES * (1.0 - 2.0 * ahead)
            curvature = 2.0 * PRIOR_GAMES * ahead * (1.0 - ahead)
        else:
            value = -self.precision * float((theta**2).sum()) / 2.0
            slope = -self.precision * theta
            curvature = np.full(len(theta), self.precision)
        # Normal with standard deviation 5 for log delta: finite even if everything was a tie.
        precision = np.full(len(ties), 1.0 / 25.0)
        value -= float((precision * ties**2).sum()) / 2.0
        return (
            value,
            np.concatenate([slope, -precision * ties]),
            np.concatenate([curvature, precision]),
        )


def _sorted_rows(rows: Ints) -> Ints:
    """Return three columns as rows, each column sorted: (N, 3) -> (3, N)."""
    first, second, third = (np.ascontiguousarray(column) for column in rows.T)
    low, high = np.minimum(first, second), np.maximum(first, second)
    middle = np.minimum(high, third)
    return np.stack(
        [np.minimum(low, middle), np.maximum(low, middle), np.maximum(high, third, out=high)]
    )


def _ending(places: Ints) -> Ints:
    """Return the number of each game's ending, (N,), from places (3, N) of a block's entries."""
    code = places[0] << 2
    code += places[1]
    code <<= 2
    code += places[2]
    ending: Ints = _ENDING[code]
    return ending


def _sum(alpha: Floats, entries: tuple[int, ...]) -> Floats:
    total: Floats = alpha[entries[0]] + alpha[entries[1]]
    for entry in entries[2:]:
        total += alpha[entry]
    return total


def _chances(weight: Floats) -> tuple[Floats, Floats]:
    """Return the probability of each row, given log weights, and the log of the weights' sum."""
    top = weight.max(axis=0)
    chance = np.exp(weight - top)
    total = chance.sum(axis=0)
    chance /= total
    return chance, top + np.log(total)


def _kinds(seen: Ints, kinds: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return of which kinds of tie there are parameters, given how often each ending was seen.

    The delta of a kind that never came out is 0.
    """
    occurred = tuple(np.flatnonzero(_CAME_OUT[3:6] @ seen).tolist())
    kinds = occurred if kinds is None else kinds
    if not set(occurred) <= set(kinds):
        raise ValueError("a kind of tie occurred of which there is no parameter")
    return kinds


def _stages(
    totals: Floats, seen: Ints, kinds: tuple[int, ...], kept: list[int]
) -> tuple[Stage, ...]:
    """Return the stages that were reached, without kinds of tie of which there is no parameter."""
    dropped = [3 + kind for kind in range(TIES) if kind not in kinds]
    reached = _CAME_OUT[6:] @ seen
    return tuple(
        Stage.of(table[~table[:, dropped].any(axis=1)][:, kept], total)
        for table, total, often in zip(_TABLES, totals, reached, strict=True)
        if often
    )
