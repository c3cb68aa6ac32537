"""Lets streams in: counts them, reads their Hello, slows down bots that come again and again."""

from __future__ import annotations

from time import monotonic_ns
from typing import TYPE_CHECKING

import structlog
import trio

from arena.rpc.bucket import Bucket
from arena.rpc.errors import translate
from arena.rpc.play.admission import (
    Authenticate,
    Caller,
    Doorway,
    Hello,
    WrongToken,
    known,
    read_hello,
    token_of,
    too_many_streams,
)
from arena.rpc.play.goodbye import say_goodbye
from arena.rpc.refusal import RefusedError, internal_error
from euchre.v1 import play_pb2

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from arena.rpc.play.settings import PlaySettings
    from arena.rpc.stream import Stream

log = structlog.get_logger()


class Waiting:
    """Owns a stream until its Hello has been answered."""

    def __init__(self) -> None:
        self.woken = trio.Event()


class Porter:
    """Every stream that has no link yet."""

    def __init__(
        self,
        settings: PlaySettings,
        authenticate: Authenticate,
        greet: Callable[[Stream, Caller, Hello], Awaitable[None]],
        wrong_token: WrongToken,
    ) -> None:
        """Make it; `greet` gives a stream a link, or sends it away."""
        self._settings = settings
        self._authenticate = authenticate
        self._wrong_token = wrong_token
        self._greet = greet
        self._door = Doorway(
            streams=settings.streams,
            silent=settings.silent_streams,
            silent_locally=settings.silent_streams_locally,
        )
        self._reattach: dict[str, Bucket] = {}
        self._queued: dict[str, Stream] = {}
        """The one stream of each bot that is made to wait."""

    def enter(self, stream: Stream) -> bool:
        """Count a new stream, or refuse it; return whether it may say Hello."""
        try:
            self._door.enter(stream)
        except RefusedError as refusal:
            stream.refuse(refusal)
            return False
        stream.owner = Waiting()
        return True

    def leave(self) -> None:
        """Count one stream less."""
        self._door.leave()

    async def admit(self, stream: Stream) -> None:
        """Read a stream's Hello and have it greeted, or refuse it."""
        try:
            hello = await self._first_message(stream)
        finally:
            self._door.greeted(stream)
        if stream.ended:
            return
        if hello is None:
            reason = play_pb2.GOODBYE_REASON_BAD_HELLO
            message = "No Hello came in time, or it was too large."
            say_goodbye(stream, reason, message)
            return
        try:
            token = token_of(stream)
            found = await self._authenticate(token)
            if found is None:
                await self._wrong_token(stream.peer)
            caller = known(found)
            said = read_hello(hello)
            if await self._slow_down(stream, caller.bot_id):
                caller = known(await self._authenticate(token))  # it may be no good any more
            if stream.is_open:
                await self._greet(stream, caller, said)
        except RefusedError as refusal:
            stream.refuse(refusal)
        except Exception as error:
            refused = translate(error)
            if refused is None:
                log.exception("admission_failed")
            stream.refuse(refused or internal_error())

    async def _first_message(self, stream: Stream) -> bytes | None:
        waiting = stream.owner
        with trio.move_on_after(self._settings.hello.total_seconds()):
            while not (stream.inbox or stream.ended or stream.oversize):
                await waiting.woken.wait()
                waiting.woken = trio.Event()
        message = stream.take()
        return None if message is None else message[0]

    async def _slow_down(self, stream: Stream, bot_id: str) -> bool:
        """Make a bot wait that opens one stream after the other; return whether it had to.

        Of a bot's streams only the newest waits, or it could take the room of all others.
        """
        allowed = self._settings.conduct.reattach_per_minute
        bucket = self._reattach.get(bot_id)
        if bucket is None:
            bucket = Bucket(allowed / 60, full=allowed, now=monotonic_ns())
            self._reattach[bot_id] = bucket
        waited = False
        try:
            while stream.is_open and not bucket.take(capacity=allowed, now=monotonic_ns()):
                if not waited and (older := self._queued.get(bot_id)) is not None:
                    older.refuse(too_many_streams())
                    older.owner.woken.set()
                if not waited:
                    self._queued[bot_id] = stream
                waited = True
                stream.owner.woken = trio.Event()
                with trio.move_on_after(bucket.wait_ns() / 1e9 + 0.001):
                    await stream.owner.woken.wait()
        finally:
            if self._queued.get(bot_id) is stream:
                del self._queued[bot_id]
        return waited
