"""Tournaments whose schedule looks at results, and entries that come after the start."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.store.states import BlockState, TournamentState
from arena.tournaments.annulling import OneBlock, OneGame
from arena.tournaments.errors import RefusedRequestError
from arena.tournaments.plan import blocks_begun
from arena.tournaments.spec import TournamentSpec, decode_spec, encode_spec
from arena.tournaments.tabling import rounds_over
from euchre_sdk.game import Session
from tests.arena.fake_playroom import Crash
from tests.arena.tournaments.one_arena import (
    FIELD,
    SHORT,
    arena,
    blocks_until,
    play,
    present,
    stored,
    until_over,
)

SWISS = TournamentSpec(policy="swiss", cycles=4, format=Session(3), owners_apart=False)
LADDER = TournamentSpec(policy="ladder", blocks=20, format=Session(3), owners_apart=False)
GAUNTLET = TournamentSpec(policy="gauntlet", newcomer="dot", format=Session(3), owners_apart=False)


async def blocks_played(store, organiser):
    """Return the blocks that count, as they were seated."""
    games, blocks = await stored(store, organiser)
    assert {block.state for block in blocks} == {BlockState.COMPLETE}
    return blocks_begun(games)


def often(blocks) -> Counter[str]:
    return Counter(entry for block in blocks for entry in block.trio)


@pytest.mark.parametrize("spec", [SWISS, LADDER, GAUNTLET], ids=lambda spec: spec.policy)
def test_a_spec_is_read_as_it_was_written(spec: TournamentSpec) -> None:
    assert decode_spec(encode_spec(spec)) == spec


async def test_a_swiss_plays_its_rounds_one_after_the_other(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (store, organiser):
        await play(organiser, SWISS)
        blocks = await blocks_played(store, organiser)
        tournament = await organiser.named("spring")
        assert await rounds_over(store, tournament) == 4
        rankings = await organiser.scoreboard.rankings("spring")
    assert [block.cycle for block in blocks] == [1, 2, 3, 4]
    assert set(often(blocks).values()) == {3}  # each of the four sat out once
    assert (rankings.progress.blocks_complete, rankings.progress.blocks_total) == (4, 4)


async def test_a_ladder_ends_after_its_blocks_and_leaves_nobody_out(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (store, organiser):
        await play(organiser, LADDER)
        blocks = await blocks_played(store, organiser)
        rows = (await organiser.scoreboard.rankings("spring")).table.rows
    assert sum(row.online_elo or 0.0 for row in rows) == pytest.approx(4 * 1500)
    assert len({row.online_elo for row in rows}) > 1
    assert len(blocks) == 20
    assert min(often(blocks).values()) >= 7


async def test_a_ladder_without_end_is_stopped_by_its_organiser(tmp_path: Path) -> None:
    endless = TournamentSpec(policy="ladder", format=Session(3), owners_apart=False)
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (store, organiser):
        await organiser.create("spring", endless, FIELD, seed="7")
        await organiser.start("spring")
        await blocks_until(organiser, 25)
        await organiser.cancel("spring")
        await until_over(organiser)
        _, blocks = await stored(store, organiser)
        assert (await organiser.named("spring")).state is TournamentState.CANCELLED
    assert sum(block.state is BlockState.COMPLETE for block in blocks) >= 25


async def test_a_ladder_goes_on_while_somebody_is_away_and_waits_for_it(tmp_path: Path) -> None:
    room = present(*FIELD[:3], games_at_once=3)
    async with arena(tmp_path, room) as (store, organiser):
        await organiser.create("spring", LADDER, FIELD, seed="7")
        await organiser.start("spring")
        with trio.fail_after(30):
            await blocks_until(organiser, 18)  # of 20: two are kept for dot
            await trio.testing.wait_all_tasks_blocked()
            assert not (await organiser.named("spring")).state.over
            room.come("dot", 3)
            await until_over(organiser)
        blocks = await blocks_played(store, organiser)
    assert len(blocks) == 20
    there = set(blocks[0].trio)
    assert [set(block.trio) <= there for block in blocks] == [True] * 18 + [False] * 2


async def test_an_endless_ladder_outlives_that_nearly_everybody_leaves(tmp_path: Path) -> None:
    endless = TournamentSpec(policy="ladder", format=Session(3), owners_apart=False)
    room = present(*FIELD, games_at_once=3)
    async with arena(tmp_path, room) as (_, organiser):
        await organiser.create("spring", endless, FIELD, seed="7")
        await organiser.start("spring")
        with trio.fail_after(30):
            await blocks_until(organiser, 5)
            for name in FIELD[1:]:
                room.come(name, 0)
            await trio.testing.wait_all_tasks_blocked()
            rankings = await organiser.scoreboard.rankings("spring")
            assert not rankings.state.over
            for name in FIELD[1:3]:
                room.come(name, 3)
            await blocks_until(organiser, rankings.progress.blocks_complete + 20)
            await organiser.cancel("spring")


async def test_a_gauntlet_is_run_by_its_newcomer(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (store, organiser):
        await play(organiser, GAUNTLET)
        blocks = await blocks_played(store, organiser)
    newcomer, *others = often(blocks).most_common()
    assert (len(blocks), newcomer[1]) == (3, 3)
    assert {count for _, count in others} == {2}


async def test_a_gauntlet_without_its_newcomer_does_not_start(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD)) as (_, organiser):
        await organiser.create("spring", GAUNTLET, FIELD[:3], seed="7")
        with pytest.raises(RefusedRequestError, match="dot, who runs the gauntlet, is not entered"):
            await organiser.start("spring")


@pytest.mark.parametrize("spec", [SWISS, LADDER, SHORT, GAUNTLET], ids=lambda spec: spec.policy)
@pytest.mark.parametrize("crash", [1, 4, 9, 14])
async def test_after_a_crash_every_block_counts_once_and_the_course_goes_on(
    tmp_path: Path, spec: TournamentSpec, crash: int
) -> None:
    playroom = present(*FIELD, games_at_once=2)
    playroom.crash_after = crash
    with pytest.raises((Crash, BaseExceptionGroup)):
        async with arena(tmp_path, playroom) as (_, organiser):
            await play(organiser, spec)
    async with arena(tmp_path, present(*FIELD, games_at_once=2)) as (store, organiser):
        await until_over(organiser)
        games, blocks = await stored(store, organiser)
        total = (await organiser.scoreboard.rankings("spring")).progress.blocks_total
    complete = [block.block_id for block in blocks if block.state is BlockState.COMPLETE]
    assert len(set(complete)) == len(complete) == total
    if spec is SWISS:
        assert [block.cycle for block in blocks_begun(games)] == [1, 2, 3, 4]
        assert set(often(blocks_begun(games)).values()) == {3}


@pytest.mark.parametrize("spec", [SWISS, LADDER, SHORT], ids=lambda spec: spec.policy)
async def test_who_enters_after_the_start_catches_up(tmp_path: Path, spec: TournamentSpec) -> None:
    playroom = present(*FIELD, games_at_once=3)
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", spec, FIELD[:3], seed="7")
        await organiser.start("spring")
        await trio.testing.wait_all_tasks_blocked()
        entry = await organiser.enter("spring", "dot", None)
        assert entry.bot_name == "dot"
        with pytest.raises(RefusedRequestError, match="already entered"):
            await organiser.enter("spring", "dot", None)
        playroom.gate.set()
        await until_over(organiser)
        blocks = await blocks_played(store, organiser)
        rankings = await organiser.scoreboard.rankings("spring")
    assert often(blocks)[entry.entry_id] >= 1
    assert rankings.progress.blocks_complete == rankings.progress.blocks_total == len(blocks)


async def test_nobody_enters_what_is_over(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (_, organiser):
        await play(organiser, SHORT, *FIELD[:3])
        with pytest.raises(RefusedRequestError, match="cannot be entered"):
            await organiser.enter("spring", "dot", None)


async def test_a_block_that_is_struck_is_played_again_or_never_in_every_course(
    tmp_path: Path,
) -> None:
    playroom = present(*FIELD, games_at_once=3)
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", LADDER, FIELD, seed="7")
        await organiser.start("spring")
        await blocks_until(organiser, 6)
        await organiser.annul("spring", OneBlock("c1b1"), reason="a test", replay=True)
        await organiser.annul("spring", OneBlock("c1b2"), reason="a test", replay=False)
        games, _ = await stored(store, organiser)
        third = next(game.game_id for game in games if game.block_id == "c1b3")
        await organiser.annul("spring", OneGame(third), reason="a test", replay=False)
        await until_over(organiser)
        _, blocks = await stored(store, organiser)
    state = {(block.block_id, block.attempt): block.state for block in blocks}
    assert state["c1b1", 1] is BlockState.REPLAYED
    assert state["c1b1", 2] is BlockState.COMPLETE
    assert state["c1b2", 1] is BlockState.ANNULLED
    assert sum(each is BlockState.COMPLETE for each in state.values()) == 19
