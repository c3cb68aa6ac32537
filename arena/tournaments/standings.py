"""What a tournament's table says: plain values, best first."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from arena.ratings import Forfeits, Ranking, Standing
from arena.store.states import TournamentState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.duel_standing import DuelStanding
from arena.tournaments.spec import TournamentSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """What an entry's results are without the luck of the cards. Errors as in `Standing`."""

    elo: float
    elo_error: float
    points_per_hand: float
    points_error: float
    saving_factor: float
    """How many times fewer hands the corrected points need for the same error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entry's line. `None` stands for what cannot be told yet."""

    rank: int | None
    """1-based. None without any result."""
    entry: StoredEntry
    standing: Standing | None
    superiority: float | None
    """Likelihood that it is better than the next line, in [0, 1]."""
    separated: bool
    """Whether the data separate it from the line above, at 95 %. True on a group's first line."""
    not_started: int
    faults: int
    blocks_to_separate: int | None = None
    """So many more of each separate it from the line above in 80 % of cases. None if they do."""
    corrected: Corrected | None = None
    """None without a luck correction."""
    online_elo: float | None = None
    """As the live view of a ladder follows it; None elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two lines of a table compared, by their positions in `Table.rows`."""

    first: int
    second: int
    superiority: float
    """Likelihood that the first is the stronger, in [0, 1]."""
    separated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All lines, best first, as the results stand."""

    rows: tuple[Row, ...]
    anchor: StoredEntry | None
    """Who is held at 1500; None if the ratings are not anchored."""
    hands: int
    """Completed hands of the tournament, rated or not."""
    annulled: int
    """Games that were struck from the results: they count nowhere in the table."""
    ranking: Ranking | None = field(default=None, compare=False, repr=False)
    """The fit it comes from; its lines are called by entry ids."""
    forfeits: Forfeits = Forfeits.COUNTED
    saving_factor: float | None = None
    """Of the whole tournament; None without a luck correction."""
    pairs: tuple[Pair, ...] = ()
    """Every pair of lines that can be compared, if it was asked for."""
    duel: DuelStanding | None = None
    """Where the duel stands; None for all other tournaments."""
    is_live: bool = False
    """Whether ratings are one step from the last fit, with the errors of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How much is played."""

    blocks_complete: int
    blocks_total: int
    games_running: int
    remaining: timedelta | None
    """At the present pace. None if it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rankings:
    """What watchers are shown."""

    tournament: StoredTournament
    spec: TournamentSpec
    state: TournamentState
    progress: Progress
    table: Table
    computed: datetime
    revision: int
