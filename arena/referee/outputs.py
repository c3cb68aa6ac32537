"""What a table wants done: whom to tell what, and what to store first.

Each value goes to the one seat it names, or to all three. Views and hands in them are live: whoever
sends must encode them before the table is told anything more.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, unique
from typing import TYPE_CHECKING, TypeAlias

from arena.referee.clock import Departure, given_back

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.referee.outcome import Fault, Forfeit, GameOutcome, HandRecord, Nonces, Triple
    from arena.referee.termination import ForcedCause, VoidCause
    from euchre_sdk.game import Action, Card, Hand, Kind, Seat, View


@unique
class Withdrawal(Enum):
    """Why an offer is taken back."""

    NOT_READY = "not_ready"
    """This seat was not ready in time."""
    OTHER_NOT_READY = "other_not_ready"
    """Another seat was not."""
    CANCELLED = "cancelled"
    """The arena does not play the game after all."""


@unique
class Drop(Enum):
    """Why an answer was not looked at."""

    LATE = "late"
    """Its question was closed before it came."""
    DUPLICATE = "duplicate"
    """Its question was answered already."""
    UNKNOWN = "unknown"
    """Its question was never asked."""


class Question:
    """One decision asked of one seat. To that seat only."""

    __slots__ = ("asked", "budget", "departure", "seat", "sent", "seq", "view")

    def __init__(self, seat: Seat, seq: int, view: View, asked: int, budget: int) -> None:
        self.seat = seat
        self.seq = seq
        """1 for the first question of this seat in this game."""
        self.view = view
        """Everything the seat may know; live until the question is closed."""
        self.asked = asked
        """When the table asked, in nanoseconds."""
        self.budget = budget
        """Nanoseconds after the departure until which an answer counts."""
        self.departure = Departure()
        """When it left; replaced by whoever sends it. A seat without a stream: never."""
        self.sent: bytes | None = None
        """As it was encoded, by whoever sends it; None if it was not sent."""

    def spent(self, now: int) -> int:
        """Return how many nanoseconds it has been open for its seat."""
        departed = self.departure.at
        return max(0, now - (self.asked if departed is None else departed))

    def give_back(self, since: int, until: int) -> None:
        """Count no time from `since` to `until`."""
        departed = self.departure.at
        if departed is not None:
            self.departure = Departure(at=given_back(departed, since, until))
        self.asked = given_back(self.asked, since, until)

    def left(self, now: int) -> timedelta | None:
        """Return the time left for it, network allowance not counted; None if it has no limit."""
        limit = self.view.limit
        if limit is None:
            return None
        return max(timedelta(0), limit - timedelta(microseconds=self.spent(now) // 1_000))


@dataclass(frozen=True, slots=True)
class Offered:
    """Offer the game to a seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Take the offer back from a seat."""

    seat: Seat
    reason: Withdrawal


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """Tell all that the game begins, and with what randomness."""

    nonces: Nonces
    derived: tuple[bool, bool, bool]
    """Whether each seat's nonce was derived from the seed."""
    first_dealer: Seat
    draws: Sequence[tuple[Seat, Card]]
    """The public draws for the first deal, if the rules have them (A05)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Tell a seat that its answer changed nothing. Its question stays open, its clock runs."""

    seat: Seat
    seq: int
    reason: str
    """The name of a `Reason` of the rules, or `MALFORMED`."""
    sentence: str
    """What was refused, why, and what would be legal."""
    faults: int
    fault_limit: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """Tell a seat that an answer was not looked at."""

    seat: Seat
    seq: int
    reason: Drop


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveForced:
    """Tell a seat that the referee decided for it."""

    seat: Seat
    seq: int
    cause: ForcedCause
    asked: Kind
    """The kind of question."""
    action: Action
    faults: int
    fault_limit: int


@dataclass(frozen=True, slots=True)
class HouseLate:
    """Have the answer of a house bot computed in the arena, then call `house_decided`."""

    question: Question


@dataclass(frozen=True, slots=True)
class HandDealt:
    """Tell all that a hand was dealt: its number, its dealer and the turn-up."""

    hand: Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEnded:
    """Tell all how a hand ended; it is stored."""

    hand: Hand
    """To read what was public from."""
    points: Triple
    score: Triple
    """After the hand."""
    faults: Triple
    """Of the game so far."""
    forced: Triple
    """Moves forced in this hand."""


@dataclass(frozen=True, slots=True)
class HandVoided:
    """Tell all that the hand does not count; this is stored."""

    hand_number: int
    cause: VoidCause


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Tell all that the game is over; this is stored. The last output of a game that began."""

    outcome: GameOutcome


@dataclass(frozen=True, slots=True)
class StoreReady:
    """Store the nonces, then call `nonces_stored`. Nothing happens before.

    A game that is taken up again wants it too, with the nonces it has: from then on its hands are
    dealt in this run of the arena, which has to be known if they are interrupted.
    """

    nonces: Nonces


@dataclass(frozen=True, slots=True)
class StoreFault:
    """Store a fault; nothing waits for it."""

    hand_number: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class StoreForfeit:
    """Store that a seat has forfeited; nothing waits for it."""

    forfeit: Forfeit


@dataclass(frozen=True, slots=True)
class StoreVoid:
    """Store the hand in which the arena stopped, which is void; nothing waits for it."""

    record: HandRecord


@dataclass(frozen=True, slots=True)
class StoreOutcome:
    """Store how the game ended, then call `outcome_stored`. Nobody is told before."""

    outcome: GameOutcome


@dataclass(frozen=True, slots=True)
class StoreHand:
    """Store a hand, then call `hand_stored`. Nothing happens before."""

    record: HandRecord


Output: TypeAlias = (
    Question
    | Offered
    | Withdrawn
    | Started
    | Refused
    | Dropped
    | MoveForced
    | HouseLate
    | HandDealt
    | HandEnded
    | HandVoided
    | GameEnded
    | StoreReady
    | StoreFault
    | StoreForfeit
    | StoreVoid
    | StoreHand
    | StoreOutcome
)
Outputs: TypeAlias = list[Output]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a seat that comes back needs to know of its game."""

    ready: bool
    started: Started | None
    score: Triple
    question: Question | None
    """Its own pending question, if there is one."""
    left: timedelta | None
    """Time left for that question, network allowance not counted."""
    faults: int
    retry: int
    """Void deals of the hand in progress in this incarnation."""
