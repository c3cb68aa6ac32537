"""A live table goes on from the last fit; whatever is asked for otherwise is fitted anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.ratings import Forfeits, fit_sessions
from arena.tournaments import fitting, table_cache
from arena.tournaments.annulling import OneBlock
from arena.tournaments.fitting import ReadBefore
from arena.tournaments.spec import TournamentSpec
from arena.tournaments.table_cache import TableCache
from arena.tournaments.tabling import compute_table
from euchre_sdk.game import Session, ToTarget
from tests.arena.tournaments.one_arena import FIELD, arena, play, present

if TYPE_CHECKING:
    from arena.tournaments.standings import Table

SESSIONS = TournamentSpec(format=Session(3), policy="all-trios", cycles=6)
GAMES = TournamentSpec(format=ToTarget(), policy="all-trios", cycles=2)


def elo_of(table: Table) -> dict[str, float]:
    return {row.entry.entry_id: row.standing.elo for row in table.rows if row.standing is not None}


async def test_new_blocks_are_one_step_from_the_fit_before(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser, SESSIONS)
        spring = await organiser.named("spring")
        read = ReadBefore()
        before = await compute_table(store, spring, rounds=5, read=read)
        assert not before.is_live
        live = await compute_table(store, spring, read=read, live=True)
        fresh = await compute_table(store, spring)
        assert live.is_live
        assert elo_of(live) == pytest.approx(elo_of(fresh), abs=0.1)
        assert elo_of(live) != pytest.approx(elo_of(before), abs=0.1)
        assert live.hands == fresh.hands
        for row, true in zip(live.rows, fresh.rows, strict=True):
            assert row.standing is not None
            assert true.standing is not None
            assert row.standing.hands == true.standing.hands
            assert row.standing.blocks == true.standing.blocks
            assert row.standing.places == true.standing.places
        # Who asks for no live table gets the full fit, and the next live one starts from that.
        assert await compute_table(store, spring, read=read) == fresh
        assert await compute_table(store, spring, read=read, live=True) == fresh


@pytest.mark.parametrize("spec", [SESSIONS, GAMES], ids=["sessions", "games"])
async def test_a_block_that_was_annulled_asks_for_a_full_fit(
    spec: TournamentSpec, tmp_path: Path
) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser, spec)
        spring = await organiser.named("spring")
        read = ReadBefore()
        await compute_table(store, spring, read=read)
        await organiser.annul("spring", OneBlock("c1b1"), reason="a bad disk", replay=False)
        after = await compute_table(store, spring, read=read, live=True)
        assert not after.is_live
        assert after == await compute_table(store, spring)


async def test_one_fit_makes_the_tables_with_and_without_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits: list[int] = []
    whole = fit_sessions

    def counted(*args: object, **how: object) -> object:
        fits.append(1)
        return whole(*args, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(fitting, "fit_sessions", counted)
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser, SESSIONS)
        spring = await organiser.named("spring")
        fits.clear()
        cache = TableCache(store, spring)
        both = [await cache.table(1, forfeits=forfeits) for forfeits in Forfeits]
        assert len(fits) == 1
        assert both == [await compute_table(store, spring, forfeits=each) for each in Forfeits]


async def test_only_watchers_of_tables_that_take_long_get_live_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(tmp_path, present(*FIELD)) as (store, organiser):
        await play(organiser, SESSIONS)
        spring = await organiser.named("spring")
        monkeypatch.setattr(table_cache, "LIVE_FROM", 10_000.0)
        quick = TableCache(store, spring)
        await quick.table(1, rounds=5)
        assert not (await quick.table(2, live=True)).is_live
        monkeypatch.setattr(table_cache, "LIVE_FROM", 0.0)
        monkeypatch.setattr(table_cache, "REST", 1e9)
        slow = TableCache(store, spring)
        await slow.table(1, rounds=5)
        assert (await slow.table(2, live=True)).is_live
        assert await slow.table(2) == await compute_table(store, spring)
        assert not (await slow.table(2, live=True)).is_live
        monkeypatch.setattr(table_cache, "REST", 0.0)
        rested = TableCache(store, spring)
        await rested.table(1, rounds=5)
        assert not (await rested.table(2, live=True)).is_live
