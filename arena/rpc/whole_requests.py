"""Requests that do not come: a call that is only begun is not waited for, nor kept beside many.

gRPC takes a call when its headers are there and gathers its request, up to the largest message,
for as long as the caller likes. A caller who begins many and ends none would have the arena hold
all of that. So the request of every method that takes one is read here, in time and few at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

import grpc

from arena.rpc.calls import forgiving, no_message
from arena.rpc.limits import address_of
from arena.rpc.refusal import RefusedError, abort

IN_TIME = 5.0
"""Seconds in which a request has to come, once its call has."""
AT_ONCE = 64
"""Calls of one address whose request is still to come."""
AT_ONCE_IN_ALL = 512

_OF_GRPC = "/grpc."
"""What the names of gRPC's own methods begin with."""
Behaviour = Callable[[Any, Any], Awaitable[Any]]
Within = Callable[[float], AbstractAsyncContextManager[object]]
"""Raises `TimeoutError` in its block after so many seconds: `asyncio.timeout`."""


class WholeRequests(grpc.aio.ServerInterceptor):
    """Reads the one request of a call, or refuses the call."""

    def __init__(self, within: Within) -> None:
        self._within = within
        self._begun: Counter[str] = Counter()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        details: grpc.HandlerCallDetails,
    ) -> Any:
        """Return a handler of the same method that reads its request itself."""
        handler = await continuation(details)
        if handler is None or handler.request_streaming:
            return handler
        serial = (forgiving(handler.request_deserializer), handler.response_serializer)
        if handler.response_streaming:
            answer = self._reading(handler.unary_stream, details.method)
            return grpc.stream_stream_rpc_method_handler(answer, *serial)
        answer = self._reading(handler.unary_unary, details.method)
        return grpc.stream_unary_rpc_method_handler(answer, *serial)

    def _reading(self, behaviour: Behaviour, method: str) -> Behaviour:
        async def answer(_requests: Any, context: Any) -> Any:
            request = await self._request(context, method)
            return await behaviour(request, context)

        return answer

    async def _request(self, context: Any, method: str) -> Any:
        """Return the request, None if it is no message of its kind; or end the call."""
        address = address_of(context.peer())
        begun = self._begun
        if begun[address] >= AT_ONCE or begun.total() >= AT_ONCE_IN_ALL:
            await abort(context, _too_many(address))
        begun[address] += 1
        request: Any = grpc.aio.EOF
        try:
            with suppress(TimeoutError):
                async with self._within(IN_TIME):
                    request = await context.read()
        finally:
            begun[address] -= 1
            if not begun[address]:
                del begun[address]
        if request is grpc.aio.EOF:
            await abort(context, _no_request(method))
        if request is None and method.startswith(_OF_GRPC):  # ours are refused behind the gate
            await abort(context, no_message(method))
        return request


def _too_many(address: str) -> RefusedError:
    return RefusedError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "TOO_MANY_CALLS_AT_ONCE",
        f"{AT_ONCE} calls of {address}, or {AT_ONCE_IN_ALL} in all, have begun and sent no request "
        "yet. Try again when they have.",
        maximum=AT_ONCE,
    )


def _no_request(method: str) -> RefusedError:
    return RefusedError(
        grpc.StatusCode.INVALID_ARGUMENT,
        "MALFORMED",
        f"No request was sent to {method} within {IN_TIME:g} s.",
        method=method,
    )
