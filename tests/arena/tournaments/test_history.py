"""What ratings were is kept: at few moments of a tournament, the last of them its end."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from arena.rpc.tournaments import TournamentServicer
from arena.store import history, tournaments
from arena.tournaments.annulling import OneBlock
from arena.tournaments.errors import RefusedRequestError
from arena.tournaments.history import MOST_MOMENTS, HistoryKeeper, stride, thinned
from arena.tournaments.tabling import compute_table
from euchre.v1 import tournaments_pb2 as pb
from tests.arena.tournaments.one_arena import FIELD, SHORT, arena, now, play, present

NOBODY = cast("Any", None)


async def kept(store: Any, bot: str = "ada") -> tuple[history.BotHistory, ...]:
    found: tuple[history.BotHistory, ...] = await store.read(
        history.history_of_bot, bot, skip=0, limit=10
    )
    return found


async def listed(store: Any, organiser: Any, bot: str = "ada") -> pb.ListRatingHistoryResponse:
    servicer = TournamentServicer(store, organiser, cast("Any", present(*FIELD)))
    return await servicer.ListRatingHistory(pb.ListRatingHistoryRequest(bot=bot), NOBODY)


async def test_the_end_of_a_tournament_is_kept_as_the_table_says_it(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser)
        await HistoryKeeper(store, organiser.fleet, now=now).look_at_changes()
        spring = await organiser.named("spring")
        table = await compute_table(store, spring)
        for row in table.rows:
            (one,) = await kept(store, row.entry.bot_id)
            moment, point = one.points[-1]
            assert row.standing is not None
            assert point.elo == row.standing.elo
            assert point.rank == row.rank
            assert point.points_per_hand == row.standing.points_per_hand
            assert moment.blocks == await store.read(history.blocks_complete, spring.tournament_id)
            assert one.entries == len(FIELD)


async def test_ends_that_were_missed_are_kept_at_the_next_start(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD)) as (_, organiser):
        await play(organiser)
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        assert not (await kept(store))[0].points
        await HistoryKeeper(store, organiser.fleet, now=now).catch_up()
        assert len((await kept(store))[0].points) == 1


async def test_what_is_struck_after_the_end_is_told_of(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser)
        keeper = HistoryKeeper(store, organiser.fleet, now=now)
        await keeper.look_at_changes()
        before = (await kept(store))[0].points
        await organiser.annul("spring", OneBlock("c1b1"), reason="a bad disk", replay=False)
        await keeper.look_at_changes()
        after = (await kept(store))[0].points
        spring = await organiser.named("spring")
        table = await compute_table(store, spring)
        (standing,) = [row.standing for row in table.rows if row.entry.bot_id == "ada"]
        assert standing is not None
        assert after[-1][1].elo == standing.elo != before[-1][1].elo
        assert len(after) == len(before)


async def test_a_look_without_any_change_writes_nothing(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser)
        keeper = HistoryKeeper(store, organiser.fleet, now=now)
        await keeper.look_at_changes()
        first = await kept(store)
        await trio.sleep(0.01)
        await keeper.look_at_changes()
        assert await kept(store) == first


async def test_a_failure_leaves_a_gap_and_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_what: object) -> None:
        raise ZeroDivisionError

    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser)
        keeper = HistoryKeeper(store, organiser.fleet, now=now)
        with monkeypatch.context() as patch:
            patch.setattr("arena.tournaments.history.compute_table", fail)
            await keeper.look_at_changes()
        assert not (await kept(store))[0].points


async def test_a_blind_tournament_is_told_of_when_it_is_over(tmp_path: Path) -> None:
    playroom = present(*FIELD)
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", replace(SHORT, blind=True), FIELD, seed="7")
        await organiser.start("spring")
        keeper = HistoryKeeper(store, organiser.fleet, now=now)
        await keeper.look_at_changes()
        assert len(await kept(store)) == 1
        assert not (await listed(store, organiser)).tournaments
        playroom.gate.set()
        with trio.fail_after(60):
            while not (spring := await organiser.named("spring")).state.over:
                seen = await organiser.scoreboard.rankings("spring")
                if not seen.state.over:
                    await organiser.wait_change(spring, seen.revision)
        await keeper.look_at_changes()
        (told,) = (await listed(store, organiser)).tournaments
        assert told.tournament == "spring"
        assert told.points[-1].rank in {1, 2, 3, 4}


async def test_a_bot_that_is_not_there_has_no_history(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        with pytest.raises(RefusedRequestError, match="there is no bot named 'nobody'"):
            await listed(store, organiser, "nobody")
        with pytest.raises(RefusedRequestError, match=f"did you mean .*{FIELD[0]}"):
            await listed(store, organiser, FIELD[0] + "e")
        assert not (await listed(store, organiser)).tournaments
        assert await store.read(tournaments.all_tournaments) == ()


@given(st.lists(st.integers(1, 400), min_size=1, max_size=60))
def test_however_long_it_is_few_moments_are_kept_and_they_spread(steps: list[int]) -> None:
    moments: tuple[int, ...] = ()
    blocks = 0
    for step in steps:
        blocks += step
        if not moments or moments[-1] // stride(blocks) < blocks // stride(blocks):
            gone = set(thinned(moments, blocks))
            moments = (*(each for each in moments if each not in gone), blocks)
        assert len(moments) <= MOST_MOMENTS + 2
        widths = [after - before for before, after in pairwise(moments)]
        assert all(width <= 2 * max(*steps, stride(blocks)) for width in widths)


def test_an_endless_ladder_keeps_as_few() -> None:
    moments: tuple[int, ...] = ()
    for blocks in range(1, 20_001):
        if not moments or moments[-1] // stride(blocks) < blocks // stride(blocks):
            gone = set(thinned(moments, blocks))
            moments = (*(each for each in moments if each not in gone), blocks)
    assert MOST_MOMENTS / 2 < len(moments) <= MOST_MOMENTS + 2
    assert moments[0] < 400
    assert moments[-1] > 19_500
