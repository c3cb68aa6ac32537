"""What a table is made of, and what it may be waiting for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import timedelta

    from arena.referee.conduct import Conduct
    from arena.referee.outcome import Nonces, Resumed
    from arena.referee.time_control import TimeControl
    from euchre_sdk.game import Deals, Format, RuleSet, Seat


class DealSource(Protocol):
    """Where a game's randomness comes from (docs/fair-dealing.md)."""

    def derived_nonce(self, seat: Seat) -> bytes:
        """Return the nonce of a seat whose bot gives none of its own."""
        ...

    def deals(self, nonces: Nonces) -> Deals:
        """Return the deals that seed and nonces determine."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a table is made of."""

    rules: RuleSet
    format: Format
    time_control: TimeControl
    conduct: Conduct
    source: DealSource
    house: tuple[bool, bool, bool] = (False, False, False)
    """Which seats are house bots."""
    resident: tuple[bool, bool, bool] = (False, False, False)
    """Which house bots are played in this process: nobody sits there to be asked."""
    incarnation: int
    """How often the game was begun or taken up, this time included."""
    played: Resumed
    """What is stored of the game, if it is continued."""

    def limit_of(self, seat: Seat) -> timedelta:
        """Return the time for a decision of a seat without a clock."""
        return self.conduct.house_limit if self.house[seat] else self.time_control.limit


@unique
class Phase(Enum):
    """What the table waits for."""

    OFFERED = "offered"
    """For everybody to be ready."""
    STARTING = "starting"
    """For the nonces to be stored."""
    PLAYING = "playing"
    """For the answer to a question."""
    STORING = "storing"
    """For a hand to be stored."""
    CLOSING = "closing"
    """For the end of the game to be stored."""
    OVER = "over"
    """For nothing: `outcome` is set."""
