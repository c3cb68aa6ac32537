"""When who only looks on dials again."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import grpc
import pytest

from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.client_errors import ConnectError, NoEntry
from euchre_sdk.client_redial import Redial

DIAL = Dial(address=Address("localhost:50051"))


class Highest(Random):
    def random(self) -> float:
        return 1.0


class LostCall(grpc.RpcError):
    """How a call ended."""

    def __init__(self, code: grpc.StatusCode, said: str) -> None:
        super().__init__()
        self._code = code
        self._said = said

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._said

    def trailing_metadata(self) -> tuple[()]:
        return ()


def lost(code=grpc.StatusCode.UNAVAILABLE, said="Connection refused"):
    return LostCall(code, said)


class Watcher:
    """A redial with what it tells, and a clock that stands until it waits."""

    def __init__(self) -> None:
        self.clock = 0.0
        self.told: list[str] = []
        self.redial = Redial(DIAL, tell=self.told.append, now=lambda: self.clock, random=Highest())

    def wait(self) -> float:
        wait = self.redial.wait(lost())
        assert wait is not None
        self.clock += wait.total_seconds()
        return wait.total_seconds()


def test_who_never_had_an_answer_does_not_dial_again():
    watcher = Watcher()
    assert watcher.redial.wait(lost()) is None
    assert not watcher.told


def test_an_arena_that_was_there_is_dialled_for_a_minute_and_that_is_told_once():
    watcher = Watcher()
    watcher.redial.answered()
    waits = []
    while watcher.clock < 60:
        waits.append(watcher.wait())
    with pytest.raises(ConnectError, match="has been gone for a minute") as caught:
        watcher.wait()
    assert caught.value.reason is NoEntry.NOBODY_THERE
    assert waits[:5] == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.0])
    assert max(waits) == 1.0
    assert sum(waits) == pytest.approx(60)
    assert watcher.told == ["the arena at localhost:50051 is gone; dialling again for a minute"]


def test_every_answer_gives_a_new_minute_and_short_waits():
    watcher = Watcher()
    for _ in range(3):
        watcher.redial.answered()
        assert [watcher.wait() for _ in range(2)] == pytest.approx([0.1, 0.2])
        watcher.clock += 50
    assert len(watcher.told) == 3


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    ],
)
def test_a_refusal_is_the_end(code):
    watcher = Watcher()
    watcher.redial.answered()
    assert watcher.redial.wait(lost(code, "no")) is None
    assert not watcher.told


def test_a_certificate_that_is_not_trusted_does_not_mend_itself():
    told: list[str] = []
    dial = Dial(address=Address("arena.example:50051"))
    redial = Redial(dial, tell=told.append)
    redial.answered()
    assert redial.wait(lost(said="CERTIFICATE_VERIFY_FAILED")) is None
    assert isinstance(redial.wait(lost()), timedelta)
