"""A play service and bots whose streams are connected to nothing: what is sent is looked at."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import trio

from arena.referee import Resumed
from arena.rpc.play.service import PlayService
from arena.rpc.stream import Stream
from arena.store.links import StoredLink
from arena.tournaments.playroom import GameOrder
from euchre.v1 import play_pb2
from tests.integration.raw_bot import Arena, Memory, Source, authenticate, first_legal


class Nowhere:
    """A bridge to nowhere."""

    def to_edge(self, _call: Any, _argument: Any) -> None:
        """Do nothing: the test reads the outbox itself."""


class Turned:
    """A clock that also goes on when it is turned."""

    def __init__(self) -> None:
        self._ahead = 0

    def __call__(self) -> int:
        return time.monotonic_ns() + self._ahead

    def turn(self, seconds: float) -> None:
        self._ahead += int(seconds * 1e9)


def turned_clock(monkeypatch: pytest.MonkeyPatch) -> Turned:
    """Let the play service read a clock that the test turns."""
    clock = Turned()
    for name, module in tuple(sys.modules.items()):
        if name.startswith("arena.rpc.") and hasattr(module, "monotonic_ns"):
            monkeypatch.setattr(module, "monotonic_ns", clock)
    return clock


class Shelf:
    """Keeps links as the database does."""

    def __init__(self) -> None:
        self.links: dict[str, StoredLink] = {}

    async def keep(self, link: StoredLink) -> None:
        await trio.lowlevel.checkpoint()
        self.links[link.link_id] = link

    async def forget(self, link_id: str) -> None:
        await trio.lowlevel.checkpoint()
        self.links.pop(link_id, None)


class Bot:
    """One stream of one bot."""

    def __init__(self, play: PlayService, name: str) -> None:
        self.name = name
        self._play = play
        bridge: Any = Nowhere()
        self.stream = Stream(
            f"unix:{name}", {"authorization": f"Bearer {name}"}, 1 << 16, bridge, _nothing
        )
        self.secret = b""
        self.heard: list[play_pb2.PlayResponse] = []
        play.opened(self.stream)

    def say(self, **fields: Any) -> None:
        """Let a message arrive."""
        message = play_pb2.PlayRequest(**fields).SerializeToString()
        self.stream.inbox.append((message, time.monotonic_ns()))
        self._play.woken(self.stream)
        self._play.settled()

    def hello(
        self, *, secret: bytes | None = None, games: int = 1, label: str = "v1", **more: Any
    ) -> None:
        hello = play_pb2.Hello(
            protocol_revision=1, version_label=label, games_at_once=games, resume_secret=secret
        )
        hello.MergeFrom(play_pb2.Hello(**more))
        self.say(hello=hello)

    def vanish(self) -> None:
        """Let the stream end."""
        self.stream.ended = True
        self._play.woken(self.stream)
        self._play.settled()

    def listen(self) -> list[play_pb2.PlayResponse]:
        """Read whatever was sent since."""
        fresh = []
        stream = self.stream
        while stream.outbox:
            data, departure = stream.outbox.popleft()
            stream.written_messages += 1
            stream.written_bytes += len(data)
            if departure is not None:
                departure.at = time.monotonic_ns()
            fresh.append(play_pb2.PlayResponse.FromString(data))
        for response in fresh:
            if response.HasField("welcome"):
                self.secret = response.welcome.resume_secret
        self.heard += fresh
        return fresh

    async def hears(self, field: str) -> play_pb2.PlayResponse:
        """Wait for a response that has this field; the notices' events count as fields."""
        with trio.fail_after(5):
            while True:
                for response in self.listen():
                    if field in {descriptor.name for descriptor, _ in response.ListFields()} | {
                        notice.WhichOneof("event") for notice in response.notices
                    }:
                        return response
                await trio.lowlevel.checkpoint()

    async def refused(self) -> Any:
        """Wait until the stream is refused with a status, and return that."""
        with trio.fail_after(5):
            while self.stream.refusal is None:
                await trio.lowlevel.checkpoint()
        return self.stream.refusal

    async def told(self, event: str) -> Any:
        """Wait for a notice, and return its event."""
        response = await self.hears(event)
        return next(
            getattr(notice, event)
            for notice in response.notices
            if notice.WhichOneof("event") == event
        )

    def take(self, response: play_pb2.PlayResponse) -> None:
        """Be ready for all that is offered, or taken up again."""
        slots = [offer.slot for offer in response.offers]
        slots += [game.offer.slot for game in response.snapshot.games if not game.ready]
        self.say(readies=[play_pb2.Ready(slot=slot, nonce=b"n" * 32) for slot in slots])

    def answer(self, response: play_pb2.PlayResponse) -> None:
        """Answer all that is asked."""
        asked = [*response.questions, *(g.question for g in response.snapshot.games)]
        answers = [first_legal(question) for question in asked if question.seq]
        if answers:
            self.say(answers=answers)


class Room:
    """A play service, and games in it."""

    def __init__(self, play: PlayService, nursery: trio.Nursery) -> None:
        self.play = play
        self._nursery = nursery

    async def bot(self, name: str, **hello: Any) -> Bot:
        """Return a bot that was welcomed."""
        bot = Bot(self.play, name)
        bot.hello(**hello)
        await bot.hears("welcome")
        return bot

    def start(self, order: GameOrder) -> Memory:
        """Play a game in the background, and return its journal."""
        journal = Memory()
        self._nursery.start_soon(self.play.play, order, journal)
        return journal

    async def go_on(self, *bots: Bot, until: str) -> play_pb2.PlayResponse:
        """Let bots play until one of them hears of something."""
        with trio.fail_after(10):
            while True:
                for bot in bots:
                    for response in bot.listen():
                        events = {notice.WhichOneof("event") for notice in response.notices}
                        if until in events:
                            return response
                        bot.answer(response)
                await trio.lowlevel.checkpoint()


order = partial(Arena.order, None)
"""An order of a game between the bots a, b and c."""


def resumed(journal: Memory) -> Resumed:
    """Return what a journal holds, for the game to go on."""
    return Resumed(
        nonces=journal.nonces,
        hands=tuple(journal.hands),
        forfeits=tuple(journal.forfeits),
        outcome=journal.outcome,
    )


@asynccontextmanager
async def room(**options: Any) -> AsyncIterator[Room]:
    """Run a play service; `options` are its own."""
    play = PlayService(authenticate=authenticate, deal_source=Source, **options)
    async with trio.open_nursery() as nursery:
        await nursery.start(play.run)
        yield Room(play, nursery)
        nursery.cancel_scope.cancel()


def _nothing(_stream: Stream) -> None:
    """Kick no writer."""
