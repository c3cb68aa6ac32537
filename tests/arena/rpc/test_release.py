"""The setting `release_interval`: what a bot is sent leaves at ticks, however fast others were."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from arena.rpc.play.settings import PlaySettings
from arena.rpc.stream import Stream
from euchre_sdk.game import Session
from tests.arena.rpc.in_process import order, room

NAMES = ("a", "b", "c")


async def ticks(interval: timedelta, tick_ns: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Play a session; return the tick in which each message to one bot left."""
    left: list[int] = []
    send = Stream.send

    def noted(stream: Stream, *message: object) -> None:
        if stream.peer == "unix:a":
            left.append(time.monotonic_ns() // tick_ns)
        send(stream, *message)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(Stream, "send", noted)
    async with room(settings=PlaySettings(release_interval=interval)) as here:
        bots = [await here.bot(name) for name in NAMES]
        here.start(order(format=Session(3)))
        for bot in bots:
            bot.take(await bot.hears("offers"))
        await here.go_on(*bots, until="game_over")
        return left[:]  # without the goodbye when the arena stops, which waits for nothing


async def test_no_two_messages_leave_in_the_same_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    left = await ticks(timedelta(milliseconds=5), 5_000_000, monkeypatch)
    assert len(left) > 15
    assert len(set(left)) == len(left)


async def test_without_ticks_they_leave_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    left = await ticks(timedelta(0), 1_000_000_000, monkeypatch)
    assert len(set(left)) < len(left)
