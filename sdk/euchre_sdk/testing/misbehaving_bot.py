"""A bot that does at its moment what it was told to, and otherwise plays by the rules."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import dataclass, field

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.testing.line import Line
from euchre_sdk.testing.misdeeds import ASTRAY, REFUSED, Deed, Misdeed, Moment
from euchre_sdk.testing.plain_bot import Asked, Game, LeftStream, Next, PlainBot
from euchre_sdk.testing.wrong_answers import right_answer, wrong_answer

CRASHED = 70
"""Exit code of a crash."""
_PASS = types_pb2.ACTION_KIND_PASS
_ANSWERS = REFUSED | ASTRAY | {Deed.UNSUPPORTED}
_RUBBISH = frozenset({Deed.HUGE, Deed.GARBAGE, Deed.HELLO_TWICE, Deed.FLOOD})


@dataclass(slots=True)
class MisbehavingBot(PlainBot):
    """One bot with a misdeed."""

    _late: dict[int, int] = field(default_factory=dict)
    """By slot, the question that is answered once it is too late; 0 for a Ready."""
    _storm: int = 0
    """Streams that are still to be cut as soon as they are greeted."""
    _dropped_at: tuple[str, int] | None = None
    """Game and question at which the stream was cut last: nobody cuts it twice for one."""
    _idle: list[Line] = field(default_factory=list)
    """Streams that only exist."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def comes_to(self, moment: Moment, game: Game | None, asked: Asked) -> bool:
        """Misbehave if this is the moment."""
        misdeed = self.orders.misdeed
        if misdeed is None or self.muted:
            return self.muted
        if not self._is_time(misdeed, moment, game, asked):
            return False
        wrong = None
        if isinstance(asked, play_pb2.Question) and misdeed.deed in _ANSWERS:
            wrong = wrong_answer(misdeed.deed, asked)
            if wrong is None:
                return False  # no occasion
        if moment is Moment.CONNECT:
            await self.line.opened()
        self.done += 1
        self.say(_told(misdeed, moment, self.hand, game, asked))
        if wrong is not None:
            await self.answer(wrong)
            # a refused question is considered again when it comes back
            return misdeed.deed not in ASTRAY or self._is_willing(misdeed)
        return await self._do(misdeed, game, asked)

    async def is_greeted(self) -> None:
        """Cut the stream if a storm goes on."""
        if self._storm:
            self._storm -= 1
            self._cut(Next.COME_BACK)

    async def is_decided_for(self, game: Game, seq: int) -> None:
        """Say what is too late by now."""
        if self._late.get(game.offer.slot) != seq:
            return
        del self._late[game.offer.slot]
        if seq and game.question is not None:
            await self.answer(right_answer(game.question, self.orders.style))
        else:
            await self.do_right(play_pb2.Ready(slot=game.offer.slot, nonce=bytes(32)))

    def _is_time(self, misdeed: Misdeed, moment: Moment, game: Game | None, asked: Asked) -> bool:
        fits = misdeed.moment is moment or (misdeed.moment is Moment.ANY and moment.is_question)
        if not fits or self.hand < misdeed.from_hand or not self._is_willing(misdeed):
            return False
        if misdeed.deed is Deed.DROP and game is not None and isinstance(asked, play_pb2.Question):
            if self._dropped_at == (game.game_id, asked.seq):
                return False
            self._dropped_at = (game.game_id, asked.seq)
        return True

    def _is_willing(self, misdeed: Misdeed) -> bool:
        """Return whether it has not misbehaved as often as it was told to."""
        return misdeed.times is None or self.done < misdeed.times

    async def _do(self, misdeed: Misdeed, game: Game | None, asked: Asked) -> bool:
        """Misbehave; return whether nothing more is to be done at this moment."""
        deed = misdeed.deed
        if deed.ends_process:
            self._end_process(deed)
        elif deed in _RUBBISH:
            await self._send_rubbish(misdeed, asked)
        elif deed in {Deed.LATE, Deed.SLOW, Deed.MUTE}:
            self._take_time(misdeed, game, asked)
            return True
        elif not await self._do_to_connection(misdeed):
            await self._say_too_much(misdeed, asked)
            if game is None:  # before the Hello, which must come first
                await self._read_out()
        return False

    def _end_process(self, deed: Deed) -> None:
        if deed is Deed.CRASH:
            os._exit(CRASHED)
        elif deed is Deed.EXIT:
            self._cut(Next.NOTHING)
        os.kill(os.getpid(), signal.SIGKILL if deed is Deed.KILL else signal.SIGSTOP)

    def _take_time(self, misdeed: Misdeed, game: Game | None, asked: Asked) -> None:
        if misdeed.deed is Deed.MUTE or game is None:
            self.muted = True
        elif misdeed.deed is Deed.LATE:
            seq = asked.seq if isinstance(asked, play_pb2.Question) else 0
            self._late[game.offer.slot] = seq
        elif isinstance(asked, play_pb2.Question):
            seconds = misdeed.seconds
            if seconds is None:
                seconds = _time_for(asked, game) * misdeed.share
            task = asyncio.create_task(self._answer_later(seconds, asked))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer_later(self, seconds: float, question: play_pb2.Question) -> None:
        await asyncio.sleep(seconds)
        await self.do_right(question)

    async def _send_rubbish(self, misdeed: Misdeed, asked: Asked) -> None:
        """Send what ends the stream, and answer nothing until it has ended."""
        match misdeed.deed:
            case Deed.HUGE:
                await self.line.say(bytes(misdeed.amount))
            case Deed.GARBAGE:
                await self.line.say(b"\xff" * 9)
            case Deed.HELLO_TWICE:
                await self.greet(self.line, None)
            case _:
                await self.line.say(_flood(misdeed.amount, asked))
        await self._read_out()

    async def _do_to_connection(self, misdeed: Misdeed) -> bool:
        """Do to stream and channel what the deed says; return False if it is none of these."""
        match misdeed.deed:
            case Deed.HANG_UP:
                self.gone = True
                self._cut(Next.NOTHING)
            case Deed.DROP:
                self._cut(Next.COME_BACK)
            case Deed.RECONNECT_STORM:
                self._storm = misdeed.amount - 1
                self._cut(Next.COME_BACK)
            case Deed.HALF_CLOSE:
                await self.line.end_own_side()
                await self._read_out()
            case Deed.TWO_STREAMS:
                await self.greet(self._another(), None)
            case Deed.TAKE_OVER:
                await self._take_over()
            case Deed.CONNECT_ONLY:
                for _ in range(misdeed.amount):
                    self._another()
            case _:
                return False
        return True

    async def _say_too_much(self, misdeed: Misdeed, asked: Asked) -> None:
        """Say what is dropped, or goes beside the answer."""
        match misdeed.deed:
            case Deed.LEAVE:
                await self.leave()
            case Deed.ANSWER_TWICE:
                await self.do_right(asked)
            case Deed.UNASKED:
                for slot, game in self.games.items():
                    seq = 1 if game.question is None else game.question.seq
                    await self.answer(play_pb2.Answer(slot=slot, seq=seq, kind=_PASS))
            case _:
                await self.line.say(_wrong_ready(misdeed.deed, asked))

    def _cut(self, then: Next) -> None:
        self.line.cut()
        raise LeftStream(then)

    async def _read_out(self) -> None:
        """Read, and answer nothing, until the arena ends the stream."""
        async for response in self.line.heard():
            if response.HasField("goodbye"):
                await self.hear(response)
            else:
                self.keep(response)
        raise LeftStream(Next.COME_BACK)

    def _another(self) -> Line:
        """Open a stream that nobody attends to."""
        line = Line(self.orders.dial.channel(), self.orders.token)
        self._idle.append(line)
        return line

    async def _take_over(self) -> None:
        """Take the link over by a new stream, and hear the last words on the old one."""
        old, new = self.line, self._another()
        await self.greet(new, self.secret)
        async for last in old.heard():
            if last.HasField("goodbye"):
                reason = play_pb2.GoodbyeReason.Name(last.goodbye.reason)
                self.say(f"goodbye {reason} on the first stream")
        self.line = new
        async for response in new.heard():
            await self.hear(response)
        raise LeftStream(Next.COME_BACK)


def _told(misdeed: Misdeed, moment: Moment, hand: int, game: Game | None, asked: Asked) -> str:
    """Return the line that tells of a misdeed."""
    line = f"did {moment.value} {misdeed.deed.value}"
    if game is not None:
        line += f" game {game.game_id} hand {hand}"
    return f"{line} question {asked.seq}" if isinstance(asked, play_pb2.Question) else line


def _time_for(question: play_pb2.Question, game: Game) -> float:
    """Return the seconds there are for an answer."""
    given = question.answer_duration.ToTimedelta()
    allowance = game.offer.time_control.allowance_duration.ToTimedelta()
    return (given + allowance).total_seconds()


def _flood(amount: int, asked: Asked) -> play_pb2.PlayRequest:
    slot = 1_000_000
    if isinstance(asked, play_pb2.Ready):
        return play_pb2.PlayRequest(readies=[play_pb2.Ready(slot=slot)] * amount)
    return play_pb2.PlayRequest(answers=[play_pb2.Answer(slot=slot, seq=1)] * amount)


def _wrong_ready(deed: Deed, asked: Asked) -> play_pb2.PlayRequest | bytes:
    if asked is None:  # before the Hello
        return b""
    slot, nonce = asked.slot, bytes(32)
    if deed is Deed.SHORT_NONCE:
        nonce = bytes(16)
    elif deed is Deed.OTHER_GAME:
        slot += 1_000
    else:
        slot, nonce = 0, b""
    return play_pb2.PlayRequest(readies=[play_pb2.Ready(slot=slot, nonce=nonce)])
