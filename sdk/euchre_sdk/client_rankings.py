"""Rankings from an arena, as they change and as they were."""

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
from euchre_sdk.history import TournamentHistory
from euchre_sdk.rankings import Ranking
from euchre_sdk.wire_history import read_history
from euchre_sdk.wire_rankings import read_rankings
from euchre_sdk.wire_text import make_printable


async def get_ranking(
    dial: Dial,
    tournament: str,
    token: str | None,
    *,
    leave_out_forfeits: bool = False,
    matrix: bool = False,
) -> Ranking:
    """Return the ranking as it is now, every pair compared if `matrix`. Raises `ConnectError`."""
    request = pb.GetRankingsRequest(
        name=tournament, leave_out_forfeits=leave_out_forfeits, matrix=matrix
    )
    channel = dial.channel()
    try:
        response = await _stub(channel).GetRankings(request, metadata=_metadata(token))
    except grpc.aio.AioRpcError as error:
        raise refusal(error, dial) or nobody_there(error, dial) from error
    finally:
        await channel.close()
    return read_rankings(make_printable(response.rankings))


async def get_history(dial: Dial, bot: str, token: str | None) -> list[TournamentHistory]:
    """Return what the ratings of a bot were, newest tournament first. Raises `ConnectError`."""
    request = pb.ListRatingHistoryRequest(bot=bot)
    found: list[TournamentHistory] = []
    channel = dial.channel()
    try:
        stub = _stub(channel)
        while True:
            page = await stub.ListRatingHistory(request, metadata=_metadata(token))
            found += map(read_history, make_printable(page).tournaments)
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token
    except grpc.aio.AioRpcError as error:
        raise refusal(error, dial) or nobody_there(error, dial) from error
    finally:
        await channel.close()


async def watch_rankings(
    dial: Dial,
    tournament: str,
    token: str | None,
    *,
    redial: Redial,
    leave_out_forfeits: bool = False,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> AsyncGenerator[Ranking, None]:
    """Yield the ranking now and whenever it changes, until the arena ends the stream.

    An arena that has answered and goes away is dialled again, as long as `redial` says so. Raises
    `ConnectError`.
    """
    while True:
        try:
            request = pb.WatchRankingsRequest(
                name=tournament, leave_out_forfeits=leave_out_forfeits
            )
            async with aclosing(_one_stream(dial, request, token)) as rankings:
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
    dial: Dial, request: pb.WatchRankingsRequest, token: str | None
) -> AsyncGenerator[Ranking, None]:
    channel = dial.channel()
    try:
        call = _stub(channel).WatchRankings(request, metadata=_metadata(token))
        try:
            async for response in call:
                yield read_rankings(make_printable(response.rankings))
        finally:
            call.cancel()
    finally:
        await channel.close()


def _metadata(token: str | None) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()


def _stub(channel: grpc.aio.Channel) -> tournaments_pb2_grpc.TournamentServiceAsyncStub:
    return cast(
        "tournaments_pb2_grpc.TournamentServiceAsyncStub",
        tournaments_pb2_grpc.TournamentServiceStub(channel),
    )
