"""The end of a game is a fact of its own: a crash right after it neither loses nor repeats it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
import trio

from arena.referee import Fault, FaultKind, Forfeit, Termination
from arena.store import block_attempts, bots, broken_off, games, open_store, tournaments
from arena.store.states import BlockState, GameState
from arena.tournaments.journal import StoreJournal
from arena.tournaments.organiser import Organiser, open_tournaments
from arena.tournaments.spec import TournamentSpec
from euchre_sdk.game import Seat, Session
from tests.arena.fake_playroom import Crash, FakePlayroom
from tests.arena.registration import register

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from arena.referee import GameOutcome
    from arena.store import Store
    from arena.tournaments.playroom import GameOrder, Journal

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIELD = ("ada", "bob", "cyd")
ONE_BLOCK = TournamentSpec(format=Session(3), policy="all-trios")


class Dying(FakePlayroom):
    """Dies when the end of a game is stored and nobody knows it yet."""

    def __init__(self, *, forfeiter: str | None = None) -> None:
        super().__init__(**dict.fromkeys(FIELD, 1))
        self.forfeiter = forfeiter

    async def play(self, order: GameOrder, journal: Journal) -> GameOutcome:
        await super().play(order, journal)
        raise Crash

    async def _before_hand(self, order: GameOrder) -> None:
        for seat in range(3):
            if order.seats[seat].bot_id == self.forfeiter:
                self.forfeit(order.game_id, Seat(seat))
        await trio.lowlevel.checkpoint()


@asynccontextmanager
async def arena(path: Path, playroom: FakePlayroom) -> AsyncIterator[tuple[Store, Organiser]]:
    async with open_store(path, now=START, group=timedelta(0)) as store:
        if not await store.read(bots.all_bots):
            await register(store, FIELD, created=START)
        async with open_tournaments(
            store, playroom, now=lambda: START, games_at_once=50
        ) as organiser:
            yield store, organiser


async def games_of(store: Store) -> tuple[games.StoredGame, ...]:
    (tournament,) = await store.read(tournaments.all_tournaments)
    return await store.read(games.games_of, tournament.tournament_id)


@pytest.mark.parametrize("forfeiter", [None, "bob"])
async def test_a_game_whose_end_is_stored_is_settled_at_the_next_start_without_being_played(
    tmp_path: Path, forfeiter: str | None
) -> None:
    dying = Dying(forfeiter=forfeiter)
    with pytest.RaisesGroup(Crash, flatten_subgroups=True, allow_unwrapped=True):
        async with arena(tmp_path, dying) as (_, organiser):
            await organiser.create("spring", ONE_BLOCK, FIELD, seed="7")
            await organiser.start("spring")
            await trio.sleep_forever()
    async with open_store(tmp_path, now=START, group=timedelta(0)) as store:
        ended = [game for game in await games_of(store) if game.terminations is not None]
        assert {game.state for game in ended} == {GameState.RUNNING}, "its block knows nothing yet"
        assert ended
    after = FakePlayroom(**dict.fromkeys(FIELD, 1))
    async with arena(tmp_path, after) as (store, organiser):
        while not (tournament := await organiser.named("spring")).state.over:
            rankings = await organiser.scoreboard.rankings("spring")
            if not rankings.state.over:
                await organiser.wait_change(tournament, rankings.revision)
        stands = {game.game_id: game for game in await games_of(store)}
        for game in ended:
            now = stands[game.game_id]
            assert now.state is GameState.FINISHED
            assert (now.terminations, now.points, now.places) == (
                game.terminations,
                game.points,
                game.places,
            )
        blocks = await store.read(block_attempts.blocks_of, tournament.tournament_id)
        assert {block.state for block in blocks} == {BlockState.COMPLETE}
    again = {order.game_id for order in after.orders if order.played.outcome is not None}
    assert again == {game.game_id for game in ended}
    assert not set(after.decks) & set(dying.decks), "no deck came again"


async def test_a_journal_gives_back_faults_forfeits_and_the_end(tmp_path: Path) -> None:
    dying = Dying()
    with pytest.RaisesGroup(Crash, flatten_subgroups=True, allow_unwrapped=True):
        async with arena(tmp_path, dying) as (_, organiser):
            await organiser.create("spring", ONE_BLOCK, FIELD, seed="7")
            await organiser.start("spring")
            await trio.sleep_forever()
    async with open_store(tmp_path, now=START, group=timedelta(0)) as store:
        game = next(game for game in await games_of(store) if game.terminations is not None)
        journal = StoreJournal(store, game.game_id, stored_hand=lambda _: None)
        first = Forfeit(Seat(1), Termination.LOST)
        await journal.forfeit(first)
        await journal.forfeit(Forfeit(Seat(1), Termination.FORFEIT))
        fault = Fault(seat=Seat(2), kind=FaultKind.ILLEGAL, decision=0, reason="MUST_FOLLOW_SUIT")
        await journal.fault(4, fault)
        resumed = await store.read(broken_off.resumed, game)
        assert resumed.forfeits == (first,), "how it forfeited first stands"
        assert resumed.faults == (0, 0, 1)
        assert resumed.outcome is not None
        assert resumed.outcome.terminations == game.terminations
        assert resumed.outcome.hands == resumed.hands
        assert resumed.outcome.nonces == game.nonces
