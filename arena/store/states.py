"""Where things stand, as the database keeps it."""

from __future__ import annotations

from enum import Enum, unique


@unique
class BotState(Enum):
    """Whether a bot may play."""

    ACTIVE = "active"
    QUARANTINED = "quarantined"
    """Not until its owner has lifted it."""
    DEACTIVATED = "deactivated"


@unique
class TournamentState(Enum):
    """Where a tournament stands."""

    CREATED = "created"
    """Open for entries, not started."""
    RUNNING = "running"
    PAUSED = "paused"
    """No new blocks; running ones finish."""
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def over(self) -> bool:
        """Whether nothing more will be played."""
        return self in {TournamentState.FINISHED, TournamentState.CANCELLED}


@unique
class EntryState(Enum):
    """Whether an entry takes part."""

    PLAYING = "playing"
    WITHDRAWN = "withdrawn"
    QUARANTINED = "quarantined"
    """Taken out, as its bot forfeited too often; lifting the quarantine does not bring it back."""

    @property
    def is_out(self) -> bool:
        """Whether it plays no more in this tournament."""
        return self is not EntryState.PLAYING


@unique
class BlockState(Enum):
    """Where one attempt of a block stands."""

    RUNNING = "running"
    COMPLETE = "complete"
    """All its games were played or forfeited: it counts."""
    INCOMPLETE = "incomplete"
    """Stopped or dropped before its end: recorded, not rated."""
    FAILED = "failed"
    """Failed through the arena: played again as a new attempt, and not rated."""
    ANNULLED = "annulled"
    """Was complete, and struck from the results; an annulment says so, not the block's own row."""
    REPLAYED = "replayed"
    """The same, and played again as a new attempt."""


@unique
class GameState(Enum):
    """Where one offered game stands."""

    OFFERED = "offered"
    RUNNING = "running"
    """All three were ready; hands may have been played."""
    FINISHED = "finished"
    """Played or forfeited: it has points and places."""
    NOT_STARTED = "not_started"
    """Somebody was not ready in time."""
    VOID = "void"
    """Ended by the arena without a result."""

    @property
    def over(self) -> bool:
        """Whether it will never be played on."""
        return self not in {GameState.OFFERED, GameState.RUNNING}
