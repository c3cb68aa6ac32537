"""The table of a tournament, computed from what is stored and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, assert_never

import structlog
import trio

from arena.ratings import GameColumns, Ranking, SessionColumns, Standing, rank_games, rank_sessions
from arena.scheduling import BlockId, ScheduleError
from arena.store import Store, games, results, tournaments
from arena.store.results import Tally
from arena.store.states import BlockState, TournamentState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.spec import TournamentSpec, decode_spec
from euchre_sdk.game import Session, ToTarget

if TYPE_CHECKING:
    from sqlalchemy import Connection

log = structlog.get_logger(__name__)

ANCHOR = "heuristic@1"
"""The bot whose rating is 1500 wherever it takes part."""


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
    """Whether the data separate it from the line above, at 95 %. True on the first line."""
    not_started: int
    faults: int


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


async def compute_table(
    store: Store, tournament: StoredTournament, *, rounds: int | None = None
) -> Table:
    """Return the table of a tournament as its stored results say; of its first `rounds` only."""
    entries = await store.read(tournaments.entries_of, tournament.tournament_id)
    spec = decode_spec(tournament.spec)
    make = partial(_table, tournament=tournament, spec=spec, entries=entries, rounds=rounds)
    return await store.read(make)


async def rounds_over(store: Store, tournament: StoredTournament) -> int:
    """Return how many cycles of a tournament are over, with all those before."""
    tid = tournament.tournament_id
    stored = await store.read(games.blocks_of, tid)
    done = {BlockState.COMPLETE, BlockState.INCOMPLETE}
    over = {BlockId(block.block_id) for block in stored if block.state in done}
    spec = decode_spec(tournament.spec)
    entries = await store.read(tournaments.entries_of, tid)
    try:
        schedule = spec.schedule(entries, seed=tournament.public_seed)
    except ScheduleError:  # too few entries so far
        return 0
    following = next(schedule.blocks(completed=over), None)
    return schedule.cycles if following is None else following.cycle - 1


def _table(
    c: Connection,
    *,
    tournament: StoredTournament,
    spec: TournamentSpec,
    entries: tuple[StoredEntry, ...],
    rounds: int | None,
) -> Table:
    counted = results.tally(c, tournament.tournament_id, rounds=rounds)
    ranking = _rank(c, tournament, spec, entries, counted, rounds)
    by_id = {entry.entry_id: entry for entry in entries}
    with_next = zip(ranking.standings, ranking.neighbours(), strict=True)
    rows: list[Row] = []
    above = None
    # Stable: who has played comes first, else in the order of the ranking.
    for standing, below in sorted(with_next, key=lambda pair: pair[0].blocks == 0):
        played = standing.blocks > 0
        rows.append(
            Row(
                rank=standing.rank if played else None,
                entry=by_id[standing.entry],
                standing=standing if played else None,
                superiority=below.los if played and below is not None else None,
                separated=not rows or (above is not None and above.separated),
                not_started=counted.not_started[standing.entry],
                faults=counted.faults[standing.entry],
            )
        )
        above = below
    held = next((row.entry for row in rows if row.standing and row.standing.anchored), None)
    anchor = None if held is None or ranking.anchor is None else by_id[ranking.anchor]
    return Table(rows=tuple(rows), anchor=anchor, hands=counted.hands, annulled=counted.annulled)


def _rank(
    c: Connection,
    tournament: StoredTournament,
    spec: TournamentSpec,
    entries: tuple[StoredEntry, ...],
    counted: Tally,
    rounds: int | None,
) -> Ranking:
    ids = [entry.entry_id for entry in entries]
    anchor = next((each.entry_id for each in entries if each.name == ANCHOR), None)
    tid = tournament.tournament_id
    match spec.format:
        case Session():
            sessions = SessionColumns.of(
                results.session_results(c, tid, spec.format, rounds=rounds),
                entries=ids,
                not_started=counted.not_started,
            )
            return rank_sessions(sessions, anchor=anchor)
        case ToTarget():
            played = GameColumns.of(
                results.game_results(c, tid, rounds=rounds),
                entries=ids,
                not_started=counted.not_started,
            )
            return rank_games(played, anchor=anchor)
        case _:
            assert_never(spec.format)


class TableCache:
    """The newest table of one tournament; computed again only when its results have changed.

    The hands are counted for everybody who asks, as they change long before a result does; who asks
    while others are counted for waits, and all who wait share one count.
    """

    def __init__(self, store: Store, tournament: StoredTournament) -> None:
        self._store = store
        self._tournament = tournament
        self._lock = trio.Lock()
        self._results = -1
        self._rounds: int | None = None
        self._asked = 0
        self._answered = 0
        self._table: Table | None = None

    async def table(self, results_so_far: int, *, rounds: int | None = None) -> Table:
        """Return the table as of at least so many changes of the results, with all hands so far.

        `rounds`: only what was played in so many cycles.
        """
        self._asked += 1
        mine = self._asked
        async with self._lock:
            asked = self._asked
            stale = self._results < results_so_far or self._rounds != rounds
            if self._table is None or stale:
                began = trio.current_time()
                self._table = await compute_table(self._store, self._tournament, rounds=rounds)
                self._rounds = rounds
                log.debug(
                    "ratings_updated",
                    tournament=self._tournament.name,
                    entries=len(self._table.rows),
                    hands=self._table.hands,
                    elapsed_ms=round((trio.current_time() - began) * 1e3, 3),
                )
                self._results, self._answered = results_so_far, asked
            elif self._answered < mine:
                tid = self._tournament.tournament_id
                hands = await self._store.read(results.hands_played, tid, rounds=rounds)
                self._table = replace(self._table, hands=hands)
                self._answered = asked
            return self._table
