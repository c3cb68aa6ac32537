"""After a restart, however the arena stopped, tournaments go on where they were."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from arena.referee import Termination
from arena.store import Store, block_attempts, bots, games, hand_records, tournaments
from arena.store.block_attempts import StoredBlock
from arena.store.states import BlockState, EntryState, GameState
from arena.tournaments.changes import take_out
from arena.tournaments.spec import TournamentSpec
from arena.tournaments.tabling import compute_table
from euchre_sdk.game import Session
from tests.arena.fake_playroom import Crash
from tests.arena.tournaments.one_arena import (
    FIELD,
    ONE_BLOCK,
    SHORT,
    arena,
    now,
    opened,
    play,
    present,
    stored,
    until_over,
)


async def test_what_was_being_cancelled_when_the_arena_stopped_is_over_afterwards(
    tmp_path: Path,
) -> None:
    playroom = present(*FIELD)
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (_, organiser):
        await organiser.create("spring", SHORT, FIELD, seed="7")
        await organiser.start("spring")
        await trio.testing.wait_all_tasks_blocked()
        while not playroom.orders:
            await trio.lowlevel.checkpoint()
        await organiser.cancel("spring")
    async with arena(tmp_path, present()) as (store, organiser):
        played, blocks = await stored(store, organiser)
    assert {game.state for game in played} == {GameState.VOID}
    assert {block.state for block in blocks} == {BlockState.INCOMPLETE}


async def test_a_game_of_a_failed_attempt_is_not_played_on_after_a_restart(
    tmp_path: Path,
) -> None:
    playroom = present(*FIELD[:3], games_at_once=2)
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        await trio.testing.wait_all_tasks_blocked()
        while len(playroom.orders) < 2:
            await trio.lowlevel.checkpoint()
        await trio.testing.wait_all_tasks_blocked()
        played, _ = await stored(store, organiser)
        while [game.state for game in played] != [GameState.RUNNING] * 2:
            await trio.lowlevel.checkpoint()
            played, _ = await stored(store, organiser)
        failed = StoredBlock(
            block_id=played[0].block_id, attempt=1, state=BlockState.FAILED, reason="a test"
        )
        await store.write(block_attempts.end_block, played[0].tournament_id, failed, now=now())
    async with arena(tmp_path, present(*FIELD[:3])) as (store, organiser):
        await until_over(organiser)
        played, blocks = await stored(store, organiser)
    assert [block.state for block in blocks] == [BlockState.FAILED, BlockState.COMPLETE]
    assert Counter((game.attempt, game.state) for game in played) == {
        (1, GameState.VOID): 2,
        (2, GameState.FINISHED): 2,
    }


async def test_a_game_of_a_withdrawn_bot_is_forfeited_after_a_restart(tmp_path: Path) -> None:
    playroom = present(*FIELD[:3])
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        played, _ = await stored(store, organiser)
        while [game.state for game in played] != [GameState.RUNNING]:
            await trio.lowlevel.checkpoint()
            played, _ = await stored(store, organiser)
        tid = played[0].tournament_id
        await store.write(tournaments.set_entry_state, tid, "e1", EntryState.WITHDRAWN)
    async with arena(tmp_path, present(*FIELD[:3])) as (store, organiser):
        await until_over(organiser)
        played, blocks = await stored(store, organiser)
    assert [block.state for block in blocks] == [BlockState.COMPLETE]
    assert [game.state for game in played] == [GameState.FINISHED] * 2
    for game in played:
        assert game.terminations[game.entries.index("e1")] is Termination.FORFEIT


async def test_a_withdrawal_that_is_taken_up_forfeits_nothing_once_all_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playroom = present(*FIELD[:3])
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        while not playroom.orders:
            await trio.lowlevel.checkpoint()
        tid = (await organiser.named("spring")).tournament_id
        await store.write(tournaments.set_entry_state, tid, "e1", EntryState.WITHDRAWN)
    cancelled, write = trio.Event(), Store.write

    async def late(store: Store, query: Any, /, *args: Any, **kwargs: Any) -> Any:
        value = await write(store, query, *args, **kwargs)
        if query is take_out:
            await cancelled.wait()
        return value

    monkeypatch.setattr(Store, "write", late)
    async with arena(tmp_path, present(*FIELD[:3])) as (store, organiser):
        await trio.testing.wait_all_tasks_blocked()
        await organiser.cancel("spring")
        cancelled.set()
        while (await organiser.scoreboard.rankings("spring")).progress.games_running:
            await trio.lowlevel.checkpoint()
        await trio.testing.wait_all_tasks_blocked()
        played, blocks = await stored(store, organiser)
    assert len(played) == 1, "the session that had not begun was never offered"
    assert [block.state for block in blocks] == [BlockState.INCOMPLETE]


async def test_a_bot_that_was_being_deactivated_when_the_arena_stopped_is_withdrawn(
    tmp_path: Path,
) -> None:
    async with arena(tmp_path, present()) as (store, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        await store.write(bots.deactivate, "ada", now=now())
    async with arena(tmp_path, present()) as (_, organiser):
        await until_over(organiser)
        entries = await organiser.entries(await organiser.named("spring"))
    assert {entry.name: entry.state for entry in entries}["ada"] is EntryState.WITHDRAWN


@pytest.mark.parametrize("crash_after", [0, 1, 2, 5, 8, 13])
async def test_after_a_crash_every_block_counts_once_and_no_deck_comes_again(
    tmp_path: Path, crash_after: int
) -> None:
    decks: list[tuple[int, ...]] = []
    spec = TournamentSpec(format=Session(3))
    playroom = present(*FIELD)
    playroom.crash_after = crash_after
    with pytest.RaisesGroup(Crash, flatten_subgroups=True, allow_unwrapped=True):
        async with arena(tmp_path, playroom) as (_, organiser):
            await play(organiser, spec)
    decks += playroom.decks
    kept = {}
    async with opened(tmp_path) as store:
        # what was stored before the crash must still be there, unchanged, at the end
        for tid in await store.read(_tournament_ids):
            for game in await store.read(games.games_of, tid):
                kept[game.game_id] = await store.read(hand_records.hands_of_game, game.game_id)
    playroom = present(*FIELD)
    async with arena(tmp_path, playroom) as (store, organiser):
        await until_over(organiser)
        decks += playroom.decks
        rankings = await organiser.scoreboard.rankings("spring")
        tournament = await organiser.named("spring")
        assert rankings.progress.blocks_complete == rankings.progress.blocks_total
        assert rankings.table.hands == rankings.progress.blocks_total * 6
        assert rankings.table == await compute_table(store, tournament)
        for game_id, hands in kept.items():
            again = await store.read(hand_records.hands_of_game, game_id)
            assert again[: len(hands)] == hands
        played, _ = await stored(store, organiser)
        finished = Counter(
            (game.block_id, game.number) for game in played if game.state is GameState.FINISHED
        )
        assert set(finished.values()) == {1}
    assert len(set(decks)) == len(decks)


async def test_after_a_restart_nobody_takes_the_seats_of_a_game_that_goes_on(
    tmp_path: Path,
) -> None:
    playroom = present(*FIELD[:3])
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        while [game.state for game in (await stored(store, organiser))[0]] != [GameState.RUNNING]:
            await trio.lowlevel.checkpoint()
        # newer, so that it is taken up first
        await trio.testing.wait_all_tasks_blocked()
        await organiser.create("a-newer-one", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("a-newer-one")
    again = present(*FIELD[:3])
    async with arena(tmp_path, again) as (_, organiser):
        await until_over(organiser)
    assert set(again.most_at_once.values()) == {1}


def _tournament_ids(connection) -> list[str]:
    return [row[0] for row in connection.exec_driver_sql("SELECT id FROM tournaments")]
