"""Hundreds of bots in one process, as lean as they can be, some of which misbehave now and then.

Each has a connection and a stream of its own and speaks the wire protocol without the SDK. What it
does wrong, and how, comes from the SDK's testing kit.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, unique
from random import Random
from typing import Any

import grpc
import grpc.aio

from euchre.v1 import play_pb2
from euchre_sdk.testing.misdeeds import Deed
from euchre_sdk.testing.wrong_answers import right_answer, wrong_answer

METHOD = "/euchre.v1.PlayService/Play"
OPTIONS = (("grpc.use_local_subchannel_pool", 1),)
"""A connection for each bot."""
LATE = 6.0
"""Seconds of silence after which a decision of the default time control is too late."""
FLOOD = 200


@unique
class Habit(Enum):
    """What a bot does wrong now and then."""

    GOOD = "good"
    ILLEGAL = "illegal"
    """Tries something illegal first."""
    MALFORMED = "malformed"
    """Tries something that is no action first."""
    STRAY = "stray"
    """Answers a question that was never asked, too."""
    LATE = "late"
    """Answers when the time is over."""
    DROP = "drop"
    """Cuts its stream and comes back at once."""
    LEAVE = "leave"
    """Is away for some seconds."""
    FLOOD = "flood"
    """Sends what it answered again and again, and is shut out for a while."""


OFTEN = {
    Habit.GOOD: 0.0,
    Habit.ILLEGAL: 0.004,
    Habit.MALFORMED: 0.004,
    Habit.STRAY: 0.03,
    Habit.LATE: 0.001,
    Habit.DROP: 0.002,
    Habit.LEAVE: 0.001,
    Habit.FLOOD: 0.001,
}
"""In which share of its decisions a bot follows its habit: a forfeit is rare."""
BAD = tuple(habit for habit in Habit if habit is not Habit.GOOD)
PROVOKED = frozenset({Habit.LATE, Habit.DROP, Habit.LEAVE, Habit.FLOOD})
"""Habits by which a bot's time runs out."""


@dataclass(slots=True)
class Account:
    """What all bots of the process have seen."""

    heard: dict[str, set[str]] = field(default_factory=dict)
    """By game, which bots were told that it is over."""
    heard_twice: int = 0
    decisions: int = 0
    misdeeds: Counter[str] = field(default_factory=Counter)
    goodbyes: Counter[str] = field(default_factory=Counter)
    streams: int = 0


class SoakBot:
    """One bot, on as many streams as it takes."""

    def __init__(
        self, name: str, token: str, habit: Habit, account: Account, address: str, seed: int
    ) -> None:
        self.name = name
        self.habit = habit
        self._token = token
        self._account = account
        self._address = address
        self._random = Random(seed)
        self._secret = b""
        self._games: dict[int, str] = {}
        self._call: Any = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._away = 0.0

    async def live(self) -> None:
        """Connect, play, come back, until cancelled."""
        while True:
            async with grpc.aio.insecure_channel(self._address, options=OPTIONS) as channel:
                try:
                    await self._stream(channel)
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.UsageError):
                    pass
                except asyncio.CancelledError:
                    if asyncio.current_task().cancelling():  # type: ignore[union-attr] # it runs
                        raise
            await asyncio.sleep(self._away or self._random.uniform(0.05, 0.2))
            self._away = 0.0

    async def _stream(self, channel: grpc.aio.Channel) -> None:
        self._account.streams += 1
        method: Any = channel.stream_stream(METHOD)
        call = self._call = method(metadata=(("authorization", f"Bearer {self._token}"),))
        hello = play_pb2.Hello(protocol_revision=1, version_label="soak", games_at_once=1)
        if self._secret:
            hello.resume_secret = self._secret
        await self._say(hello=hello)
        while (data := await call.read()) is not grpc.aio.EOF:
            response = play_pb2.PlayResponse.FromString(data)
            if response.HasField("welcome"):
                self._secret = response.welcome.resume_secret
            await self._hear(response)
            if response.HasField("goodbye"):
                self._bid(response.goodbye)

    async def _say(self, **fields: Any) -> None:
        await self._call.write(play_pb2.PlayRequest(**fields).SerializeToString())

    async def _hear(self, response: play_pb2.PlayResponse) -> None:
        waiting = list(response.offers)
        questions = list(response.questions)
        for saved in response.snapshot.games:
            self._games[saved.offer.slot] = saved.offer.game_id
            if not saved.ready:
                waiting.append(saved.offer)
            if saved.HasField("question"):
                questions.append(saved.question)
        for offer in waiting:
            self._games[offer.slot] = offer.game_id
        if waiting:
            readies = [play_pb2.Ready(slot=each.slot, nonce=os.urandom(32)) for each in waiting]
            await self._say(readies=readies)
        for notice in response.notices:
            if notice.HasField("game_over"):
                heard = self._account.heard.setdefault(self._games.pop(notice.slot), set())
                self._account.heard_twice += self.name in heard
                heard.add(self.name)
        for question in questions:
            await self._decide(question)

    def _bid(self, goodbye: play_pb2.Goodbye) -> None:
        reason = play_pb2.GoodbyeReason.Name(goodbye.reason).removeprefix("GOODBYE_REASON_")
        self._account.goodbyes[reason] += 1
        if goodbye.HasField("retry_duration"):
            self._away = goodbye.retry_duration.ToTimedelta().total_seconds() + 0.05
        if reason == "LINK_ENDED":
            self._secret = b""

    async def _decide(self, question: play_pb2.Question) -> None:
        self._account.decisions += 1
        answers = [right_answer(question)]
        if self._random.random() < OFTEN[self.habit]:
            self._account.misdeeds[self.habit.value] += 1
            match self.habit:
                case Habit.ILLEGAL:
                    answers.insert(0, wrong_answer(Deed.WRONG_KIND, question) or answers[0])
                case Habit.MALFORMED:
                    deed = self._random.choice((Deed.EMPTY_ANSWER, Deed.UNKNOWN_CARD))
                    answers.insert(0, wrong_answer(deed, question) or answers[0])
                case Habit.STRAY:
                    answers.append(wrong_answer(Deed.WRONG_SEQ, question) or answers[0])
                case Habit.FLOOD:
                    answers *= FLOOD
                case Habit.LATE:
                    self._later(answers)
                    return
                case _:
                    self._away = 0.0 if self.habit is Habit.DROP else LATE
                    self._call.cancel()
                    return
        await self._say(answers=answers)

    def _later(self, answers: list[play_pb2.Answer]) -> None:
        async def say() -> None:
            await asyncio.sleep(LATE)
            try:
                await self._say(answers=answers)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.UsageError):
                return  # its stream is another one by now

        task = asyncio.create_task(say())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def habits(number: int, bad: float) -> list[Habit]:
    """Return the habits of so many bots, of which a share misbehaves; the same every time."""
    some = round(number * bad)
    mixed = [BAD[n % len(BAD)] for n in range(some)] + [Habit.GOOD] * (number - some)
    Random(1).shuffle(mixed)
    return mixed
