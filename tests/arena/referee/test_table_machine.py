"""Whatever three bots do or leave undone, in any order: the game ends, and nobody harms another."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from arena.referee import FaultKind, Resumed, Termination, VoidCause
from arena.referee.clock import NEVER
from arena.referee.outputs import (
    Dropped,
    GameEnded,
    HandEnded,
    MoveForced,
    Question,
    Refused,
    StoreHand,
    Withdrawn,
)
from arena.referee.setup import Phase
from euchre_sdk.game import SEATS, Action, Card, Format, Seat, Session, ToTarget
from tests.arena.referee.seating_plan import Played

FORMATS: tuple[Format, ...] = (Session(1), Session(3), Session(20), ToTarget())
seats = st.sampled_from(SEATS)
times = st.sampled_from(
    [timedelta(0), timedelta(milliseconds=50), timedelta(seconds=1), timedelta(seconds=7)]
)
actions = st.sampled_from([Action.PASS, Action.ORDER_UP, Action.ALONE, Card.parse("9C")])


class TableMachine(RuleBasedStateMachine):
    """Peers that do anything at any time."""

    game: Played

    @initialize(
        seed=st.integers(0, 1000),
        format=st.sampled_from(FORMATS),
        house=st.sampled_from([(False, False, False), (True, False, False)]),
    )
    def set_up(self, seed: int, format: Format, house: tuple[bool, bool, bool]) -> None:
        self.game = Played(seed=seed, format=format, house=house)
        self.format = format
        self.blamed: set[int] = set()
        """Seats that did anything but answer well."""
        self.ready: set[int] = set()
        self.voided = False
        self.game.do(self.game.table.start(self.game.now))

    def is_open(self) -> bool:
        return self.game.table.question is not None

    @rule(seat=seats)
    def a_seat_is_ready(self, seat: Seat) -> None:
        game = self.game
        if game.table.phase is Phase.OFFERED:
            self.ready.add(seat)
        game.do(game.table.ready(seat, b"n" * 32, game.now, game.now))

    @rule()
    def all_are_ready(self) -> None:
        for seat in SEATS:
            self.a_seat_is_ready(seat)

    @precondition(is_open)
    @rule(choice=st.integers(0, 251), many=st.integers(1, 30))
    def somebody_plays_well(self, choice: int, many: int) -> None:
        for _ in range(many):
            if (question := self.game.table.question) is None:
                return
            legal = question.view.legal
            self.game.answer(legal[choice % len(legal)])

    @precondition(is_open)
    @rule(action=actions)
    def somebody_may_play_illegally(self, action: Action) -> None:
        question = self.game.question
        if action not in question.view.legal:
            self.blamed.add(question.seat)
        self.game.answer(action)

    @precondition(is_open)
    @rule()
    def somebody_sends_rubbish(self) -> None:
        game, question = self.game, self.game.question
        self.blamed.add(question.seat)
        game.do(
            game.table.refuse(
                question, FaultKind.MALFORMED, "MALFORMED", "rubbish", game.now, game.now
            )
        )

    @rule(seat=seats, seq=st.integers(-1, 60))
    def somebody_answers_what_was_not_asked(self, seat: Seat, seq: int) -> None:
        game, question = self.game, self.game.table.question
        if question is None or (question.seat, question.seq) != (seat, seq):
            before = game.table.question
            outputs = game.do(game.table.answer(seat, seq, Action.PASS, game.now, game.now))
            assert [type(output) for output in outputs] == [Dropped]
            assert game.table.question is before

    @rule(time=times)
    def time_passes(self, time: timedelta) -> None:
        game = self.game
        question = game.table.question
        if question is not None:
            self.blamed.add(question.seat)
        marks = len(game.told(Question))
        game.wait(time)
        self.blamed |= {q.seat for q in game.told(Question)[marks:]}

    @rule(seat=seats)
    def somebody_is_lost(self, seat: Seat) -> None:
        self.blamed.add(seat)
        self.game.do(self.game.table.lost(seat, self.game.now))

    @rule(seat=seats)
    def somebody_comes_back(self, seat: Seat) -> None:
        standing = self.game.table.back(seat)
        question = self.game.table.question
        assert (standing.question is question) or standing.question is None

    @precondition(lambda self: self.game.table.phase is Phase.PLAYING)
    @rule()
    def the_arena_fails(self) -> None:
        self.voided = True
        self.game.do(self.game.table.void(VoidCause.ARENA_FAULT))

    @invariant()
    def somebody_is_waited_for_and_not_for_ever(self) -> None:
        table = self.game.table
        if table.phase is Phase.PLAYING:
            assert table.question is not None
            assert table.deadline < NEVER
        if table.phase is Phase.OFFERED:
            assert table.deadline < NEVER

    @invariant()
    def results_are_stored_before_they_are_told(self) -> None:
        log = self.game.log
        hands = [o for o in log if isinstance(o, StoreHand) and o.record.void is None]
        ended = [o for o in log if isinstance(o, HandEnded)]
        assert len(ended) == len(hands)
        for told, stored in zip(ended, hands, strict=True):
            assert log.index(stored) < log.index(told)
            assert told.points == stored.record.points

    @invariant()
    def who_did_nothing_wrong_has_no_fault_and_no_forfeit(self) -> None:
        for sitter in self.game.table.sitters:
            if sitter.seat not in self.blamed:
                assert sitter.faults == 0
                assert sitter.forfeit is None

    @invariant()
    def seats_are_told_of_their_own_faults_only(self) -> None:
        for output in self.game.log:
            if isinstance(output, Refused | MoveForced):
                house = self.game.table.sitters[output.seat].house
                assert output.seat in self.blamed or house or self.voided

    def teardown(self) -> None:
        """Let everybody vanish: the game ends by itself, and all are told once."""
        if not hasattr(self, "game"):
            return
        game = self.game
        for seat in SEATS:
            game.do(game.table.lost(seat, game.now))
        game.wait(timedelta(hours=2))
        assert game.table.phase is Phase.OVER
        outcome = game.outcome
        over = len(game.told(GameEnded))
        if outcome.not_ready:
            assert over == 0
            assert len(game.told(Withdrawn)) == 3
            assert set(outcome.terminations) == {Termination.NOT_STARTED}
            assert self.ready.isdisjoint(outcome.not_ready)
            return
        assert over == 1
        assert outcome.hands == tuple(game.stored)
        assert min(outcome.places) == 1
        resumed = Resumed(nonces=game.nonces, hands=outcome.hands)
        score = resumed.hands[-1].score if resumed.hands else (0, 0, 0)
        if not (outcome.offenders and isinstance(self.format, Session)):
            assert outcome.points == score


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
