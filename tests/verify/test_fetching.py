"""Fetching from an arena that wants to be asked less often."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from euchre.v1 import errors_pb2, matches_pb2
from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.client_matches import MatchError, Matches


class Refusal(grpc.RpcError):
    """What a refused call raises."""

    def __init__(self, reason: str, **variables: str) -> None:
        info = errors_pb2.ErrorInfo(reason=reason)
        for key, value in variables.items():
            info.metadata.add(key=key, value=value)
        status = errors_pb2.Status()
        status.details.add(value=info.SerializeToString())
        self._status = status.SerializeToString()

    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.RESOURCE_EXHAUSTED

    def details(self) -> str:
        return "50 calls a second is accepted."

    def trailing_metadata(self) -> Any:
        return (("grpc-status-details-bin", self._status),)


class Busy:
    """Refuses the first calls."""

    def __init__(self, *refusals: Refusal) -> None:
        self.left = list(refusals)

    def __call__(self, *_: object, **__: object) -> matches_pb2.GetMatchRecordResponse:
        if self.left:
            raise self.left.pop(0)
        return matches_pb2.GetMatchRecordResponse(record=b"a record")


def matches(busy: Busy) -> tuple[Matches, list[float]]:
    slept: list[float] = []
    with grpc.insecure_channel("localhost:1") as channel:
        made = Matches(channel, Dial(address=Address("localhost:1")), slept.append)
    made._stub.GetMatchRecord = busy  # type: ignore[assignment]  # nobody is dialled
    return made, slept


@pytest.mark.parametrize(
    ("said", "waited"), [("2.5", 2.5), ("0.0", 0.1), ("soon", 0.1), ("nan", 0.1), ("1e9", 30.0)]
)
def test_an_arena_that_is_asked_too_often_is_asked_again_later(said: str, waited: float) -> None:
    made, slept = matches(Busy(Refusal("TOO_MANY_CALLS", retry_seconds=said)))
    assert made.record("g1") == b"a record"
    assert slept == [waited]


def test_nobody_asks_for_ever() -> None:
    made, slept = matches(Busy(*[Refusal("TOO_MANY_CALLS_AT_ONCE")] * 1000))
    with pytest.raises(MatchError, match="50 calls a second"):
        made.record("g1")
    assert 29.0 < sum(slept) < 31.0


def test_another_refusal_is_not_asked_about_again() -> None:
    made, slept = matches(Busy(Refusal("NOT_FOUND")))
    with pytest.raises(MatchError):
        made.record("g1")
    assert slept == []
