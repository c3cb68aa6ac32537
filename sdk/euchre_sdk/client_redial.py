"""Dialling again for who only looks on: for a while, and only where an arena has answered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random, SystemRandom
from time import monotonic
from typing import Any

import grpc

from euchre_sdk.client_backoff import BackOff
from euchre_sdk.client_dial import Dial, refusal
from euchre_sdk.client_errors import ConnectError, NoEntry

PATIENCE = timedelta(minutes=1)
"""How long an arena that has answered may be gone."""


class Redial:
    """Says after every call that was lost whether to dial again, and when."""

    def __init__(
        self,
        dial: Dial,
        *,
        tell: Callable[[str], None],
        now: Callable[[], float] = monotonic,
        random: Random | None = None,
    ) -> None:
        self._dial = dial
        self._tell = tell
        self._now = now
        self._back_off = BackOff(random or SystemRandom())
        self._answered = False
        self._lost_at: float | None = None

    def answered(self) -> None:
        """Note that the arena is there."""
        self._answered = True
        self._lost_at = None
        self._back_off.reset()

    def wait(self, error: Any) -> timedelta | None:
        """Return how long to wait before the next dial; None if dialling again would not help.

        `error` is the `grpc.RpcError` with which the call ended. Raises `ConnectError` if the arena
        has been gone for too long.
        """
        if not self._answered or error.code() not in _GONE or refusal(error, self._dial):
            return None
        address = self._dial.address.text
        if self._lost_at is None:
            self._lost_at = self._now()
            self._tell(f"the arena at {address} is gone; dialling again for a minute")
        lost_for = timedelta(seconds=self._now() - self._lost_at)
        if lost_for >= PATIENCE:
            sentence = f"the arena at {address} has been gone for a minute."
            raise ConnectError(NoEntry.NOBODY_THERE, sentence) from error
        return min(self._back_off.next(lost_for), PATIENCE - lost_for)


_GONE = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
}
"""How calls end when the arena stops, falls over, or is not there."""
