"""What a table says, as messages of `euchre.v1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.referee import ForcedCause, Termination, VoidCause
from arena.referee.outputs import (
    Drop,
    Dropped,
    GameEnded,
    HandDealt,
    HandEnded,
    HandVoided,
    MoveForced,
    Refused,
    Standing,
    Started,
    Withdrawal,
    Withdrawn,
)
from arena.rpc.terms import write_conduct, write_time_control
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.bot import HandResult
from euchre_sdk.wire import (
    CALL_NUMBER,
    write_answer,
    write_duration,
    write_format,
    write_question,
    write_rules,
)
from euchre_sdk.wire_events import write_hand_end

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from arena.tournaments.playroom import GameOrder
    from euchre_sdk.game import Card, Public, Seat

TERMINATION: dict[Termination, types_pb2.Termination.ValueType] = {
    how: types_pb2.Termination.Value(f"TERMINATION_{how.name}") for how in Termination
}
_WITHDRAWAL: dict[Withdrawal, play_pb2.WithdrawalReason.ValueType] = {
    why: play_pb2.WithdrawalReason.Value(f"WITHDRAWAL_REASON_{why.name}") for why in Withdrawal
}
_DROP: dict[Drop, play_pb2.DropReason.ValueType] = {
    why: play_pb2.DropReason.Value(f"DROP_REASON_{why.name}") for why in Drop
}
_FORCED: dict[ForcedCause, play_pb2.ForcedCause.ValueType] = {
    why: play_pb2.ForcedCause.Value(f"FORCED_CAUSE_{why.name}") for why in ForcedCause
}
_VOID: dict[VoidCause, play_pb2.VoidReason.ValueType] = {
    why: play_pb2.VoidReason.Value(f"VOID_REASON_{why.name}") for why in VoidCause
}


def write_offer(
    order: GameOrder, *, slot: int, seat: Seat, commitment: bytes
) -> play_pb2.GameOffer:
    """Return the offer of a game to one seat. Holds no name."""
    return play_pb2.GameOffer(
        game_id=order.game_id,
        slot=slot,
        rules=write_rules(order.rules),
        format=write_format(order.format),
        seat=seat,
        time_control=write_time_control(order.time_control),
        conduct=write_conduct(order.conduct),
        deal_set_id=order.deal_set,
        commitment=commitment,
        incarnation=order.committed_incarnation,
    )


def write_start(order: GameOrder, started: Started) -> play_pb2.GameStart:
    """Return what all are told at the start."""
    return play_pb2.GameStart(
        nonces=started.nonces,
        nonces_derived=started.derived,
        names=[seat.name for seat in order.seats],
        first_dealer=started.first_dealer,
        draw_seats=[seat for seat, _ in started.draws],
        draw_cards=[_card(card) for _, card in started.draws],
        incarnation=order.incarnation,
    )


def write_snapshot_game(
    order: GameOrder, offer: play_pb2.GameOffer, standing: Standing
) -> play_pb2.SnapshotGame:
    """Return how a game stands for a seat that comes back."""
    message = play_pb2.SnapshotGame(
        offer=offer, ready=standing.ready, faults=standing.faults, retry=standing.retry
    )
    if standing.started is not None:
        message.start.CopyFrom(write_start(order, standing.started))
        message.score.extend(standing.score)
    question = standing.question
    if question is not None:
        message.question.CopyFrom(write_question(offer.slot, question.seq, question.view))
        if standing.left is not None:
            message.question.answer_duration.CopyFrom(write_duration(standing.left))
    return message


def _card(card: Card) -> types_pb2.Card.ValueType:
    return card + 1  # type: ignore[return-value]  # the contract numbers cards so


# Each of these gives a notice without its slot, which differs from seat to seat.


def write_withdrawn(told: Withdrawn) -> play_pb2.Notice:
    """Return the notice that an offer is taken back."""
    return play_pb2.Notice(offer_withdrawn=play_pb2.OfferWithdrawn(reason=_WITHDRAWAL[told.reason]))


def write_refused(told: Refused) -> play_pb2.Notice:
    """Return the notice that an answer was refused."""
    reasons = play_pb2.RefusalReason
    name = f"REFUSAL_REASON_{told.reason}"
    known = name in reasons.keys()  # noqa: SIM118 - an enum wrapper is no dict
    return play_pb2.Notice(
        answer_refused=play_pb2.AnswerRefused(
            seq=told.seq,
            reason=reasons.Value(name) if known else reasons.Value("REFUSAL_REASON_WRONG_KIND"),
            message=told.sentence,
            faults=told.faults,
            fault_limit=told.fault_limit,
        )
    )


def write_dropped(told: Dropped) -> play_pb2.Notice:
    """Return the notice that an answer was dropped."""
    return play_pb2.Notice(
        answer_dropped=play_pb2.AnswerDropped(seq=told.seq, reason=_DROP[told.reason])
    )


def write_forced(told: MoveForced) -> play_pb2.Notice:
    """Return the notice that the referee decided for a seat."""
    action = write_answer(0, told.seq, told.asked, told.action)
    return play_pb2.Notice(
        move_forced=play_pb2.MoveForced(
            seq=told.seq,
            cause=_FORCED[told.cause],
            kind=action.kind,
            suit=action.suit if action.HasField("suit") else None,
            cards=action.cards,
            faults=told.faults,
            fault_limit=told.fault_limit,
        )
    )


def write_dealt(told: HandDealt) -> play_pb2.Notice:
    """Return the notice that a hand was dealt."""
    public = told.hand.public
    return play_pb2.Notice(
        hand_start=play_pb2.HandStart(
            hand_number=public.hand_number,
            dealer=public.dealer,
            turn_up=_card(public.turn_up),
        )
    )


def write_actions(public: Public, calls: int, plays: int) -> play_pb2.Notice:
    """Return the notice of what was done in public after so many calls and plays."""
    said = public.calls[calls:]
    seats = [seat for seat, _ in public.seated_plays()][plays:] if public.plays else []
    trump = public.trump
    return play_pb2.Notice(
        public_actions=play_pb2.PublicActions(
            hand_number=public.hand_number,
            seats=[*(seat for seat, _ in said), *seats],
            kinds=[
                *(CALL_NUMBER[call] for _, call in said),
                *(types_pb2.ACTION_KIND_PLAY for _ in seats),
            ],
            trump=None if trump is None else trump + 1,  # type: ignore[arg-type]
            plays=[_card(card) for card in public.plays[plays:]],
        )
    )


def write_ended(told: HandEnded) -> play_pb2.Notice:
    """Return the notice of a hand's result."""
    message = write_hand_end(
        HandResult(points=told.points, score=told.score, public=told.hand.public)
    )
    if any(told.faults):
        message.faults.extend(told.faults)
    if any(told.forced):
        message.forced_moves.extend(told.forced)
    return play_pb2.Notice(hand_end=message)


def write_voided(told: HandVoided) -> play_pb2.Notice:
    """Return the notice that a hand does not count."""
    return play_pb2.Notice(
        hand_voided=play_pb2.HandVoided(hand_number=told.hand_number, reason=_VOID[told.cause])
    )


def write_game_over(told: GameEnded) -> play_pb2.Notice:
    """Return the notice that a game is over."""
    outcome = told.outcome
    void = Termination.VOID in outcome.terminations
    how = [
        f"Seat {seat}: {termination.sentence}" if termination.is_forfeit else termination.sentence
        for seat, termination in enumerate(outcome.terminations)
        if termination is not Termination.NORMAL
    ]
    how = list(dict.fromkeys(how))  # what befell all three is said once
    if outcome.unfinished:
        how.append("The game ended unfinished: too many hands in a row were passed out.")
    return play_pb2.Notice(
        game_over=play_pb2.GameOver(
            points=outcome.points,
            places=() if void or outcome.unfinished else outcome.places,
            terminations=[TERMINATION[termination] for termination in outcome.terminations],
            message=" ".join(how),
            hands=outcome.hands_counted,
        )
    )


def write_revealed(order: GameOrder) -> play_pb2.Notice:
    """Return the notice that opens the deals of a game: nothing of it can be played any more."""
    return play_pb2.Notice(
        deals_revealed=play_pb2.DealsRevealed(deal_set_id=order.deal_set, seed=order.seed)
    )


PUBLIC: dict[type, Callable[..., play_pb2.Notice]] = {
    HandEnded: write_ended,
    HandVoided: write_voided,
    GameEnded: write_game_over,
}
"""Notices that all three seats get alike."""


def write_goodbye(
    reason: play_pb2.GoodbyeReason.ValueType, message: str, retry: timedelta | None = None
) -> bytes:
    """Return the last message of a stream."""
    goodbye = play_pb2.Goodbye(
        reason=reason,
        message=message,
        retry_duration=None if retry is None else write_duration(retry),
    )
    return play_pb2.PlayResponse(goodbye=goodbye).SerializeToString()
