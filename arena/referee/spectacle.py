"""What spectators are told of a game, from its stored hands: what all three seats were told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.referee.ledger import forced_moves
from arena.referee.outputs import HandEnded
from euchre_sdk.game import Hand

if TYPE_CHECKING:
    from arena.referee.outcome import HandRecord, Triple
    from euchre_sdk.game import Format, RuleSet, Seat


class Spectacle:
    """A game as it is told hand by hand, and how it stands after the last one told."""

    def __init__(self, rules: RuleSet, format: Format) -> None:
        self.hands = 0
        """Hands told that count."""
        self.score: Triple = (0, 0, 0)
        self._rules = rules
        self._format = format
        self._faults = [0, 0, 0]

    def charge(self, seats: Iterable[Seat]) -> None:
        """Count faults of hands that were never stored: the arena stopped in them."""
        for seat in seats:
            self._faults[seat] += 1

    def tell(self, record: HandRecord) -> HandEnded | None:
        """Return what was told at the end of the next stored hand; `None` if it was void.

        Of the hand in it only what is public may be shown to anybody.
        """
        self.charge(fault.seat for fault in record.faults)
        if record.void is not None:
            return None
        hand = Hand(
            self._rules,
            record.dealer,
            record.deck,
            score=self.score,
            hand_number=record.hand_number,
            format=self._format,
        )
        for decision in record.decisions:
            hand.apply(decision)
        self.hands += 1
        self.score = record.score
        first, second, third = self._faults
        return HandEnded(
            hand=hand,
            points=record.points,
            score=record.score,
            faults=(first, second, third),
            forced=forced_moves(hand, record),
        )
