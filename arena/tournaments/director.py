"""The director of one running tournament: who plays next, and what becomes of every game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

import structlog
import trio

from arena.referee import GameOutcome, Resumed, Termination
from arena.scheduling import Block, Sitting
from arena.store import Store, StoreError, games, results, tournaments
from arena.store.annulments import Annulment
from arena.store.audit import AuditLine
from arena.store.games import StoredBlock, StoredGame
from arena.store.states import BlockState, EntryState, GameState, TournamentState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.changes import take_out
from arena.tournaments.endings import (
    VOID,
    forfeited,
    incomplete,
    keep_end,
    keep_finished,
    keep_version,
)
from arena.tournaments.feed import Feed
from arena.tournaments.gallery import Gallery
from arena.tournaments.journal import StoreJournal
from arena.tournaments.orders import game_order, offered_game
from arena.tournaments.plan import Plan, Step
from arena.tournaments.playroom import GameOrder, Playroom
from arena.tournaments.pseudonyms import seat_names
from arena.tournaments.reservations import Reservations
from arena.tournaments.spec import TournamentSpec, decode_spec, entry_of
from euchre_sdk.game import SEATS, Seat

log = structlog.get_logger(__name__)
_STORED_AT_ONCE = 200
"""Blocks dropped in one change of the store, which games that are played wait for."""


class Director:
    """Runs one tournament from wherever it stands to its end. Made by `Director.take_up`."""

    def __init__(
        self,
        tournament: StoredTournament,
        entries: tuple[StoredEntry, ...],
        plan: Plan,
        *,
        store: Store,
        playroom: Playroom,
        reservations: Reservations,
        feed: Feed,
        gallery: Gallery,
        now: Callable[[], datetime],
        forfeited: Callable[[str, int], None] = lambda _bot_id, _limit: None,
    ) -> None:
        self.feed = feed
        self._gallery = gallery
        self.running: dict[str, Sitting] = {}
        """Games that were ordered and are not over, by id."""
        self.plan = plan
        self.blocks_complete = plan.complete
        """Blocks of which it is stored that they count; `plan` knows a moment before."""
        self._tournament = tournament
        self._spec: TournamentSpec = decode_spec(tournament.spec)
        self._entries = {entry.entry_id: entry for entry in entries}
        self._store, self._playroom = store, playroom
        self._reservations, self._now = reservations, now
        self._state = tournament.state
        self._wake = trio.Event()
        self._deadline_came = False
        self._forfeited = forfeited
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
        await store.write(games.give_up_broken_off, tid, now=now())
        entries = await store.read(tournaments.entries_of, tid)
        stored_games = await store.read(games.games_of, tid)
        spec = decode_spec(tournament.spec)
        course = spec.course(tournament, entries)
        plan = Plan(
            course,
            blocks=await store.read(games.blocks_of, tid),
            games=stored_games,
            results=await store.read(results.block_results, tid) if course.learns else (),
            misses=spec.conduct.misses,
        )
        director = cls(
            tournament,
            entries,
            plan,
            store=store,
            playroom=playroom,
            reservations=reservations,
            feed=feed,
            gallery=gallery,
            now=now,
            forfeited=forfeited,
        )
        for game in stored_games:
            if game.state is GameState.RUNNING:
                sitting = plan.resumes(game)
                director._seat(sitting, game)
                director._resume.append((sitting, game))
        return director

    @property
    def state(self) -> TournamentState:
        """Where the tournament stands."""
        return self._state

    @property
    def tournament(self) -> StoredTournament:
        """The tournament as it was when it was taken up."""
        return self._tournament

    @property
    def entries(self) -> tuple[StoredEntry, ...]:
        """The entries as they stand."""
        return tuple(self._entries.values())

    def set_state(self, state: TournamentState) -> None:
        """Pause, go on, or cancel. The caller has stored it. Whoever is over stays so."""
        if self._state.over:
            return
        self._state = state
        if state is TournamentState.CANCELLED:
            for game_id in self.running:
                self._playroom.stop_after_hand(game_id)
        self._changed()

    @property
    def begins_blocks(self) -> bool:
        """Whether a block may still be added to what is played."""
        return not (self._ending or self._state.over or self.plan.is_given_up)

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """Keep the tournament from ending while the block runs."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            self._wake.set()

    async def annulled(self, annulment: Annulment) -> None:
        """Take note that something was struck from the results. The caller has stored it."""
        if annulment.game_id is None:
            self.blocks_complete -= 1
            self.plan.annulled(
                annulment.block_id, attempt=annulment.attempt, replay=annulment.replayed
            )
        else:
            await self._learn(annulment.block_id)
        self.feed.changed(results=True)
        self._wake.set()

    def enter(self, entry: StoredEntry) -> None:
        """Let one more play. The caller has stored it. Raises `ScheduleError` if it cannot."""
        self.plan.enter(entry_of(entry))
        self._entries[entry.entry_id] = entry
        self._changed()

    async def withdraw(
        self,
        entry_id: str,
        gone: EntryState = EntryState.WITHDRAWN,
        line: AuditLine | None = None,
    ) -> None:
        """Let an entry play no more: its begun blocks are forfeits, its others are dropped.

        `line` says who decided it; there is none where that was stored before.
        """
        tid = self._tournament.tournament_id
        self._entries[entry_id] = replace(self._entries[entry_id], state=gone)
        await self._store.write(take_out, tid, entry_id, gone, line=line)
        forfeits, dropped = self.plan.withdraw(entry_id)
        for game_id, sitting in tuple(self.running.items()):
            if entry_id in sitting.seats:
                self._playroom.forfeit(game_id, SEATS[sitting.seats.index(entry_id)])
        for step in forfeits:
            if self._state is TournamentState.CANCELLED:
                break
            await self._forfeit_unplayed(step, (SEATS[step.sitting.seats.index(entry_id)],))
        await self._drop(dropped)
        self._changed()

    async def run(self) -> None:
        """Direct until the tournament is over. Cancelling this leaves everything resumable."""
        with structlog.contextvars.bound_contextvars(tournament=self._tournament.name):
            log.info("tournament_taken_up", blocks_left=self.plan.total - self.plan.complete)
            async with trio.open_nursery() as nursery:
                for sitting, game in self._resume:
                    nursery.start_soon(self._play, sitting, game)
                if self._spec.seconds_left(self._now()) == 0:
                    self._give_up()
                for entry in tuple(self._entries.values()):
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
            wake = self._wake = trio.Event()
            if self._state is TournamentState.CANCELLED:
                if not self.running:
                    return
            else:
                paused = self._state is TournamentState.PAUSED
                here = self._reservations.here(self._entries.values())
                self.plan.attend(entry.entry_id for entry in here)
                for step in self.plan.startable(self._free, begun_only=paused):
                    self._start(step, nursery)
                waits = paused and not self._deadline_came
                over = not waits and not self.running and self.plan.over
                await self._drop(self.plan.skipped())
                if over and not self._held and self.plan.over:
                    self._ending = True
                    return
            await wake.wait()

    def _free(self, entry_id: str) -> int:
        return self._reservations.free(self._entries[entry_id])

    def _start(self, step: Step, nursery: trio.Nursery) -> None:
        self.plan.took(step)
        game = offered_game(self._tournament, step, now=self._now())
        self._seat(step.sitting, game)
        nursery.start_soon(self._play, step.sitting, game)

    def _seat(self, sitting: Sitting, game: StoredGame) -> None:
        """Keep seats for a game from now on; `_play` gives them back."""
        self._reservations.reserve(self._bots(sitting))
        self.running[game.game_id] = sitting

    async def _play(self, sitting: Sitting, game: StoredGame) -> None:
        """Play one game from its offer to its stored end."""
        seated = self._bots(sitting)
        reserved = True
        try:
            with structlog.contextvars.bound_contextvars(
                block_id=sitting.block_id, game_id=game.game_id
            ):
                order = await self._order(sitting, game)
                self._reservations.hand_over(seated)
                reserved = False
                self._gallery.begun(game.game_id, hands=len(order.played.hands))
                journal = StoreJournal(self._store, game.game_id, stored_hand=self._hand_stored)
                try:
                    outcome = self._overtaken(sitting, order)
                    if outcome is None:
                        outcome = await self._playroom.play(order, journal)
                except StoreError:
                    raise
                except Exception:
                    log.exception("game_failed")
                    await self._fail(sitting, game)
                else:
                    await self._settle(sitting, game, outcome)
        finally:
            if reserved:
                self._reservations.hand_over(seated)
            self._reservations.over()
            del self.running[game.game_id]
            self._changed()

    def _hand_stored(self, game_id: str) -> None:
        self._gallery.hand_stored(game_id)
        self.feed.changed()

    def _overtaken(self, sitting: Sitting, order: GameOrder) -> GameOutcome | None:
        """Return how a game ends that lost its point while its offer was being stored."""
        if self._state is TournamentState.CANCELLED or not self.plan.counts(sitting):
            return VOID
        gone = self._gone(sitting)
        if gone and order.played.outcome is None:
            return forfeited(gone, order.played.hands, format=sitting.format)
        return None

    def _gone(self, sitting: Sitting) -> tuple[Seat, ...]:
        """Return the seats of those who were taken out."""
        return tuple(seat for seat in SEATS if self._entries[sitting.seats[seat]].state.is_out)

    async def _order(self, sitting: Sitting, game: StoredGame) -> GameOrder:
        """Store what must be known before the offer, and return the order."""
        if game.state is GameState.RUNNING:
            played = await self._store.read(games.resumed, game)
        else:
            await self._fix_versions(sitting)
            await self._store.write(games.offer_game, game)
            played = Resumed()
        return game_order(
            self._tournament,
            self._spec,
            self._entries,
            sitting,
            game,
            incarnation=self._store.incarnation,
            played=played,
        )

    async def _fix_versions(self, sitting: Sitting) -> None:
        """Bind entries that play for the first time to the version that is here."""
        for entry_id in sitting.seats:
            entry = self._entries[entry_id]
            label = self._playroom.version(entry.bot_id)
            if entry.version is None and label is not None:
                self._entries[entry_id] = replace(entry, version=label)
                await self._store.write(
                    keep_version, self._tournament.tournament_id, entry, label, now=self._now()
                )
                self.feed.changed(results=True)

    async def _settle(self, sitting: Sitting, game: StoredGame, outcome: GameOutcome) -> None:
        """Store how a game ended, and with it whether its block is complete."""
        if outcome.not_ready and not outcome.started:
            absent = tuple(sitting.seats[seat] for seat in outcome.not_ready)
            forfeits = self.plan.missed(sitting, absent)
            names = seat_names(self._tournament, game, self._entries)
            log.info(
                "game_not_started",
                not_ready=[names[seat] for seat in outcome.not_ready],
                forfeits=[names[sitting.seats.index(entry)] for entry in forfeits],
            )
            if not forfeits:
                await self._end(game, GameState.NOT_STARTED, outcome)
                return
            offenders = tuple(SEATS[sitting.seats.index(entry)] for entry in forfeits)
            outcome = replace(
                forfeited(offenders, format=sitting.format), not_ready=outcome.not_ready
            )
        elif Termination.VOID in outcome.terminations:
            if self._state is TournamentState.CANCELLED:
                await self._end(game, GameState.VOID, outcome)
                return
            gone = self._gone(sitting)
            if not gone or not self.plan.counts(sitting):
                await self._fail(sitting, game)
                return
            # it was withdrawn while the game was being offered
            outcome = forfeited(gone, outcome.hands, format=sitting.format)
        await self._finish_sitting(sitting, game, outcome)

    async def _finish_sitting(
        self, sitting: Sitting, game: StoredGame, outcome: GameOutcome
    ) -> None:
        block = None
        if self.plan.done(sitting):
            block = StoredBlock(
                block_id=sitting.block_id, attempt=sitting.attempt, state=BlockState.COMPLETE
            )
        await self._end(game, GameState.FINISHED, outcome, block)
        if block is not None:
            await self._learn(block.block_id)
        for seat in outcome.offenders:
            offender = self._entries[sitting.seats[seat]]
            if not (offender.house or offender.state.is_out):
                self._forfeited(offender.bot_id, self._spec.conduct.forfeits)
        log.info(
            "game_over",
            game_id=game.game_id,
            seats=seat_names(self._tournament, game, self._entries),
            points=outcome.points,
            places=outcome.places,
            terminations=[how.value for how in outcome.terminations],
            hands=outcome.hands_counted,
            faults=outcome.faults,
        )

    async def _learn(self, block_id: str) -> None:
        """Tell the plan what a complete block shows, if it wants to know."""
        if self.plan.learns:
            tid = self._tournament.tournament_id
            for result in await self._store.read(results.block_results, tid, block_id=block_id):
                self.plan.learn(result)

    async def _forfeit_unplayed(self, step: Step, offenders: tuple[Seat, ...]) -> None:
        """Store a game of a begun block as forfeited without having been offered."""
        game = offered_game(self._tournament, step, now=self._now())
        await self._store.write(games.offer_game, game)
        outcome = forfeited(offenders, format=step.sitting.format)
        await self._finish_sitting(step.sitting, game, outcome)

    async def _fail(self, sitting: Sitting, game: StoredGame) -> None:
        """Store that a block failed through the arena; it is tried again with new deals."""
        state = self.plan.failed(sitting)
        if state is None:
            await self._end(game, GameState.VOID, VOID)
            return
        for game_id, other in self.running.items():
            if other.block_id == sitting.block_id and game_id != game.game_id:
                self._playroom.stop_after_hand(game_id)
        block = StoredBlock(
            block_id=sitting.block_id,
            attempt=sitting.attempt,
            state=state,
            reason="a game of it failed through the arena",
        )
        await self._end(game, GameState.VOID, VOID, block)

    async def _end(
        self,
        game: StoredGame,
        state: GameState,
        outcome: GameOutcome,
        block: StoredBlock | None = None,
    ) -> None:
        """Store the end of a game, and of its block if it ends with it, at once."""
        await self._store.write(
            keep_end, game=game, state=state, outcome=outcome, block=block, now=self._now()
        )
        if block is not None:
            log.info(
                "block_over",
                block_id=block.block_id,
                state=block.state.value,
                attempt=block.attempt,
            )
        self._gallery.ended(game.game_id)
        if block is not None and block.state is BlockState.COMPLETE:
            self.blocks_complete += 1
        self._wake.set()
        self.feed.changed(results=True)

    async def _finish(self) -> None:
        """Store that the tournament is over, and which blocks stay incomplete."""
        cancelled = self._state is TournamentState.CANCELLED
        reason = "the tournament was cancelled" if cancelled else "the deadline came first"
        self.plan.give_up()
        await self._drop(self.plan.skipped())
        await self._drop(self.plan.drop_begun(), reason)
        tid = self._tournament.tournament_id
        self._state = await self._store.write(keep_finished, tid, now=self._now())
        log.info("tournament_over", state=self._state.value, blocks=self.plan.complete)
        self._changed()

    async def _drop(self, blocks: tuple[Block, ...], reason: str | None = None) -> None:
        """Store that blocks stay incomplete: for that reason, or as somebody was withdrawn."""
        tid = self._tournament.tournament_id
        for begin in range(0, len(blocks), _STORED_AT_ONCE):
            some = blocks[begin : begin + _STORED_AT_ONCE]
            over = [incomplete(block, reason, self._entries) for block in some]
            await self._store.write(games.end_blocks, tid, over, now=self._now())

    async def _follow(self, wait_change: Callable[[], Awaitable[None]]) -> None:
        """Look anew whenever something has changed, also before this began to wait for it."""
        while True:
            self._wake.set()
            if not self.running:
                self.feed.changed()  # who watches sees who has come and for whom it still waits
            await wait_change()

    async def _watch_deadline(self) -> None:
        """Start nothing any more once the deadline has come."""
        await trio.sleep(self._spec.seconds_left(self._now()))
        log.info("deadline_reached")
        self._give_up()
        self._changed()

    def _give_up(self) -> None:
        """Begin nothing more: the deadline has come, though the tournament be paused."""
        self._deadline_came = True
        self.plan.give_up()

    def _changed(self) -> None:
        self._wake.set()
        self.feed.changed()

    def _bots(self, sitting: Sitting) -> tuple[str, ...]:
        return tuple(self._entries[entry_id].bot_id for entry_id in sitting.seats)
