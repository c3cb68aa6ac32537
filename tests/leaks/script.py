"""What is done to a table in two worlds: the same public actions at the same instants.

A script is a game, a step one decision of it. Every step holds what is said in each of the two
worlds. Hidden choices (the discard, the five kept, a refused card) of the seats that are not the
observer differ; everything that is public is the same, and so is all that the observer does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum, unique
from typing import NamedTuple

from tests.leaks.worlds import Rules


class Said(NamedTuple):
    """An answer: as what it is sent, and the decision it holds."""

    kind: str
    decision: str


@unique
class How(Enum):
    """Who makes a decision."""

    ANSWERED = "answered"
    TIMED_OUT = "timed out"
    UNSUPPORTED = "unsupported"
    """The bot says that it does not know this kind of question."""
    AUTOMATIC = "automatic"
    """The referee, without asking: the seat has forfeited."""


@unique
class Trouble(Enum):
    """What happens beside the game."""

    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    STRAY = "stray"
    """An answer to no open question."""
    LOST = "lost"
    """A stream ends."""
    FLOOD = "flood"
    """So many strays that the arena ends the stream."""
    BACK = "back"
    """The bot takes its link up again."""
    WITHDRAWN = "withdrawn"
    """The arena lets the seat forfeit."""


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Something that happens before a decision is made."""

    trouble: Trouble
    seat: int
    said: tuple[Said, Said] | None = None
    """Of an illegal answer, in each world."""
    variant: int = 0
    only_in: int | None = None
    """The one world in which it happens; `None` for both."""


@dataclass(frozen=True, slots=True)
class Step:
    """One decision in both worlds, and what comes before it."""

    seat: int
    kind: str
    how: tuple[How, How]
    """In each world."""
    said: tuple[Said, Said]
    disturbances: tuple[Disturbance, ...]
    pause_ms: int


@dataclass(slots=True)
class Hand:
    """One hand in both worlds, as far as they can go together."""

    dealer: int
    decks: tuple[list[str], list[str]]
    steps: list[Step]
    complete: bool
    differ: Counter[str]
    """What differs at the last step and is hidden from the observer, by what it is."""
    void_at: int | None = None
    """The step at which the arena fails: the hand is void, and played once more from its deal."""


@dataclass(slots=True)
class Script:
    """A game in two worlds."""

    rules: Rules
    observer: int | None
    session: int | None
    """Hands, or `None` for a game to the target."""
    follows: tuple[bool, bool, bool]
    house: tuple[bool, bool, bool]
    clocked: bool
    secretly: bool
    """Whether the others do things in one world only that the observer learns after the hand."""
    hands: list[Hand]
