"""When a seat has forfeited, and how the game ends for all."""

from __future__ import annotations

from datetime import timedelta

from arena.referee import (
    Termination,
    TimeControl,
)
from arena.referee.outputs import (
    GameEnded,
    MoveForced,
)
from euchre_sdk.game import SEATS, Action, Seat, Session, ToTarget
from tests.arena.referee.seating_plan import Played

ILLEGAL = Action.WITH_DUMMY  # to the first question of a hand, which asks whether to order up


def test_the_fault_limit_forfeits_and_fallbacks_finish_the_hand() -> None:
    game = Played(format=Session(4)).begin()
    seat = game.question.seat
    for _ in range(3):
        game.answer(ILLEGAL)
    assert game.question.seat is not seat
    outcome = game.finish()
    assert outcome.terminations[seat] is Termination.ILLEGAL
    assert outcome.offenders == (seat,)
    others = [s for s in SEATS if s is not seat]
    assert {outcome.terminations[s] for s in others} == {Termination.NORMAL}
    assert outcome.places[seat] == 3
    assert outcome.points[seat] == 0
    assert [record.in_forfeit for record in outcome.hands] == [True]
    assert len(game.told(GameEnded)) == 1


def test_who_forfeits_a_game_is_last_and_the_others_stand_by_score() -> None:
    game = Played(format=ToTarget()).begin()
    while not game.stored or max(game.table.standing(Seat(0)).score) == 0:
        legal = game.question.view.legal
        game.answer(Action.ORDER_UP if Action.ORDER_UP in legal else legal[0])
    score = game.table.standing(Seat(0)).score
    offender = Seat(score.index(max(score)))
    game.table.forfeit(offender, game.now)
    game.do(game.table.expire(game.now))
    outcome = game.finish()
    assert outcome.terminations[offender] is Termination.FORFEIT
    assert outcome.places[offender] == 3
    assert outcome.points[offender] >= max(score)


def test_a_seat_without_a_stream_for_a_minute_forfeits_while_others_think() -> None:
    control = TimeControl(limit=timedelta(minutes=5), bank=timedelta(minutes=5))
    game = Played(format=Session(3), control=control).begin()
    thinker = game.question.seat
    gone = thinker.left
    game.do(game.table.lost(gone, game.now))
    assert not game.wait(timedelta(seconds=59.9))
    game.wait(timedelta(seconds=0.2))
    assert game.question.seat is thinker, "who thinks is not disturbed"
    outcome = game.finish()
    assert outcome.terminations[gone] is Termination.LOST
    assert not [f for f in game.faults if f.fault.seat is thinker]


def test_a_seat_that_comes_back_in_time_finds_its_question_and_its_clock_gone_on() -> None:
    game = Played().begin()
    question = game.question
    game.do(game.table.lost(question.seat, game.now))
    game.wait(timedelta(seconds=2))
    standing = game.table.back(question.seat)
    assert standing.question is question
    assert game.table.standing(question.seat, game.now).left == timedelta(seconds=3)
    game.wait(timedelta(seconds=2))
    game.answer()
    assert game.table.sitters[question.seat].clock.bank == timedelta(seconds=30 - 4 + 0.12)
    outcome = game.finish()
    assert set(outcome.terminations) == {Termination.NORMAL}


def test_a_lost_seat_is_asked_and_timed_out_like_any_other() -> None:
    game = Played().begin()
    question = game.question
    question.departure.at = None  # there is no stream to leave by
    game.do(game.table.lost(question.seat, game.now))
    game.wait(timedelta(seconds=5.1))
    (forced,) = game.told(MoveForced)
    assert forced.seq == question.seq


def test_all_three_may_vanish_and_the_game_still_ends() -> None:
    game = Played(format=Session(100)).begin()
    for seat in SEATS:
        game.do(game.table.lost(seat, game.now))
    game.wait(timedelta(minutes=5))
    assert all(how.is_forfeit for how in game.outcome.terminations)
    assert game.outcome.places == (1, 1, 1)
