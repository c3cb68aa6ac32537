"""Bots that are withdrawn or deactivated: what is begun is a forfeit, the rest is dropped."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import trio
import trio.testing

from arena.referee import Termination
from arena.store import audit, bots, tournaments
from arena.store.bots import RegisteredBot
from arena.store.states import BlockState, EntryState, GameState, TournamentState
from arena.tournaments.errors import RefusedRequestError
from tests.arena.tournaments.one_arena import (
    FIELD,
    ONE_BLOCK,
    SHORT,
    arena,
    now,
    play,
    present,
    stored,
    until_over,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


async def test_a_withdrawn_bot_forfeits_what_was_begun_and_the_rest_is_dropped(
    tmp_path: Path,
) -> None:
    playroom = present(*FIELD)
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", SHORT, FIELD, seed="7")
        await organiser.start("spring")
        while len(playroom.orders) < 1:
            await trio.lowlevel.checkpoint()
        victim = playroom.orders[0].seats[0].name
        await organiser.withdraw("spring", victim)
        playroom.gate.set()
        await until_over(organiser)
        played, blocks = await stored(store, organiser)
        entries = await organiser.entries(await organiser.named("spring"))
        out = next(entry for entry in entries if entry.name == victim)
        assert out.state is EntryState.WITHDRAWN
        for game in played:
            if out.entry_id in game.entries:
                assert game.terminations[game.entries.index(out.entry_id)] is Termination.FORFEIT
        dropped = [block for block in blocks if block.state is BlockState.INCOMPLETE]
        assert dropped
        assert all("withdrawn" in block.reason for block in dropped)
        lines = await store.read(audit.lines, subject=f"spring/{victim}")
        assert [line.action for line in lines] == ["withdrew"]


@pytest.mark.parametrize("lost", ["withdrawn", "cancelled"])
async def test_a_game_that_loses_its_point_while_its_offer_is_stored_is_not_offered(
    tmp_path: Path, lost: str
) -> None:
    playroom = present(*FIELD[:3])
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        assert playroom.orders == []
        if lost == "withdrawn":
            await organiser.withdraw("spring", "ada")
        else:
            await organiser.cancel("spring")
        while (await organiser.scoreboard.rankings("spring")).progress.games_running:
            await trio.lowlevel.checkpoint()
        await until_over(organiser)
        assert (await organiser.named("spring")).state.over
        assert len(playroom.decks) <= 3 * (lost == "withdrawn")
        played, _ = await stored(store, organiser)
        assert all(game.state.over for game in played)


async def test_a_bot_withdrawn_after_it_was_not_ready_is_not_waited_for(tmp_path: Path) -> None:
    playroom = present(*FIELD[:3])
    playroom.misses["ada"] = 9
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", ONE_BLOCK, FIELD[:3], seed="7")
        await organiser.start("spring")
        while not playroom.orders:
            await trio.lowlevel.checkpoint()
        playroom.come("ada", 0)
        await organiser.withdraw("spring", "ada")
        await until_over(organiser)
        played, blocks = await stored(store, organiser)
    assert [block.state for block in blocks] == [BlockState.COMPLETE]
    assert Counter(game.state for game in played)[GameState.FINISHED] == 2


async def test_a_tournament_that_ends_meanwhile_does_not_keep_a_bot_in_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(tmp_path, present(*FIELD[:3])) as (_, organiser):
        await play(organiser, ONE_BLOCK, *FIELD[:3])
        await organiser.create("summer", ONE_BLOCK, FIELD[:3], seed="7")
        summer = await organiser.named("summer")
        seen = replace(await organiser.named("spring"), state=TournamentState.RUNNING), summer
        monkeypatch.setattr(tournaments, "all_tournaments", lambda _: seen)
        await organiser.withdraw_everywhere("ada")
        assert [entry.name for entry in await organiser.entries(summer)] == ["bob", "cyd"]


@pytest.mark.parametrize("way", ["create", "enter"])
async def test_a_bot_that_is_deactivated_while_it_enters_is_refused(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(tmp_path, present()) as (store, organiser):
        await organiser.create("spring", SHORT, FIELD[1:], seed="7")
        seen = await store.read(bots.all_bots)
        await store.write(bots.deactivate, "ada", now=now())

        async def as_it_was(_store: object, _name: str) -> RegisteredBot:
            return next(bot for bot in seen if bot.name == "ada")

        ask: dict[str, Callable[[], Awaitable[object]]] = {
            "create": partial(organiser.create, "summer", SHORT, FIELD, seed="7"),
            "enter": partial(organiser.enter, "spring", "ada", None),
        }
        with monkeypatch.context() as before:
            before.setattr(bots, "all_bots", lambda _: seen)
            before.setattr("arena.tournaments.organiser.bot_named", as_it_was)
            with pytest.raises(RefusedRequestError, match="ada is deactivated"):
                await ask[way]()
        assert "ada" not in [
            each.name for each in await organiser.entries(await organiser.named("spring"))
        ]
