"""What is told and counted of the games in play: one line a hand, once it is stored.

Nothing here is said before the three seats may know it: lines are written when the hand is stored,
and hold no card at any level.
"""

from __future__ import annotations

from time import monotonic_ns
from typing import TYPE_CHECKING

import structlog

from arena.referee import FaultKind, Termination

if TYPE_CHECKING:
    from arena.metrics import Metrics
    from arena.referee import GameOutcome, HandRecord
    from arena.referee.outputs import HandDealt
    from arena.rpc.stream import Stream
    from arena.tournaments.playroom import GameOrder

log = structlog.get_logger(__name__)


def tell_start(order: GameOrder, metrics: Metrics) -> None:
    """Tell that a game begins, or goes on."""
    metrics.games_started += 1
    log.debug(
        "game_started",
        game_id=order.game_id,
        seats=[seat.name for seat in order.seats],
        hands_before=len(order.played.hands),
    )


def tell_deal(order: GameOrder, dealt: HandDealt) -> None:
    """Tell that a hand is dealt, and by whom."""
    public = dealt.hand.public
    hand, dealer = public.hand_number, int(dealt.hand.dealer)
    log.debug("hand_started", game_id=order.game_id, hand=hand, dealer=dealer)


def tell_hand(record: HandRecord, metrics: Metrics) -> None:
    """Tell of a stored hand: the one line that has all its numbers, and its faults."""
    spent = record.spent_us
    metrics.decisions += len(spent)
    forced = {move.decision for move in record.forced}
    if forced:
        metrics.forced.update(move.cause for move in record.forced)
        metrics.response.add_all([us for n, us in enumerate(spent) if n not in forced])
    else:
        metrics.response.add_all(spent)
    metrics.hands["scored" if record.void is None else "void"] += 1
    metrics.faults.update(fault.kind for fault in record.faults)
    for fault in record.faults:
        if fault.kind is not FaultKind.TIME:
            log.debug(
                "action_refused",
                hand=record.hand_number,
                decision=fault.decision,
                seat=int(fault.seat),
                reason=fault.reason,
            )
    for move in record.forced:
        cause = move.cause.value
        log.debug("move_forced", hand=record.hand_number, decision=move.decision, cause=cause)
    numbers = {
        "hand": record.hand_number,
        "attempt": (record.attempt.incarnation, record.attempt.retry),
        "dealer": int(record.dealer),
        "decisions": len(spent),
        "thought_ms": round(sum(spent) / 1e3, 3),
        "slowest_ms": round(max(spent, default=0) / 1e3, 3),
        "forced": len(forced),
        "faults": len(record.faults),
    }
    if record.void is not None:
        log.warning("hand_voided", cause=record.void.value, **numbers)
    else:
        log.debug("hand_scored", points=record.points, score=record.score, **numbers)


def tell_stream(stream: Stream, metrics: Metrics) -> None:
    """Tell of a stream that is over: the one line that has all its numbers."""
    why = stream.why or "BOT_LEFT"
    metrics.goodbyes[why] += 1
    log.info(
        "stream_closed",
        peer=stream.peer,
        bot_id=stream.bot_id,
        reason=why,
        elapsed_ms=(monotonic_ns() - stream.opened) // 1_000_000,
        messages_in=stream.taken_messages,
        messages_out=stream.written_messages,
    )  # not how many bytes: a question's length tells how many cards are legal


def count_end(outcome: GameOutcome, metrics: Metrics) -> None:
    """Count how a game ended; the director tells of it."""
    how = "finished"
    if not outcome.started:
        how = "not_started"
    elif Termination.VOID in outcome.terminations:
        how = "void"
    elif outcome.offenders:
        how = "forfeited"
    metrics.games_over[how] += 1
