"""The host guard: fewer games at once while this machine is too slow for its own house bots.

House bots have no clock. One that does not answer within the host limit says nothing about itself
and everything about the machine: its answer is computed in the arena, and the guard lets fewer
games run. Each clean minute lets one more run. When a period of slowness begins and when it ends is
put down in the audit.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from time import monotonic

import structlog
import trio

from arena.store import Store, audit

log = structlog.get_logger(__name__)

ACTOR = "arena"
"""Who decides, in the audit."""
SUBJECT = "this machine"
SHARE = 10
"""A late answer lets one game in so many fewer run than do."""
PAUSE = 10.0
"""Seconds after which another late answer lowers the limit again: what was lowered has to show."""
LEAST = 1
"""Games that may run however slow the machine is: a tournament is never stuck."""
MINUTE = 60.0


class HostGuard:
    """How many games may run at once. Belongs to the main thread."""

    def __init__(self, allowed: int, *, clock: Callable[[], float] = monotonic) -> None:
        """Make it; `allowed` is the limit while the machine keeps up, `clock` gives seconds."""
        self.allowed = allowed
        self.limit = allowed
        """Games that may run at once at the moment."""
        self.late_answers = 0
        """Of the period that lasts, or of the last one."""
        self.slow = False
        """Whether a period of slowness lasts."""
        self.changed = trio.Event()
        """Set, and replaced, when one begins or ends."""
        self._clock = clock
        self._lowered = -PAUSE
        self._last = 0.0

    def late(self, running: int) -> None:
        """Take note of a late house bot while so many games run."""
        now = self._last = self._clock()
        if not self.slow:
            self.late_answers = 0
            self._change(slow=True)
        self.late_answers += 1
        if now - self._lowered < PAUSE:
            return
        base = min(self.limit, max(running, LEAST))
        limit = max(LEAST, base - max(1, base // SHARE))
        if limit < self.limit:
            self._lowered = now
            log.warning("host_slow", games_limit=limit, before=self.limit, running=running)
            self.limit = limit

    def minute_is_over(self) -> bool:
        """Let one more game run if the last minute was clean; return whether it was."""
        if self.late_answers and self._clock() - self._last < MINUTE:
            return False
        if self.slow:
            log.info("host_recovered", late_answers=self.late_answers, games_limit=self.limit)
            self._change(slow=False)
        self.limit = min(self.limit + 1, self.allowed)
        return True

    def _change(self, *, slow: bool) -> None:
        self.slow = slow
        self.changed.set()
        self.changed = trio.Event()


async def keep_guard(
    guard: HostGuard, store: Store, *, now: Callable[[], datetime], raised: Callable[[], None]
) -> None:
    """Look every minute, and mark periods of slowness; `raised` is told when more games may run."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_look, guard, raised)
        marked = False
        while True:
            changed = guard.changed
            if guard.slow is marked:
                await changed.wait()
                continue
            marked = guard.slow
            await store.write(audit.add_line, _line(guard, now()))


async def _look(guard: HostGuard, raised: Callable[[], None]) -> None:
    while True:
        await trio.sleep(MINUTE)
        before = guard.limit
        guard.minute_is_over()
        if guard.limit > before:
            raised()


def _line(guard: HostGuard, now: datetime) -> audit.AuditLine:
    late = guard.late_answers
    return audit.AuditLine(
        time=now,
        actor=ACTOR,
        action="slowed down" if guard.slow else "recovered",
        subject=SUBJECT,
        reason=f"{guard.limit} of {guard.allowed} games may run at once; "
        f"{late} late {'answer' if late == 1 else 'answers'} of house bots",
    )
