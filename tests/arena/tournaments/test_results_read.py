"""A table that remembers what it has read says what one that reads everything anew says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import trio

from arena.ratings import SessionResult
from arena.store import results
from arena.tournaments import results_read
from arena.tournaments.annulling import OneBlock
from arena.tournaments.fitting import ReadBefore
from arena.tournaments.spec import TournamentSpec
from arena.tournaments.tabling import compute_table
from euchre_sdk.game import Session, ToTarget
from tests.arena.tournaments.one_arena import FIELD, arena, play, present

if TYPE_CHECKING:
    from collections.abc import Sequence

SESSIONS = TournamentSpec(format=Session(3), policy="all-trios", cycles=3)
GAMES = TournamentSpec(format=ToTarget(), policy="all-trios", cycles=2)


@pytest.mark.parametrize("spec", [SESSIONS, GAMES], ids=["sessions", "games"])
async def test_cycle_by_cycle_and_after_an_annulment_both_say_the_same(
    spec: TournamentSpec, tmp_path: Path
) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser, spec)
        spring = await organiser.named("spring")
        read = ReadBefore()
        for rounds in (1, 2, None, None):
            kept = await compute_table(store, spring, rounds=rounds, read=read)
            assert kept == await compute_table(store, spring, rounds=rounds)
            assert kept.rows[0].standing is not None
        before = await compute_table(store, spring, read=read)
        await organiser.annul("spring", OneBlock("c1b1"), reason="a bad disk", replay=False)
        after = await compute_table(store, spring, read=read)
        assert after == await compute_table(store, spring)
        assert after != before


async def test_only_games_that_are_new_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    whole = results.session_results

    def counted(*args: object, only: Sequence[str] | None = None, **how: object) -> object:
        asked.append(-1 if only is None else len(only))
        return whole(*args, only=only, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(results, "session_results", counted)
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser, SESSIONS)
        spring = await organiser.named("spring")
        asked.clear()
        read = ReadBefore()
        for rounds in (1, 2, 2, None):
            await compute_table(store, spring, rounds=rounds, read=read)
    games_a_cycle = 4 * 2
    assert asked == [games_a_cycle] * 3


async def test_a_tournament_too_large_to_remember_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser, SESSIONS)
        spring = await organiser.named("spring")
        fresh = await compute_table(store, spring)
        monkeypatch.setattr(results_read, "MOST_KEPT", 5)
        read = ReadBefore()
        for _ in range(2):
            assert await compute_table(store, spring, read=read) == fresh
            await trio.lowlevel.checkpoint()


async def test_many_games_are_read_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser, SESSIONS)
        spring = await organiser.named("spring")
        fresh = await compute_table(store, spring)
        monkeypatch.setattr(results, "MOST_AT_ONCE", 7)
        assert await compute_table(store, spring, read=ReadBefore()) == fresh


def test_results_hold_equal_parts_once() -> None:
    made = [
        SessionResult(
            block_id=f"c1b{number // 2}",
            seats=(f"e{1:02}", f"e{2:02}", f"e{3:02}"),
            scheduled=6,
            hands=(2, 2, 2),
            points=((2, 0, 0), (0, 2, 0), (1, 0, 0)),
            places=(1, 1, 3),
            offenders=(),
        )
        for number in range(2)
    ]
    read = results_read.ResultsRead[SessionResult]()
    one, other = read.up_to_date(("g1", "g2"), lambda _: made)
    assert (one, other) == tuple(made)
    assert made[0].seats[0] is not made[1].seats[0]
    assert one.seats is other.seats
    assert one.points is other.points
    assert one.block_id is other.block_id
