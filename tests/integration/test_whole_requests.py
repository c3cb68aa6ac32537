"""Calls that are begun and send no request are neither waited for nor kept beside many others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Self

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.rpc import whole_requests
from euchre_sdk.client_dial import error_info
from tests.integration.raw_bot import arena

CHECK, WATCH = "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"


class Begun:
    """Calls that have begun, and whose request is kept back."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._channel = channel
        self._done = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()

    def _request(self) -> Iterator[bytes]:
        self._done.wait()
        yield from ()

    def call(self, method: str) -> Any:
        """Begin a call; return it with what tells how it ended."""
        return self._channel.stream_stream(method)(self._request())


def reason(call: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as caught:
        list(call)
    return call.code(), error_info(caught.value)[0]


@pytest.mark.parametrize("method", [CHECK, WATCH])
async def test_a_request_that_does_not_come_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(whole_requests, "IN_TIME", 0.05)
    async with arena() as here:
        with grpc.insecure_channel(here.address) as channel, Begun(channel) as begun:
            with trio.fail_after(5):
                ended = await trio.to_thread.run_sync(reason, begun.call(method))
            assert ended == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")


async def test_only_so_many_calls_of_an_address_wait_for_their_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(whole_requests, "IN_TIME", 60.0)
    monkeypatch.setattr(whole_requests, "AT_ONCE", 2)
    async with arena() as here:
        with grpc.insecure_channel(here.address) as channel, Begun(channel) as begun:
            calls = [begun.call(CHECK) for _ in range(5)]
            with trio.fail_after(5):
                while sum(call.done() for call in calls) < 3:
                    await trio.lowlevel.checkpoint()
            refused = [call for call in calls if call.done()]
            full = (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS_AT_ONCE")
            assert [reason(call) for call in refused] == [full] * 3
            for call in calls:
                call.cancel()
            stub: Any = health_pb2_grpc.HealthStub(channel)
            with trio.fail_after(5):  # there is room again
                while not await trio.to_thread.run_sync(_is_answered, stub.Check):
                    await trio.lowlevel.checkpoint()


def _is_answered(check: Any) -> bool:
    try:
        return bool(check(health_pb2.HealthCheckRequest()).status)
    except grpc.RpcError:
        return False


@pytest.mark.parametrize("method", [CHECK, WATCH])
async def test_what_is_no_request_is_refused_by_grpcs_own_methods_too(method: str) -> None:
    async with arena() as here:
        with grpc.insecure_channel(here.address) as channel, trio.fail_after(5):
            refused: Any = channel.stream_stream(method)(iter([b"\xff"]))
            ended = await trio.to_thread.run_sync(reason, refused)
            assert ended == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
