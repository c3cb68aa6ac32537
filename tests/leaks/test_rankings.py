"""A ranking says nothing of hands that are being played, not even who has done something wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import trio
import trio.testing

from arena.referee import Fault, FaultKind
from arena.scheduling import SESSION_HANDS
from arena.store import Store, games, hand_records, open_store, tournaments
from arena.store.states import GameState
from arena.tournaments.organiser import open_tournaments
from arena.tournaments.spec import TournamentSpec
from arena.tournaments.tabling import compute_table
from euchre_sdk.game import SEATS, Session
from tests.arena.fake_playroom import FakePlayroom
from tests.arena.registration import register

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIELD = ("ada", "bob", "cyd")


async def faults_shown(store: Store) -> int:
    """Return how many faults the ranking of the only tournament shows."""
    (tournament,) = await store.read(tournaments.all_tournaments)
    return sum(row.faults for row in (await compute_table(store, tournament)).rows)


async def test_a_fault_is_shown_once_its_hand_is_over_or_was_interrupted(tmp_path: Path) -> None:
    playroom = FakePlayroom(**dict.fromkeys(FIELD, 1))
    playroom.gate = trio.Event()  # a hand is going on, and goes on
    async with open_store(tmp_path, now=NOW) as store:
        await register(store, FIELD, created=NOW)
        spec = TournamentSpec(format=Session(SESSION_HANDS), policy="all-trios")
        async with open_tournaments(store, playroom, now=lambda: NOW, games_at_once=9) as organiser:
            made = await organiser.create("spring", spec, FIELD, seed="7")
            await organiser.start("spring")
            with trio.fail_after(10):
                while not playroom.orders:
                    await trio.lowlevel.checkpoint()
                (game,) = await store.read(games.games_of, made.tournament_id)
                while game.state is not GameState.RUNNING:
                    (game,) = await store.read(games.games_of, made.tournament_id)
            fault = Fault(seat=SEATS[1], kind=FaultKind.ILLEGAL, decision=3, reason="WRONG_KIND")
            keep = partial(hand_records.keep_fault, hand_number=1, fault=fault)
            await store.write(keep, game.game_id)
            assert await faults_shown(store) == 0
            # the game goes on after a restart: the hand of the fault was interrupted
            await store.write(games.keep_ready, game.game_id, game.nonces)
            assert await faults_shown(store) == 1
