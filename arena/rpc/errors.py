"""From what the arena's parts refuse to what a caller of a method is told, in one place."""

from __future__ import annotations

import grpc

from arena.rpc.refusal import RefusedError
from arena.scheduling import ScheduleError
from arena.store import StoreError
from arena.store.bots import InvitationError, NameTakenError
from arena.tournaments.errors import Refusal, RefusedRequestError
from euchre_sdk.wire import MalformedMessageError

_CODES = {
    Refusal.INVALID: grpc.StatusCode.INVALID_ARGUMENT,
    Refusal.NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Refusal.TAKEN: grpc.StatusCode.ALREADY_EXISTS,
    Refusal.NOT_NOW: grpc.StatusCode.FAILED_PRECONDITION,
}


def translate(error: Exception) -> RefusedError | None:
    """Return the refusal that an error of a method is, or None if it is a fault of the arena."""
    match error:
        case RefusedRequestError(refusal=refusal, faults=faults):
            return _refused(_CODES[refusal], refusal.name, faults)
        case ScheduleError(faults=faults):
            return _refused(grpc.StatusCode.INVALID_ARGUMENT, Refusal.INVALID.name, faults)
        case MalformedMessageError():
            return _refused(
                grpc.StatusCode.INVALID_ARGUMENT,
                Refusal.INVALID.name,
                (str(error).removesuffix("."),),
            )
        case NameTakenError():
            return RefusedError(
                grpc.StatusCode.ALREADY_EXISTS, "TAKEN", str(error), name=error.name
            )
        case InvitationError():
            return RefusedError(grpc.StatusCode.PERMISSION_DENIED, "INVITATION", str(error))
        case StoreError():
            return RefusedError(
                grpc.StatusCode.UNAVAILABLE,
                "STORE_" + error.reason.name,
                "The arena cannot use its database at the moment. Try again later.",
            )
        case _:
            return None


def invalid(faults: list[str]) -> RefusedRequestError:
    """Return the refusal of a request, whatever state things are in."""
    return RefusedRequestError(Refusal.INVALID, faults)


def _refused(code: grpc.StatusCode, reason: str, faults: tuple[str, ...]) -> RefusedError:
    numbered = {f"fault{number}": fault for number, fault in enumerate(faults, start=1)}
    return RefusedError(code, reason, "; ".join(faults) + ".", **numbered)
