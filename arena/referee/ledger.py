"""What is noted of a hand while it is played: for its record, and in case it becomes void."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.referee.outcome import Attempt, Fault, Forced, HandRecord, Triple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.referee.seating import Sitter
    from arena.referee.termination import ForcedCause, VoidCause
    from euchre_sdk.game import Hand


class Ledger:
    """One deal of one hand."""

    __slots__ = ("_clocks", "_faults", "_forced", "_sitters", "attempt", "hand", "spent_us")

    def __init__(self, attempt: Attempt, hand: Hand, sitters: Sequence[Sitter]) -> None:
        self.attempt = attempt
        self.hand = hand
        self.spent_us: list[int] = []
        """Microseconds of each decision so far."""
        self._sitters = sitters
        self._forced: list[Forced] = []
        self._faults: list[Fault] = []
        self._clocks = [(s.clock.bank_us, s.clock.allowance_us) for s in sitters]

    @property
    def decision(self) -> int:
        """Index of the decision that is open."""
        return len(self.spent_us)

    def add_fault(self, fault: Fault) -> None:
        """Note a fault."""
        self._faults.append(fault)

    def add_forced(self, cause: ForcedCause, spent_us: int) -> None:
        """Note a decision made for a seat."""
        self._forced.append(Forced(self.decision, cause))
        self.spent_us.append(spent_us)

    def set_clocks_back(self) -> None:
        """Put all clocks where they were when the hand was dealt."""
        for sitter, (bank, allowance) in zip(self._sitters, self._clocks, strict=True):
            sitter.clock.set_back(bank, allowance)

    def record(self, *, points: Triple, score: Triple, void: VoidCause | None = None) -> HandRecord:
        """Return the record of the hand, over or void; `score` is the one after it."""
        hand = self.hand
        first, second, third = (s.clock for s in self._sitters)
        forfeited = any(s.forfeit is not None for s in self._sitters)
        return HandRecord(
            hand_number=hand.public.hand_number,
            attempt=self.attempt,
            dealer=hand.dealer,
            deck=tuple(hand.deck),
            decisions=tuple(hand.decisions),
            spent_us=tuple(self.spent_us),
            points=points,
            score=score,
            forced=tuple(self._forced),
            faults=tuple(self._faults),
            bank_us=(first.bank_us, second.bank_us, third.bank_us),
            allowance_us=(first.allowance_us, second.allowance_us, third.allowance_us),
            in_forfeit=forfeited and void is None,
            void=void,
        )


def forced_moves(hand: Hand, record: HandRecord) -> Triple:
    """Return how many moves of each seat were forced."""
    seats = [seat for seat, _ in hand.public.history]
    counts = [0, 0, 0]
    for move in record.forced:
        counts[seats[move.decision]] += 1
    return counts[0], counts[1], counts[2]
