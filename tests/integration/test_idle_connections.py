"""Connections on which nothing is said do not stay: they would use up the files of the arena."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
import trio
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena.rpc import describing, edge
from euchre_sdk.client_dial import error_info
from tests.integration.raw_bot import arena

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
"""What an HTTP/2 client says first, and no more."""


@pytest.mark.parametrize(
    ("option", "said"),
    [
        pytest.param("grpc.server_handshake_timeout_ms", b"", id="silent"),
        pytest.param("grpc.max_connection_idle_ms", PREFACE, id="without a call"),
    ],
)
async def test_a_connection_that_is_only_opened_is_closed(
    monkeypatch: pytest.MonkeyPatch, option: str, said: bytes
) -> None:
    assert dict(edge.OPTIONS)[option] <= 60_000
    shorter = tuple((name, 300 if name == option else value) for name, value in edge.OPTIONS)
    monkeypatch.setattr(edge, "OPTIONS", shorter)
    async with arena() as here:
        host, _, port = here.address.rpartition(":")
        stream = await trio.open_tcp_stream(host, int(port))
        async with stream:
            if said:
                await stream.send_all(said)
            with trio.fail_after(10):
                while await stream.receive_some():
                    pass


async def test_only_so_many_streams_are_kept_open_to_read_the_contract(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(describing, "READERS", 2)
    request = reflection_pb2.ServerReflectionRequest(list_services="")

    async with arena() as here:
        with grpc.insecure_channel(here.address) as channel:
            stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
            done = threading.Event()

            def requests() -> Iterator[Any]:
                yield request
                done.wait()  # and nothing more is asked

            idle = [stub.ServerReflectionInfo(requests()) for _ in range(2)]
            for each in idle:
                await trio.to_thread.run_sync(next, each)
            with pytest.raises(grpc.RpcError) as caught:
                await trio.to_thread.run_sync(list, stub.ServerReflectionInfo(iter([request])))
            assert error_info(caught.value)[0] == "TOO_MANY_WATCHED"
            for each in idle:
                each.cancel()
            done.set()
            with trio.fail_after(5):
                while not await trio.to_thread.run_sync(_is_answered, stub, request):
                    await trio.lowlevel.checkpoint()


def _is_answered(stub: Any, request: Any) -> bool:
    try:
        return bool(list(stub.ServerReflectionInfo(iter([request]))))
    except grpc.RpcError:
        return False
