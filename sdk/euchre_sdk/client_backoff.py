"""How long to wait before dialling again."""

from __future__ import annotations

from datetime import timedelta
from random import Random

_FIRST = timedelta(seconds=0.1)
_CAP_AT_FIRST = timedelta(seconds=1)
_PATIENT_AFTER = timedelta(minutes=1)
_CAP_LATER = timedelta(seconds=15)


class BackOff:
    """Waits with full jitter: 0.1 s doubling to 1 s for a minute, from then on to 15 s."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._ceiling = _FIRST

    def next(self, lost_for: timedelta) -> timedelta:
        """Return the next wait, when the stream has been lost for so long."""
        cap = _CAP_AT_FIRST if lost_for < _PATIENT_AFTER else _CAP_LATER
        ceiling = min(self._ceiling, cap)
        self._ceiling = ceiling * 2
        return ceiling * self._random.random()

    def reset(self) -> None:
        """Start anew: the arena has welcomed the bot."""
        self._ceiling = _FIRST
