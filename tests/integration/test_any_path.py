"""A call to a path that is no text is refused like any other, and ends nothing but itself."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.integration.raw_bot import arena

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
UNIMPLEMENTED = b"\x0bgrpc-status\x0212"
"""As a header that is in no table: lengths before name and value."""


def header(name: bytes, value: bytes) -> bytes:
    """Return a header as it is written without a table (RFC 7541, 6.2.2)."""
    return b"\0" + bytes((len(name),)) + name + bytes((len(value),)) + value


def call(path: bytes) -> bytes:
    """Return an empty call: its headers, and the end of its requests."""
    headers = header(b":method", b"POST") + header(b":scheme", b"http") + header(b":path", path)
    headers += header(b":authority", b"arena") + header(b"te", b"trailers")
    headers += header(b"content-type", b"application/grpc")
    end_of_stream, end_of_headers = 1, 4
    begin = len(headers).to_bytes(3, "big") + bytes((1, end_of_stream | end_of_headers, 0, 0, 0, 1))
    return begin + headers


PATHS = [b"/\xff/\xfe", b"\xc3(", b"/euchre.v1.PlayService/\x80", b"/No/No"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_path_that_is_no_text_is_that_of_no_method(path: bytes) -> None:
    async with arena() as here:
        host, _, port = here.address.rpartition(":")
        with trio.fail_after(10):
            async with await trio.open_tcp_stream(host, int(port)) as stream:
                await stream.send_all(PREFACE + call(path))
                said = b""
                while UNIMPLEMENTED not in said:
                    some = await stream.receive_some()
                    assert some, "it hung up"
                    said += some
            with grpc.insecure_channel(here.address) as channel:
                stub: Any = health_pb2_grpc.HealthStub(channel)
                request = health_pb2.HealthCheckRequest()
                assert (await trio.to_thread.run_sync(stub.Check, request)).status
