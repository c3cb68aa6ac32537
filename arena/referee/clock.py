"""The clock of one seat: bank, increment, limit and network allowance, charged after the fact.

Instants are nanoseconds on a monotonic clock whose zero means nothing; the caller reads it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.referee.time_control import TimeControl

NEVER = 1 << 63
"""An instant that does not come."""
_US = 1_000


def nanos(time: timedelta) -> int:
    """Return a time in nanoseconds."""
    return ((time.days * 86_400 + time.seconds) * 1_000_000 + time.microseconds) * _US


def given_back(instant: int, since: int, until: int) -> int:
    """Return an instant as if time had stood still from `since` to `until`.

    >>> [given_back(instant, 10, 15) for instant in (3, 10, 12, 20)]
    [8, 15, 15, 20]
    """
    return max(instant, instant + until - max(since, instant))


class Departure:
    """When a message left the arena: `at` is set once, by whoever hands it to the transport."""

    __slots__ = ("at",)

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        """Nanoseconds; None while the message waits in the arena."""


class Clock:
    """What a seat has left. Measures nothing itself: `budget` before a decision, `charge` after."""

    __slots__ = ("_allowance", "_bank", "_increment", "_left", "_limit", "bank", "budget", "limit")

    def __init__(self, control: TimeControl) -> None:
        self._increment = nanos(control.increment)
        self._limit = nanos(control.limit)
        self._allowance = nanos(control.allowance)
        self._bank = nanos(control.bank)
        self._left = nanos(control.allowance_in_all)
        self.bank = timedelta(0)
        """Left in the bank."""
        self.limit = timedelta(0)
        """Most that the next decision may take, bank included, network allowance not."""
        self.budget = 0
        """Nanoseconds from departure to the last moment at which an answer counts."""
        self._show()

    @property
    def bank_us(self) -> int:
        """Microseconds left in the bank."""
        return self._bank // _US

    @property
    def allowance_us(self) -> int:
        """Microseconds left of the network allowance for the whole game."""
        return self._left // _US

    def set_back(self, bank_us: int, allowance_us: int) -> None:
        """Put the clock where it once was."""
        self._bank = bank_us * _US
        self._left = allowance_us * _US
        self._show()

    def charge(self, spent: int) -> None:
        """Take the time of one decision, in nanoseconds since its departure."""
        free = min(self._allowance, self._left)
        if spent <= self._increment and free == self._allowance:
            # no bank is touched: all that changes is what is left of the allowance
            self._left -= min(free, spent)
            if self._left < self._allowance:
                self._show()
            return
        free = min(free, spent)
        self._left -= free
        self._bank = max(0, self._bank - max(0, spent - free - self._increment))
        self._show()

    def _show(self) -> None:
        limit = min(self._limit, self._increment + self._bank)
        self.budget = limit + min(self._allowance, self._left)
        self.bank = timedelta(microseconds=self._bank // _US)
        self.limit = timedelta(microseconds=limit // _US)
