"""What the table of the conduct rules is what the referee does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from arena.referee import Conduct, FaultKind, Termination, VoidCause
from arena.referee.conduct import CONDUCT, AtOnce, Offence
from arena.referee.outputs import Dropped, HandVoided, MoveForced, Refused, Withdrawn
from euchre_sdk.game import Action, Seat, Session
from tests.arena.referee.seating_plan import SECOND, Played

ILLEGAL = Action.WITH_DUMMY
LONG = Session(9)


def answer_illegally(game: Played) -> None:
    game.answer(ILLEGAL)


def answer_nonsense(game: Played) -> None:
    game.do(
        game.table.refuse(
            game.question, FaultKind.MALFORMED, "MALFORMED", "No such card.", game.now, game.now
        )
    )


def run_out_of_time(game: Played) -> None:
    game.wait(timedelta(seconds=5.1))


def answer_what_was_not_asked(game: Played) -> None:
    game.do(game.table.stray(game.question.seat, 99))


def fail(game: Played) -> None:
    game.do(game.table.void(VoidCause.ARENA_FAULT))


def stay_away(game: Played) -> None:
    game.do(game.table.lost(game.question.seat, game.now))
    game.now += 61 * SECOND
    game.do(game.table.expire(game.now))


def be_withdrawn(game: Played) -> None:
    game.do(game.table.forfeit(game.question.seat, game.now))


Doing = Callable[[Played], None]
ONCE: dict[Offence, tuple[Doing, type]] = {
    Offence.ILLEGAL: (answer_illegally, Refused),
    Offence.MALFORMED: (answer_nonsense, Refused),
    Offence.TIME: (run_out_of_time, MoveForced),
    Offence.STRAY: (answer_what_was_not_asked, Dropped),
    Offence.ARENA: (fail, HandVoided),
}
AT_ONCE = {
    AtOnce.REFUSED: Refused,
    AtOnce.FORCED: MoveForced,
    AtOnce.DROPPED: Dropped,
    AtOnce.VOID: HandVoided,
}
FORFEITING: dict[Offence, Doing] = {
    Offence.ABSENT: stay_away,
    Offence.WITHDRAWN: be_withdrawn,
}


@pytest.mark.parametrize("offence", ONCE)
def test_an_offence_costs_what_its_ruling_says(offence: Offence) -> None:
    ruling = CONDUCT[offence]
    commit, told = ONCE[offence]
    game = Played(format=LONG).begin()
    seat = game.question.seat
    commit(game)
    assert AT_ONCE[ruling.at_once] is told
    assert game.told(told)
    assert game.table.sitters[seat].faults == ruling.faults
    assert all(s.faults == 0 for s in game.table.sitters if s.seat is not seat)


@pytest.mark.parametrize("offence", [each for each in ONCE if CONDUCT[each].faults])
def test_faults_up_to_the_limit_end_the_game_as_the_last_one_says(offence: Offence) -> None:
    game = Played(format=LONG, conduct=Conduct(faults=2)).begin()
    seat = game.question.seat
    for _ in range(2):
        game.until(seat)
        ONCE[offence][0](game)
    outcome = game.finish()
    assert outcome.terminations[seat] is CONDUCT[offence].termination
    assert outcome.offenders == (seat,)
    assert outcome.hands_counted == 1, "the hand is finished, and no other one is dealt"


@pytest.mark.parametrize("offence", FORFEITING)
def test_some_offences_are_a_forfeit_by_themselves(offence: Offence) -> None:
    ruling = CONDUCT[offence]
    assert ruling.at_once is AtOnce.FORFEIT
    game = Played(format=LONG).begin()
    seat = game.question.seat
    FORFEITING[offence](game)
    outcome = game.finish()
    assert outcome.terminations[seat] is ruling.termination
    assert [how for s, how in enumerate(outcome.terminations) if s != seat] == [
        Termination.NORMAL,
        Termination.NORMAL,
    ]


def test_who_is_not_ready_ends_the_offer_and_nothing_else() -> None:
    game = Played()
    game.do(game.table.start(game.now))
    game.do(game.table.ready(Seat(0), b"n" * 32, game.now, game.now))
    game.wait(timedelta(seconds=10))
    assert len(game.told(Withdrawn)) == 3
    assert set(game.outcome.terminations) == {CONDUCT[Offence.NOT_READY].termination}
    assert game.outcome.not_ready == (1, 2)


def test_an_arena_that_fails_again_and_again_gives_the_game_up_and_blames_nobody() -> None:
    game = Played(format=LONG).begin()
    while game.table.outcome is None:
        fail(game)
    assert set(game.outcome.terminations) == {CONDUCT[Offence.ARENA].termination}
    assert game.outcome.faults == (0, 0, 0)
