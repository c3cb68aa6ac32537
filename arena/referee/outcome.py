"""What the referee hands to whoever keeps it: records of hands, and the outcome of a game.

Triples are in seat order: seat 0, 1, 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from arena.referee.termination import Termination

if TYPE_CHECKING:
    from arena.referee.termination import FaultKind, ForcedCause, VoidCause
    from euchre_sdk.game import Action, Card, Seat

Triple: TypeAlias = tuple[int, int, int]
Nonces: TypeAlias = tuple[bytes, bytes, bytes]


@dataclass(frozen=True, slots=True, order=True)
class Attempt:
    """Which deal of a hand this is; no two deals of a game share one.

    `incarnation` counts how often the game was begun, or taken up after the arena was stopped,
    `retry` the void deals of this hand since then.
    """

    incarnation: int
    retry: int

    @property
    def number(self) -> int:
        """Both as one number, `incarnation` × 65,536 + `retry`: what a deal source is asked by."""
        return self.incarnation << 16 | self.retry


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault a seat was charged with."""

    seat: Seat
    kind: FaultKind
    decision: int
    """Index into the hand's decisions of the one that was asked for."""
    reason: str
    """For machines: the name of a `Reason`, `MALFORMED` or `TIME`."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """One seat that has forfeited a game; how it did so first stands."""

    seat: Seat
    how: Termination


@dataclass(frozen=True, slots=True)
class Forced:
    """One decision the referee made for a seat."""

    decision: int
    """Index into the hand's decisions."""
    cause: ForcedCause


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One hand as it is stored: enough to replay and to judge it.

    Holds hidden cards: for the store and the record only, never for a message to a bot.
    """

    hand_number: int
    """1 for the first hand of the game."""
    attempt: Attempt
    dealer: Seat
    deck: tuple[Card, ...]
    """The cut deck, in the order in which it was dealt."""
    decisions: tuple[Action, ...]
    """Every decision in the order made, private ones too; the replay tells whose each was."""
    spent_us: tuple[int, ...]
    """Microseconds between departure of the question and arrival of the answer; per decision."""
    points: Triple
    """Points won in this hand; zeros when passed out or void."""
    score: Triple
    """The score after this hand."""
    forced: tuple[Forced, ...] = ()
    faults: tuple[Fault, ...] = ()
    bank_us: Triple = (0, 0, 0)
    """Microseconds left in each seat's bank after the hand."""
    allowance_us: Triple = (0, 0, 0)
    """Microseconds of network allowance each seat has left after the hand."""
    in_forfeit: bool = False
    """A forfeit fell while it was played: it is left out of the points model."""
    void: VoidCause | None = None
    """Set if the hand does not count and was dealt anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """The deal that was, or was about to be, on the table when the arena stopped."""

    attempt: Attempt
    faults: tuple[Fault, ...] = ()
    """Charged while it was played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """What is already known of a game when the arena takes it up again."""

    nonces: Nonces | None = None
    """Stored when all three were ready; None if the game had not begun."""
    hands: tuple[HandRecord, ...] = ()
    """Hands stored so far, void ones too, in the order stored."""
    faults: Triple = (0, 0, 0)
    """Faults each seat has been charged with, those of void and interrupted hands too."""
    forfeits: tuple[Forfeit, ...] = ()
    """Who has forfeited it."""
    interrupted: Interrupted | None = None
    """What it was taken up from, unless a record tells of it already."""
    outcome: GameOutcome | None = None
    """How it ended, if the arena stopped between that and the end of its block."""
    incarnation: int = 0
    """The last one in which hands may have been dealt; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOutcome:
    """How one game or session ended, for the tournament."""

    terminations: tuple[Termination, Termination, Termination]
    points: Triple = (0, 0, 0)
    """The game's score; in a forfeited session, of the completed hands (offender: 0)."""
    places: Triple = (1, 1, 1)
    """1 is best; equals share the better place. Of no meaning if not started or void."""
    hands: tuple[HandRecord, ...] = ()
    """All hands of the game, void and resumed ones too, in order."""
    nonces: Nonces | None = None
    """None if the game was not started."""
    unfinished: bool = False
    """Ended by the guard against endless passing (A19), with no winner."""
    faults: Triple = (0, 0, 0)
    not_ready: tuple[Seat, ...] = ()
    """Who was not ready in time, when the game was not started."""

    @property
    def started(self) -> bool:
        """Whether all three were ready and a first hand was dealt."""
        return Termination.NOT_STARTED not in self.terminations

    @property
    def offenders(self) -> tuple[int, ...]:
        """The seats that forfeited."""
        return tuple(seat for seat, how in enumerate(self.terminations) if how.is_forfeit)

    @property
    def hands_counted(self) -> int:
        """Completed hands, without void ones."""
        return sum(1 for hand in self.hands if hand.void is None)
