"""A table that remembers what it has read says what one that reads everything anew says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import trio

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
