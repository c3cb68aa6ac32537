"""Bots that open one stream after the other, and tokens that change while a stream waits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from arena.rpc.auth import Doorkeeper, Gate
from arena.rpc.bucket import Bucket
from arena.rpc.play.admission import Doorway
from arena.rpc.play.settings import PlaySettings
from arena.rpc.refusal import RefusedError
from arena.server import bot_with_token
from arena.store import StoreError, bots, open_store
from arena.store.bots import Credential, RegisteredBot
from arena.store.errors import StoreReason
from arena.store.states import BotState
from arena.tokens import hash_token
from euchre_sdk.client_dial import error_info
from tests.integration import raw_bot
from tests.integration.raw_bot import Arena, Caller, RawBot, arena
from tests.integration.served import START

WAITING = "TOO_MANY_STREAMS_OF_A_BOT"


class Turnstile(Bucket):
    """Lets in whoever comes, or says something while he waits, while it is open."""

    is_open = False
    asked = trio.Event()

    def take(self, *, capacity: float, now: int) -> bool:
        Turnstile.asked.set()
        return self.is_open

    def wait_ns(self) -> int:
        return 60_000_000_000


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> type[Turnstile]:
    monkeypatch.setattr("arena.rpc.play.porter.Bucket", Turnstile)
    monkeypatch.setattr(Turnstile, "is_open", False)
    monkeypatch.setattr(Turnstile, "asked", trio.Event())
    return Turnstile


async def waiting(a: Arena, name: str) -> RawBot:
    """Dial, say Hello, and return when the stream waits to be let in."""
    Turnstile.asked = trio.Event()
    bot = a.bot(name)
    bot.say_hello()
    with trio.fail_after(10):
        await Turnstile.asked.wait()
    return bot


async def test_a_bot_that_opens_many_streams_leaves_room_for_the_others(
    gate: type[Turnstile],
) -> None:
    async with arena(PlaySettings(streams=4)) as a:
        newest = await waiting(a, "a")
        for _ in range(6):
            older, newest = newest, await waiting(a, "a")
            assert error_info(await older.error())[0] == WAITING
        gate.is_open = True
        newest.send()
        await newest.until("welcome")
        await a.greeted("b")


async def test_streams_that_say_nothing_keep_nobody_of_their_address_out() -> None:
    async with arena(PlaySettings(silent_streams_locally=3)) as a:
        for number in range(12):
            a.bot(f"silent-{number}")
        for name in "abc":
            await a.greeted(name)


class Silent:
    """A stream that has said nothing."""

    def __init__(self, peer: str) -> None:
        self.peer = peer
        self.refusals: list[RefusedError] = []

    def refuse(self, refusal: RefusedError) -> None:
        self.refusals.append(refusal)


def test_of_too_many_silent_streams_of_an_address_the_oldest_goes() -> None:
    door = Doorway(streams=6, silent=2, silent_locally=9)
    streams: list[Any] = [
        Silent(f"ipv4:10.0.0.{host}:{port}") for port in range(3) for host in "12"
    ]
    first, elsewhere, greeted, *others = streams
    for stream in (first, elsewhere, greeted):
        door.enter(stream)
    door.greeted(greeted)
    for stream in others:
        door.enter(stream)
    gone = [stream for stream in streams if stream.refusals]
    assert gone == [elsewhere]
    assert elsewhere.refusals[0].reason == "TOO_MANY_SILENT_STREAMS"
    with pytest.raises(RefusedError, match="at most 6 streams"):
        door.enter(first)
    for stream in (*streams, *streams):  # also those that are gone, and twice
        door.greeted(stream)
    door.leave()
    door.enter(first)


async def test_a_token_that_was_rotated_while_its_stream_waited_opens_nothing(
    gate: type[Turnstile], monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {"a"}

    async def authenticate(token: str) -> Caller | None:
        await trio.lowlevel.checkpoint()
        return Caller(token) if token in good else None

    monkeypatch.setattr(raw_bot, "authenticate", authenticate)
    async with arena() as a:
        bot = await waiting(a, "a")
        good.clear()
        a.play.revoke("a")
        gate.is_open = True
        bot.send()
        error = await bot.error()
        assert error_info(error)[0] == "WRONG_TOKEN"


async def test_a_token_that_is_rotated_while_its_bot_is_looked_up_opens_nothing(
    tmp_path: Path,
) -> None:
    async with open_store(tmp_path, now=START) as store:
        door = Doorkeeper(organiser=b"")
        gate = Gate(door, lambda name: store.read(bots.bot_named, name))
        bot = RegisteredBot(
            bot_id="x", name="x", author=None, state=BotState.ACTIVE, created=START, version=None
        )
        await store.write(bots.add_bot, bot)
        door.add(Credential(hash_token("old"), "x", None))
        found = await bot_with_token(store, gate, "old")
        assert found is not None
        async with trio.open_nursery() as nursery:

            async def look_up() -> None:
                assert await bot_with_token(store, gate, "old") is None

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
