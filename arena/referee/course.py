"""The course of one game: which hands there were, what they came to, whether there is another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.referee.ending import make_outcome
from arena.referee.ledger import Ledger, forced_moves
from arena.referee.outcome import Attempt, GameOutcome, HandRecord, Nonces, Triple
from arena.referee.outputs import HandEnded, HandVoided, Output, Standing, Started
from arena.referee.termination import VoidCause
from euchre_sdk.game import Game

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from arena.referee.judge import Judge
    from arena.referee.outputs import Question
    from arena.referee.seating import Sitter
    from arena.referee.setup import Setup

MAX_VOIDS = 3
"""Void deals of one hand in one run of the arena; after them the game is void."""


class Course:
    """What has been played of a game, and whether it goes on."""

    def __init__(self, setup: Setup, sitters: Sequence[Sitter], judge: Judge) -> None:
        self.nonces: Nonces | None = setup.played.nonces
        """With which randomness it is played, once that is known."""
        self.started: Started | None = None
        """What all are told at the start."""
        self.stopped = False
        """Whether no further hand is wanted."""
        self._setup = setup
        self._sitters = sitters
        self._judge = judge
        self._game: Game | None = None
        self._hands: list[HandRecord] = list(setup.played.hands)
        self._retry = 0
        self._outcome: GameOutcome | None = setup.played.outcome

    @property
    def score(self) -> Triple:
        """The score after the hands that count."""
        return (0, 0, 0) if self._game is None else self._game.score

    @property
    def is_complete(self) -> bool:
        """Whether all is played that there was to play: nothing changes the result any more."""
        return self._game is not None and self._game.result is not None

    @property
    def outcome_is_stored(self) -> bool:
        """Whether it had ended when the arena stopped."""
        return self._outcome is not None

    @property
    def is_over(self) -> bool:
        """Whether no hand is dealt any more."""
        return (
            self.stopped
            or self._outcome is not None
            or self._retry > MAX_VOIDS
            or self.is_complete
            or self._judge.somebody_forfeited
        )

    def begin(self) -> Started:
        """Make the game that the nonces determine, as far as it has been played."""
        setup, nonces = self._setup, self.nonces
        assert nonces is not None
        self._game = game = Game(setup.rules, setup.source.deals(nonces), setup.format)
        for hand in self._hands:
            if hand.void is None:
                game.add(hand.points)
        if self._hands:
            last = self._hands[-1]
            for sitter in self._sitters:
                sitter.clock.set_back(last.bank_us[sitter.seat], last.allowance_us[sitter.seat])
        self.started = Started(
            nonces=nonces,
            derived=setup.house,
            first_dealer=game.first_dealer,
            draws=game.draws,
        )
        return self.started

    def void_interrupted(self) -> HandRecord | None:
        """Drop the hand in which the arena stopped and return its record, if there is one.

        What was decided in it is lost. Its deck is not: somebody may have seen cards of it.
        """
        interrupted, game = self._setup.played.interrupted, self._game
        assert game is not None
        was_last = bool(self._hands) and self._hands[-1].in_forfeit
        if interrupted is None or self.is_complete or self.outcome_is_stored or was_last:
            return None
        attempt = interrupted.attempt
        ledger = Ledger(attempt, game.start_hand(attempt.number), self._sitters)
        for fault in interrupted.faults:
            ledger.add_fault(fault)
        return self.void(ledger, VoidCause.ARENA_STOPPED)

    def standing(
        self, sitter: Sitter, question: Question | None, left: timedelta | None
    ) -> Standing:
        """Return how things stand for a seat with that question, and that time left for it."""
        return Standing(
            ready=sitter.ready,
            started=self.started,
            score=self.score,
            question=question,
            left=left,
            faults=sitter.faults,
            retry=self._retry,
        )

    def deal(self) -> Ledger:
        """Deal the next hand, or the void one anew."""
        game = self._game
        assert game is not None
        attempt = Attempt(self._setup.incarnation, self._retry)
        return Ledger(attempt, game.start_hand(attempt.number), self._sitters)

    def finish(self, ledger: Ledger) -> HandRecord:
        """Score a hand that is played out, and return its record."""
        game = self._game
        assert game is not None
        points = game.finish_hand()
        return self._keep(ledger.record(points=points, score=game.score))

    def void(self, ledger: Ledger, cause: VoidCause) -> HandRecord:
        """Drop a hand and what it took of the clocks, and return its record."""
        game = self._game
        assert game is not None
        ledger.set_clocks_back()
        game.void_hand()
        return self._keep(ledger.record(points=(0, 0, 0), score=game.score, void=cause))

    def result(self, ledger: Ledger) -> Output:
        """Return what all are told of the last hand, which is stored."""
        record = self._hands[-1]
        if record.void is not None:
            self._retry += 1
            return HandVoided(record.hand_number, record.void)
        self._retry = 0
        return HandEnded(
            hand=ledger.hand,
            points=record.points,
            score=record.score,
            faults=self._judge.faults,
            forced=forced_moves(ledger.hand, record),
        )

    def outcome(self) -> GameOutcome:
        """Return how the game ended, or ends if it ends now."""
        return self._outcome or make_outcome(
            self._game, self._setup.format, self._sitters, tuple(self._hands), self.nonces
        )

    def _keep(self, record: HandRecord) -> HandRecord:
        self._hands.append(record)
        return record
