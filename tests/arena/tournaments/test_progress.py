"""How far a tournament is, where it does not simply go on."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import trio
import trio.testing

from arena.tournaments import scoreboard, tabling
from arena.tournaments.spec import TournamentSpec
from euchre_sdk.game import Session
from tests.arena.tournaments.one_arena import FIELD, SHORT, arena, present

if TYPE_CHECKING:
    from pathlib import Path

    from arena.store import Store
    from arena.store.tournaments import StoredEntry, StoredTournament
    from arena.tournaments.organiser import Organiser
    from arena.tournaments.standings import Rankings

LONG = TournamentSpec(format=Session(3), cycles=3)


async def rankings_when(organiser: Organiser, holds) -> Rankings:
    """Return the ranking as soon as something holds of it."""
    with trio.fail_after(30):
        while not holds(rankings := await organiser.scoreboard.rankings("spring")):
            await organiser.wait_change(rankings.tournament, rankings.revision)
    return rankings


async def test_a_cancelled_tournament_keeps_its_total_also_after_a_restart(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD[:3])) as (_, organiser):
        made = await organiser.create("spring", LONG, FIELD, seed="7")
        total = (await organiser.scoreboard.progress(made)).blocks_total
        assert total > 0
        await organiser.start("spring")
        done = await rankings_when(organiser, lambda r: r.progress.blocks_complete)
        assert done.progress.blocks_total == total
        await organiser.cancel("spring")
        over = await rankings_when(
            organiser, lambda r: r.state.over and not r.progress.games_running
        )
        complete = over.progress.blocks_complete
        assert 0 < complete < over.progress.blocks_total == total
    async with arena(tmp_path, present()) as (_, organiser):
        progress = (await organiser.scoreboard.rankings("spring")).progress
        assert (progress.blocks_complete, progress.blocks_total) == (complete, total)


async def test_one_that_is_cancelled_before_its_start_keeps_its_total_too(tmp_path: Path) -> None:
    async with arena(tmp_path, present()) as (_, organiser):
        made = await organiser.create("spring", SHORT, FIELD, seed="7")
        total = (await organiser.scoreboard.progress(made)).blocks_total
        cancelled = await organiser.cancel("spring")
        assert 0 < total == (await organiser.scoreboard.progress(cancelled)).blocks_total


async def test_no_time_is_left_to_tell_while_it_waits_for_who_is_absent(tmp_path: Path) -> None:
    playroom = present(*FIELD[:3])
    async with arena(tmp_path, playroom) as (_, organiser):
        await organiser.create("spring", SHORT, FIELD, seed="7")
        await organiser.start("spring")
        stuck = await rankings_when(
            organiser, lambda r: r.progress.blocks_complete and not r.progress.games_running
        )
        assert stuck.progress.remaining is None
        playroom.gate = trio.Event()
        playroom.come("dot")
        again = await rankings_when(organiser, lambda r: r.progress.games_running)
        assert again.progress.remaining is not None
        assert again.progress.remaining > timedelta(0)


async def test_who_watches_a_tournament_that_waits_is_told_who_comes(tmp_path: Path) -> None:
    playroom = present(*FIELD[:1])
    async with arena(tmp_path, playroom) as (_, organiser):
        await organiser.create("spring", SHORT, FIELD, seed="7")
        await organiser.start("spring")
        await trio.testing.wait_all_tasks_blocked()
        before = await organiser.scoreboard.rankings("spring")
        playroom.come("bob")
        with trio.fail_after(30):
            await organiser.wait_change(before.tournament, before.revision)
        assert not playroom.orders


async def test_a_length_is_counted_once_beside_the_games_however_many_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []
    planned = scoreboard._planned

    def count(tournament: StoredTournament, entries: tuple[StoredEntry, ...]) -> int:
        assert threading.current_thread() is not threading.main_thread()
        counted.append(len(entries))
        return planned(tournament, entries)

    monkeypatch.setattr(scoreboard, "_planned", count)
    async with arena(tmp_path, present()) as (_, organiser):
        made = await organiser.create("spring", SHORT, FIELD[:3], seed="7")
        totals: list[int] = []

        async def ask() -> None:
            totals.append((await organiser.scoreboard.progress(made)).blocks_total)

        async with trio.open_nursery() as nursery:
            for _ in range(5):
                nursery.start_soon(ask)
        assert counted == [3]
        assert totals == [totals[0]] * 5
        await organiser.enter("spring", FIELD[3], None)
        await ask()
        assert counted == [3, 4]
        assert totals[-1] > totals[0] > 0


async def test_the_cycles_of_a_blind_tournament_are_counted_once_for_each_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = 0

    async def count(store: Store, tournament: StoredTournament) -> int:
        nonlocal counted
        counted += 1
        return await tabling.rounds_over(store, tournament)

    monkeypatch.setattr(scoreboard, "rounds_over", count)
    async with arena(tmp_path, present()) as (_, organiser):
        await organiser.create("spring", replace(SHORT, blind=True), FIELD, seed="7")
        for _ in range(3):
            await organiser.scoreboard.rankings("spring")
        assert counted == 1
