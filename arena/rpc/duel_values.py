"""Duels as messages: what is asked, and how it stands."""

from __future__ import annotations

from arena.tournaments.duel_standing import DuelStanding
from arena.tournaments.duel_terms import DuelTerms
from euchre.v1 import duels_pb2 as pb
from euchre_sdk.duel import Decision
from euchre_sdk.game import Format

DECISION = {
    Decision.OPEN: pb.DUEL_DECISION_OPEN,
    Decision.STRONGER: pb.DUEL_DECISION_STRONGER,
    Decision.NOT_STRONGER: pb.DUEL_DECISION_NOT_STRONGER,
    Decision.CAP: pb.DUEL_DECISION_CAP,
}


def write_terms(terms: DuelTerms) -> pb.DuelTerms:
    """Return what a duel asks as a message."""
    return pb.DuelTerms(
        first=terms.first,
        second=terms.second,
        points0=terms.points0,
        points1=terms.points1,
        alpha=terms.alpha,
        beta=terms.beta,
        cap=terms.cap,
    )


def read_terms(message: pb.DuelTerms, format: Format) -> DuelTerms:
    """Return what a duel is to ask. Raises `ScheduleError` (a ValueError) with all faults."""
    standard = DuelTerms(first=message.first, second=message.second)
    has = message.HasField
    terms = DuelTerms(
        first=message.first,
        second=message.second,
        points0=message.points0 if has("points0") else standard.points0,
        points1=message.points1 if has("points1") else standard.points1,
        alpha=message.alpha if has("alpha") else standard.alpha,
        beta=message.beta if has("beta") else standard.beta,
        cap=message.cap if has("cap") else standard.cap,
    )
    terms.test(format)
    return terms


def write_standing(terms: DuelTerms, standing: DuelStanding) -> pb.DuelStanding:
    """Return how a duel stands as a message."""
    state, effect = standing.state, standing.effect
    message = pb.DuelStanding(
        terms=write_terms(terms),
        thirds=[entry.name for entry in standing.thirds],
        decision=DECISION[state.decision],
        llr=state.llr,
        lower_bound=state.test.lower,
        upper_bound=state.test.upper,
        blocks=effect.blocks,
        hands=standing.hands,
        block_hands=state.test.block_hands,
        lead_points=effect.points,
        lead_elo=effect.elo,
        forfeits=standing.forfeits,
    )
    if effect.points_error is not None and effect.elo_error is not None:
        message.lead_points_error = effect.points_error
        message.lead_elo_error = effect.elo_error
    if effect.deviations is not None:
        message.lead_deviations = effect.deviations
    return message
