"""The director: everybody present plays, and nobody is waited for."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import trio
import trio.testing

from arena.referee import Termination
from arena.store import bots, results
from arena.store.bots import RegisteredBot
from arena.store.states import BlockState, BotState, GameState, TournamentState
from arena.tournaments import scoreboard
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.lookup import tournament_named
from arena.tournaments.spec import TournamentSpec
from arena.tournaments.tabling import ANCHOR
from euchre_sdk.game import Session, ToTarget
from tests.arena.fake_playroom import FakePlayroom
from tests.arena.tournaments.one_arena import (
    FIELD,
    ONE_BLOCK,
    SHORT,
    START,
    arena,
    blocks_until,
    play,
    present,
    stored,
    until_over,
)

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.tournaments import StoredTournament


async def test_a_round_robin_is_played_to_its_end_and_ranked(tmp_path: Path) -> None:
    playroom = present(*FIELD)
    async with arena(tmp_path, playroom) as (store, organiser):
        await play(organiser)
        rankings = await organiser.scoreboard.rankings("spring")
        assert rankings.state is TournamentState.FINISHED
        assert rankings.progress.blocks_complete == rankings.progress.blocks_total > 0
        assert rankings.table.hands == rankings.progress.blocks_total * 6
        assert {row.entry.name for row in rankings.table.rows} == set(FIELD)
        assert all(row.standing is not None for row in rankings.table.rows)
        played, blocks = await stored(store, organiser)
        assert {game.state for game in played} == {GameState.FINISHED}
        assert {block.state for block in blocks} == {BlockState.COMPLETE}
        seats = Counter(entry for game in played for entry in game.entries)
        assert len(set(seats.values())) == 1


async def test_games_to_a_target_are_played_in_all_six_seatings(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD[:3])) as (store, organiser):
        await play(organiser, TournamentSpec(format=ToTarget(), policy="all-trios"), *FIELD[:3])
        played, blocks = await stored(store, organiser)
        by_block = Counter(game.block_id for game in played)
        assert set(by_block.values()) == {6}
        assert len(blocks) == 1
        assert len({game.entries for game in played}) == 6


async def test_no_bot_plays_more_games_at_once_than_it_declared(tmp_path: Path) -> None:
    playroom = FakePlayroom(ada=1, bob=2, cyd=3, dot=2)
    async with arena(tmp_path, playroom) as (_, organiser):
        await play(organiser, TournamentSpec(format=Session(3), cycles=3))
    assert playroom.most_at_once["ada"] == 1
    assert 1 < playroom.most_at_once["bob"] <= 2
    assert 1 < playroom.most_at_once["cyd"] <= 3


async def test_no_more_games_run_at_once_than_the_arena_bears(tmp_path: Path) -> None:
    playroom = present(*FIELD, games_at_once=9)
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom, games_at_once=2) as (_, organiser):
        spec = TournamentSpec(format=Session(3), cycles=3)
        await organiser.create("spring", spec, FIELD, seed="7")
        await organiser.start("spring")
        while len(playroom.orders) < 2:
            await trio.lowlevel.checkpoint()
        await trio.testing.wait_all_tasks_blocked()
        assert len(playroom.orders) == 2
        playroom.gate.set()
        await until_over(organiser)


async def test_an_absent_bot_delays_only_its_own_blocks(tmp_path: Path) -> None:
    playroom = present(*FIELD[:3])
    async with arena(tmp_path, playroom) as (_, organiser):
        await organiser.create("spring", SHORT, FIELD, seed="7")
        await organiser.start("spring")
        await trio.testing.wait_all_tasks_blocked()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(until_over, organiser)
            rankings = await organiser.scoreboard.rankings("spring")
            while rankings.progress.games_running or not rankings.progress.blocks_complete:
                await organiser.wait_change(rankings.tournament, rankings.revision)
                rankings = await organiser.scoreboard.rankings("spring")
            without = {order.game_id for order in playroom.orders}
            assert without
            playroom.come("dot")
        assert {"dot"} & {seat.bot_id for order in playroom.orders for seat in order.seats}


async def test_an_anchor_that_has_not_played_anchors_nobody(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD[:3])) as (store, organiser):
        absent = RegisteredBot(
            bot_id="house",
            name=ANCHOR,
            author=None,
            state=BotState.ACTIVE,
            created=START,
            version=None,
        )
        await store.write(bots.add_bot, absent)
        await organiser.create("spring", SHORT, (*FIELD[:3], ANCHOR), seed="7")
        await organiser.start("spring")
        await blocks_until(organiser, 1)
        rankings = await organiser.scoreboard.rankings("spring")
        assert rankings.table.rows[0].rank is not None
    assert rankings.table.anchor is None
    assert [row.rank for row in rankings.table.rows] == [1, 2, 3, None]
    assert rankings.table.rows[0].separated


async def test_who_is_not_ready_twice_in_a_block_forfeits_the_game_offered(tmp_path: Path) -> None:
    playroom = present(*FIELD[:3])
    playroom.misses["bob"] = 3
    async with arena(tmp_path, playroom) as (store, organiser):
        await play(organiser, ONE_BLOCK, *FIELD[:3])
        played, blocks = await stored(store, organiser)
        rankings = await organiser.scoreboard.rankings("spring")
    assert [block.state for block in blocks] == [BlockState.COMPLETE]
    states = Counter(game.state for game in played)
    forfeits = [game for game in played if Termination.FORFEIT in (game.terminations or ())]
    assert states == {GameState.FINISHED: 2, GameState.NOT_STARTED: 1}
    assert len(forfeits) == 2
    for game in forfeits:
        offender = game.terminations.index(Termination.FORFEIT)
        assert game.entries[offender] == "e2"
        assert game.places == tuple(3 if seat == offender else 1 for seat in range(3))
    row = next(row for row in rankings.table.rows if row.entry.name == "bob")
    assert row.not_started == 3
    assert row.standing.forfeits == 2


async def test_one_miss_is_forgiven_and_the_game_gets_new_deals(tmp_path: Path) -> None:
    playroom = present(*FIELD[:3])
    playroom.misses["bob"] = 1
    async with arena(tmp_path, playroom) as (store, organiser):
        await play(organiser, ONE_BLOCK, *FIELD[:3])
        played, _ = await stored(store, organiser)
    assert Counter(game.state for game in played) == {
        GameState.FINISHED: 2,
        GameState.NOT_STARTED: 1,
    }
    assert len({order.seed for order in playroom.orders}) == 3
    assert len({order.deal_set for order in playroom.orders}) == 3
    assert len({order.game_id for order in playroom.orders}) == 3


async def test_ids_tell_nothing_of_who_is_met(tmp_path: Path) -> None:
    playroom = present(*FIELD)
    async with arena(tmp_path, playroom) as (store, organiser):
        await play(organiser)
        _, blocks = await stored(store, organiser)
    names = {block.block_id for block in blocks}
    for order in playroom.orders:
        assert not names & set(order.deal_set.split("/"))
        assert order.seed.hex() not in order.deal_set + order.game_id


async def test_a_block_that_fails_through_the_arena_is_played_again(tmp_path: Path) -> None:
    playroom = present(*FIELD[:3])
    playroom.faulty_games = 1
    async with arena(tmp_path, playroom) as (store, organiser):
        await play(organiser, ONE_BLOCK, *FIELD[:3])
        played, blocks = await stored(store, organiser)
    assert [(block.attempt, block.state) for block in blocks] == [
        (1, BlockState.FAILED),
        (2, BlockState.COMPLETE),
    ]
    assert Counter((game.attempt, game.state) for game in played) == {
        (1, GameState.VOID): 1,
        (2, GameState.FINISHED): 2,
    }


async def test_a_block_that_always_fails_is_given_up_and_the_tournament_ends(
    tmp_path: Path,
) -> None:
    playroom = present(*FIELD[:3])
    playroom.faulty_games = 99
    async with arena(tmp_path, playroom) as (store, organiser):
        await play(organiser, ONE_BLOCK, *FIELD[:3])
        _, blocks = await stored(store, organiser)
    assert [block.state for block in blocks] == [
        BlockState.FAILED,
        BlockState.FAILED,
        BlockState.INCOMPLETE,
    ]


async def test_a_block_is_not_called_complete_before_that_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(tmp_path, present(*FIELD[:3])) as (store, organiser):
        stored_now, write = trio.Event(), store.write

        async def slowly(query, /, *args, **kwargs):
            if kwargs.get("block") is not None:
                await stored_now.wait()
            return await write(query, *args, **kwargs)

        monkeypatch.setattr(type(store), "write", staticmethod(slowly))
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        while len((await stored(store, organiser))[0]) != 2:
            await trio.lowlevel.checkpoint()
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert (await organiser.scoreboard.rankings("spring")).progress.blocks_complete == 0
        stored_now.set()
        await until_over(organiser)
        assert (await organiser.scoreboard.rankings("spring")).progress.blocks_complete == 1


async def test_a_paused_tournament_finishes_its_begun_blocks_only(tmp_path: Path) -> None:
    playroom = present(*FIELD)
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", SHORT, FIELD, seed="7")
        await organiser.start("spring")
        while len(playroom.orders) < 1:
            await trio.lowlevel.checkpoint()
        await organiser.pause("spring")
        playroom.gate.set()
        while True:
            rankings = await organiser.scoreboard.rankings("spring")
            if rankings.progress.blocks_complete and not rankings.progress.games_running:
                break
            await organiser.wait_change(rankings.tournament, rankings.revision)
        await trio.testing.wait_all_tasks_blocked()
        _, blocks = await stored(store, organiser)
        assert [block.state for block in blocks] == [BlockState.COMPLETE]
        await organiser.start("spring")
        await until_over(organiser)
        _, blocks = await stored(store, organiser)
        assert {block.state for block in blocks} == {BlockState.COMPLETE}
        assert len(blocks) > 1


async def test_a_cancelled_tournament_keeps_its_results_and_rates_no_half_block(
    tmp_path: Path,
) -> None:
    playroom = present(*FIELD)
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create(
            "spring", TournamentSpec(format=Session(3), cycles=4), FIELD, seed=""
        )
        await organiser.start("spring")
        while len(playroom.orders) < 4:
            await trio.lowlevel.checkpoint()
        playroom.gate = trio.Event()
        await trio.testing.wait_all_tasks_blocked()
        await organiser.cancel("spring")
        playroom.gate.set()
        while (await organiser.scoreboard.rankings("spring")).progress.games_running:
            await trio.lowlevel.checkpoint()
        played, blocks = await stored(store, organiser)
        await trio.testing.wait_all_tasks_blocked()
        assert {game.state for game in played} <= {GameState.FINISHED, GameState.VOID}
        played, blocks = await stored(store, organiser)
        rated = await store.read(results.session_results, played[0].tournament_id, Session(3))
        complete = {block.block_id for block in blocks if block.state is BlockState.COMPLETE}
        assert {result.block_id for result in rated} == complete
        with pytest.raises(RefusedRequestError) as caught:
            await organiser.start("spring")
        assert caught.value.refusal is Refusal.NOT_NOW


@pytest.mark.parametrize("change", ["pause", "cancel"])
async def test_a_tournament_that_ends_meanwhile_is_neither_paused_nor_cancelled(
    tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(tmp_path, present(*FIELD[:3])) as (_, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        seen_running = await organiser.named("spring")
        await until_over(organiser)

        async def as_it_was(_name: str) -> StoredTournament:
            return seen_running

        with monkeypatch.context() as before:
            before.setattr(organiser, "named", as_it_was)
            with pytest.raises(RefusedRequestError) as caught:
                await getattr(organiser, change)("spring")
        assert caught.value.refusal is Refusal.NOT_NOW
        assert (await organiser.named("spring")).state is TournamentState.FINISHED


async def test_a_watcher_hears_of_an_end_that_falls_while_the_table_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(tmp_path, present(*FIELD[:3])) as (_, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        looks = 0

        async def slowly(store: Store, name: str) -> StoredTournament:
            nonlocal looks
            looks += 1
            tournament = await tournament_named(store, name)
            if looks == 1:
                while not (await tournament_named(store, name)).state.over:
                    await trio.lowlevel.checkpoint()
                await trio.testing.wait_all_tasks_blocked()
            return tournament

        monkeypatch.setattr(scoreboard, "tournament_named", slowly)
        rankings = await organiser.scoreboard.rankings("spring")
        assert looks == 2
        assert rankings.state is TournamentState.FINISHED


async def test_another_version_of_a_bot_does_not_play_for_the_entry(tmp_path: Path) -> None:
    playroom = present(*FIELD[:3])
    playroom.labels["bob"] = "v1"
    async with arena(tmp_path, playroom) as (_, organiser):
        await organiser.create("spring", SHORT, (), seed="7")
        await organiser.enter("spring", "ada", None)
        await organiser.enter("spring", "bob", "v2")
        await organiser.enter("spring", "cyd", None)
        await organiser.start("spring")
        await trio.testing.wait_all_tasks_blocked()
        assert playroom.orders == []
        (remark,) = organiser.fleet.remarks("bob", "v1")
        assert remark.startswith("spring has version 'v2' of this bot, and version 'v1' gets no")
        assert organiser.fleet.remarks("bob", "v2") == organiser.fleet.remarks("ada", "v9") == []
        playroom.labels["bob"] = "v2"
        playroom.come("bob")
        await until_over(organiser)
        entries = await organiser.entries(await organiser.named("spring"))
        assert [entry.version for entry in entries] == ["1", "v2", "1"]
        assert organiser.fleet.remarks("bob", "v1") == []  # it is over


async def test_a_tournament_that_waits_for_another_goes_on_when_that_is_over(
    tmp_path: Path,
) -> None:
    playroom = present(*FIELD[:3])
    async with arena(tmp_path, playroom, games_at_once=1) as (_, organiser):
        for name in ("spring", "summer"):
            await organiser.create(name, ONE_BLOCK, FIELD[:3], seed="7")
            await organiser.start(name)
        for name in ("spring", "summer"):
            while not (rankings := await organiser.scoreboard.rankings(name)).state.over:
                await organiser.wait_change(rankings.tournament, rankings.revision)
    assert len(playroom.orders) == 4


async def test_the_table_names_a_version_as_soon_as_it_is_fixed(tmp_path: Path) -> None:
    playroom = present(*FIELD[:3])
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (_, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.scoreboard.rankings("spring")
        await organiser.start("spring")
        while not playroom.orders:
            await trio.lowlevel.checkpoint()
        rankings = await organiser.scoreboard.rankings("spring")
    assert [row.entry.version for row in rankings.table.rows] == ["1", "1", "1"]


async def test_the_same_bot_cannot_enter_twice(tmp_path: Path) -> None:
    async with arena(tmp_path, present()) as (_, organiser):
        await organiser.create("spring", SHORT, ("ada",), seed=None)
        with pytest.raises(RefusedRequestError) as caught:
            await organiser.enter("spring", "ada", None)
        assert caught.value.refusal is Refusal.TAKEN


async def test_everything_wrong_with_a_new_tournament_is_listed(tmp_path: Path) -> None:
    past = TournamentSpec(deadline=START - timedelta(days=1))
    async with arena(tmp_path, present()) as (_, organiser):
        with pytest.raises(RefusedRequestError) as caught:
            await organiser.create("sp ring\x1b[31m", past, ("ada", "ada", "eve"), seed=None)
    assert caught.value.refusal is Refusal.INVALID
    said = str(caught.value)
    assert len(caught.value.faults) == 4
    assert "\x1b" not in said
    assert "'eve'" in said


async def test_too_few_entries_cannot_start(tmp_path: Path) -> None:
    async with arena(tmp_path, present()) as (_, organiser):
        await organiser.create("spring", SHORT, ("ada", "bob"), seed=None)
        with pytest.raises(RefusedRequestError, match="three or more"):
            await organiser.start("spring")
