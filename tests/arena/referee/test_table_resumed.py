"""A table that goes on after a restart, or after time in which the arena could not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena.referee import (
    WITHOUT_CLOCK,
    Attempt,
    Forfeit,
    Interrupted,
    Resumed,
    Termination,
    VoidCause,
)
from arena.referee.clock import NEVER
from arena.referee.outputs import (
    GameEnded,
    HandDealt,
    HandVoided,
    MoveForced,
    StoreForfeit,
    StoreOutcome,
    StoreVoid,
    Withdrawn,
)
from arena.referee.setup import Phase
from euchre_sdk.game import SEATS, Action, Seat, Session, fallback
from tests.arena.referee.seating_plan import SECOND, Played

ILLEGAL = Action.WITH_DUMMY  # to the first question of a hand, which asks whether to order up


def test_a_continued_game_keeps_hands_score_faults_clock_and_nonces() -> None:
    first = Played(format=Session(3)).begin()
    first.answer(ILLEGAL)
    first.now += 4 * SECOND
    slow = first.question.seat
    while len(first.stored) < 2:
        first.answer()
    assert first.nonces is not None
    counts = tuple(s.faults for s in first.table.sitters)
    resumed = Resumed(nonces=first.nonces, hands=tuple(first.stored), faults=counts)  # type: ignore[arg-type]
    second = Played(format=Session(3), played=resumed, incarnation=2).begin()
    assert second.nonces == first.nonces, "coming back changes no nonce"
    assert second.table.standing(slow).faults == 1
    assert second.table.sitters[slow].clock.bank < timedelta(seconds=27)
    assert second.question.view.hand_number == 3
    outcome = second.finish()
    assert len(outcome.hands) == 3
    assert outcome.hands[2].attempt.incarnation == 2
    assert outcome.nonces == first.nonces
    dealers = [hand.dealer for hand in outcome.hands]
    assert dealers[1:] == [dealers[0].left, dealers[1].left]


def test_who_does_not_come_back_to_a_continued_game_has_lost_its_stream() -> None:
    resumed = Resumed(nonces=(b"a" * 32, b"b" * 32, b"c" * 32))
    game = Played(format=Session(60), played=resumed)
    game.do(game.table.start(game.now))
    for seat in (Seat(0), Seat(1)):
        game.do(game.table.ready(seat, b"n" * 32, arrived=game.now, now=game.now))
    game.wait(timedelta(seconds=10))
    assert not game.told(Withdrawn)
    while game.table.outcome is None:
        if game.question.seat is Seat(2):
            game.wait(timedelta(seconds=6))
        else:
            game.answer()
    assert game.outcome.terminations[2].is_forfeit


def test_the_end_of_a_game_is_stored_before_it_is_told() -> None:
    game = Played(format=Session(1)).begin()
    outcome = game.finish()
    (stored,) = game.told(StoreOutcome)
    (told,) = game.told(GameEnded)
    assert stored.outcome == told.outcome == outcome
    assert game.log.index(stored) < game.log.index(told)


def test_who_is_withdrawn_while_the_nonces_are_being_stored_forfeits_before_the_first_hand() -> (
    None
):
    game = Played()
    game.table.start(game.now)
    *_, ready = [game.table.ready(seat, b"n" * 32, game.now, game.now) for seat in SEATS]
    assert game.table.forfeit(Seat(1), game.now) == [
        StoreForfeit(Forfeit(Seat(1), Termination.FORFEIT))
    ]
    game.do(ready)
    assert game.outcome.offenders == (1,)
    assert not game.stored


def test_nothing_changes_a_result_that_is_being_stored() -> None:
    game = Played(format=Session(1)).begin()
    while game.table.phase is Phase.PLAYING:
        question = game.question
        out = game.table.answer(
            question.seat, question.seq, fallback(question.view), game.now, game.now
        )
        if game.table.question is not None:
            game.do(out)
    game.table.lost(Seat(1), game.now)
    game.now += 100 * SECOND
    assert game.table.expire(game.now) == []
    assert game.table.forfeit(Seat(2), game.now) == []
    *_, storing = game.table.hand_stored(game.now)
    assert isinstance(storing, StoreOutcome)
    assert game.table.forfeit(Seat(2), game.now) == []
    assert game.table.deadline == NEVER
    assert game.table.outcome_stored(game.now) == [GameEnded(storing.outcome)]
    assert set(storing.outcome.terminations) == {Termination.NORMAL}


def test_a_game_that_was_complete_when_the_arena_stopped_ends_when_all_are_here_to_be_told() -> (
    None
):
    first = Played(format=Session(1)).begin()
    outcome = first.finish()
    resumed = Resumed(nonces=first.nonces, hands=outcome.hands)
    second = Played(format=Session(1), played=resumed, incarnation=2).begin()
    assert second.outcome.points == outcome.points
    assert second.told(StoreOutcome)
    assert not second.stored, "nothing more was played"


def test_a_game_whose_end_was_stored_ends_so_after_a_restart_whoever_comes_back() -> None:
    first = Played(format=Session(9)).begin()
    first.until(Seat(1))
    first.do(first.table.lost(Seat(1), first.now))
    first.wait(timedelta(seconds=61))
    outcome = first.finish()
    assert outcome.terminations[1].is_forfeit
    resumed = Resumed(nonces=first.nonces, hands=outcome.hands, outcome=outcome)
    second = Played(format=Session(9), played=resumed, incarnation=2)
    second.do(second.table.start(second.now))
    second.wait(timedelta(seconds=11))
    assert second.outcome == outcome
    assert not second.told(StoreOutcome), "it is stored already"
    assert second.told(GameEnded) == [GameEnded(outcome)]


@pytest.mark.parametrize("how", [Termination.ILLEGAL, Termination.LOST, Termination.FORFEIT])
def test_a_forfeit_stands_though_the_arena_stopped_before_the_hand_was_over(
    how: Termination,
) -> None:
    first = Played(format=Session(9)).begin()
    seat = first.question.seat
    if how is Termination.ILLEGAL:
        for _ in range(3):
            first.answer(ILLEGAL)
    elif how is Termination.LOST:
        first.do(first.table.lost(seat, first.now))
        first.now += 61 * SECOND
        first.do(first.table.expire(first.now))
    else:
        first.do(first.table.forfeit(seat, first.now))
    (stored,) = first.told(StoreForfeit)
    assert stored.forfeit == Forfeit(seat, how)
    assert not first.stored
    resumed = Resumed(nonces=first.nonces, forfeits=(stored.forfeit,))
    second = Played(format=Session(9), played=resumed, incarnation=2).begin()
    assert second.outcome.terminations[seat] is how
    assert second.outcome.offenders == (seat,)
    assert not second.stored, "nothing more was dealt"


def test_the_hand_in_which_the_arena_stopped_is_void_and_dealt_anew_by_the_same_dealer() -> None:
    first = Played(format=Session(9)).begin()
    while not first.stored:
        first.answer()
    first.wait(timedelta(seconds=2))
    first.answer(ILLEGAL)
    (fault,) = first.faults
    hand = first.told(HandDealt)[-1].hand
    resumed = Resumed(
        nonces=first.nonces,
        hands=tuple(first.stored),
        faults=tuple(int(seat is fault.fault.seat) for seat in SEATS),  # type: ignore[arg-type]
        interrupted=Interrupted(attempt=Attempt(1, 0), faults=(fault.fault,)),
    )
    second = Played(format=Session(9), played=resumed, incarnation=2).begin()
    (void,) = second.told(StoreVoid)
    assert second.log[0] is void, "it is stored before anything else happens"
    record = void.record
    assert (record.hand_number, record.attempt) == (2, Attempt(1, 0))
    assert (record.void, record.points) == (VoidCause.ARENA_STOPPED, (0, 0, 0))
    assert record.dealer == hand.dealer
    assert len(set(record.deck)) == 24
    assert record.score == first.stored[-1].score
    assert record.faults == (fault.fault,)
    assert record.bank_us == first.stored[-1].bank_us
    assert second.told(HandVoided) == [HandVoided(2, VoidCause.ARENA_STOPPED)]
    anew = second.told(HandDealt)[0].hand
    assert (anew.public.hand_number, anew.dealer) == (2, hand.dealer)
    assert tuple(anew.deck) != record.deck
    bank = second.question.view.bank
    assert bank == timedelta(microseconds=record.bank_us[second.question.seat])
    assert second.finish().hands.count(record) == 1


def test_no_deal_is_void_where_the_arena_stopped_between_a_forfeit_and_the_end() -> None:
    first = Played(format=Session(9)).begin()
    seat = first.question.seat
    first.do(first.table.forfeit(seat, first.now))
    outcome = first.finish()
    assert outcome.hands[-1].in_forfeit
    resumed = Resumed(
        nonces=first.nonces,
        hands=outcome.hands,
        forfeits=(Forfeit(seat, Termination.FORFEIT),),
        interrupted=Interrupted(attempt=Attempt(1, 0)),
    )
    second = Played(format=Session(9), played=resumed, incarnation=2).begin()
    assert not second.told(StoreVoid)
    assert second.outcome.hands == outcome.hands


def test_nobody_is_charged_for_the_time_in_which_the_arena_could_not_go_on() -> None:
    game = Played().begin()
    game.now += SECOND
    since, game.now = game.now, game.now + 100 * SECOND
    game.table.give_back(since, game.now)
    assert game.question.spent(game.now) == SECOND
    game.do(game.table.expire(game.now))
    assert not game.told(MoveForced)
    game.wait(timedelta(seconds=3.9))
    assert not game.told(MoveForced)
    game.wait(timedelta(seconds=0.2))
    assert len(game.told(MoveForced)) == 1, "its clock goes on where it stood"


def test_who_is_away_is_gone_no_sooner_for_the_time_in_which_the_arena_could_not_go_on() -> None:
    game = Played(control=WITHOUT_CLOCK).begin()
    seat = game.question.seat
    game.do(game.table.lost(seat, game.now))
    game.now += 50 * SECOND
    since, game.now = game.now, game.now + 100 * SECOND
    game.table.give_back(since, game.now)
    game.wait(timedelta(seconds=9))
    assert not game.told(StoreForfeit)
    game.wait(timedelta(seconds=2))
    assert game.told(StoreForfeit) == [StoreForfeit(Forfeit(seat, Termination.LOST))]


def test_an_offer_lasts_longer_by_the_time_in_which_the_arena_could_not_go_on() -> None:
    game = Played()
    game.do(game.table.start(game.now))
    since, game.now = game.now, game.now + 100 * SECOND
    game.table.give_back(since, game.now)
    game.wait(timedelta(seconds=9))
    assert game.table.outcome is None
    game.wait(timedelta(seconds=2))
    assert game.outcome.not_ready == SEATS


def test_a_game_without_clocks_still_ends_every_wait() -> None:
    game = Played(control=WITHOUT_CLOCK).begin()
    assert game.question.view.bank is None
    game.wait(timedelta(minutes=9.9))
    assert not game.told(MoveForced)
    game.wait(timedelta(minutes=0.2))
    assert len(game.told(MoveForced)) == 1
