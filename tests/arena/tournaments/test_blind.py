"""Blind tournaments: before the end nobody is told who plays, and the ranking waits for a round."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing
from structlog.testing import capture_logs

from arena.rpc.bots import BotServicer
from arena.rpc.matches import MatchServicer
from arena.rpc.roles import ABot, Caller, Stranger
from arena.rpc.tournaments import TournamentServicer
from arena.store import open_store
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.organiser import open_tournaments
from arena.tournaments.spec import TournamentSpec, decode_spec, encode_spec
from euchre.v1 import bots_pb2, matches_pb2, tournaments_pb2
from euchre_sdk.game import Session
from tests.arena.fake_playroom import FakePlayroom
from tests.arena.registration import register

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIELD = ("ada-the-first", "bob-the-second", "cyd-the-third", "dot-the-fourth")
BLIND = TournamentSpec(format=Session(3), policy="all-trios", cycles=2, blind=True)
NOBODY = cast("Any", None)


class Arena:
    """An arena with a blind tournament, and what everybody may ask it for."""

    def __init__(self, playroom: FakePlayroom, store: Any, organiser: Any) -> None:
        self.playroom = playroom
        self.store = store
        self.organiser = organiser
        self.matches = MatchServicer(store, organiser)
        self.bots = BotServicer(
            store,
            organiser,
            cast("Any", playroom),
            NOBODY,
            now=lambda: NOW,
            revoked=lambda _: None,
            registration_is_open=False,
            flights=NOBODY,
        )
        self.tournaments = TournamentServicer(store, organiser, cast("Any", playroom))

    async def listed(self, bot: str | None = None) -> list[matches_pb2.Match]:
        request = matches_pb2.ListMatchesRequest(tournament="spring", bot=bot, page_size=100)
        return list((await self.matches.ListMatches(request, NOBODY)).matches)

    async def free_games(self, caller: Caller) -> dict[str, int]:
        """Return how many games each bot takes, as a caller is told in a list and one by one."""
        call: Any = SimpleNamespace(caller=caller)
        listed = await self.bots.ListBots(bots_pb2.ListBotsRequest(), call)
        told = {bot.name: bot.free_games for bot in listed.bots}
        for name, free in told.items():
            one = await self.bots.GetBot(bots_pb2.GetBotRequest(name=name), call)
            assert one.bot.free_games == free
        return told

    async def ranked(self) -> tournaments_pb2.Rankings:
        request = tournaments_pb2.GetRankingsRequest(name="spring")
        return (await self.tournaments.GetRankings(request, NOBODY)).rankings

    async def plan(self) -> tournaments_pb2.TournamentPlan:
        request = tournaments_pb2.GetTournamentRequest(name="spring")
        return (await self.tournaments.GetTournament(request, NOBODY)).tournament.plan

    async def seen(self) -> str:
        """Return all that is told of who plays."""
        told: list[object] = [await self.ranked()]
        for match in await self.listed():
            told.append(match)
            if match.state != matches_pb2.MATCH_STATE_RUNNING:
                request = matches_pb2.GetMatchRecordRequest(game_id=match.game_id)
                told.append(await self.matches.GetMatchRecord(request, NOBODY))
        return "\n".join(map(str, told))


@asynccontextmanager
async def running(path: Path, *, hold_after: int) -> AsyncIterator[Arena]:
    """Run a blind tournament until so many games were begun; the next one waits."""
    playroom = FakePlayroom(**dict.fromkeys(FIELD, 1))
    play, holds = playroom._play, trio.Event()

    async def held(order: Any, journal: Any) -> Any:
        if len(playroom.orders) > hold_after and playroom.gate is None:
            playroom.gate = trio.Event()
            holds.set()
        return await play(order, journal)

    playroom._play = held  # type: ignore[method-assign]
    async with open_store(path, now=NOW, group=timedelta(0)) as store:
        await register(store, FIELD, created=NOW)
        async with open_tournaments(store, playroom, now=lambda: NOW, games_at_once=1) as organiser:
            await organiser.create("spring", BLIND, FIELD, seed="7")
            await organiser.start("spring")
            with trio.fail_after(60):
                await holds.wait()
            yield Arena(playroom, store, organiser)


async def until_over(arena: Arena) -> None:
    assert arena.playroom.gate is not None
    arena.playroom.gate.set()
    with trio.fail_after(60):
        while not (tournament := await arena.organiser.named("spring")).state.over:
            rankings = await arena.organiser.scoreboard.rankings("spring")
            if not rankings.state.over:
                await arena.organiser.wait_change(tournament, rankings.revision)


async def test_no_name_is_told_before_the_end_and_all_are_after_it(tmp_path: Path) -> None:
    with capture_logs() as lines:
        async with running(tmp_path, hold_after=3) as arena:
            told = await arena.seen() + str(lines)
            orders = arena.playroom.orders
            for name in FIELD:
                assert name not in told
                assert name not in str([seat.name for order in orders for seat in order.seats])
            assert not any(entry in told for entry in ('entry_id: "e', "house: true", "online"))
            assert all(not match.block_id and not match.block for match in await arena.listed())
            assert not (await arena.plan()).HasField("schedule_seed")
            assert (await arena.plan()).blind
            await until_over(arena)
            told = await arena.seen()
            assert all(name in told for name in FIELD)
            assert (await arena.plan()).schedule_seed == 7
            assert len({match.block_id for match in await arena.listed()}) > 1


async def test_pseudonyms_are_fresh_for_each_game(tmp_path: Path) -> None:
    async with running(tmp_path, hold_after=4) as arena:
        names = [seat.name for order in arena.playroom.orders for seat in order.seats]
        assert len(set(names)) == len(names)
        listed = [seat.name for match in await arena.listed() for seat in match.seats]
        assert set(listed) <= set(names)
        ranked = {row.entry.name for row in (await arena.ranked()).rows}
        assert len(ranked) == len(FIELD)
        assert not ranked & set(names)


async def test_no_id_tells_that_the_same_three_meet_again(tmp_path: Path) -> None:
    """A block has two sessions here; what their deal sets have in common is only the tournament."""
    async with running(tmp_path, hold_after=4) as arena:
        named = [order.deal_set.split("/")[1] for order in arena.playroom.orders]
        assert len(named) > 4
        assert len(set(named)) == len(named)


async def test_nobody_but_its_owner_sees_when_a_bot_sits_down(tmp_path: Path) -> None:
    async with running(tmp_path, hold_after=3) as arena:
        playing = {seat.bot_id for seat in arena.playroom.orders[-1].seats}
        assert playing < set(FIELD)
        told = await arena.free_games(Stranger())
        assert told == dict.fromkeys(FIELD, 1)
        assert await arena.free_games(ABot(min(playing))) == {**told, min(playing): 0}
        await until_over(arena)
        arena.playroom.come(FIELD[0], 3)
        assert await arena.free_games(Stranger()) == {**told, FIELD[0]: 3}


async def test_the_ranking_is_that_of_the_rounds_that_are_over(tmp_path: Path) -> None:
    """Four entries meet in four trios a cycle, two sessions each: eight games."""
    async with running(tmp_path, hold_after=4) as arena:
        rankings = await arena.ranked()
        assert all(not row.HasField("rank") and not row.blocks for row in rankings.rows)
        assert rankings.progress.hands == 0
        names = [row.entry.name for row in rankings.rows]
        assert names == sorted(names), "not in the order in which they were entered"
    async with running(tmp_path / "other", hold_after=12) as arena:
        rankings = await arena.ranked()
        assert {row.blocks for row in rankings.rows} == {3}
        assert rankings.progress.hands == 8 * 3
        assert [row.rank for row in rankings.rows] == [1, 2, 3, 4]
        await until_over(arena)
        assert {row.blocks for row in (await arena.ranked()).rows} == {6}


async def test_nobody_is_told_where_a_bot_plays(tmp_path: Path) -> None:
    async with running(tmp_path, hold_after=3) as arena:
        with pytest.raises(RefusedRequestError, match="spring is blind") as caught:
            await arena.listed(FIELD[0])
        assert caught.value.refusal is Refusal.NOT_NOW
        await until_over(arena)
        assert await arena.listed(FIELD[0])


def test_a_spec_keeps_whether_it_is_blind_and_an_old_one_is_not() -> None:
    assert decode_spec(encode_spec(BLIND)) == BLIND
    open_one = replace(BLIND, blind=False)
    assert decode_spec(encode_spec(open_one).replace('"blind": false, ', "")) == open_one
