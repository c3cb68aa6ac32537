"""The ranking of a tournament as people look at it: plain values, no network."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, unique

from euchre_sdk.duel.view import DuelView


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
class Corrected:
    """What an entry's results are without the luck of the cards."""

    elo: float
    elo_error: float | None
    """Half-width of the 95 % interval, in Elo; `None` for the anchor."""
    points_per_hand: float | None
    points_per_hand_error: float | None
    """Half-width of the 95 % interval, in points."""
    saving_factor: float | None
    """How many times fewer hands the corrected points need for the same error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two entries compared, by their positions in the table."""

    first: int
    second: int
    superiority: float
    """Likelihood that the first is the stronger, in [0, 1]."""
    separated: bool
    """Whether the data separate them, at 95 %."""


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
    superiority: float | None = None
    """Likelihood that it is better than the next entry, in [0, 1]; `None` if they never met."""
    blocks_to_separate: int | None = None
    """So many more of each would separate it from the entry above in 80 % of cases."""
    corrected: Corrected | None = None
    """Its results without the luck of the cards; `None` without a luck correction."""
    online_elo: float | None = None
    """As the live view of a ladder follows it; it decides nothing."""
    group: int | None = None
    """From 1; ratings can be compared within a group only. `None` without any result."""
    anchored: bool = True
    """Whether the rating counts from the anchor; else the mean of its group is 1500."""
    one_sided: bool = False
    """Ahead of, or behind, all the others in every game: only a mild assumption bounds it."""
    unfinished: int = 0
    """Games of it that nobody won, which are not rated."""


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
    forfeits_left_out: bool = False
    saving_factor: float | None = None
    """Of the whole tournament; `None` without a luck correction."""
    pairs: tuple[Pair, ...] = ()
    """Every pair of entries that can be compared, if it was asked for."""
    duel: DuelView | None = None
    """Where the duel stands; `None` for all other tournaments."""

    @property
    def is_corrected(self) -> bool:
        """Whether any entry has values without the luck of the cards."""
        return any(row.corrected is not None for row in self.rows)

    @property
    def waits_for(self) -> tuple[str, ...]:
        """Who is absent while nothing is played, by name; empty while anything is."""
        if self.state is not TournamentState.RUNNING or self.games_running:
            return ()
        return tuple(row.name for row in self.rows if not (row.online or row.withdrawn))
