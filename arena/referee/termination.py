"""How a game ended for a seat, which faults there are, and who stood by: enums and sentences."""

from __future__ import annotations

from enum import Enum, unique


@unique
class Termination(Enum):
    """How one game or session ended for one seat.

    The seats that did nothing wrong in a game another seat forfeited ended `NORMAL`.
    """

    NORMAL = "normal"
    """Played to its end, or ended early through no fault of this seat."""
    ILLEGAL = "illegal"
    """Forfeited: the fault that reached the limit was an illegal action."""
    MALFORMED = "malformed"
    """Forfeited: the fault that reached the limit was an answer that is no action."""
    TIME = "time"
    """Forfeited: the fault that reached the limit was a decision not made in time."""
    LOST = "lost"
    """Forfeited: the bot had no stream for longer than the conduct allows."""
    NOT_STARTED = "not_started"
    """The game never began, because some seat was not ready in time."""
    FORFEIT = "forfeit"
    """Forfeited by decision of the arena: withdrawn, quarantined, or not ready a second time."""
    VOID = "void"
    """Ended without a result by the arena: cancelled, or its state was lost."""
    ANNULLED = "annulled"
    """Played, and struck from the results afterwards by the organiser."""

    @property
    def is_forfeit(self) -> bool:
        """Whether this seat lost the game by its own fault."""
        return self in _FORFEITS

    @property
    def sentence(self) -> str:
        """What happened, for people, about "it" (the bot)."""
        return _SENTENCES[self]


_FORFEITS = frozenset(
    {
        Termination.ILLEGAL,
        Termination.MALFORMED,
        Termination.TIME,
        Termination.LOST,
        Termination.FORFEIT,
    }
)

_SENTENCES = {
    Termination.NORMAL: "It played to the end.",
    Termination.ILLEGAL: "It forfeited: its last fault was an illegal action.",
    Termination.MALFORMED: "It forfeited: its last fault was an answer that is no action.",
    Termination.TIME: "It forfeited: its last fault was a decision not made in time.",
    Termination.LOST: "It forfeited: it was without a connection for too long.",
    Termination.NOT_STARTED: "The game did not start: not everybody was ready in time.",
    Termination.FORFEIT: "It forfeited by decision of the arena.",
    Termination.VOID: "The arena ended the game without a result.",
    Termination.ANNULLED: "The organiser struck the game from the results.",
}


@unique
class FaultKind(Enum):
    """What a seat is charged with; each counts one towards the fault limit."""

    ILLEGAL = "illegal"
    """A well-formed action that was not legal."""
    MALFORMED = "malformed"
    """An answer that is no action."""
    TIME = "time"
    """The time for a decision was used up; a fallback action was played."""

    @property
    def sentence(self) -> str:
        """What happened, for people."""
        return _FAULT_SENTENCES[self]


_FAULT_SENTENCES = {
    FaultKind.ILLEGAL: "an action that was not legal.",
    FaultKind.MALFORMED: "an answer that is no action.",
    FaultKind.TIME: "a decision that was not made in time.",
}


@unique
class ForcedCause(Enum):
    """Why the referee, not the bot, chose an action."""

    TIME = "time"
    """The bot's time for the decision was used up."""
    FORFEIT = "forfeit"
    """The seat has forfeited; fallback actions finish the hand."""
    HOUSE_LATE = "house_late"
    """A house bot was late; its answer was computed in the arena. No fault."""
    UNSUPPORTED = "unsupported"
    """The bot's software did not know this kind of question, and said so. No fault."""


@unique
class VoidCause(Enum):
    """Why a hand was void and dealt anew."""

    ARENA_FAULT = "arena_fault"
    """Something in the arena failed while the hand was played."""
    ARENA_STOPPED = "arena_stopped"
    """The arena stopped or was restarted in the middle of the hand."""
