"""A flight record as its owner looks at it: what went in and out of one seat of a game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, unique

from euchre_sdk.game import Seat, View


@unique
class FlightKind(Enum):
    """What an entry is."""

    QUESTION = "question"
    ANSWER = "answer"
    NOTICE = "notice"
    EVENT = "event"
    """Something about the connection."""
    UNKNOWN = "unknown"
    """Something newer than this package."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightEntry:
    """One thing that went in or out, and what the referee made of it."""

    incarnation: int
    """Which start of the arena it was."""
    elapsed: timedelta
    """Since the game was offered, or taken up again at that start."""
    kind: FlightKind
    seq: int | None
    """The question asked or answered."""
    raw: bytes
    """As it crossed the wire; less than `size` if it was long."""
    size: int
    """Bytes; 0 of what was not sent, as there was no connection."""
    action: str | None
    """What was understood of an answer, or was played for the bot."""
    legal: tuple[str, ...]
    """What was legal; when five are to be kept, the ten cards."""
    verdict: str | None
    """`accepted`, or the name of a reason; of an event, what happened."""
    message: str | None
    """The verdict in words, as the bot was told."""
    charged: timedelta | None
    """From the question's departure to the answer's arrival."""
    view: View | None
    """What a question showed; `None` of anything else."""
    told: str | None
    """What a notice is about, such as `hand_end`; `None` of anything else."""

    @property
    def is_ordinary(self) -> bool:
        """Whether it is nothing to look into: what is judged well, or not at all."""
        if self.kind is FlightKind.EVENT:
            return self.verdict in {"READY", "STREAM_BACK"}
        return self.verdict in {None, "accepted"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightRecord:
    """What there is of one seat of one game."""

    game_id: str
    tournament: str
    bot: str
    seat: Seat
    running: bool
    entries: tuple[FlightEntry, ...]
    """Oldest first."""
    accepted_dropped: int
    notices_dropped: int
    odd_dropped: int
    """Dropped answers and events of the connection that are left out."""
    engine_version: str
    protocol_revision: int

    @property
    def refused(self) -> int:
        """How many answers were refused."""
        return sum(
            entry.kind is FlightKind.ANSWER and entry.message is not None for entry in self.entries
        )

    @property
    def forced(self) -> int:
        """How many moves were made for the bot."""
        return sum(
            entry.kind is FlightKind.NOTICE and entry.action is not None for entry in self.entries
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightSummary:
    """A game of which there is a record."""

    game_id: str
    tournament: str
    seat: Seat
    refused: int
    forced: int
