"""Queries about tournaments."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.store import open_store, tournaments
from arena.store.states import TournamentState
from arena.store.tournaments import StoredTournament
from arena.tournaments.pseudonyms import veiled_bots

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def test_those_that_are_over_are_not_among_the_unfinished(tmp_path: Path) -> None:
    async with open_store(tmp_path, now=NOW) as store:
        for state in TournamentState:
            spring = StoredTournament(
                tournament_id=state.value,
                name=f"spring-{state.value}",
                state=state,
                spec="{}",
                public_seed="",
                secret=bytes(32),
                created=NOW,
            )
            await store.write(tournaments.add_tournament, spring)
        found = await store.read(tournaments.unfinished_tournaments)
    assert {each.state for each in found} == {
        TournamentState.CREATED,
        TournamentState.RUNNING,
        TournamentState.PAUSED,
    }


async def test_who_is_veiled_is_not_looked_for_in_all_tournaments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(tournaments, "all_tournaments")
    async with open_store(tmp_path, now=NOW) as store:
        assert await store.read(veiled_bots) == frozenset()
