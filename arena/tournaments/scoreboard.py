"""How tournaments stand: their rankings, and how much of them is played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

import trio

from arena.ratings import Forfeits
from arena.scheduling import ScheduleError
from arena.store import Store, block_attempts, tournaments
from arena.store.states import EntryState, TournamentState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.fleet import Fleet
from arena.tournaments.in_play import InPlay
from arena.tournaments.lookup import tournament_named
from arena.tournaments.playroom import Playroom
from arena.tournaments.pseudonyms import is_veiled
from arena.tournaments.remembered import Remembered
from arena.tournaments.spec import decode_spec
from arena.tournaments.standings import Progress, Rankings
from arena.tournaments.table_cache import TableCache
from arena.tournaments.tabling import rounds_over, with_pairs

MOST_COMPARED = 200
"""Entries of which every pair is compared, if somebody asks for it."""


class Scoreboard:
    """What anybody may know of how all tournaments stand."""

    def __init__(
        self, store: Store, playroom: Playroom, fleet: Fleet, *, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._playroom = playroom
        self._fleet = fleet
        self._now = now
        self._tables: dict[str, TableCache] = {}
        self._rounds, self._totals = Remembered(), Remembered()

    async def rankings(
        self,
        name: str,
        *,
        forfeits: Forfeits = Forfeits.COUNTED,
        matrix: bool = False,
        live: bool = False,
    ) -> Rankings:
        """Return the table of a tournament as it is now, every pair compared if `matrix`.

        `live`: while it runs, ratings may be one step from the last fit, with the errors of that.
        """
        tournament = await tournament_named(self._store, name)
        tid = tournament.tournament_id
        cache = self._tables.setdefault(tid, TableCache(self._store, tournament))
        feed = self._fleet.feed(tournament)
        # Before all that is told is read, so that no change falls between the two.
        revision, results = feed.revision, feed.results
        rounds = None
        if is_veiled(tournament):
            count = partial(rounds_over, self._store, tournament)
            rounds = await self._rounds.number(tid, results, count)
        table = await cache.table(
            results,
            rounds=rounds,
            forfeits=forfeits,
            live=live and tournament.state is TournamentState.RUNNING,
        )
        if matrix:
            if len(table.rows) > MOST_COMPARED:
                fault = (
                    f"{name} has {len(table.rows):,} entries, and every pair is compared for up "
                    f"to {MOST_COMPARED}; its ranking compares each entry with the next"
                )
                raise RefusedRequestError(Refusal.NOT_NOW, [fault])
            table = await trio.to_thread.run_sync(with_pairs, table)
        tournament = await tournament_named(self._store, name)
        return Rankings(
            tournament=tournament,
            spec=decode_spec(tournament.spec),
            state=tournament.state,
            progress=await self.progress(tournament),
            table=table,
            computed=self._now(),
            revision=revision,
        )

    async def progress(self, tournament: StoredTournament) -> Progress:
        """Return how much of a tournament is played."""
        tid = tournament.tournament_id
        in_play = self._fleet.in_play(tournament)
        if in_play is not None:
            complete = in_play.blocks_complete
            total = in_play.plan.total
            if tournament.state is not TournamentState.CANCELLED:
                total -= in_play.plan.given_up
            remaining = None
            if tournament.state is TournamentState.RUNNING and not self._waits(in_play):
                remaining = in_play.pace.remaining(complete, total, now=self._now())
            return Progress(
                blocks_complete=complete,
                blocks_total=total,
                games_running=len(in_play.running),
                remaining=remaining,
            )
        complete = total = await self._store.read(block_attempts.complete_blocks, tid)
        if tournament.state in {TournamentState.CREATED, TournamentState.CANCELLED}:
            entries = await self._store.read(tournaments.entries_of, tid)
            in_thread = partial(trio.to_thread.run_sync, abandon_on_cancel=True)
            count = partial(in_thread, _planned, tournament, entries)
            total = await self._totals.number(tid, (entries, tournament.started), count)
        return Progress(
            blocks_complete=complete, blocks_total=total, games_running=0, remaining=None
        )

    def _waits(self, in_play: InPlay) -> bool:
        """Return whether nothing is played while somebody of the field is absent."""
        playing = (each for each in in_play.entries.values() if each.state is EntryState.PLAYING)
        return not in_play.running and any(
            self._playroom.version(entry.bot_id) is None for entry in playing
        )


def _planned(tournament: StoredTournament, entries: tuple[StoredEntry, ...]) -> int:
    """Return how many blocks a tournament has that is not played. May take long."""
    try:
        return decode_spec(tournament.spec).course(tournament, entries).total
    except ScheduleError:
        return 0
