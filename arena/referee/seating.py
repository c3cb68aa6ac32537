"""What the referee keeps about one seat during a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.referee.clock import NEVER, Clock, given_back, nanos
from arena.referee.outputs import Drop
from euchre_sdk.game import SEATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.referee.conduct import Conduct
    from arena.referee.setup import Setup
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
        "resident",
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
        self.resident = False
        """A house bot for which the arena always decides."""
        self.lost_since: int | None = None
        """When its stream was lost, in nanoseconds; None while it has one."""
        self.forfeit: Termination | None = None
        """How it forfeited, if it has."""

    def why_stray(self, seq: int) -> Drop:
        """Return why an answer numbered `seq` belongs to no open question of this seat."""
        if not 0 < seq <= self.seq:
            return Drop.UNKNOWN
        return Drop.LATE if seq in self.timed_out else Drop.DUPLICATE


def sitters_of(setup: Setup) -> tuple[Sitter, Sitter, Sitter]:
    """Return the three seats of a game as they are when it is offered, or taken up."""
    first, second, third = (
        Sitter(
            seat,
            setup.time_control,
            house=setup.house[seat],
            faults=setup.played.faults[seat],
        )
        for seat in SEATS
    )
    sitters = (first, second, third)
    for sitter in sitters:
        sitter.ready = sitter.resident = setup.resident[sitter.seat]
    for forfeit in setup.played.forfeits:
        sitters[forfeit.seat].forfeit = forfeit.how
    return sitters


class Attendance:
    """Who has no stream, and for how long that is borne with."""

    __slots__ = ("_conduct", "_sitters", "missing")

    def __init__(self, sitters: Sequence[Sitter], conduct: Conduct) -> None:
        self._sitters = sitters
        self._conduct = conduct
        self.missing = 0
        """How many seats have no stream."""

    def leave(self, seat: Seat, now: int) -> None:
        """Note that a seat has no stream, if it had one."""
        sitter = self._sitters[seat]
        if sitter.lost_since is None:
            sitter.lost_since = now
            self.missing += 1

    def come(self, seat: Seat) -> None:
        """Note that a seat has a stream again."""
        sitter = self._sitters[seat]
        if sitter.lost_since is not None:
            sitter.lost_since = None
            self.missing -= 1

    def is_gone(self, sitter: Sitter, now: int) -> bool:
        """Return whether a seat has had no stream for as long as the conduct allows."""
        patience = self._conduct.house_limit if sitter.house else self._conduct.lost
        if sitter.resident:
            return True
        return sitter.lost_since is not None and now - sitter.lost_since >= nanos(patience)

    def give_back(self, since: int, until: int) -> None:
        """Count no time from `since` to `until` for who has no stream."""
        for sitter in self._sitters:
            if sitter.lost_since is not None:
                sitter.lost_since = given_back(sitter.lost_since, since, until)

    @property
    def until(self) -> int:
        """When the next of those without a stream is gone."""
        lost = nanos(self._conduct.lost)
        return min(
            (
                sitter.lost_since + lost
                for sitter in self._sitters
                if sitter.lost_since is not None and not sitter.house and sitter.forfeit is None
            ),
            default=NEVER,
        )
