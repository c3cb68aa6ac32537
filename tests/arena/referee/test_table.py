"""A whole game at one table, without network or real time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena.referee import (
    WITHOUT_CLOCK,
    Attempt,
    Conduct,
    FaultKind,
    ForcedCause,
    Forfeit,
    GameOutcome,
    Interrupted,
    Resumed,
    Termination,
    TimeControl,
    VoidCause,
)
from arena.referee.clock import NEVER
from arena.referee.outputs import (
    Drop,
    Dropped,
    GameEnded,
    HandDealt,
    HandEnded,
    HandVoided,
    HouseLate,
    MoveForced,
    Offered,
    Outputs,
    Question,
    Refused,
    Started,
    StoreForfeit,
    StoreHand,
    StoreOutcome,
    StoreReady,
    StoreVoid,
    Withdrawal,
    Withdrawn,
)
from arena.referee.setup import Phase
from euchre_sdk.game import SEATS, Action, Hand, Reason, Seat, Session, ToTarget, fallback
from tests.arena.referee.seating_plan import SECOND, Played

ILLEGAL = Action.WITH_DUMMY  # to the first question of a hand, which asks whether to order up


# -- the offer


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


# -- play and storing


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


# -- faults


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


# -- forfeits


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


# -- house bots


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


# -- what the arena does


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


# -- going on after a restart


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
