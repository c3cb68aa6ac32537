"""One stream to an arena. Reading never stops, so that an arena's last words are heard."""

from __future__ import annotations

import asyncio
from typing import TypeAlias

import grpc
import grpc.aio

from euchre.v1 import play_pb2

Call: TypeAlias = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]

_ENDS_WITHIN = 0.2
"""Seconds that a stream may take to end."""
_MOMENT = 0.002
"""Seconds within which the next message follows, if it is here already."""
_CUT_SHORT = "Internal error from Core"
"""What gRPC says of a stream that ended while it was written to: the true reason is lost."""


class Stream:
    """Responses in order of arrival; requests one at a time."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._writing = asyncio.Lock()
        self._inbox: list[play_pb2.PlayResponse] = []
        self._end: Exception | None = None
        self._ended = False
        self._heard = 0
        self._wake: asyncio.Future[None] | None = None
        self._reader = asyncio.create_task(self._read_all())

    async def write(self, request: play_pb2.PlayRequest) -> None:
        """Send a request. If the stream has ended nothing happens: `read` tells."""
        async with self._writing:
            try:
                await self._call.write(request)
            except (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError):
                return

    async def read(self) -> list[play_pb2.PlayResponse]:
        """Return what has come, at least one response; nothing at the end of the stream.

        Raises `AioRpcError`.
        """
        while not self._inbox:
            if self._ended:
                if self._end is not None:
                    raise self._end
                return []
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        come, self._inbox = self._inbox, []
        return come

    async def catch_up(self) -> bool:
        """Hear what came while the bot thought; return whether the arena has said goodbye.

        gRPC drops what was not read yet when a stream that has ended is written to.
        """
        heard = -1
        while not self._ended and heard != self._heard:
            heard = self._heard
            await asyncio.sleep(_MOMENT)
        return bool(self._inbox) and self._inbox[-1].HasField("goodbye")

    def cancel(self) -> None:
        """Hear and say no more; a waiting `read` then finds the end."""
        self._call.cancel()

    async def close(self) -> None:
        """End the stream and wait until it has ended.

        A goodbye is followed by the end by itself. Anything still under way when the event loop is
        closed would be reported to the next one.
        """
        if not self._ended:
            await asyncio.wait((self._reader,), timeout=_ENDS_WITHIN)
        self._call.cancel()
        await asyncio.wait((self._reader,), timeout=_ENDS_WITHIN)

    async def _read_all(self) -> None:
        try:
            while isinstance(response := await self._call.read(), play_pb2.PlayResponse):
                self._inbox.append(response)
                self._heard += 1
                self._wake_up()
        except (grpc.aio.AioRpcError, grpc.aio.UsageError) as error:
            self._end = error
        finally:
            self._ended = True
            self._wake_up()

    def _wake_up(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)


def was_cut_short(error: Exception) -> bool:
    """Return whether the stream ended while it was written to, so that its reason is unknown."""
    return isinstance(error, grpc.aio.AioRpcError) and error.details() == _CUT_SHORT
