"""What a table makes of illegal, late and stray answers, and of house bots that are late."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena.referee import (
    Conduct,
    FaultKind,
    ForcedCause,
    Termination,
)
from arena.referee.outputs import (
    Drop,
    Dropped,
    HandEnded,
    HouseLate,
    MoveForced,
    Question,
    Refused,
)
from euchre_sdk.game import Action, Reason, Seat, Session, fallback
from tests.arena.referee.seating_plan import SECOND, Played

ILLEGAL = Action.WITH_DUMMY  # to the first question of a hand, which asks whether to order up


def test_an_illegal_answer_is_refused_with_what_is_legal_and_may_be_given_again() -> None:
    game = Played().begin()
    question = game.question
    (_, refused) = game.answer(ILLEGAL)
    assert isinstance(refused, Refused)
    assert (refused.seat, refused.seq) == (question.seat, question.seq)
    assert refused.reason == Reason.WRONG_KIND.name
    assert "pass" in refused.sentence
    assert (refused.faults, refused.fault_limit) == (1, 3)
    assert game.question is question
    game.answer()
    assert game.question is not question
    assert game.faults[0].fault.kind is FaultKind.ILLEGAL


def test_the_clock_runs_on_after_a_refusal() -> None:
    game = Played().begin()
    deadline = game.table.deadline
    game.now += SECOND
    game.answer(ILLEGAL)
    assert game.table.deadline == deadline


def test_a_malformed_answer_counts_like_an_illegal_one() -> None:
    game = Played().begin()
    question = game.question
    fault, refused = game.do(
        game.table.refuse(
            question, FaultKind.MALFORMED, "MALFORMED", "no action is 99", game.now, game.now
        )
    )
    assert isinstance(refused, Refused)
    assert refused.faults == 1
    assert game.faults == [fault]


def test_time_used_up_plays_the_fallback_and_counts() -> None:
    game = Played().begin()
    seat = game.question.seat
    game.wait(timedelta(seconds=5.03))
    (forced,) = game.told(MoveForced)
    assert (forced.seat, forced.cause, forced.action) == (seat, ForcedCause.TIME, Action.PASS)
    assert forced.faults == 1
    game.finish()
    (record, *_) = game.stored
    assert [f.decision for f in record.forced] == [0]
    (ended, *_) = game.told(HandEnded)
    assert ended.forced[seat] == ended.faults[seat] == 1


def test_an_answer_stamped_in_time_counts_however_late_it_is_looked_at() -> None:
    game = Played().begin()
    question = game.question
    out = game.table.answer(
        question.seat,
        question.seq,
        Action.PASS,
        arrived=game.now + 5 * SECOND,
        now=game.now + 60 * SECOND,
    )
    assert [type(output) for output in out] == [Question]


def test_an_answer_stamped_too_late_is_dropped_and_the_fallback_stands() -> None:
    game = Played().begin()
    question = game.question
    late = game.now + 5 * SECOND + 21_000_000
    out = game.do(
        game.table.answer(question.seat, question.seq, Action.ORDER_UP, arrived=late, now=late)
    )
    assert Dropped(question.seat, question.seq, Drop.LATE) in out
    assert game.told(MoveForced)[0].action is Action.PASS


def test_an_answer_to_a_question_that_was_closed_is_dropped_as_late() -> None:
    game = Played().begin()
    question = game.question
    game.wait(timedelta(seconds=5.1))
    out = game.table.answer(question.seat, question.seq, Action.PASS, game.now, game.now)
    assert out == [Dropped(question.seat, question.seq, Drop.LATE)]


@pytest.mark.parametrize(
    ("seq_off", "why"),
    [
        pytest.param(0, Drop.DUPLICATE, id="the question just answered"),
        pytest.param(7, Drop.UNKNOWN, id="a question of the future"),
        pytest.param(-1, Drop.UNKNOWN, id="question zero"),
    ],
)
def test_an_answer_to_no_open_question_is_dropped(seq_off: int, why: Drop) -> None:
    game = Played().begin()
    question = game.question
    game.answer()
    before = game.question
    dropped = game.do(
        game.table.answer(
            question.seat, question.seq + seq_off, Action.PASS, arrived=game.now, now=game.now
        )
    )
    assert dropped == [Dropped(question.seat, question.seq + seq_off, why)]
    assert game.question is before


def test_a_seat_cannot_answer_for_another() -> None:
    game = Played().begin()
    other = game.question.seat.left
    (dropped,) = game.answer(seat=other)
    assert isinstance(dropped, Dropped)
    assert game.table._hand is not None
    assert not game.table._hand.public.history


def test_a_question_that_never_left_the_arena_charges_nobody() -> None:
    game = Played().begin()
    game.question.departure.at = None
    for _ in range(100):
        game.now = max(game.now, game.table.deadline)
        assert game.table.expire(game.now) == []
    assert not game.told(MoveForced)


@pytest.mark.parametrize(
    ("hands", "limit"), [(Session(15), 3), (Session(16), 6), (Session(31), 9)], ids=str
)
def test_three_faults_are_allowed_for_each_started_fifteen_hands(
    hands: Session, limit: int
) -> None:
    assert Conduct().fault_limit(hands.hands) == limit


def test_a_late_house_bot_is_answered_for_without_a_fault() -> None:
    game = Played(house=(True, True, True), house_answer=lambda view: view.legal[-1]).begin()
    seat = game.question.seat
    game.wait(timedelta(seconds=10.1))
    (forced,) = game.told(MoveForced)
    assert (forced.cause, forced.action) == (ForcedCause.HOUSE_LATE, Action.ORDER_UP)
    assert game.table.sitters[seat].faults == 0
    assert not game.faults


def test_the_fallback_is_played_for_a_house_bot_whose_answer_cannot_be_computed() -> None:
    game = Played(house=(True, True, True), house_answer=lambda _view: None).begin()
    expected = fallback(game.question.view)
    game.wait(timedelta(seconds=10.1))
    (forced,) = game.told(MoveForced)
    assert (forced.cause, forced.action) == (ForcedCause.HOUSE_LATE, expected)


def test_while_a_house_bots_answer_is_computed_its_own_still_counts_and_no_clock_runs() -> None:
    game = Played(house=(True, False, False))
    game.begin().until(Seat(0))
    banks = [sitter.clock.bank for sitter in game.table.sitters]
    game.now = game.table.deadline
    (late,) = game.table.expire(game.now)
    assert isinstance(late, HouseLate)
    game.now += SECOND
    game.answer()
    assert game.question is not late.question
    assert game.table.house_decided(late.question, None, game.now) == []
    assert [sitter.clock.bank for sitter in game.table.sitters] == banks
    assert not game.told(MoveForced)


def test_a_house_bot_for_which_nothing_is_ever_computed_holds_up_nobody_for_ever() -> None:
    game = Played(house=(True, False, False)).begin()
    game.until(Seat(0))
    game.now = game.table.deadline
    game.table.expire(game.now)
    game.now = game.table.deadline
    forced = game.table.expire(game.now)[0]
    assert isinstance(forced, MoveForced)
    assert forced.cause is ForcedCause.HOUSE_LATE


def test_an_absent_house_bot_never_forfeits_and_is_answered_for_at_once() -> None:
    game = Played(house=(True, False, False), format=Session(3)).begin()
    game.do(game.table.lost(Seat(0), game.now))
    game.wait(timedelta(seconds=4))
    while game.table.outcome is None:
        if game.question.seat is Seat(0):
            game.wait(timedelta(seconds=10.1))
        else:
            game.answer()
    assert set(game.outcome.terminations) == {Termination.NORMAL}
