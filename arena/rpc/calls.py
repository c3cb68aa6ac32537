"""Ordinary gRPC methods as plain trio functions.

A servicer's method is `async def Name(self, request, call) -> response`, or, where the contract
says that the response is a stream, `async def Name(self, request, call, send) -> None` with
`await send(response)`, which waits while the peer does not read. Both raise `RefusedError` to
refuse. Each runs in a trio task. A stream is cancelled when its caller goes away; a plain method
goes on to its end, as it may be half-way through a change: stored, and not yet in force.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic_ns
from typing import Any

import grpc
import structlog
import trio
from google.protobuf.message import DecodeError

from arena.errors import ArenaBugError
from arena.metrics import Metrics
from arena.rpc.bridge import Bridge, Failed
from arena.rpc.refusal import RefusedError, internal_error, stopping
from arena.rpc.roles import Caller, Stranger
from arena.store.bots import RegisteredBot

log = structlog.get_logger(__name__)

MOST_UNSENT = 16
"""Responses of a stream that may wait for its reader."""

Translate = Callable[[Exception], RefusedError | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Who calls what."""

    method: str
    """Such as `/euchre.v1.BotService/RegisterBot`."""
    peer: str
    """The caller's address, as gRPC writes it."""
    metadata: Mapping[str, str]
    """Keys in lower case; binary values are left out."""
    caller: Caller = field(default_factory=Stranger)
    """Who it is, as the gate found."""
    bot: RegisteredBot | None = None
    """The bot that the request names, if the method is for its owner: the caller owns it."""

    @property
    def owned(self) -> RegisteredBot:
        """The bot that the caller owns and acts for, in a method for owners."""
        if self.bot is None:
            raise ArenaBugError(f"{self.method} is not for the owner of a bot.")
        return self.bot

    @property
    def token(self) -> str | None:
        """The bearer token, or None."""
        return bearer_token(self.metadata)


def bearer_token(metadata: Mapping[str, str]) -> str | None:
    """Return the token of `authorization: Bearer …`, or None."""
    scheme, _, token = metadata.get("authorization", "").partition(" ")
    token = token.strip()
    return token if scheme.lower() == "bearer" and token else None


def plain_metadata(pairs: Any) -> dict[str, str]:
    """Return the text entries of a call's metadata."""
    return {str(key): value for key, value in pairs or () if isinstance(value, str)}


def forgiving(decode: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Return a decoder that gives None for bytes that are no message.

    gRPC answers an exception there with UNKNOWN and a traceback in the log.
    """

    def read(data: bytes) -> Any:
        try:
            return decode(data)
        except DecodeError:
            return None

    return read


class Job:
    """One call being answered. The edge makes it and reads the results; trio runs it."""

    __slots__ = (
        "_bridge",
        "_freed",
        "_method",
        "_metrics",
        "_request",
        "_scope",
        "call",
        "done",
        "edge_kick",
        "failure",
        "ready",
        "response",
        "wake",
    )

    def __init__(
        self,
        method: Callable[..., Awaitable[Any]],
        request: Any,
        call: Call,
        bridge: Bridge,
        edge_kick: Callable[[Job], None],
        metrics: Metrics,
    ) -> None:
        self.call = call
        self.response: Any = None
        self.ready: deque[Any] = deque()
        self.failure: RefusedError | None = None
        self.done = False
        self.wake: Any = None
        self.edge_kick = edge_kick
        self._method = method
        self._request = request
        self._bridge = bridge
        self._metrics = metrics
        self._scope = trio.CancelScope()
        self._freed = trio.Event()

    async def run(self, *, streams: bool, failed: Failed, translate: Translate) -> None:
        """Answer the call, and tell of it in one line."""
        structlog.contextvars.clear_contextvars()
        began = monotonic_ns()
        self.failure = stopping()
        try:
            if not inspect.iscoroutinefunction(self._method):
                self.failure = not_offered(self.call.method)
            elif self._request is None:
                self.failure = no_message(self.call.method)
            elif streams:
                with self._scope:
                    await self._method(self._request, self.call, self._send)
                    self.failure = None
            else:
                self.response = await self._method(self._request, self.call)
                self.failure = None
        except RefusedError as refusal:
            self.failure = refusal
        except Exception as error:  # noqa: BLE001 - one call's failure ends that call only
            self.failure = translate(error)
            if self.failure is None:
                failed(error)
                self.failure = internal_error()
        finally:
            self.done = True
            self._bridge.to_edge(self.edge_kick, self)
            self._tell(monotonic_ns() - began, streams=streams)

    def turn_away(self) -> None:
        """Answer the call without having begun it: the arena stops."""
        self.failure = stopping()
        self.done = True
        self._bridge.to_edge(self.edge_kick, self)

    def _tell(self, elapsed: int, *, streams: bool) -> None:
        failure, metrics = self.failure, self._metrics
        code = "OK" if failure is None else failure.code.name
        if self._scope.cancelled_caught:
            code = "CANCELLED"  # by its caller, who had seen enough of a stream
        name = self.call.method.rpartition(".")[2]
        metrics.calls[name, code] += 1
        if not streams:
            metrics.call_seconds.add(elapsed / 1e9)
        log.info(
            "call_answered",
            method=name,
            peer=self.call.peer,
            code=code,
            reason=None if code in {"OK", "CANCELLED"} or failure is None else failure.reason,
            elapsed_ms=round(elapsed / 1e6, 3),
        )

    async def _send(self, response: Any) -> None:
        self.ready.append(response)
        self._bridge.to_edge(self.edge_kick, self)
        if len(self.ready) >= MOST_UNSENT:
            self._freed = trio.Event()
            if len(self.ready) >= MOST_UNSENT:  # the edge may have taken some meanwhile
                await self._freed.wait()
        else:
            await trio.lowlevel.checkpoint()

    # called through the bridge, in the trio thread

    def free(self) -> None:
        """Let the method send on: the reader has taken what there was."""
        self._freed.set()

    def cancel(self) -> None:
        """Stop a stream: its caller is gone. A plain method goes on."""
        self._scope.cancel()


def no_message(method: str) -> RefusedError:
    """Return what a caller is told who sent a method something else than its request."""
    return RefusedError(
        grpc.StatusCode.INVALID_ARGUMENT,
        "MALFORMED",
        f"What was sent to {method} is no request of this method.",
        method=method,
    )


def not_offered(method: str) -> RefusedError:
    """Return what a caller of a method is told that the arena does not have."""
    return RefusedError(
        grpc.StatusCode.UNIMPLEMENTED,
        "UNIMPLEMENTED",
        f"This arena does not offer {method}.",
        method=method,
    )
