"""The steward of one running tournament: each game from its offer to its stored end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import structlog

from arena.referee import GameOutcome, Resumed, Termination
from arena.scheduling import Block, Sitting
from arena.store import Store, StoreError, block_attempts, broken_off, games, results
from arena.store.block_attempts import StoredBlock
from arena.store.games import StoredGame
from arena.store.states import BlockState, GameState, TournamentState
from arena.tournaments.endings import VOID, forfeited, incomplete, keep_end, keep_version
from arena.tournaments.gallery import Gallery
from arena.tournaments.in_play import InPlay
from arena.tournaments.journal import StoreJournal
from arena.tournaments.orders import game_order, offered_game
from arena.tournaments.plan import Step
from arena.tournaments.playroom import GameOrder, Playroom
from arena.tournaments.reservations import Reservations
from euchre_sdk.game import SEATS, Seat

log = structlog.get_logger(__name__)
_STORED_AT_ONCE = 200
"""Blocks dropped in one change of the store, which games that are played wait for."""


class Steward:
    """Seats games, has them played, and stores what becomes of them and of their blocks."""

    def __init__(
        self,
        in_play: InPlay,
        *,
        store: Store,
        playroom: Playroom,
        reservations: Reservations,
        gallery: Gallery,
        now: Callable[[], datetime],
        forfeited: Callable[[str, int], None],
    ) -> None:
        """Make it. `forfeited` is told of each bot that forfeited, and how many are too many."""
        self._in_play = in_play
        self._plan = in_play.plan
        self._store, self._playroom = store, playroom
        self._reservations, self._gallery = reservations, gallery
        self._now, self._forfeited = now, forfeited

    def seat(self, sitting: Sitting, game: StoredGame) -> None:
        """Keep seats for a game from now on; `play` gives them back."""
        self._reservations.reserve(self._in_play.seated(sitting))
        self._in_play.running[game.game_id] = sitting

    def offer(self, step: Step) -> StoredGame:
        """Take a step of the plan, and keep seats for the game that it is."""
        self._plan.took(step)
        game = offered_game(self._in_play.tournament, step, now=self._now())
        self.seat(step.sitting, game)
        return game

    async def play(self, sitting: Sitting, game: StoredGame) -> None:
        """Play one game from its offer to its stored end."""
        seated = self._in_play.seated(sitting)
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
            del self._in_play.running[game.game_id]
            self._in_play.changed()

    async def forfeit_unplayed(self, step: Step, offenders: tuple[Seat, ...]) -> None:
        """Store a game of a begun block as forfeited without having been offered."""
        game = offered_game(self._in_play.tournament, step, now=self._now())
        await self._store.write(games.offer_game, game)
        outcome = forfeited(offenders, format=step.sitting.format)
        await self._finish_sitting(step.sitting, game, outcome)

    async def drop(self, blocks: tuple[Block, ...], reason: str | None = None) -> None:
        """Store that blocks stay incomplete: for that reason, or as somebody was withdrawn."""
        tid = self._in_play.tournament.tournament_id
        for begin in range(0, len(blocks), _STORED_AT_ONCE):
            some = blocks[begin : begin + _STORED_AT_ONCE]
            over = [incomplete(block, reason, self._in_play.entries) for block in some]
            await self._store.write(block_attempts.end_blocks, tid, over, now=self._now())

    async def learn(self, block_id: str) -> None:
        """Tell the plan what a complete block shows, if it wants to know."""
        if self._plan.learns:
            tid = self._in_play.tournament.tournament_id
            for result in await self._store.read(results.block_results, tid, block_id=block_id):
                self._plan.learn(result)

    def _hand_stored(self, game_id: str) -> None:
        self._gallery.hand_stored(game_id)
        self._in_play.feed.changed()

    def _overtaken(self, sitting: Sitting, order: GameOrder) -> GameOutcome | None:
        """Return how a game ends that lost its point while its offer was being stored."""
        if self._is_cancelled or not self._plan.counts(sitting):
            return VOID
        gone = self._in_play.gone(sitting)
        if gone and order.played.outcome is None:
            return forfeited(gone, order.played.hands, format=sitting.format)
        return None

    @property
    def _is_cancelled(self) -> bool:
        return self._in_play.state is TournamentState.CANCELLED

    async def _order(self, sitting: Sitting, game: StoredGame) -> GameOrder:
        """Store what must be known before the offer, and return the order."""
        if game.state is GameState.RUNNING:
            played = await self._store.read(broken_off.resumed, game)
        else:
            await self._fix_versions(sitting)
            await self._store.write(games.offer_game, game)
            played = Resumed()
        return game_order(
            self._in_play.tournament,
            self._in_play.spec,
            self._in_play.entries,
            sitting,
            game,
            played=played,
        )

    async def _fix_versions(self, sitting: Sitting) -> None:
        """Bind entries that play for the first time to the version that is here."""
        entries, tid = self._in_play.entries, self._in_play.tournament.tournament_id
        for entry_id in sitting.seats:
            entry = entries[entry_id]
            label = self._playroom.version(entry.bot_id)
            if entry.version is None and label is not None:
                entries[entry_id] = replace(entry, version=label)
                await self._store.write(keep_version, tid, entry, label, now=self._now())
                self._in_play.feed.changed(results=True)

    async def _settle(self, sitting: Sitting, game: StoredGame, outcome: GameOutcome) -> None:
        """Store how a game ended, and with it whether its block is complete."""
        if outcome.not_ready and not outcome.started:
            absent = tuple(sitting.seats[seat] for seat in outcome.not_ready)
            forfeits = self._plan.missed(sitting, absent)
            names = self._in_play.names(game)
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
            if self._is_cancelled:
                await self._end(game, GameState.VOID, outcome)
                return
            gone = self._in_play.gone(sitting)
            if not gone or not self._plan.counts(sitting):
                await self._fail(sitting, game)
                return
            # it was withdrawn while the game was being offered
            outcome = forfeited(gone, outcome.hands, format=sitting.format)
        await self._finish_sitting(sitting, game, outcome)

    async def _finish_sitting(
        self, sitting: Sitting, game: StoredGame, outcome: GameOutcome
    ) -> None:
        block = None
        if self._plan.done(sitting):
            block = StoredBlock(
                block_id=sitting.block_id, attempt=sitting.attempt, state=BlockState.COMPLETE
            )
        await self._end(game, GameState.FINISHED, outcome, block)
        if block is not None:
            await self.learn(block.block_id)
        for seat in outcome.offenders:
            offender = self._in_play.entries[sitting.seats[seat]]
            if not (offender.house or offender.state.is_out):
                self._forfeited(offender.bot_id, self._in_play.spec.conduct.forfeits)
        log.info(
            "game_over",
            game_id=game.game_id,
            seats=self._in_play.names(game),
            points=outcome.points,
            places=outcome.places,
            terminations=[how.value for how in outcome.terminations],
            hands=outcome.hands_counted,
            faults=outcome.faults,
        )

    async def _fail(self, sitting: Sitting, game: StoredGame) -> None:
        """Store that a block failed through the arena; it is tried again with new deals."""
        state = self._plan.failed(sitting)
        if state is None:
            await self._end(game, GameState.VOID, VOID)
            return
        for game_id, other in self._in_play.running.items():
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
            self._in_play.blocks_complete += 1
        self._in_play.wake.set()
        self._in_play.feed.changed(results=True)
