"""An address to listen on, and how a server is bound to it."""

from __future__ import annotations

from dataclasses import dataclass

import grpc

from arena.errors import ArenaError


class EdgeError(ArenaError):
    """The arena cannot listen where it should."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """Where to listen, and how."""

    address: str
    """`HOST:PORT` (port 0: any that is free) or `unix:PATH`."""
    credentials: grpc.ServerCredentials | None = None
    """For TLS; None for plaintext."""


def bind(server: grpc.aio.Server, listen: Listen) -> int:
    """Listen there, and return the port. Raises `EdgeError`."""
    cause: RuntimeError | None = None
    port = 0
    try:
        if listen.credentials is None:
            port = server.add_insecure_port(listen.address)
        else:
            port = server.add_secure_port(listen.address, listen.credentials)
    except RuntimeError as error:
        cause = error
    if port == 0:
        raise EdgeError(
            f"Cannot listen on {listen.address}: it is in use, not this machine's, or not of the"
            " form HOST:PORT or unix:PATH."
        ) from cause
    return port
