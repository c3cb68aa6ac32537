"""The table that a fit ends in: typed numbers, no formatting.

Errors are half-widths of 95 % intervals throughout. What each number means to a bot author, and the
formulas with their sources, are in docs/ratings.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

import numpy as np
import numpy.typing as npt

from arena.ratings.results import Triple
from arena.ratings.student import probability_below, reach_95

Floats = npt.NDArray[np.float64]


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
    covariance: Floats
    """Of the Elo values about their group's mean, in the order of `standings`. Elo squared."""
    degrees: Floats
    """Degrees of freedom of each row's own variance, in the order of `standings`."""

    def compare(self, first: int, second: int) -> Comparison:
        """Compare two rows of `standings`, which must be in one group, by their index."""
        better, worse = self.standings[first], self.standings[second]
        if better.group != worse.group:
            msg = f"{better.entry} and {worse.entry} never met, not even through others"
            raise ValueError(msg)
        diff = better.elo - worse.elo
        variance = difference_variance(self.covariance, first, second)
        degrees = welch_degrees(self.covariance, self.degrees, first, second)
        error = np.sqrt(variance)
        if error == 0.0:
            return Comparison(elo_diff=diff, elo_error=0.0, los=0.5, separated=False)
        half_width = float(reach_95(degrees) * error)
        return Comparison(
            elo_diff=diff,
            elo_error=half_width,
            los=float(probability_below(diff / error, degrees)),
            separated=abs(diff) > half_width,
        )

    def neighbours(self) -> tuple[Comparison | None, ...]:
        """Compare every row with the next; None after the last row of each group."""
        following = (*self.standings[1:], None)[: len(self.standings)]  # none of nobody
        return tuple(
            self.compare(index, index + 1)
            if below is not None and below.group == row.group
            else None
            for index, (row, below) in enumerate(zip(self.standings, following, strict=True))
        )


def difference_variance(covariance: Floats, first: int, second: int) -> float:
    """Return the variance of the difference of two estimates."""
    sum_of_both = covariance[first, first] + covariance[second, second]
    return max(0.0, float(sum_of_both - 2.0 * covariance[first, second]))


def welch_degrees(covariance: Floats, degrees: Floats, first: int, second: int) -> float:
    """Return the degrees of freedom for the difference of two estimates.

    Satterthwaite's approximation as for two independent means. Source: Welch, The generalization of
    "Student's" problem when several different population variances are involved, Biometrika 34
    (1947) 28-35. The correlation of the two is neglected here, which costs some width only.
    """
    own, other = covariance[first, first], covariance[second, second]
    bottom = own**2 / degrees[first] + other**2 / degrees[second]
    return float((own + other) ** 2 / bottom) if bottom > 0.0 else float(degrees[first])
