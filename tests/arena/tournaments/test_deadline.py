"""Tournaments that end at an hour: nothing is begun after it, and nobody is waited for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import trio
import trio.testing

from arena.store.states import TournamentState
from arena.tournaments.spec import TournamentSpec
from euchre_sdk.game import Session
from tests.arena.tournaments.one_arena import (
    FIELD,
    START,
    arena,
    present,
    until_over,
)


async def test_nothing_is_begun_by_a_restart_after_the_deadline(
    tmp_path: Path, mock_clock: trio.testing.MockClock
) -> None:
    spec = TournamentSpec(format=Session(3), deadline=START + timedelta(hours=1))
    async with arena(tmp_path, present()) as (_, organiser):
        await organiser.create("spring", spec, FIELD, seed="7")
        await organiser.start("spring")
    mock_clock.jump(3601)
    playroom = present(*FIELD)
    async with arena(tmp_path, playroom) as (_, organiser):
        await until_over(organiser)
    assert playroom.orders == []


async def test_the_deadline_ends_all_waiting(
    tmp_path: Path, mock_clock: trio.testing.MockClock
) -> None:
    playroom = present(*FIELD[:3])
    spec = TournamentSpec(format=Session(3), deadline=START + timedelta(hours=1))
    async with arena(tmp_path, playroom) as (_, organiser):
        await organiser.create("spring", spec, FIELD, seed="7")
        await organiser.start("spring")
        while not (await organiser.scoreboard.rankings("spring")).progress.blocks_complete:
            await trio.lowlevel.checkpoint()
        mock_clock.jump(3601)
        await until_over(organiser)
        rankings = await organiser.scoreboard.rankings("spring")
        assert rankings.state is TournamentState.FINISHED
        assert 1 <= rankings.progress.blocks_complete == rankings.progress.blocks_total < 12
