"""What a forfeit does to the offender's strength. Nobody else's ever moves.

Both rules look at the strengths of the fit, in which forfeits are no rows, and say two things about
the offender: where its strength goes, and by which factor its error changes on the way, because a
forfeit is a fact and no measurement. Source: our own rule, docs/ratings.md, "Forfeits".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arena.ratings.newton import Bools, Prior, gather
from arena.ratings.plackett_luce import GameBlocks
from arena.ratings.square import Floats, Ints

_FAR = 30.0
"""How far down a strength is looked for, in log odds."""
_STEP = 1e-3
"""For second differences, in log odds."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Penalised:
    """Strengths after forfeits, (n,) each."""

    strength: Floats
    factor: Floats
    """What the deviation of the strength is multiplied by; 1 for everybody else."""


def unpenalised(strength: Floats) -> Penalised:
    """Leave forfeits out."""
    return Penalised(strength=strength, factor=np.ones(len(strength)))


def in_sessions(
    strength: Floats, seats: Ints, scheduled: Ints, offenders: Bools, mean_points: float
) -> Penalised:
    """Give the offender 0 points for the hands of sessions it forfeited.

    theta -> (1 - f) theta - f p: f the share of its scheduled hands that lie in sessions it
    forfeited, p the mean points of a seat in a hand.
    """
    n = len(strength)
    hands = np.repeat(scheduled.astype(np.float64), 3)
    due = gather(seats, hands, n)
    lost = gather(seats, hands * offenders.ravel(), n)
    share = np.divide(lost, due, out=np.zeros(n), where=due > 0.0)
    return Penalised(strength=(1.0 - share) * strength - share * mean_points, factor=1.0 - share)


def in_games(
    parameters: Floats, blocks: GameBlocks, prior: Prior, n: int, seats: Ints, offenders: Bools
) -> Penalised:
    """Count a forfeited game as "both others ahead of the offender", everybody else held fixed.

    Of several offenders in one game each is behind the rest only; among themselves nothing is said.
    """
    strength, factor = parameters[:n].copy(), np.ones(n)
    for entry in np.unique(seats[offenders]):
        alone = _OneStrength(int(entry), parameters, blocks, prior)
        behind = [parameters[others] for others in _who_was_ahead(int(entry), seats, offenders)]
        strength[entry], factor[entry] = alone.pulled_down(behind)
    return Penalised(strength=strength, factor=factor)


def _who_was_ahead(entry: int, seats: Ints, offenders: Bools) -> list[Ints]:
    """Return, for each game the entry forfeited, those at the table who did not."""
    games = np.flatnonzero(((seats == entry) & offenders).any(axis=1))
    return [seats[game][~offenders[game]] for game in games]


class _OneStrength:
    """Log-posterior of one entry's strength from its rated games, all others held fixed."""

    def __init__(self, entry: int, parameters: Floats, blocks: GameBlocks, prior: Prior) -> None:
        self._entry = entry
        self._parameters = parameters
        self._blocks = blocks.of_entry(entry)
        self._prior = prior

    def pulled_down(self, behind: list[Floats]) -> tuple[float, float]:
        """Return the best strength if it also was behind all of each of these, and the factor.

        The factor is the ratio of curvatures before and after: how far the result moves when the
        rated games alone would have moved the strength by one.
        """

        def both(strength: float) -> float:
            return self.value(strength) + sum(_log_behind(others, strength) for others in behind)

        from scipy import optimize  # noqa: PLC0415 - slow to load, and forfeits are rare

        here = float(self._parameters[self._entry])
        found = optimize.minimize_scalar(
            lambda strength: -both(strength),
            bounds=(here - _FAR, here),
            method="bounded",
            options={"xatol": 1e-9},
        )
        there = float(found.x)
        return there, _second(self.value, here) / _second(both, there)

    def value(self, strength: float) -> float:
        """Return the log-posterior, up to a constant."""
        moved = self._parameters.copy()
        moved[self._entry] = strength
        value, _ = self._blocks.slope(moved)
        return value + self._prior.at(moved)[0]


def _log_behind(others: Floats, strength: float) -> float:
    """Return log P(behind all the others), of whom there are two, one or none."""
    if len(others) == 0:
        return 0.0
    if len(others) == 1:
        return -float(np.logaddexp(0.0, strength - others[0]))
    first, second = others
    everybody = np.logaddexp(np.logaddexp(first, second), strength)
    # first, second, offender; or second, first, offender
    after_first = second - np.logaddexp(second, strength)
    after_second = first - np.logaddexp(first, strength)
    return float(np.logaddexp(first + after_first, second + after_second) - everybody)


def _second(function: Callable[[float], float], at: float) -> float:
    """Return the second derivative of a smooth function, by differences."""
    below, here, above = (function(at + step) for step in (-_STEP, 0.0, _STEP))
    return (below - 2.0 * here + above) / _STEP**2
