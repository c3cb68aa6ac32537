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
    Refusal.TOO_OFTEN: grpc.StatusCode.RESOURCE_EXHAUSTED,
}
_LONGEST = 1000
"""Letters of a refusal's sentence, about; callers take 8 KiB of headers, which hold it thrice."""


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
                grpc.StatusCode.ALREADY_EXISTS,
                "TAKEN",
                str(error),
                name=error.name,
                taken=error.taken,
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
    told = _what_fits(faults)
    numbered = {f"fault{number}": fault for number, fault in enumerate(told, start=1)}
    return RefusedError(code, reason, "; ".join(told) + ".", **numbered)


def _what_fits(faults: tuple[str, ...]) -> list[str]:
    """Return the first faults, and how many more there are: a status has room for no more."""
    told: list[str] = []
    room = _LONGEST
    for fault in faults:
        room -= len(fault)
        if told and room < 0:
            return [*told, f"and {len(faults) - len(told)} more faults"]
        told.append(fault if len(fault) <= _LONGEST else fault[: _LONGEST - 3] + "...")
    return told
