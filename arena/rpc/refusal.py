"""Refused calls: a status code, a reason for machines, one sentence for people (AIP-193)."""

from __future__ import annotations

from typing import Any

import grpc
from google.protobuf import any_pb2

from arena.errors import ArenaError
from euchre.v1 import errors_pb2

DOMAIN = "euchre-arena"
_ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_DETAILS = "grpc-status-details-bin"


class RefusedError(ArenaError):
    """A call that is answered with a status. Its text is what the caller reads."""

    def __init__(
        self, code: grpc.StatusCode, reason: str, sentence: str, **variables: object
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.reason = reason
        """UPPER_SNAKE_CASE, stable."""
        self.variables = {name: str(value) for name, value in variables.items()}
        """What the sentence says, by name."""

    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:
        """Return the metadata that carries reason and variables."""
        info = errors_pb2.ErrorInfo(
            reason=self.reason,
            domain=DOMAIN,
            metadata=[
                errors_pb2.ErrorMetadata(key=key, value=value)
                for key, value in self.variables.items()
            ],
        )
        status = errors_pb2.Status(
            code=self.code.value[0],
            message=str(self),
            details=[any_pb2.Any(type_url=_ERROR_INFO, value=info.SerializeToString())],
        )
        return ((_DETAILS, status.SerializeToString()),)


async def abort(context: Any, refusal: RefusedError) -> None:
    """End a call with a refusal; `context` is what gRPC gives for it in the edge's thread."""
    await context.abort(refusal.code, str(refusal), refusal.trailing_metadata())


def internal_error() -> RefusedError:
    """Return what a caller is told when the arena itself failed: nothing of the cause."""
    return RefusedError(
        grpc.StatusCode.INTERNAL,
        "ARENA_FAULT",
        "The arena failed to answer this call. The fault is not yours; its log has the cause.",
    )


def stopping() -> RefusedError:
    """Return what a caller is told whose call the stopping arena does not finish."""
    return RefusedError(
        grpc.StatusCode.UNAVAILABLE, "STOPPING", "The arena is stopping. Try again later."
    )
