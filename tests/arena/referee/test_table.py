"""A whole game at one table, without network or real time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena.referee import (
    ForcedCause,
    GameOutcome,
    Termination,
    VoidCause,
)
from arena.referee.clock import NEVER
from arena.referee.outputs import (
    GameEnded,
    HandEnded,
    HandVoided,
    MoveForced,
    Offered,
    Outputs,
    Question,
    Started,
    StoreHand,
    StoreOutcome,
    StoreReady,
    Withdrawal,
    Withdrawn,
)
from arena.referee.setup import Phase
from euchre_sdk.game import SEATS, Action, Hand, Seat, Session, ToTarget
from tests.arena.referee.seating_plan import SECOND, Played


def test_a_game_begins_when_all_are_ready_and_the_nonces_are_stored() -> None:
    game = Played()
    assert game.table.start(game.now) == [Offered(seat) for seat in SEATS]
    for seat, nonce in ((Seat(2), b"c"), (Seat(0), b"a")):
        assert game.table.ready(seat, nonce * 32, arrived=game.now, now=game.now) == []
    last = game.table.ready(Seat(1), b"b" * 32, arrived=game.now, now=game.now)
    assert last == [StoreReady((b"a" * 32, b"b" * 32, b"c" * 32))]
    assert game.table.question is None
    started, _, question = game.table.nonces_stored(game.now)
    assert isinstance(started, Started)
    assert isinstance(question, Question)


def test_a_house_seat_is_given_a_nonce_of_the_seed_whatever_its_bot_sent() -> None:
    game = Played(house=(False, True, False)).begin()
    assert game.nonces == (b"n" * 32, b"\1" * 32, b"n" * 32)
    (started,) = game.told(Started)
    assert started.derived == (False, True, False)


def test_an_offer_is_withdrawn_from_all_when_one_is_not_ready_in_time() -> None:
    game = Played()
    game.do(game.table.start(game.now))
    for seat in (Seat(0), Seat(2)):
        game.do(game.table.ready(seat, b"n" * 32, arrived=game.now, now=game.now))
    game.wait(timedelta(seconds=10))
    assert game.told(Withdrawn) == [
        Withdrawn(Seat(0), Withdrawal.OTHER_NOT_READY),
        Withdrawn(Seat(1), Withdrawal.NOT_READY),
        Withdrawn(Seat(2), Withdrawal.OTHER_NOT_READY),
    ]
    assert game.outcome.not_ready == (Seat(1),)
    assert set(game.outcome.terminations) == {Termination.NOT_STARTED}
    assert not game.outcome.started


def test_a_ready_that_arrives_too_late_or_twice_changes_nothing() -> None:
    game = Played()
    game.do(game.table.start(game.now))
    late = game.now + 11 * SECOND
    assert game.table.ready(Seat(0), b"n" * 32, arrived=late, now=late) == []
    game.do(game.table.ready(Seat(0), b"1" * 32, arrived=game.now, now=game.now))
    game.do(game.table.ready(Seat(0), b"2" * 32, arrived=game.now, now=game.now))
    for seat in (Seat(1), Seat(2)):
        game.do(game.table.ready(seat, b"n" * 32, arrived=game.now, now=game.now))
    assert game.nonces is not None
    assert game.nonces[0] == b"1" * 32


@pytest.mark.parametrize("format", [Session(3), ToTarget()], ids=str)
def test_a_game_is_played_to_its_end_and_every_hand_can_be_replayed(
    format: Session | ToTarget,
) -> None:
    game = Played(format=format, seed=4).begin()
    outcome = game.finish() if isinstance(format, Session) else _play_with_orders(game)
    assert set(outcome.terminations) == {Termination.NORMAL}
    assert outcome.hands == tuple(game.stored)
    score = (0, 0, 0)
    for record in outcome.hands:
        hand = Hand(game.table._setup.rules, record.dealer, record.deck, score=score)
        for action in record.decisions:
            hand.apply(action)
        assert hand.points == record.points
        a, b, c = (x + y for x, y in zip(score, record.points, strict=True))
        score = a, b, c
        assert record.score == score
        assert len(record.spent_us) == len(record.decisions)
    assert outcome.points == score


def _play_with_orders(game: Played) -> GameOutcome:
    while game.table.outcome is None:
        legal = game.question.view.legal
        game.answer(Action.ORDER_UP if Action.ORDER_UP in legal else None)
    return game.outcome


def test_a_result_is_told_only_when_the_hand_is_stored() -> None:
    game = Played(format=Session(1)).begin()
    outputs: Outputs = []
    while game.table.phase is Phase.PLAYING:
        question = game.question
        action = question.view.legal[-1]
        outputs = game.table.answer(
            question.seat, question.seq, action, arrived=game.now, now=game.now
        )
    assert [type(output) for output in outputs] == [StoreHand]
    assert game.table.deadline == NEVER
    told = game.table.hand_stored(game.now)
    assert [type(output) for output in told] == [HandEnded, StoreOutcome]


def test_seats_are_asked_with_their_own_numbers_and_only_their_own_view() -> None:
    game = Played().begin()
    game.finish()
    for seat in SEATS:
        own = [q for q in game.told(Question) if q.seat is seat]
        assert [q.seq for q in own] == list(range(1, len(own) + 1))
        assert all(q.view.seat is seat for q in own)


def test_a_stopped_game_ends_after_the_hand_without_a_result() -> None:
    game = Played(format=Session(5)).begin()
    game.do(game.table.stop(game.now))
    outcome = game.finish()
    assert set(outcome.terminations) == {Termination.VOID}
    assert outcome.hands_counted == 1


def test_a_game_stopped_before_it_began_is_withdrawn() -> None:
    game = Played()
    game.do(game.table.start(game.now))
    game.do(game.table.stop(game.now))
    assert {w.reason for w in game.told(Withdrawn)} == {Withdrawal.CANCELLED}
    assert set(game.outcome.terminations) == {Termination.VOID}
    assert not game.told(GameEnded)


def test_a_void_hand_is_dealt_anew_by_the_same_dealer_with_the_clocks_set_back() -> None:
    game = Played().begin()
    game.now += 3 * SECOND
    game.answer()
    deck, dealer = game.table._hand.deck, game.table._hand.dealer  # type: ignore[union-attr]
    game.do(game.table.void(VoidCause.ARENA_FAULT))
    assert game.told(HandVoided) == [HandVoided(1, VoidCause.ARENA_FAULT)]
    assert game.stored[0].void is VoidCause.ARENA_FAULT
    assert game.table._hand is not None
    assert (game.table._hand.dealer, game.table._hand.deck != deck) == (dealer, True)
    assert all(s.clock.bank == timedelta(seconds=30) for s in game.table.sitters)
    outcome = game.finish()
    assert outcome.hands_counted == 2
    assert [h.attempt.retry for h in outcome.hands] == [0, 1, 0]


def test_a_hand_that_is_void_again_and_again_voids_the_game() -> None:
    game = Played().begin()
    for _ in range(4):
        game.do(game.table.void(VoidCause.ARENA_FAULT))
    assert set(game.outcome.terminations) == {Termination.VOID}


def test_an_unsupported_question_is_decided_without_a_fault() -> None:
    game = Played().begin()
    question = game.question
    game.do(game.table.unsupported(question, game.now))
    (forced,) = game.told(MoveForced)
    assert (forced.cause, forced.faults) == (ForcedCause.UNSUPPORTED, 0)
