"""Hand-off between two threads, each with its own event loop: many calls, one wake-up.

A call from the edge runs in the trio thread and must not raise: an exception there would end the
whole run, so it is caught and reported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import trio

Job = Callable[[], None]
Failed = Callable[[BaseException], None]


class Bridge:
    """Two queues of calls, one for each direction. Order is kept within a direction."""

    def __init__(self, failed: Failed, settled: Job = lambda: None) -> None:
        """Belongs to the running trio thread; `failed` is told, there, what a call raised.

        `settled` is called in the trio thread after every batch of calls.
        """
        self._failed = failed
        self._settled = settled
        self._trio = trio.lowlevel.current_trio_token()
        self._edge: Callable[[Job], Any] | None = None
        self._inward: deque[tuple[Callable[[Any], None], Any]] = deque()
        self._outward: deque[tuple[Callable[[Any], None], Any]] = deque()
        self._inward_woken = False
        self._outward_woken = False

    def open(self, wake_edge: Callable[[Job], Any]) -> None:
        """Let calls reach the edge: `wake_edge` runs one job there soon. Called by the edge."""
        self._edge = wake_edge

    def close(self) -> None:
        """Let no more calls reach the edge; they are forgotten. Called by the edge."""
        self._edge = None

    def to_trio(self, call: Callable[[Any], None], argument: Any) -> None:
        """Call `call(argument)` in the trio thread. Called by the edge."""
        self._inward.append((call, argument))
        if not self._inward_woken:
            self._inward_woken = True
            try:
                self._trio.run_sync_soon(self._run_inward)
            except trio.RunFinishedError:
                self._inward.clear()

    def to_edge(self, call: Callable[[Any], None], argument: Any) -> None:
        """Call `call(argument)` in the edge thread. Called by trio."""
        self._outward.append((call, argument))
        if not self._outward_woken and (wake := self._edge) is not None:
            self._outward_woken = True
            try:
                wake(self._run_outward)
            except RuntimeError:  # the edge's loop is closed
                self._outward.clear()

    def _run_inward(self) -> None:
        self._inward_woken = False
        self._run(self._inward)
        try:
            self._settled()
        except Exception as error:  # noqa: BLE001 - see the module's docstring
            self._failed(error)

    def _run_outward(self) -> None:
        self._outward_woken = False
        self._run(self._outward)

    def _run(self, calls: deque[tuple[Callable[[Any], None], Any]]) -> None:
        while calls:
            call, argument = calls.popleft()
            try:
                call(argument)
            except Exception as error:  # noqa: BLE001 - see the module's docstring
                self._failed(error)
