"""A server that goes on whatever the path of a call is.

grpc.aio reads the path of a call to no registered method as UTF-8 in the loop that takes all calls,
and shuts the server down when that fails: one call of a stranger would end the arena. So all
methods are registered, and calls to no method are taken here, without a look at their path. In
older versions each call's own task read it, and nothing of this is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import grpc
from grpc._cython import cygrpc  # type: ignore[attr-defined] # the stubs end here

_AWAIT_CALL = "_make_request_call_future"
"""What the loop calls to have the next call of a method, or of none, awaited."""


def aio_server(
    *, options: Sequence[tuple[str, int]], interceptors: Sequence[Any], unknown: Any
) -> Any:
    """Return a server of grpc.aio; the handler `unknown` answers calls to no method."""
    library = cygrpc.AioServer
    if hasattr(library, _AWAIT_CALL):
        cygrpc.AioServer = _sturdy(library, unknown)
    try:
        server = grpc.aio.server(options=options, interceptors=interceptors)
    finally:
        cygrpc.AioServer = library
    return server


def _sturdy(library: Any, unknown: Any) -> Any:
    """Return the library's class but for the path of calls to no method."""

    class Sturdy(library):  # type: ignore[misc] # known at run time only
        def _make_request_call_future(self, method: bytes | None) -> Any:
            if method is not None:
                return super()._make_request_call_future(method)
            return cygrpc.get_working_loop().create_task(self._answer_unknown())

        async def _answer_unknown(self) -> None:
            """Answer calls to no method, one after the other taken, until the server stops."""
            loop = cygrpc.get_working_loop()
            found = cygrpc._MethodResolver([unknown], {})  # noqa: SLF001 - there is no other way
            too_many, answers = False, set()
            while True:
                call = await self._request_call()
                answer = cygrpc._handle_rpc("", found, None, call, loop, too_many)  # noqa: SLF001
                taken = cygrpc._schedule_rpc_coro(answer, call, loop, "")  # noqa: SLF001
                answers.add(task := loop.create_task(taken))
                task.add_done_callback(answers.discard)

    return Sturdy
