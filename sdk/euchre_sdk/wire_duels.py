"""Duels of `euchre.v1` as plain values."""

from __future__ import annotations

from euchre.v1 import duels_pb2 as pb
from euchre_sdk.duel import Decision, Effect, SequentialTest, SprtError
from euchre_sdk.duel.view import DuelView

_DECISIONS: dict[int, Decision] = {
    pb.DUEL_DECISION_OPEN: Decision.OPEN,
    pb.DUEL_DECISION_STRONGER: Decision.STRONGER,
    pb.DUEL_DECISION_NOT_STRONGER: Decision.NOT_STRONGER,
    pb.DUEL_DECISION_CAP: Decision.CAP,
}


def read_duel(message: pb.DuelStanding, *, is_running: bool) -> DuelView | None:
    """Return how a duel stands; None for one that this package does not understand."""
    terms, has = message.terms, message.HasField
    decision = _DECISIONS.get(message.decision)
    if decision is None or len(message.forfeits) != 3:
        return None
    try:
        test = SequentialTest(
            points0=terms.points0,
            points1=terms.points1,
            alpha=terms.alpha,
            beta=terms.beta,
            cap=terms.cap,
            block_hands=message.block_hands,
        )
    except SprtError:
        return None
    x, y, z = message.forfeits
    return DuelView(
        first=terms.first,
        second=terms.second,
        thirds=tuple(message.thirds),
        test=test,
        decision=decision,
        llr=message.llr,
        effect=Effect(
            blocks=message.blocks,
            points=message.lead_points,
            points_error=message.lead_points_error if has("lead_points_error") else None,
            elo=message.lead_elo,
            elo_error=message.lead_elo_error if has("lead_elo_error") else None,
            deviations=message.lead_deviations if has("lead_deviations") else None,
        ),
        hands=message.hands,
        forfeits=(x, y, z),
        is_running=is_running,
    )
