"""What the arena tolerates from a bot, as one table of numbers (docs/protocol.md, Conduct)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

MOST_FAULTS = 1000
"""Highest `faults` and `fault_hands`: their limit in the longest game fits what bots are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """The limits of one tournament. Which fault costs what is decided in the table."""

    faults: int = 3
    """Faults that forfeit the game, for each started `fault_hands` hands of it."""
    fault_hands: int = 15
    """How many hands raise the fault limit once more."""
    lost: timedelta = timedelta(seconds=60)
    """Without any stream for this long, a seat forfeits."""
    house_limit: timedelta = timedelta(seconds=10)
    """A house bot later than this has its answer computed in the arena, without a fault."""
    flood_rate: float = 20.0
    """Late, duplicate, unknown and refused answers a second that a link may send on average."""
    flood_burst: int = 3
    """Such answers at once, for each game the link is playing."""
    message_bytes: int = 64 * 1024
    """Largest message a bot may send."""
    outbox_bytes: int = 1024 * 1024
    """Most that may wait unread for a bot before its stream is closed."""
    outbox_messages: int = 4
    """Most messages that may wait unread for a bot, for each game it is playing."""
    banned: timedelta = timedelta(seconds=5)
    """How long a link may not come back after a flood or a slow reader's stream was closed."""

    def __post_init__(self) -> None:
        """Refuse limits under which no game could be played.

        Raises ValueError.
        """
        for name in (
            "faults",
            "fault_hands",
            "flood_burst",
            "message_bytes",
            "outbox_bytes",
            "outbox_messages",
        ):
            if getattr(self, name) < 1:
                msg = f"{name} is {getattr(self, name)}: it must be at least 1"
                raise ValueError(msg)
        for name in ("faults", "fault_hands"):
            if getattr(self, name) > MOST_FAULTS:
                msg = f"{name} is {getattr(self, name)}: it must be at most {MOST_FAULTS}"
                raise ValueError(msg)
        if not self.flood_rate > 0:
            msg = f"flood_rate is {self.flood_rate}: it must be above zero"
            raise ValueError(msg)
        for name in ("lost", "house_limit"):
            if not timedelta(0) < getattr(self, name) <= timedelta(days=1):
                msg = f"{name} is {getattr(self, name)}: it must be above zero, at most a day"
                raise ValueError(msg)

    def fault_limit(self, hand_number: int) -> int:
        """Return the number of faults that forfeits a game now in its `hand_number`-th hand."""
        started = (max(hand_number, 1) - 1) // self.fault_hands + 1
        return self.faults * started
