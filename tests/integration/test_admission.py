"""Bots that open one stream after the other, and tokens that change while a stream waits."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
import trio

from arena.rpc.auth import Doorkeeper, hash_token
from arena.rpc.play import PlaySettings
from arena.rpc.play_link import Bucket
from arena.server import bot_with_token
from arena.store import StoreError, bots, open_store
from arena.store.bots import Credential, RegisteredBot
from arena.store.errors import StoreReason
from arena.store.states import BotState
from euchre_sdk.client_dial import error_info
from tests.integration import raw_bot
from tests.integration.raw_bot import Caller, arena
from tests.integration.served import START

WAITING = "TOO_MANY_STREAMS_OF_A_BOT"


class Gate(Bucket):
    """Lets in whoever comes while it is open, and nobody else."""

    is_open = False

    def take(self, *, capacity: float, now: int) -> bool:
        return self.is_open

    def wait_ns(self) -> int:
        return 1_000_000


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> type[Gate]:
    monkeypatch.setattr("arena.rpc.play.Bucket", Gate)
    monkeypatch.setattr(Gate, "is_open", False)
    return Gate


async def test_a_bot_that_opens_many_streams_leaves_room_for_the_others(gate: type[Gate]) -> None:
    async with arena(PlaySettings(streams=4)) as a:
        crowd = []
        for _ in range(6):
            crowd.append(a.bot("a"))
            crowd[-1].say_hello()
            if len(crowd) > 1:
                error = await crowd[-2].error()
                assert error_info(error)[0] == WAITING
        gate.is_open = True
        await crowd[-1].until("welcome")
        await a.greeted("b")


async def test_a_token_that_was_rotated_while_its_stream_waited_opens_nothing(
    gate: type[Gate], monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {"a"}
    asked = trio.Event()

    async def authenticate(token: str) -> Caller | None:
        await trio.lowlevel.checkpoint()
        asked.set()
        return Caller(token) if token in good else None

    monkeypatch.setattr(raw_bot, "authenticate", authenticate)
    async with arena() as a:
        bot = a.bot("a")
        bot.say_hello()
        await asked.wait()
        good.clear()
        a.play.revoke("a")
        gate.is_open = True
        error = await bot.error()
        assert error_info(error)[0] == "UNKNOWN_TOKEN"


async def test_a_token_that_is_rotated_while_its_bot_is_looked_up_opens_nothing(
    tmp_path: Path,
) -> None:
    async with open_store(tmp_path, now=START) as store:
        door = Doorkeeper(organiser=b"")
        bot = RegisteredBot(
            bot_id="x", name="x", author=None, state=BotState.ACTIVE, created=START, version=None
        )
        await store.write(bots.add_bot, bot)
        door.add(Credential(hash_token("old"), "x", None))
        found = await bot_with_token(store, door, "old")
        assert found is not None
        async with trio.open_nursery() as nursery:

            async def look_up() -> None:
                assert await bot_with_token(store, door, "old") is None

            nursery.start_soon(look_up)
            await trio.lowlevel.checkpoint()
            door.add(Credential(hash_token("new"), "x", None))


async def test_a_database_that_cannot_be_read_is_no_fault_of_the_arena(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def authenticate(_token: str) -> Caller | None:
        await trio.lowlevel.checkpoint()
        raise StoreError(StoreReason.LOCKED, "the database is locked.")

    monkeypatch.setattr(raw_bot, "authenticate", authenticate)
    async with arena() as a:
        bot = a.bot("a")
        bot.say_hello()
        error = await bot.error()
        assert error.code() is grpc.StatusCode.UNAVAILABLE  # type: ignore[attr-defined] # of a call
        assert error_info(error)[0] == "STORE_LOCKED"
