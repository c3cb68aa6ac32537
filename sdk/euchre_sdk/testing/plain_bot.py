"""A bot that plays by the rules on one link, by hand: asyncio and messages, no SDK client."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import TypeAlias

import grpc
import grpc.aio

from euchre.v1 import play_pb2
from euchre_sdk.testing.line import Line
from euchre_sdk.testing.misdeeds import Moment
from euchre_sdk.testing.orders import Orders
from euchre_sdk.testing.wrong_answers import moment_of, right_answer

Asked: TypeAlias = play_pb2.Question | play_pb2.Ready | None
"""What a bot would answer, or say, at a moment."""

_PAUSE = 0.02
"""Seconds before it dials again when nothing says how long to wait."""
_TRIES = 100
"""Dials in a row that may fail before it gives up an arena that had welcomed it."""
_GOODBYES = play_pb2.GoodbyeReason
_FINAL = frozenset(
    {
        _GOODBYES.GOODBYE_REASON_DONE,
        _GOODBYES.GOODBYE_REASON_STOPPING,
        _GOODBYES.GOODBYE_REASON_TAKEN_OVER,
        _GOODBYES.GOODBYE_REASON_REVOKED,
        _GOODBYES.GOODBYE_REASON_QUARANTINED,
        _GOODBYES.GOODBYE_REASON_LINK_LIMIT,
    }
)
"""Goodbyes after which it does not come back, unless they say how long to wait."""
_HOPELESS = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)
"""Refusals after which it does not come back."""


@unique
class Next(Enum):
    """What a bot does once a stream has ended."""

    COME_BACK = "come_back"
    NOTHING = "nothing"


_AGAIN, _STOP = Next.COME_BACK, Next.NOTHING


class LeftStream(Exception):  # noqa: N818 - no error: how a deed leaves the reading of a stream
    """The bot has done with this stream."""

    def __init__(self, then: Next) -> None:
        super().__init__(then)
        self.then = then


@dataclass(slots=True)
class Game:
    """One game that was offered."""

    game_id: str
    offer: play_pb2.GameOffer
    question: play_pb2.Question | None = None
    """The one asked last."""


@dataclass(slots=True)
class PlainBot:
    """One bot. `run` returns when it has nothing more to play, or is not to come back."""

    orders: Orders
    say: Callable[[str], None]
    """Prints one line."""
    done: int = 0
    """Misdeeds done so far."""
    games_over: int = 0
    games: dict[int, Game] = field(default_factory=dict)
    """Those that are offered or running, by slot."""
    hand: int = 1
    """The hand that is being played."""
    secret: bytes = b""
    line: Line = field(init=False)
    """The stream it plays by."""
    muted: bool = False
    gone: bool = False
    """Whether it is not to come back."""
    _wait: float = _PAUSE
    _failures: int = 0

    # -- for who misbehaves

    async def comes_to(self, moment: Moment, game: Game | None, asked: Asked) -> bool:
        """Return whether something was done at this moment, and nothing more is to be done."""
        del moment, game, asked
        return self.muted

    async def is_greeted(self) -> None:
        """Hear that a stream has been welcomed, before anything else is done with it."""

    async def is_decided_for(self, game: Game, seq: int) -> None:
        """Hear that the arena answered question `seq`, or with 0, that it gave up a READY."""

    # -- streams

    async def run(self) -> None:
        """Play until there is nothing more to play."""
        channel = self.orders.dial.channel()
        try:
            while True:
                self._wait = _PAUSE
                try:
                    await self._play_on(channel)
                    then = Next.COME_BACK
                except LeftStream as left:
                    then = left.then
                except grpc.aio.AioRpcError as error:
                    then = self._failed(error)
                stays = self.orders.stay_away and self.done
                if then is Next.NOTHING or stays or self.gone:
                    return
                await asyncio.sleep(self._wait)
                await channel.close()
                channel = self.orders.dial.channel()
        finally:
            await channel.close()

    async def _play_on(self, channel: grpc.aio.Channel) -> None:
        """Open a stream, greet, and read it to its end."""
        self.line = Line(channel, self.orders.token)
        if not await self.comes_to(Moment.CONNECT, None, None):
            await self.greet(self.line, self.secret or None)
        async for response in self.line.heard():
            await self.hear(response)

    async def greet(self, line: Line, secret: bytes | None) -> None:
        """Say Hello."""
        hello = play_pb2.Hello(
            protocol_revision=1,
            sdk_name="misbehave",
            version_label=self.orders.label,
            games_at_once=self.orders.games,
            resume_secret=secret,
        )
        await line.say(play_pb2.PlayRequest(hello=hello))

    async def answer(self, answer: play_pb2.Answer) -> None:
        """Send one answer."""
        await self.line.say(play_pb2.PlayRequest(answers=[answer]))

    async def leave(self) -> None:
        """Wish for no further games."""
        await self.line.say(play_pb2.PlayRequest(leave=play_pb2.Leave()))

    async def do_right(self, asked: Asked) -> None:
        """Answer a question as the rules have it, or be ready."""
        if isinstance(asked, play_pb2.Ready):
            await self.line.say(play_pb2.PlayRequest(readies=[asked]))
        elif asked is not None:
            await self.answer(right_answer(asked, self.orders.style))

    def _failed(self, error: grpc.aio.AioRpcError) -> Next:
        self._failures += 1
        if self._failures == 1:
            self.say(f"stream ended: {error.code().name}: {error.details()}")
        tries = _TRIES if self.secret else 1
        return _STOP if error.code() in _HOPELESS or self._failures >= tries else _AGAIN

    # -- what it hears

    async def hear(self, response: play_pb2.PlayResponse) -> None:
        """Do what a response calls for."""
        self._failures = 0
        self.keep(response)
        if response.HasField("welcome"):
            await self._welcomed(response)
        for offer in response.offers:
            await self._take(offer)
        for notice in response.notices:
            await self._notice(notice)
        for question in response.questions:
            await self._ask(question)
        if response.HasField("goodbye"):
            self._told_goodbye(response.goodbye)

    def keep(self, response: play_pb2.PlayResponse) -> None:
        """Put a response into the transcript."""
        if self.orders.transcript is not None:
            data = response.SerializeToString()
            self.orders.transcript.write(_varint(len(data)) + data)
            self.orders.transcript.flush()

    async def _welcomed(self, response: play_pb2.PlayResponse) -> None:
        self.secret = response.welcome.resume_secret
        await self.is_greeted()
        saved = response.snapshot.games
        self.games = {game.offer.slot: Game(game.offer.game_id, game.offer) for game in saved}
        for game in saved:
            if not game.ready:
                await self._take(game.offer)
            elif game.HasField("question"):
                await self._ask(game.question)

    def _told_goodbye(self, goodbye: play_pb2.Goodbye) -> None:
        self.say(f"goodbye {_GOODBYES.Name(goodbye.reason)}: {goodbye.message}")
        if goodbye.reason == _GOODBYES.GOODBYE_REASON_LINK_ENDED:
            self.secret = b""
        if goodbye.HasField("retry_duration"):
            self._wait = goodbye.retry_duration.ToTimedelta().total_seconds()
        elif goodbye.reason in _FINAL:
            raise LeftStream(Next.NOTHING)

    async def _take(self, offer: play_pb2.GameOffer) -> None:
        game = self.games[offer.slot] = Game(offer.game_id, offer)
        ready = play_pb2.Ready(slot=offer.slot, nonce=self._nonce(offer.game_id))
        if not await self.comes_to(Moment.READY, game, ready):
            await self.do_right(ready)

    def _nonce(self, game_id: str) -> bytes:
        if self.orders.seed is None:
            return secrets.token_bytes(32)
        return hashlib.sha256(f"{self.orders.seed} {self.orders.label} {game_id}".encode()).digest()

    async def _ask(self, question: play_pb2.Question) -> None:
        game = self.games[question.slot]
        game.question, self.hand = question, question.hand_number
        if not await self.comes_to(moment_of(question), game, question):
            await self.do_right(question)

    async def _notice(self, notice: play_pb2.Notice) -> None:
        game = self.games.get(notice.slot)
        if game is None:
            return
        match notice.WhichOneof("event"):
            case "answer_refused":
                refused = notice.answer_refused
                is_open = refused.faults < refused.fault_limit  # else the arena has answered it
                if game.question is not None and game.question.seq == refused.seq and is_open:
                    await self._ask(game.question)
            case "move_forced":
                await self.is_decided_for(game, notice.move_forced.seq)
            case "hand_end":
                self.hand = notice.hand_end.hand_number + 1
                if not _is_last(notice.hand_end, game.offer):
                    await self.comes_to(Moment.BETWEEN_HANDS, game, None)
            case "offer_withdrawn":
                await self.is_decided_for(game, 0)
                await self._is_over(notice.slot)
            case "game_over":
                await self._is_over(notice.slot)
            case _:
                pass

    async def _is_over(self, slot: int) -> None:
        del self.games[slot]
        self.games_over += 1
        self.muted = False
        if self.games_over == self.orders.leave_after:
            self.gone = True
            await self.leave()


def _is_last(ended: play_pb2.HandEnd, offer: play_pb2.GameOffer) -> bool:
    """Return whether a hand is known to be the last of its game."""
    if offer.format.HasField("session"):
        return ended.hand_number >= offer.format.session.hands
    return max(ended.score, default=0) >= offer.rules.target


def _varint(number: int) -> bytes:
    """Return a length as protobuf writes it.

    >>> _varint(300).hex()
    'ac02'
    """
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)
