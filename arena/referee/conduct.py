"""What a bot may get wrong, what is done about it, and the limits: docs/protocol.md, Conduct."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, unique
from typing import TYPE_CHECKING

from arena.referee.termination import FaultKind, Termination

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_FAULTS = 1000
"""Highest `faults` and `fault_hands`: their limit in the longest game fits what bots are told."""


@unique
class Offence(Enum):
    """What can go wrong with a bot, or with the arena."""

    ILLEGAL = "illegal action"
    MALFORMED = "malformed answer"
    TIME = "time for a decision used up"
    STRAY = "late, duplicate or unknown answer"
    IDLE = "Ready that no game waits for, or a message that says nothing"
    FLOOD = "flood"
    LARGE = "message that is too large"
    SLOW_READER = "responses not read"
    BAD_MESSAGE = "message that is no PlayRequest, or a second Hello"
    STREAM_LOST = "stream lost"
    ABSENT = "no stream for too long"
    FAULTS = "limit of faults reached"
    NOT_READY = "not ready in time"
    NOT_READY_AGAIN = "not ready too often in a block"
    WITHDRAWN = "withdrawn, or in quarantine, while its block is played"
    FORFEITS = "too many forfeits in a row"
    ARENA = "fault of the arena"


@unique
class AtOnce(Enum):
    """What is done at once."""

    REFUSED = "refused with a reason and what is legal; the clock runs on; it may answer again"
    FORCED = "the fallback action is played and marked as forced"
    DROPPED = "dropped and reported"
    CLOSED = "the stream is closed, and for a while the bot is not let in again"
    WAITED = "the bot may come back; its clocks run, and time used up is dealt with as ever"
    FORFEIT = "fallback actions finish the hand, then the game ends for all three"
    WITHDRAWN = "the offer is withdrawn, and made once more after the bot's other games"
    QUARANTINE = "its other blocks are dropped for everybody, and it plays no more for now"
    VOID = "the hand is void and dealt anew by the same dealer; nobody is charged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What is done about one offence."""

    at_once: AtOnce
    faults: int = 0
    """Faults the seat is charged with."""
    floods: bool = False
    """Whether it takes a token from the bucket of the link: without any it is a flood."""
    termination: Termination | None = None
    """How the game ends for the seat if it ends through this."""


CONDUCT = {
    Offence.ILLEGAL: Ruling(
        at_once=AtOnce.REFUSED, faults=1, floods=True, termination=Termination.ILLEGAL
    ),
    Offence.MALFORMED: Ruling(
        at_once=AtOnce.REFUSED, faults=1, floods=True, termination=Termination.MALFORMED
    ),
    Offence.TIME: Ruling(at_once=AtOnce.FORCED, faults=1, termination=Termination.TIME),
    Offence.STRAY: Ruling(at_once=AtOnce.DROPPED, floods=True),
    Offence.IDLE: Ruling(at_once=AtOnce.DROPPED, floods=True),
    Offence.FLOOD: Ruling(at_once=AtOnce.CLOSED),
    Offence.LARGE: Ruling(at_once=AtOnce.CLOSED),
    Offence.SLOW_READER: Ruling(at_once=AtOnce.CLOSED),
    Offence.BAD_MESSAGE: Ruling(at_once=AtOnce.CLOSED),
    Offence.STREAM_LOST: Ruling(at_once=AtOnce.WAITED),
    Offence.ABSENT: Ruling(at_once=AtOnce.FORFEIT, termination=Termination.LOST),
    Offence.FAULTS: Ruling(at_once=AtOnce.FORFEIT),
    Offence.NOT_READY: Ruling(at_once=AtOnce.WITHDRAWN, termination=Termination.NOT_STARTED),
    Offence.NOT_READY_AGAIN: Ruling(at_once=AtOnce.FORFEIT, termination=Termination.FORFEIT),
    Offence.WITHDRAWN: Ruling(at_once=AtOnce.FORFEIT, termination=Termination.FORFEIT),
    Offence.FORFEITS: Ruling(at_once=AtOnce.QUARANTINE),
    Offence.ARENA: Ruling(at_once=AtOnce.VOID, termination=Termination.VOID),
}
"""The whole of the conduct; its numbers are in `Conduct` and `LinkConduct`."""

FAULTS = {
    FaultKind.ILLEGAL: CONDUCT[Offence.ILLEGAL],
    FaultKind.MALFORMED: CONDUCT[Offence.MALFORMED],
    FaultKind.TIME: CONDUCT[Offence.TIME],
}
"""The rulings on what counts as a fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """The limits of one tournament."""

    faults: int = 3
    """Faults that forfeit the game, for each started `fault_hands` hands of it."""
    fault_hands: int = 15
    """How many hands raise the fault limit once more."""
    lost: timedelta = timedelta(seconds=60)
    """Without any stream for this long, a seat forfeits."""
    house_limit: timedelta = timedelta(seconds=10)
    """A house bot later than this has its answer computed in the arena, without a fault."""
    misses: int = 2
    """So many times not ready in one block is a forfeit of the game offered."""
    forfeits: int = 3
    """So many games in a row that a bot forfeits put it into quarantine."""

    def __post_init__(self) -> None:
        """Refuse limits under which no game could be played.

        Raises ValueError.
        """
        _check_counts(self, ("faults", "fault_hands", "misses", "forfeits"), most=MOST_FAULTS)
        for name in ("lost", "house_limit"):
            if not timedelta(0) < getattr(self, name) <= timedelta(days=1):
                msg = f"{name} is {getattr(self, name)}: it must be above zero, at most a day"
                raise ValueError(msg)

    def fault_limit(self, hand_number: int) -> int:
        """Return the number of faults that forfeits a game now in its `hand_number`-th hand."""
        started = (max(hand_number, 1) - 1) // self.fault_hands + 1
        return self.faults * started


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkConduct:
    """The limits of a bot's connection: of the arena, for a link serves several tournaments."""

    lost: timedelta = timedelta(seconds=60)
    """So long after its stream was lost a link can be taken up again."""
    flood_rate: float = 20.0
    """Late, duplicate, unknown, idle and refused messages a second that are borne on average."""
    flood_burst: int = 3
    """Such messages at once, for each game the link is playing."""
    message_bytes: int = 64 * 1024
    """Largest message a bot may send."""
    outbox_bytes: int = 1024 * 1024
    """Most that may wait unread for a bot before its stream is closed."""
    outbox_messages: int = 4
    """Most messages that may wait unread for a bot, for each game it is playing."""
    banned: timedelta = timedelta(seconds=5)
    """How long a bot is not let in again after its stream was closed for its conduct."""
    reattach_per_minute: int = 10
    """Streams a bot may open in a minute before it is made to wait; its clocks run on."""

    def __post_init__(self) -> None:
        """Refuse limits under which no bot could play.

        Raises ValueError.
        """
        counts = (
            "flood_burst",
            "message_bytes",
            "outbox_bytes",
            "outbox_messages",
            "reattach_per_minute",
        )
        _check_counts(self, counts, most=1 << 30)
        if not self.flood_rate > 0:
            msg = f"flood_rate is {self.flood_rate}: it must be above zero"
            raise ValueError(msg)
        if not timedelta(0) <= self.banned <= timedelta(days=1):
            msg = f"banned is {self.banned}: it must not be negative, at most a day"
            raise ValueError(msg)
        if not timedelta(0) < self.lost <= timedelta(days=1):
            msg = f"lost is {self.lost}: it must be above zero, at most a day"
            raise ValueError(msg)


def _check_counts(limits: Conduct | LinkConduct, names: Iterable[str], *, most: int) -> None:
    for name in names:
        number = getattr(limits, name)
        if number < 1:
            msg = f"{name} is {number}: it must be at least 1"
            raise ValueError(msg)
        if number > most:
            msg = f"{name} is {number}: it must be at most {most}"
            raise ValueError(msg)
