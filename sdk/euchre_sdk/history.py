"""What the ratings of a bot were, as people look at it: plain values, no network."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from euchre_sdk.rankings import TournamentState


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPoint:
    """What a rating was at one moment. Errors are half-widths of 95 % intervals."""

    blocks: int
    """Blocks of the tournament that were complete."""
    time: datetime
    rank: int
    elo: float
    elo_error: float | None
    """`None` for the anchor."""
    points_per_hand: float | None
    points_per_hand_error: float | None
    anchored: bool
    """Whether the ratings counted from the anchor; else their mean was 1500."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentHistory:
    """What the ratings of a bot were in one tournament."""

    tournament: str
    state: TournamentState
    version: str | None
    entries: int
    """Bots that were entered."""
    created: datetime
    ended: datetime | None
    points: tuple[RatingPoint, ...]
    """Oldest first; the last one of a tournament that is over is the final one."""
