"""The door between the tournaments and the referee: what a game order says, and what comes back.

The director orders games of a playroom and keeps what the playroom reports through a journal. The
playroom knows links, clocks and tables, and nothing of blocks or ratings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from arena.referee import Resumed
from euchre_sdk.game.dealing import FIRST_INCARNATION

if TYPE_CHECKING:
    from arena.referee import (
        Conduct,
        Fault,
        Forfeit,
        GameOutcome,
        HandRecord,
        Nonces,
        TimeControl,
    )
    from euchre_sdk.game import Format, RuleSet, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOrder:
    """Who sits on one seat of an ordered game."""

    entry_id: str
    """The entry of the tournament that plays."""
    bot_id: str
    """The bot whose links may take the seat."""
    name: str
    """What the others at the table are told once all are ready."""
    version: str | None = None
    """The only version that may play it; None for any."""
    house: bool = False
    """A house bot: it has no clock, and its nonce is derived from the seed."""
    resident: bool = False
    """A house bot that is played in this process, without a link."""


Seats: TypeAlias = tuple[SeatOrder, SeatOrder, SeatOrder]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOrder:
    """One game or session to be played now, or to be continued."""

    game_id: str
    """Names this offer of the game; a game that is offered again gets a new one."""
    deal_set: str
    """The id that commitment and decks are bound to (docs/architecture.md, randomness)."""
    rules: RuleSet
    format: Format
    time_control: TimeControl
    conduct: Conduct
    seats: Seats
    """In seat order."""
    seed: bytes = field(repr=False)
    """The deal set's secret, 32 bytes. Never logged, never sent before it may be revealed."""
    incarnation: int
    """How often it was begun or taken up, this time included: the first half of the attempt of each
    hand dealt now. 1 for a new game, so that no arena can choose it once it knows the nonces."""
    kept: bool = True
    """Whether it is in the database; a check is not."""
    played: Resumed = field(default_factory=Resumed)
    """What is stored of a game that is continued; empty for a new one."""

    @property
    def committed_incarnation(self) -> int | None:
        """The incarnation of its first deal, as its offer fixes it.

        None if it was begun by an arena that dealt first in whatever start it was in.
        """
        played = self.played
        dealt = [hand.attempt.incarnation for hand in played.hands[:1]]
        if not dealt and played.interrupted is not None:
            dealt = [played.interrupted.attempt.incarnation]
        return None if dealt and dealt != [FIRST_INCARNATION] else FIRST_INCARNATION


class Journal(Protocol):
    """Where a playroom puts down what must not be lost.

    Every method returns when the fact is stored durably; nobody is told of it before.
    """

    async def ready(self, nonces: Nonces) -> None:
        """Keep the nonces with which all three became ready, before the first deal."""

    async def fault(self, hand_number: int, fault: Fault) -> None:
        """Keep one fault, so that it stays charged even if its hand is never completed."""

    async def forfeit(self, forfeit: Forfeit) -> None:
        """Keep that a seat has forfeited; no restart of the arena takes that back."""

    async def hand(self, record: HandRecord) -> None:
        """Keep one hand, completed or void, faults of it included (they are not counted twice)."""

    async def over(self, outcome: GameOutcome) -> None:
        """Keep how the game ended, before anybody is told. Nothing of it is played after that."""


class Playroom(Protocol):
    """Where games are played. One for the whole arena, shared by all tournaments."""

    def presence(self, bot_id: str) -> int:
        """Return how many more games this bot takes now: 0 while it is absent or fully busy."""

    def version(self, bot_id: str) -> str | None:
        """Return the version label the bot stated when it connected, or None while it is absent."""

    async def wait_change(self) -> None:
        """Wait until somebody's presence has changed: a bot came, left, or finished a game."""

    async def play(self, order: GameOrder, journal: Journal) -> GameOutcome:
        """Offer the game, play it to its end, and return how it ended.

        Takes the seats before its first checkpoint, so that `presence` tells of them at once.
        A game in which somebody was not ready comes back with `not_ready` set. When this call is
        cancelled the game simply stops where it is: what the journal holds lets it be continued.
        """

    def stop_after_hand(self, game_id: str) -> None:
        """Let a running game end after the hand in progress; its terminations are then `VOID`.

        Does nothing if no such game is running.
        """

    def forfeit(self, game_id: str, seat: Seat) -> None:
        """Let a seat forfeit a running game by decision of the arena (withdrawn, quarantined).

        Does nothing if no such game is running.
        """

    def quarantine(self, bot_id: str) -> None:
        """End a bot's connections, and tell it that it is in quarantine. It may come back."""

    def take_over(self, bot_id: str) -> tuple[int, int] | None:
        """End a bot's connections and hand its running games to the next one it opens.

        Returns how many links and games those are; None if this was done too often of late.
        """
