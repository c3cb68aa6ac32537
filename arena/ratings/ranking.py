"""The table that a fit ends in: typed numbers, no formatting.

Errors are half-widths of 95 % intervals throughout. What each number means to a bot author, and the
formulas with their sources, are in docs/ratings.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique

import numpy as np

from arena.ratings.rating_covariance import RatingCovariance
from arena.ratings.results import Triple
from arena.ratings.square import Floats
from arena.ratings.student import probability_below, reach_95

_POWER = ((1.96 + 0.84) / 1.96) ** 2
"""So many times the blocks with which half of all intervals leave out 0, and 80 % of them do."""


@unique
class Model(Enum):
    """Which model a ranking comes from."""

    SESSIONS = "sessions"
    """Linear model of points in a hand."""
    GAMES = "games"
    """Plackett-Luce on places."""


@unique
class Forfeits(Enum):
    """What forfeits do to the offender's rating; they never move anybody else's."""

    COUNTED = "counted"
    LEFT_OUT = "left-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One row of the table."""

    rank: int
    """1-based within the group."""
    entry: str
    elo: float
    elo_error: float
    """Of the difference to what the group is held at: 0 for the anchor itself."""
    points_per_hand: float
    """Over all scheduled hands that count, with 0 for the hands of sessions it forfeited."""
    points_error: float
    """Infinite while there are no hands."""
    hands: int
    blocks: int
    """Blocks with at least one result of it, forfeited ones included."""
    places: Triple
    """How often it was first, second, third; a shared place counts as the better one."""
    forfeits: int
    """Sessions or games it forfeited."""
    unfinished: int
    """Games of it that nobody won (A19)."""
    not_started: int
    """How often it was not ready."""
    group: int
    """0-based. Ratings are comparable within a group only."""
    anchored: bool
    """Whether the group contains the anchor; otherwise its mean is held at 1500."""
    one_sided: bool
    """Ahead (or behind) in every comparison with some of its group: only the prior bounds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How sure the order of two entries is."""

    elo_diff: float
    """First minus second."""
    elo_error: float
    los: float
    """Likelihood of superiority: the probability, in [0, 1], that the first is the stronger."""
    separated: bool
    """Whether the 95 % interval of the difference leaves out 0."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """Everything one batch fit says. The same results in any order give the same ranking.

    `standings` come group by group (the anchored one first, then by size), best first; equal
    ratings by entry id. Rankings are compared by identity; compare `standings` for equal content.
    """

    model: Model
    standings: tuple[Standing, ...]
    anchor: str | None
    """The entry held at 1500; None if nobody is ("not anchored")."""
    covariance: RatingCovariance
    """Of the Elo values about their group's mean, in the order of `standings`."""
    degrees: Floats
    """Degrees of freedom of each row's own variance, in the order of `standings`."""

    def compare(self, first: int, second: int) -> Comparison:
        """Compare two rows of `standings`, which must be in one group, by their index."""
        better, worse = self.standings[first], self.standings[second]
        if better.group != worse.group:
            msg = f"{better.entry} and {worse.entry} never met, not even through others"
            raise ValueError(msg)
        return self._compared([first], [second])[0]

    def neighbours(self) -> tuple[Comparison | None, ...]:
        """Compare every row with the next; None after the last row of each group."""
        groups = [row.group for row in self.standings]
        upper = [row for row in range(len(groups) - 1) if groups[row] == groups[row + 1]]
        found = dict(zip(upper, self._compared(upper, [row + 1 for row in upper]), strict=True))
        return tuple(found.get(row) for row in range(len(groups)))

    def _compared(self, first: Sequence[int], second: Sequence[int]) -> list[Comparison]:
        """Compare pairs of rows."""
        one, other = np.array(first, dtype=np.int64), np.array(second, dtype=np.int64)
        elo = np.array([row.elo for row in self.standings])
        own = self.covariance.variances
        variance = own[one] + own[other] - 2.0 * self.covariance.between(one, other)
        degrees = welch_degrees(own[one], own[other], self.degrees[one], self.degrees[other])
        found = []
        error = np.sqrt(np.maximum(0.0, variance))
        half_width = reach_95(degrees) * error
        diff = elo[one] - elo[other]
        with np.errstate(invalid="ignore", divide="ignore"):
            los = np.where(error > 0.0, probability_below(diff / error, degrees), 0.5)
        for pair in range(len(first)):
            apart = error[pair] > 0.0 and abs(diff[pair]) > half_width[pair]
            found.append(
                Comparison(
                    elo_diff=float(diff[pair]),
                    elo_error=float(half_width[pair]),
                    los=float(los[pair]),
                    separated=bool(apart),
                )
            )
        return found


def blocks_to_separate(compared: Comparison, blocks: float) -> float:
    """Return how many more blocks each of two entries needs, which have so many at least.

    If the difference is what it looks like, their interval then leaves out 0 in 80 % of cases: the
    half-width, which shrinks with the root of the number of blocks, must be 1 / 1.43 of it. Source:
    Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd ed. 1988, section 2.4.
    """
    if compared.separated:
        return 0.0
    if compared.elo_diff == 0.0:
        return math.inf
    width = compared.elo_error / compared.elo_diff
    return blocks * (_POWER * width**2 - 1.0)


def welch_degrees(
    own: Floats | float, other: Floats | float, degrees: Floats | float, others: Floats | float
) -> Floats:
    """Return the degrees of freedom for differences of two estimates, from both variances.

    Satterthwaite's approximation as for two independent means. Source: Welch, The generalization of
    "Student's" problem when several different population variances are involved, Biometrika 34
    (1947) 28-35. The correlation of the two is neglected here, which costs some width only.
    """
    both = np.asarray(own + other, dtype=np.float64) ** 2
    bottom = np.asarray(own**2 / degrees + other**2 / others, dtype=np.float64)
    smallest = np.broadcast_to(np.asarray(degrees, dtype=np.float64), bottom.shape)
    return np.divide(both, bottom, out=smallest.copy(), where=bottom > 0.0)
