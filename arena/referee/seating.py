"""What the referee keeps about one seat during a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.referee.clock import Clock
from arena.referee.outputs import Drop

if TYPE_CHECKING:
    from arena.referee.termination import Termination
    from arena.referee.time_control import TimeControl
    from euchre_sdk.game import Seat


class Sitter:
    """One seat: its clock, its faults, its connection, and the numbers of its questions."""

    __slots__ = (
        "clock",
        "faults",
        "forfeit",
        "house",
        "lost_since",
        "nonce",
        "ready",
        "seat",
        "seq",
        "timed_out",
    )

    def __init__(self, seat: Seat, control: TimeControl, *, house: bool, faults: int) -> None:
        self.seat = seat
        self.house = house
        """A house bot: no clock, and no fault is ever charged for its being late."""
        self.clock = Clock(control)
        self.faults = faults
        self.nonce: bytes | None = None
        self.ready = False
        self.seq = 0
        """Number of the last question."""
        self.timed_out: set[int] = set()
        """Questions that were closed unanswered; as few as there may be forced moves."""
        self.lost_since: int | None = None
        """When its stream was lost, in nanoseconds; None while it has one."""
        self.forfeit: Termination | None = None
        """How it forfeited, if it has."""

    def why_stray(self, seq: int) -> Drop:
        """Return why an answer numbered `seq` belongs to no open question of this seat."""
        if not 0 < seq <= self.seq:
            return Drop.UNKNOWN
        return Drop.LATE if seq in self.timed_out else Drop.DUPLICATE
