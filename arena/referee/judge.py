"""What becomes of a seat that is charged with a fault or does not decide (docs/protocol.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.referee.conduct import FAULTS
from arena.referee.outcome import Fault, Forfeit
from arena.referee.outputs import MoveForced, Outputs, Refused, StoreFault, StoreForfeit
from arena.referee.termination import FaultKind, ForcedCause, Termination
from euchre_sdk.game import fallback

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.referee.ledger import Ledger
    from arena.referee.outcome import Triple
    from arena.referee.outputs import Question
    from arena.referee.seating import Sitter
    from arena.referee.setup import Setup
    from euchre_sdk.game import Action, Seat


class Judge:
    """Counts the faults of one game, and decides for seats that do not."""

    __slots__ = ("_conduct", "_sitters")

    def __init__(self, setup: Setup, sitters: Sequence[Sitter]) -> None:
        self._conduct = setup.conduct
        self._sitters = sitters

    @property
    def faults(self) -> Triple:
        """How many faults each seat has been charged with."""
        first, second, third = (sitter.faults for sitter in self._sitters)
        return first, second, third

    @property
    def somebody_forfeited(self) -> bool:
        """Whether the game ends with the hand in progress."""
        return any(sitter.forfeit is not None for sitter in self._sitters)

    @staticmethod
    def forfeit(sitter: Sitter, how: Termination) -> Outputs:
        """Let a seat forfeit, unless it has already."""
        if sitter.forfeit is not None:
            return []
        sitter.forfeit = how
        return [StoreForfeit(Forfeit(sitter.seat, how))]

    def charge(self, seat: Seat, kind: FaultKind, reason: str, ledger: Ledger) -> Outputs:
        """Count a fault; one too many is a forfeit."""
        sitter, ruling = self._sitters[seat], FAULTS[kind]
        sitter.faults += ruling.faults
        fault = Fault(seat=seat, kind=kind, decision=ledger.decision, reason=reason)
        ledger.add_fault(fault)
        hand_number = ledger.hand.public.hand_number
        out: Outputs = [StoreFault(hand_number, fault)]
        if sitter.faults >= self._conduct.fault_limit(hand_number):
            assert ruling.termination is not None
            out += self.forfeit(sitter, ruling.termination)
        return out

    def refuse(
        self, question: Question, kind: FaultKind, reason: str, sentence: str, ledger: Ledger
    ) -> Outputs:
        """Refuse an answer to the open question."""
        out = self.charge(question.seat, kind, reason, ledger)
        out.append(
            Refused(
                seat=question.seat,
                seq=question.seq,
                reason=reason,
                sentence=sentence,
                faults=self._sitters[question.seat].faults,
                fault_limit=self._conduct.fault_limit(ledger.hand.public.hand_number),
            )
        )
        return out

    def decide(
        self,
        question: Question,
        cause: ForcedCause,
        ledger: Ledger,
        now: int,
        action: Action | None = None,
    ) -> MoveForced:
        """Decide for a seat: with this action if it is legal, else with the fallback."""
        hand = ledger.hand
        if action is None or action not in question.view.legal:
            action = fallback(question.view)
        asked = question.view.kind
        hand.apply(action)
        ledger.add_forced(cause, question.spent(now) // 1_000)
        return MoveForced(
            seat=question.seat,
            seq=question.seq,
            cause=cause,
            asked=asked,
            action=action,
            faults=self._sitters[question.seat].faults,
            fault_limit=self._conduct.fault_limit(hand.public.hand_number),
        )
