"""Rankings from an arena, as they change."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import cast

import grpc.aio

from euchre.v1 import tournaments_pb2 as pb
from euchre.v1 import tournaments_pb2_grpc
from euchre_sdk.client_dial import Dial, nobody_there, refusal
from euchre_sdk.rankings import Ranking
from euchre_sdk.wire_rankings import read_rankings


async def watch_rankings(
    dial: Dial, tournament: str, token: str | None
) -> AsyncGenerator[Ranking, None]:
    """Yield the ranking now and whenever it changes, until the arena ends the stream.

    Raises `ConnectError`, also when the arena goes away.
    """
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
                yield read_rankings(response.rankings)
        except grpc.aio.AioRpcError as error:
            raise refusal(error, dial) or nobody_there(error, dial) from error
        finally:
            call.cancel()
    finally:
        await channel.close()
