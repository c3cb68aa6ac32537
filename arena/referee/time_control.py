"""How much time a bot has: the values, with the defaults of docs/protocol.md."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """Time of one seat in one game: bank and increment, and a limit for each decision.

    Each decision first uses its increment, then the bank. What is left of an increment is lost.
    """

    ready: timedelta = timedelta(seconds=10)
    """From the offer of a game to the bot's Ready."""
    bank: timedelta = timedelta(seconds=30)
    """For the whole game, beyond the increments."""
    increment: timedelta = timedelta(seconds=0.1)
    """Free at each decision."""
    limit: timedelta = timedelta(seconds=5)
    """Most that one decision may take, whatever the bank holds."""
    allowance: timedelta = timedelta(seconds=0.02)
    """For the network: taken off the measured time of each decision."""
    allowance_in_all: timedelta = timedelta(seconds=2)
    """Most that the allowance gives in one game."""
    clocked: bool = True
    """If false, bank and increment do not apply and only `limit` ends a decision."""

    def __post_init__(self) -> None:
        """Refuse times that are negative or longer than a day, and waits that would be none.

        Raises ValueError.
        """
        for name in ("bank", "increment", "allowance", "allowance_in_all"):
            if not timedelta(0) <= getattr(self, name) <= timedelta(days=1):
                msg = f"{name} is {getattr(self, name)}: it must not be negative, at most a day"
                raise ValueError(msg)
        for name in ("ready", "limit"):
            if not timedelta(0) < getattr(self, name) <= timedelta(days=1):
                msg = f"{name} is {getattr(self, name)}: it must be above zero, at most a day"
                raise ValueError(msg)
        if self.clocked and self.bank + self.increment <= timedelta(0):
            msg = "bank and increment are both zero: no decision could be made in time"
            raise ValueError(msg)


WITHOUT_CLOCK = TimeControl(ready=timedelta(minutes=1), limit=timedelta(minutes=10), clocked=False)
"""For debugging a bot: no bank; ten minutes a decision, so that every wait still ends."""
