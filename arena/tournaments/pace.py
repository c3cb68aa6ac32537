"""How long a tournament still takes, from how fast it went since it was taken up."""

from __future__ import annotations

from datetime import datetime, timedelta


class Pace:
    """Blocks over time, from a beginning."""

    def __init__(self, complete: int, *, now: datetime) -> None:
        self._complete = complete
        self._since = now

    def remaining(self, complete: int, total: int, *, now: datetime) -> timedelta | None:
        """Return the time that is left at the pace so far, or None before the first block."""
        done = complete - self._complete
        if done <= 0:
            return None
        return (now - self._since) / done * max(total - complete, 0)
