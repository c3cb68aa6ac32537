"""A hand as the database keeps it: JSON with cards and actions in notation."""

from __future__ import annotations

import json

from arena.referee import (
    Attempt,
    Fault,
    FaultKind,
    Forced,
    ForcedCause,
    HandRecord,
    VoidCause,
)
from euchre_sdk.game import Action, Card, Seat


def encode_hand(record: HandRecord) -> str:
    """Return a hand as JSON; `decode_hand` gives it back."""
    return json.dumps(
        {
            "hand": record.hand_number,
            "attempt": [record.attempt.incarnation, record.attempt.retry],
            "dealer": int(record.dealer),
            "deck": " ".join(map(str, record.deck)),
            "decisions": [str(action) for action in record.decisions],
            "spent_us": record.spent_us,
            "points": record.points,
            "score": record.score,
            "forced": [[forced.decision, forced.cause.value] for forced in record.forced],
            "faults": [
                [int(fault.seat), fault.kind.value, fault.decision, fault.reason]
                for fault in record.faults
            ],
            "bank_us": record.bank_us,
            "allowance_us": record.allowance_us,
            "in_forfeit": record.in_forfeit,
            "void": None if record.void is None else record.void.value,
        },
        separators=(",", ":"),
    )


def decode_hand(text: str) -> HandRecord:
    """Return the hand that `encode_hand` wrote."""
    data = json.loads(text)
    return HandRecord(
        hand_number=data["hand"],
        attempt=Attempt(*data["attempt"]),
        dealer=Seat(data["dealer"]),
        deck=tuple(map(Card.parse, data["deck"].split())),
        decisions=tuple(map(Action.parse, data["decisions"])),
        spent_us=tuple(data["spent_us"]),
        points=tuple(data["points"]),
        score=tuple(data["score"]),
        forced=tuple(Forced(decision, ForcedCause(cause)) for decision, cause in data["forced"]),
        faults=tuple(
            Fault(seat=Seat(seat), kind=FaultKind(kind), decision=decision, reason=reason)
            for seat, kind, decision, reason in data["faults"]
        ),
        bank_us=tuple(data["bank_us"]),
        allowance_us=tuple(data["allowance_us"]),
        in_forfeit=data["in_forfeit"],
        void=None if data["void"] is None else VoidCause(data["void"]),
    )


def dealt_and_decided(text: str) -> tuple[str, list[str]]:
    """Return the cut deck and the decisions of the hand that `encode_hand` wrote, in notation."""
    data = json.loads(text)
    return data["deck"], data["decisions"]
