"""The director of one running tournament: who plays next, and when it is over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

import structlog
import trio

from arena.scheduling import Sitting
from arena.store import Store, block_attempts, broken_off, games, results, tournaments
from arena.store.annulments import Annulment
from arena.store.audit import AuditLine
from arena.store.games import StoredGame
from arena.store.states import EntryState, GameState, TournamentState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.changes import take_out
from arena.tournaments.endings import keep_finished
from arena.tournaments.feed import Feed
from arena.tournaments.gallery import Gallery
from arena.tournaments.in_play import InPlay
from arena.tournaments.pace import Pace
from arena.tournaments.plan import Plan
from arena.tournaments.playroom import Playroom
from arena.tournaments.reservations import Reservations
from arena.tournaments.spec import decode_spec, entry_of
from arena.tournaments.steward import Steward
from euchre_sdk.game import SEATS

log = structlog.get_logger(__name__)


class Director:
    """Runs one tournament from wherever it stands to its end. Made by `Director.take_up`."""

    def __init__(
        self,
        in_play: InPlay,
        steward: Steward,
        *,
        store: Store,
        playroom: Playroom,
        reservations: Reservations,
        now: Callable[[], datetime],
    ) -> None:
        self.in_play = in_play
        """What is being played; whoever asks may look."""
        self._steward = steward
        self._store, self._playroom = store, playroom
        self._reservations, self._now = reservations, now
        self._deadline_came = False
        self._resume: list[tuple[Sitting, StoredGame]] = []
        self._held = 0
        self._ending = False

    @classmethod
    async def take_up(
        cls,
        tournament: StoredTournament,
        *,
        store: Store,
        playroom: Playroom,
        reservations: Reservations,
        feed: Feed,
        gallery: Gallery,
        now: Callable[[], datetime],
        forfeited: Callable[[str, int], None] = lambda _bot_id, _limit: None,
    ) -> Director:
        """Return the director of a started tournament, with everything that is stored of it.

        `forfeited` is told of each bot that forfeited a game, and how many in a row are too many.

        The seats of games that go on are kept at once, so that no other tournament takes them.
        """
        tid = tournament.tournament_id
        await store.write(broken_off.give_up_broken_off, tid, now=now())
        entries = await store.read(tournaments.entries_of, tid)
        stored_games = await store.read(games.games_of, tid)
        spec = decode_spec(tournament.spec)
        course = spec.course(tournament, entries)
        plan = Plan(
            course,
            blocks=await store.read(block_attempts.blocks_of, tid),
            games=stored_games,
            results=await store.read(results.block_results, tid) if course.learns else (),
            misses=spec.conduct.misses,
        )
        in_play = InPlay(
            tournament=tournament,
            spec=spec,
            entries={entry.entry_id: entry for entry in entries},
            plan=plan,
            feed=feed,
            pace=Pace(plan.complete, now=now()),
            state=tournament.state,
            blocks_complete=plan.complete,
        )
        steward = Steward(
            in_play,
            store=store,
            playroom=playroom,
            reservations=reservations,
            gallery=gallery,
            now=now,
            forfeited=forfeited,
        )
        director = cls(
            in_play, steward, store=store, playroom=playroom, reservations=reservations, now=now
        )
        for game in stored_games:
            if game.state is GameState.RUNNING:
                sitting = plan.resumes(game)
                steward.seat(sitting, game)
                director._resume.append((sitting, game))
        return director

    @property
    def state(self) -> TournamentState:
        """Where the tournament stands."""
        return self.in_play.state

    @property
    def tournament(self) -> StoredTournament:
        """The tournament as it was when it was taken up."""
        return self.in_play.tournament

    @property
    def entries(self) -> tuple[StoredEntry, ...]:
        """The entries as they stand."""
        return tuple(self.in_play.entries.values())

    def set_state(self, state: TournamentState) -> None:
        """Pause, go on, or cancel. The caller has stored it. Whoever is over stays so."""
        if self.in_play.state.over:
            return
        self.in_play.state = state
        if state is TournamentState.CANCELLED:
            for game_id in self.in_play.running:
                self._playroom.stop_after_hand(game_id)
        self.in_play.changed()

    @property
    def begins_blocks(self) -> bool:
        """Whether a block may still be added to what is played."""
        return not (self._ending or self.in_play.state.over or self.in_play.plan.is_given_up)

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """Keep the tournament from ending while the block runs."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            self.in_play.wake.set()

    async def annulled(self, annulment: Annulment) -> None:
        """Take note that something was struck from the results. The caller has stored it."""
        if annulment.game_id is None:
            self.in_play.blocks_complete -= 1
            self.in_play.plan.annulled(
                annulment.block_id, attempt=annulment.attempt, replay=annulment.replayed
            )
        else:
            await self._steward.learn(annulment.block_id)
        self.in_play.feed.changed(results=True)
        self.in_play.wake.set()

    def enter(self, entry: StoredEntry) -> None:
        """Let one more play. The caller has stored it. Raises `ScheduleError` if it cannot."""
        self.in_play.plan.enter(entry_of(entry))
        self.in_play.entries[entry.entry_id] = entry
        self.in_play.changed()

    async def withdraw(
        self,
        entry_id: str,
        gone: EntryState = EntryState.WITHDRAWN,
        line: AuditLine | None = None,
    ) -> None:
        """Let an entry play no more: its begun blocks are forfeits, its others are dropped.

        `line` says who decided it; there is none where that was stored before.
        """
        tid = self.in_play.tournament.tournament_id
        self.in_play.entries[entry_id] = replace(self.in_play.entries[entry_id], state=gone)
        await self._store.write(take_out, tid, entry_id, gone, line=line)
        forfeits, dropped = self.in_play.plan.withdraw(entry_id)
        for game_id, sitting in tuple(self.in_play.running.items()):
            if entry_id in sitting.seats:
                self._playroom.forfeit(game_id, SEATS[sitting.seats.index(entry_id)])
        for step in forfeits:
            if self.in_play.state is TournamentState.CANCELLED:
                break
            await self._steward.forfeit_unplayed(step, (SEATS[step.sitting.seats.index(entry_id)],))
        await self._steward.drop(dropped)
        self.in_play.changed()

    async def run(self) -> None:
        """Direct until the tournament is over. Cancelling this leaves everything resumable."""
        with structlog.contextvars.bound_contextvars(tournament=self.in_play.tournament.name):
            log.info(
                "tournament_taken_up",
                blocks_left=self.in_play.plan.total - self.in_play.plan.complete,
            )
            async with trio.open_nursery() as nursery:
                for sitting, game in self._resume:
                    nursery.start_soon(self._steward.play, sitting, game)
                if self.in_play.spec.seconds_left(self._now()) == 0:
                    self._give_up()
                for entry in tuple(self.in_play.entries.values()):
                    if entry.state.is_out:
                        await self.withdraw(entry.entry_id, entry.state)
                nursery.start_soon(self._follow, self._playroom.wait_change)
                nursery.start_soon(self._follow, self._reservations.wait_change)
                nursery.start_soon(self._watch_deadline)
                await self._direct(nursery)
                nursery.cancel_scope.cancel()
            await self._finish()

    async def _direct(self, nursery: trio.Nursery) -> None:
        """Start whatever can be started whenever something has changed, until nothing is left."""
        while True:
            wake = self.in_play.wake = trio.Event()
            if self.in_play.state is TournamentState.CANCELLED:
                if not self.in_play.running:
                    return
            else:
                paused = self.in_play.state is TournamentState.PAUSED
                here = self._reservations.here(self.in_play.entries.values())
                self.in_play.plan.attend(entry.entry_id for entry in here)
                for step in self.in_play.plan.startable(self._free, begun_only=paused):
                    game = self._steward.offer(step)
                    nursery.start_soon(self._steward.play, step.sitting, game)
                waits = paused and not self._deadline_came
                over = not waits and not self.in_play.running and self.in_play.plan.over
                await self._steward.drop(self.in_play.plan.skipped())
                if over and not self._held and self.in_play.plan.over:
                    self._ending = True
                    return
            await wake.wait()

    def _free(self, entry_id: str) -> int:
        return self._reservations.free(self.in_play.entries[entry_id])

    async def _finish(self) -> None:
        """Store that the tournament is over, and which blocks stay incomplete."""
        cancelled = self.in_play.state is TournamentState.CANCELLED
        reason = "the tournament was cancelled" if cancelled else "the deadline came first"
        self.in_play.plan.give_up()
        await self._steward.drop(self.in_play.plan.skipped())
        await self._steward.drop(self.in_play.plan.drop_begun(), reason)
        tid = self.in_play.tournament.tournament_id
        self.in_play.state = await self._store.write(keep_finished, tid, now=self._now())
        log.info(
            "tournament_over", state=self.in_play.state.value, blocks=self.in_play.plan.complete
        )
        self.in_play.changed()

    async def _follow(self, wait_change: Callable[[], Awaitable[None]]) -> None:
        """Look anew whenever something has changed, also before this began to wait for it."""
        while True:
            self.in_play.wake.set()
            if not self.in_play.running:
                # Who watches sees who has come, and for whom it still waits.
                self.in_play.feed.changed()
            await wait_change()

    async def _watch_deadline(self) -> None:
        """Start nothing any more once the deadline has come."""
        await trio.sleep(self.in_play.spec.seconds_left(self._now()))
        log.info("deadline_reached")
        self._give_up()
        self.in_play.changed()

    def _give_up(self) -> None:
        """Begin nothing more: the deadline has come, though the tournament be paused."""
        self._deadline_came = True
        self.in_play.plan.give_up()
