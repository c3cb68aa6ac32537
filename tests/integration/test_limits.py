"""Limits over gRPC: who asks too much is told so, and whoever has a good token is served."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from arena.rpc.limits import Allowance, CallLimits
from arena.server import running_arena
from arena.settings import load_settings
from euchre.v1 import bots_pb2, bots_pb2_grpc, tournaments_pb2
from euchre_sdk.client_dial import error_info
from tests.arena.fake_playroom import FakePlayroom
from tests.integration.raw_bot import RawBot
from tests.integration.served import Served, create, served

LIST = "/euchre.v1.BotService/ListBots"


def limit(monkeypatch: pytest.MonkeyPatch, **limits: Any) -> None:
    chosen = CallLimits(**{"refused_for": 0, **limits})
    monkeypatch.setattr("arena.rpc.auth.Allowance", lambda _: Allowance(chosen))


async def test_good_tokens_do_not_wait_behind_wrong_ones_of_their_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, wrong_per_second=0.01, wrong_burst=2, wrong_held=2)
    async with served(tmp_path) as arena:
        token = (await arena.ask(lambda client: client.register_bot("lynx", None))).token
        with grpc.insecure_channel(arena.address) as channel:
            stub: Any = bots_pb2_grpc.BotServiceStub(channel)
            guesses = [
                stub.ListBots.future(
                    bots_pb2.ListBotsRequest(), metadata=(("authorization", f"Bearer {number}"),)
                )
                for number in range(8)
            ]
            with trio.fail_after(5):
                while sum(each.done() for each in guesses) < 6:  # the rest is held for minutes
                    await trio.lowlevel.checkpoint()
            reasons = Counter(error_info(each.exception())[0] for each in guesses if each.done())
            assert reasons == {"WRONG_TOKEN": 2, "TOO_MANY_WRONG_TOKENS": 4}
            with trio.fail_after(5):
                for good in (token, None):
                    await arena.call(LIST, bots_pb2.ListBotsRequest(), good)
                for wrong in ("again", "and again"):
                    code, reason, _ = await arena.refusal(LIST, bots_pb2.ListBotsRequest(), wrong)
                    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
                    assert reason == "TOO_MANY_WRONG_TOKENS"
            assert sum(each.done() for each in guesses) == 6


async def test_invitations_are_no_easier_to_guess_than_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, wrong_per_second=0.01, wrong_burst=2, wrong_held=0)
    method = "/euchre.v1.BotService/RegisterAuthor"
    async with served(tmp_path) as arena:
        good = await arena.ask(lambda client: client.invite_author())
        request = bots_pb2.RegisterAuthorRequest(name="eve", invitation="guessed")
        reasons = [(await arena.refusal(method, request, None))[1] for _ in range(3)]
        assert reasons == ["INVITATION", "INVITATION", "TOO_MANY_WRONG_TOKENS"]
        assert (await arena.ask(lambda client: client.register_author("ada", good), None)).token


async def test_a_flood_of_calls_is_refused_with_a_reason_and_the_organiser_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, per_second=0.01, burst=3, long_ms=1e9)
    async with served(tmp_path) as arena:
        for _ in range(3):
            await arena.call(LIST, bots_pb2.ListBotsRequest(), None)
        code, reason, sentence = await arena.refusal(LIST, bots_pb2.ListBotsRequest(), None)
        assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
        assert sentence.endswith(" s.")
        for _ in range(5):
            await arena.ask(lambda client: client.list_bots())


async def test_a_large_request_is_refused_with_a_reason(tmp_path: Path) -> None:
    request = tournaments_pb2.CreateTournamentRequest(bots=["x" * 70_000])
    async with served(tmp_path) as arena:
        method = "/euchre.v1.TournamentService/CreateTournament"
        code, reason, sentence = await arena.refusal(method, request)
    assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE")
    assert "at most 65,536 are accepted" in sentence


async def test_of_one_caller_only_so_many_streams_are_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, watched_at_once=2)
    async with served(tmp_path) as arena:
        await arena.ask(create)
        watched = [await arena.watch("spring") for _ in range(2)]
        method = "/euchre.v1.TournamentService/WatchRankings"
        request = tournaments_pb2.WatchRankingsRequest(name="spring")
        code, reason, _ = await arena.refusal(method, request, None)
        assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WATCHED")
        for each in watched:
            each.cancel()
        with trio.fail_after(5):
            while await arena.code(method, request, None) is not grpc.StatusCode.OK:
                await trio.lowlevel.checkpoint()


async def test_wrong_tokens_of_bots_are_slowed_down_with_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, wrong_per_second=0.01, wrong_burst=2, wrong_held=0)
    settings = load_settings({"address": "127.0.0.1:0", "data": tmp_path, "grace": 0})
    async with running_arena(settings) as running:
        reasons = []
        for _ in range(4):
            bot = RawBot(running.address, "eve", token="guessed")
            bot.say_hello()
            reasons.append(error_info(await bot.error())[0])
            bot.crash()
        served_arena = Served(running.address, running.store, FakePlayroom())
        token = running.token_file.read_text().strip()
        made = await served_arena.ask(lambda client: client.register_bot("lynx", None), token)
        good = RawBot(running.address, "lynx", token=made.token)
        good.say_hello()
        await good.until("welcome")
        good.crash()
    assert reasons == ["WRONG_TOKEN"] * 2 + ["TOO_MANY_WRONG_TOKENS"] * 2
