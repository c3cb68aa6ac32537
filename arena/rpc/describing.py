"""gRPC's reflection, on a bounded number of streams: no token is needed, and nobody counts them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection

from arena.rpc.refusal import RefusedError

READERS = 64
"""Streams on which the contract is read, at most."""


class Describing(reflection.aio.ReflectionServicer):
    """gRPC's own, with fewer readers."""

    reading = 0

    async def ServerReflectionInfo(  # type: ignore[override] # noqa: N802 - gRPC's; stubs are wrong
        self, requests: Any, context: Any
    ) -> AsyncIterator[Any]:
        """Describe what is asked for."""
        if self.reading >= READERS:
            refusal = RefusedError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY_WATCHED",
                f"{READERS} read the contract already. Try again shortly.",
                maximum=READERS,
            )
            await context.abort(refusal.code, str(refusal), refusal.trailing_metadata())
        self.reading += 1
        try:
            answers: Any = super().ServerReflectionInfo(requests, context)
            async for response in answers:
                yield response
        finally:
            self.reading -= 1
