"""Rankings from an arena, as they change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import cast

import grpc.aio

from euchre.v1 import tournaments_pb2 as pb
from euchre.v1 import tournaments_pb2_grpc
from euchre_sdk.client_dial import Dial, nobody_there, refusal
from euchre_sdk.client_redial import Redial
from euchre_sdk.rankings import Ranking
from euchre_sdk.wire_rankings import read_rankings
from euchre_sdk.wire_text import make_printable


async def watch_rankings(
    dial: Dial,
    tournament: str,
    token: str | None,
    *,
    redial: Redial,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> AsyncGenerator[Ranking, None]:
    """Yield the ranking now and whenever it changes, until the arena ends the stream.

    An arena that has answered and goes away is dialled again, as long as `redial` says so. Raises
    `ConnectError`.
    """
    while True:
        try:
            async with aclosing(_one_stream(dial, tournament, token)) as rankings:
                async for ranking in rankings:
                    redial.answered()
                    yield ranking
        except grpc.aio.AioRpcError as error:
            wait = redial.wait(error)
            if wait is None:
                raise refusal(error, dial) or nobody_there(error, dial) from error
            await sleep(wait.total_seconds())
        else:
            return


async def _one_stream(
    dial: Dial, tournament: str, token: str | None
) -> AsyncGenerator[Ranking, None]:
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    channel = dial.channel()
    try:
        stub = cast(
            "tournaments_pb2_grpc.TournamentServiceAsyncStub",
            tournaments_pb2_grpc.TournamentServiceStub(channel),
        )
        call = stub.WatchRankings(pb.WatchRankingsRequest(name=tournament), metadata=metadata)
        try:
            async for response in call:
                yield read_rankings(make_printable(response.rankings))
        finally:
            call.cancel()
    finally:
        await channel.close()
