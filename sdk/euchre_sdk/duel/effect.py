"""How large a lead is: points a hand at one table, and what that is on the Elo scale."""

from __future__ import annotations

import math
from dataclasses import dataclass

from euchre_sdk.duel.gsprt import Evidence
from euchre_sdk.intervals import CONFIDENCE, t_quantile

ELO_PER_POINT = 795.0
"""Elo per point a hand of strength; the arena's ratings use the same number (docs/ratings.md)."""
TABLE_LEAD = 1.5
"""Points a hand between two bots at one table for each point by which their strengths differ.

What one bot scores more, the other two lose half of each.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """By how much A was ahead of B, with the half-widths of 95 % intervals."""

    blocks: int
    points: float
    """Points a hand."""
    points_error: float | None
    """`None` with fewer than two blocks."""
    elo: float
    elo_error: float | None
    deviations: float | None
    """The lead in standard deviations of a block's value; `None` where blocks do not vary."""

    @classmethod
    def of(cls, evidence: Evidence) -> Effect:
        """Return what blocks have shown. Student's t over blocks; the early stop is not undone."""
        blocks, deviation = evidence.blocks, evidence.deviation
        error = None
        if blocks > 1:
            error = t_quantile((1 + CONFIDENCE) / 2, blocks - 1) * deviation / math.sqrt(blocks)
        return cls(
            blocks=blocks,
            points=evidence.mean,
            points_error=error,
            elo=elo_of_points(evidence.mean),
            elo_error=None if error is None else elo_of_points(error),
            deviations=evidence.mean / deviation if deviation else None,
        )


def elo_of_points(points: float) -> float:
    """Return the Elo of a lead in points a hand at one table. Valid up to 600 Elo or so.

    >>> elo_of_points(0.1)
    53.0
    """
    return points * ELO_PER_POINT / TABLE_LEAD


def points_of_elo(elo: float) -> float:
    """Return the lead in points a hand at one table that so much Elo is."""
    return elo * TABLE_LEAD / ELO_PER_POINT
