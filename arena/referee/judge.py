"""What becomes of a seat that is charged with a fault or does not decide (docs/protocol.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.referee.outcome import Fault
from arena.referee.outputs import MoveForced, Outputs, Refused, StoreFault
from arena.referee.termination import FaultKind, ForcedCause, Termination
from euchre_sdk.game import fallback

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.referee.ledger import Ledger
    from arena.referee.outcome import HandRecord, Triple
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
    def forfeit(sitter: Sitter, how: Termination) -> None:
        """Let a seat forfeit; how it forfeited first stands."""
        if sitter.forfeit is None:
            sitter.forfeit = how

    def charge(self, seat: Seat, kind: FaultKind, reason: str, ledger: Ledger) -> Outputs:
        """Count a fault; one too many is a forfeit."""
        sitter = self._sitters[seat]
        sitter.faults += 1
        fault = Fault(seat=seat, kind=kind, decision=ledger.decision, reason=reason)
        ledger.add_fault(fault)
        hand_number = ledger.hand.public.hand_number
        if sitter.faults >= self._conduct.fault_limit(hand_number):
            self.forfeit(sitter, kind.termination)
        return [StoreFault(hand_number, fault)]

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

    def take_up(self, hands: Iterable[HandRecord]) -> None:
        """Let those forfeit again whose forfeit ended the last of these hands."""
        hands = tuple(hands)
        counted = [hand for hand in hands if hand.void is None]
        if not counted or not counted[-1].in_forfeit:
            return
        limit = self._conduct.fault_limit(counted[-1].hand_number)
        for sitter in self._sitters:
            if sitter.faults >= limit:
                charged = [f.kind for hand in hands for f in hand.faults if f.seat == sitter.seat]
                self.forfeit(sitter, charged[-1].termination if charged else Termination.FORFEIT)
