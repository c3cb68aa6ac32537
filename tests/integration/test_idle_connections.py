"""Connections on which nothing is said do not stay: they would use up the files of the arena."""

from __future__ import annotations

import pytest
import trio

from arena.rpc import edge
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
