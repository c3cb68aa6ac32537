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

from dataclasses import dataclass, field

import numpy as np

from arena.ratings.columns import GameColumns
from arena.ratings.newton import Floats, Ints, gather, numbered, pairs

PRIOR_GAMES = 0.5
"""The prior of theta: as if every entry had won and lost half a game against one of mean strength.

The default of the package named above (`npseudo = 0.5`).
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

_CHUNK = 1 << 14
"""Stages are cut into pieces of this many blocks, so that their work stays in the cache."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """One stage, for some of the blocks in which it was reached."""

    table: Floats
    """(rows, 3 + t): what can come out."""
    blocks: Ints
    """(b,): the blocks, by their place in `GameBlocks.index`, ascending."""
    counts: Floats
    """(rows, b): how often each row came out."""
    total: Floats = field(init=False)
    """(b,): how often the stage was reached."""
    span: slice | Ints = field(init=False)
    """The blocks as numpy takes them fastest."""
    alone: Ints | None = field(init=False)
    """(rows,): the entry that each row stands for, if no row is a tie."""

    def __post_init__(self) -> None:
        blocks, table = self.blocks, self.table
        gapless = len(blocks) > 0 and blocks[-1] - blocks[0] + 1 == len(blocks)
        single = ((table == 1.0).sum(axis=1) == 1) & ((table != 0.0).sum(axis=1) == 1)
        derived = {
            "total": self.counts.sum(axis=0),
            "span": slice(int(blocks[0]), int(blocks[-1]) + 1) if gapless else blocks,
            "alone": table.argmax(axis=1) if single.all() else None,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def of_blocks(self, kept: Ints) -> Stage:
        """Return the stage for some blocks (ascending), which are then numbered 0, 1, ..."""
        common, here, there = np.intersect1d(
            self.blocks, kept, assume_unique=True, return_indices=True
        )
        del common
        return Stage(table=self.table, blocks=there, counts=self.counts[:, here])

    def chances(self, own: Floats, alpha: Floats) -> tuple[Floats, Floats]:
        """Return the probability of each row (rows, b), and the log of the sum of weights (b,).

        `own` (3 + t, B): the parameters of all blocks; `alpha`: their exponentials.
        """
        if self.alone is None:
            return _chances(self.table @ own[:, self.span])
        chance = np.stack([alpha[entry, self.span] for entry in self.alone])
        whole = chance.sum(axis=0)
        chance /= whole
        return chance, np.log(whole)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameBlocks:
    """Sufficient statistics of all blocks. Entries are numbered 0 ... n-1."""

    index: Ints
    """(3 + t, B): theta of the three entries, then n ... for the t kinds of tie that occurred."""
    numbers: Ints
    """(B,): the block numbers of the columns, ascending."""
    games: Floats
    """(B,): rated games."""
    stages: tuple[Stage, ...]
    kinds: tuple[int, ...] = ()
    """Of which ties there are parameters: 0 for first, 1 for last, 2 of all three."""
    came_out: Floats = field(init=False)
    """(3 + t, B): how often each parameter came out, over all stages."""

    def __post_init__(self) -> None:
        total = np.zeros(self.index.shape)
        for stage in self.stages:
            total[:, stage.span] += stage.table.T @ stage.counts
        object.__setattr__(self, "came_out", total)

    @classmethod
    def of(cls, columns: GameColumns, *, kinds: tuple[int, ...] | None = None) -> GameBlocks:
        """Count what came out; forfeited and unfinished games leave no trace.

        `kinds`: of which ties there are parameters; None for those that occurred. Raises
        `ValueError` if another one occurred.
        """
        rated = np.flatnonzero(~columns.offenders.any(axis=1) & (columns.places[:, 0] > 0))
        numbers, block = numbered(columns.block[rated])
        order = np.argsort(columns.seats[rated], axis=1)
        trio = np.zeros((3, len(numbers)), dtype=np.int64)
        trio[:, block] = np.take_along_axis(columns.seats[rated], order, axis=1).T
        places = np.take_along_axis(columns.places[rated], order, axis=1)
        first, second = _outcomes(places)
        counts = [_count(block, first, 7, len(numbers))]
        for leader in range(3):
            behind = first == leader
            counts.append(_count(block[behind], second[behind], 3, len(numbers)))
        tables = [_FIRST_OF_THREE, *_FIRST_OF_TWO]
        stages, kinds = _stages(tables, counts, kinds)
        ties = len(kinds)
        extra = np.broadcast_to(
            len(columns.entries) + np.arange(ties)[:, None], (ties, len(numbers))
        )
        return cls(
            index=np.vstack([trio, extra]),
            numbers=numbers,
            games=counts[0].sum(axis=0),
            stages=stages,
            kinds=kinds,
        )

    @property
    def ties(self) -> int:
        """Kinds of tie that occurred."""
        return len(self.index) - 3

    def slope(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the log-likelihood and its derivatives."""
        own, alpha = self._own(parameters)
        value, score = float(np.vdot(self.came_out, own)), self.came_out.copy()
        for stage in self.stages:
            chance, log_sum = stage.chances(own, alpha)
            value -= float(np.vdot(stage.total, log_sum))
            chance *= stage.total
            if stage.alone is None:
                score[:, stage.span] -= stage.table.T @ chance
            else:
                for row, entry in enumerate(stage.alone):
                    score[entry, stage.span] -= chance[row]
        return value, score

    def information(self, parameters: Floats) -> Floats:
        """Return the covariance, stage by stage, of what comes out."""
        own, alpha = self._own(parameters)
        rows, other = pairs(len(own))
        number = {
            (int(r), int(c)): place for place, (r, c) in enumerate(zip(rows, other, strict=True))
        }
        information = np.zeros((len(rows), own.shape[1]))
        for stage in self.stages:
            chance, _ = stage.chances(own, alpha)
            if stage.alone is None:
                mean = stage.table.T @ chance
                square = (stage.table[:, rows] * stage.table[:, other]).T @ chance
                information[:, stage.span] += stage.total * (square - mean[rows] * mean[other])
                continue
            part = stage.total * chance
            for row, entry in enumerate(stage.alone):
                information[number[entry, entry], stage.span] += part[row] * (1.0 - chance[row])
                for before in range(row):
                    place = number[entry, stage.alone[before]]
                    information[place, stage.span] -= part[row] * chance[before]
        return information

    def _own(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the parameters of every block and their exponentials.

        Strengths are counted from the greatest, as only differences matter: nothing overflows.
        """
        n = len(parameters) - self.ties
        counted = parameters.copy()
        counted[:n] -= parameters[:n].max(initial=-np.inf) if n else 0.0
        return counted[self.index], np.exp(counted)[self.index]

    def start(self, entries: int) -> Floats:
        """Return a point near the maximum: log odds of the share of stages that each one won."""
        ahead, played = np.zeros(entries), np.zeros(entries)
        for stage in self.stages:
            trio = self.index[:3, stage.blocks]
            part = stage.table[:, :3]
            ahead += gather(trio, part.T @ stage.counts, entries)
            in_play = (part > 0.0).sum(axis=0) > 0
            total = in_play[:, None] * stage.counts.sum(axis=0)
            played += gather(trio, total, entries)
        share = (ahead + 0.5) / (played + 1.2)
        odds = np.log(share / (1.0 - share))
        if entries:
            odds -= odds.mean()
        return np.concatenate([odds, np.zeros(self.ties)])

    def of_entry(self, entry: int) -> GameBlocks:
        """Return the blocks of one entry alone."""
        kept = np.flatnonzero((self.index[:3] == entry).any(axis=0))
        stages = tuple(stage.of_blocks(kept) for stage in self.stages)
        return GameBlocks(
            index=self.index[:, kept],
            numbers=self.numbers[kept],
            games=self.games[kept],
            stages=stages,
            kinds=self.kinds,
        )


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
    counts = np.zeros((kinds, blocks))
    for kind in range(kinds):
        where = block[outcome == kind]
        if len(where):
            counts[kind] = np.bincount(where, minlength=blocks)
    return counts


def _chances(weight: Floats) -> tuple[Floats, Floats]:
    """Return the probability of each row, given log weights, and the log of the weights' sum."""
    top = weight.max(axis=0)
    chance = np.exp(weight - top)
    total = chance.sum(axis=0)
    chance /= total
    return chance, top + np.log(total)


def _stages(
    tables: list[Floats], counts: list[Floats], kinds: tuple[int, ...] | None
) -> tuple[tuple[Stage, ...], tuple[int, ...]]:
    """Return the stages without other kinds of tie than these, or those that came out; and these.

    The delta of a kind that never came out is 0.
    """
    seen = np.zeros(TIES)
    for table, count in zip(tables, counts, strict=True):
        seen += count.sum(axis=1) @ table[:, 3:]
    occurred = tuple(np.flatnonzero(seen).tolist())
    kinds = occurred if kinds is None else kinds
    if not set(occurred) <= set(kinds):
        raise ValueError("a kind of tie occurred of which there is no parameter")
    kept_ties = np.array(kinds, dtype=np.int64)
    dropped = np.setdiff1d(np.arange(TIES), kept_ties)
    columns = np.concatenate([np.arange(3), 3 + kept_ties])
    stages = []
    for table, count in zip(tables, counts, strict=True):
        rows = np.flatnonzero(~table[:, 3 + dropped].any(axis=1))
        reached = np.flatnonzero(count[rows].any(axis=0))
        stages += [
            Stage(
                table=table[np.ix_(rows, columns)],
                blocks=reached[begin : begin + _CHUNK],
                counts=count[np.ix_(rows, reached[begin : begin + _CHUNK])],
            )
            for begin in range(0, len(reached), _CHUNK)
        ]
    return tuple(stages), kinds
