"""The ranking of a tournament as people look at it: plain values, no network."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, unique


@unique
class TournamentState(Enum):
    """Where a tournament stands."""

    CREATED = "not started"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    """Something newer than this package."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be played."""
        return self in (TournamentState.FINISHED, TournamentState.CANCELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRow:
    """One entry's line; `None` where there is nothing to tell yet."""

    rank: int | None
    name: str
    version: str | None
    house: bool
    withdrawn: bool
    online: bool
    elo: float | None
    elo_error: float | None
    """Half-width of the 95 % interval, in Elo; `None` for the anchor."""
    points_per_hand: float | None
    points_per_hand_error: float | None
    """Half-width of the 95 % interval, in points."""
    blocks: int
    hands: int
    forfeits: int
    not_started: int
    faults: int
    separated: bool
    """Whether the data separate it from the entry above, at 95 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The table of a tournament."""

    tournament: str
    schedule: str
    state: TournamentState
    blocks_complete: int
    blocks_total: int
    games_running: int
    hands: int
    remaining: timedelta | None
    """Time left at the present pace; `None` if it is not known."""
    anchor: str | None
    """The entry whose rating is fixed; `None` if the ratings are not anchored."""
    rows: tuple[RankingRow, ...]
    """Best first."""
    annulled: int = 0
    """Games that the organiser struck from the results: they count nowhere here."""

    @property
    def waits_for(self) -> tuple[str, ...]:
        """Who is absent while nothing is played, by name; empty while anything is."""
        if self.state is not TournamentState.RUNNING or self.games_running:
            return ()
        return tuple(row.name for row in self.rows if not (row.online or row.withdrawn))
