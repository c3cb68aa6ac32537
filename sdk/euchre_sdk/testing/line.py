"""One stream to an arena, on which anything can be said."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc.aio

from euchre.v1 import play_pb2
from euchre_sdk.client_stream import Stream

_PLAY = "/euchre.v1.PlayService/Play"


class Line:
    """A stream that can be spoken to in any way. Reading never stops: last words are heard."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        play: Any = channel.stream_stream(
            _PLAY,
            request_serializer=_as_bytes,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )
        self.channel = channel
        self._call = play(metadata=(("authorization", f"Bearer {token}"),))
        self._stream = Stream(self._call)

    async def say(self, request: play_pb2.PlayRequest | bytes) -> None:
        """Send a request, or what is none; that the stream has ended is seen where it is read."""
        await self._stream.write(request)  # type: ignore[arg-type] # see `_as_bytes`

    async def heard(self) -> AsyncIterator[play_pb2.PlayResponse]:
        """Yield what comes until the stream ends. Raises `AioRpcError`."""
        while responses := await self._stream.read():
            for response in responses:
                yield response

    async def opened(self) -> None:
        """Wait until the stream has been opened. Raises `AioRpcError`."""
        await self._call.wait_for_connection()

    async def end_own_side(self) -> None:
        """Say that nothing more will be said."""
        await self._call.done_writing()

    def cut(self) -> None:
        """End the stream at once."""
        self._call.cancel()


def _as_bytes(request: play_pb2.PlayRequest | bytes) -> bytes:
    return request if isinstance(request, bytes) else request.SerializeToString()
