"""One game at one table, without any I/O: told what happens and when, it says what to do next.

Every method returns outputs to be carried out in order. `deadline` says when to call `expire`. What
is stored is acknowledged by `nonces_stored`, `hand_stored` and `outcome_stored`; results are told
only after that.
Whatever the three bots do or leave undone, the game ends.

Instants are nanoseconds on one monotonic clock. `now` is when the table is told, `arrived` when the
message reached the arena.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.referee.clock import NEVER, nanos
from arena.referee.course import Course
from arena.referee.judge import Judge
from arena.referee.opening import Opening
from arena.referee.outputs import (
    Drop,
    Dropped,
    GameEnded,
    HandDealt,
    HandVoided,
    HouseLate,
    Offered,
    Outputs,
    Question,
    Standing,
    StoreHand,
    StoreOutcome,
    StoreReady,
    StoreVoid,
    Withdrawal,
    Withdrawn,
)
from arena.referee.seating import Attendance, Sitter, sitters_of
from arena.referee.setup import Phase
from arena.referee.termination import FaultKind, ForcedCause, Termination, VoidCause
from euchre_sdk.game import SEATS, Action, Hand, IllegalActionError

if TYPE_CHECKING:
    from arena.referee.ledger import Ledger
    from arena.referee.outcome import GameOutcome, HandRecord
    from arena.referee.setup import Setup
    from euchre_sdk.game import Public, Seat

_UNSENT_GRACE = 50_000_000
"""Nanoseconds after which a question that has not left the arena is looked at again."""


class Table:
    """One game between three seats."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._clocked = setup.time_control.clocked
        self.sitters = sitters_of(setup)
        self.phase = Phase.OFFERED
        self.deadline = NEVER
        """When to call `expire`, in nanoseconds; `NEVER` if nothing is waited for."""
        self.question: Question | None = None
        """The decision that is open."""
        self.outcome: GameOutcome | None = None
        """How the game ended, once it has."""
        self._opening = Opening(self.sitters, setup.source)
        self._attendance = Attendance(self.sitters, setup.conduct)
        self._judge = Judge(setup, self.sitters)
        self._course = Course(setup, self.sitters, self._judge)
        self._hand: Hand | None = None
        self._interrupted: HandRecord | None = None
        """The hand in which the arena stopped, if the game was taken up from there."""
        self._late: Question | None = None
        """The question to a house bot whose answer is being computed."""
        self._ledger: Ledger

    @property
    def public(self) -> Public | None:
        """What everybody at the table knows of the hand in progress, if there is one."""
        return None if self._hand is None else self._hand.public

    def awaits(self, seat: Seat) -> bool:
        """Return whether the game waits for this seat to be ready."""
        return self.phase is Phase.OFFERED and not self.sitters[seat].ready

    # -- what is told to the table

    def start(self, now: int) -> Outputs:
        """Offer the game to everybody."""
        out: Outputs = []
        if self._course.nonces is not None:
            self._course.begin()
            self._interrupted = self._course.void_interrupted()
            if self._interrupted is not None:
                out.append(StoreVoid(self._interrupted))
        self._opening.until = self.deadline = now + nanos(self._setup.time_control.ready)
        return out + [Offered(seat) for seat in SEATS]

    def ready(self, seat: Seat, nonce: bytes, arrived: int, now: int) -> Outputs:
        """Take a seat's nonce; when all have come, have the nonces stored.

        A second Ready of a seat, and one that came too late, change nothing.
        """
        if self.phase is Phase.OFFERED and self._opening.take(seat, nonce, arrived):
            return self._all_ready(now)
        return []

    def nonces_stored(self, now: int) -> Outputs:
        """Begin: the nonces are stored."""
        assert self.phase is Phase.STARTING
        out: Outputs = [self._course.started or self._course.begin()]
        if self._interrupted is not None:
            out.append(HandVoided(self._interrupted.hand_number, VoidCause.ARENA_STOPPED))
        return self._next_hand(now, out)

    def hand_stored(self, now: int) -> Outputs:
        """Tell the result of the hand that is now stored, and go on."""
        assert self.phase is Phase.STORING
        self._hand = None
        return self._next_hand(now, [self._course.result(self._ledger)])

    def outcome_stored(self, now: int) -> Outputs:
        """Tell the end of the game, which is now stored."""
        del now
        assert self.phase is Phase.CLOSING
        return self._over(self._course.outcome())

    def answer(self, seat: Seat, seq: int, action: Action, arrived: int, now: int) -> Outputs:
        """Carry an action out, or refuse it, or drop it if it answers nothing that is open."""
        question = self.question
        if question is None or question.seq != seq or question.seat is not seat:
            return self.stray(seat, seq)
        departed = question.departure.at  # as `Question.spent`, but for every decision
        spent = max(0, arrived - (question.asked if departed is None else departed))
        if spent > question.budget:
            return self._too_late(question, now)
        hand = self._hand
        assert hand is not None
        try:
            hand.apply(action)
        except IllegalActionError as error:
            return self._refuse(question, FaultKind.ILLEGAL, error.reason.name, str(error), now)
        sitter = self.sitters[seat]
        if self._clocked and not sitter.house:
            sitter.clock.charge(spent)
        self._ledger.spent_us.append(spent // 1_000)
        return self._advance(now, [])

    def refuse(
        self,
        question: Question,
        kind: FaultKind,
        reason: str,
        sentence: str,
        arrived: int,
        now: int,
    ) -> Outputs:
        """Refuse an answer to the open question that is no action of the kind asked for."""
        assert question is self.question
        if question.spent(arrived) > question.budget:
            return self._too_late(question, now)
        return self._refuse(question, kind, reason, sentence, now)

    def unsupported(self, question: Question, now: int) -> Outputs:
        """Decide for a bot that does not know the open question's kind."""
        assert question is self.question
        return self._decide(question, ForcedCause.UNSUPPORTED, now, [])

    def house_decided(self, question: Question, action: Action | None, now: int) -> Outputs:
        """Play what was computed for a house bot, None if that failed, unless it answered first."""
        if question is not self.question:
            return []
        return self._decide(question, ForcedCause.HOUSE_LATE, now, [], action)

    def stray(self, seat: Seat, seq: int) -> Outputs:
        """Drop an answer that belongs to no open question."""
        return [Dropped(seat, seq, self.sitters[seat].why_stray(seq))]

    def expire(self, now: int) -> Outputs:
        """Do what is due. Answers that have arrived must have been told before."""
        if self.phase is Phase.OFFERED:
            return self._not_ready(now) if now >= self._opening.until else []
        out: Outputs = []
        for sitter in self.sitters:
            if self._attendance.is_gone(sitter, now) and not sitter.house:
                out += self._forfeit(sitter, Termination.LOST)
        return self._overdue(now, out)

    def lost(self, seat: Seat, now: int) -> Outputs:
        """Note that a seat has no stream; its clock runs on."""
        self._attendance.leave(seat, now)
        self._schedule()
        return []

    def give_back(self, since: int, until: int) -> None:
        """Count no time from `since` to `until` for anybody: the arena could not go on then."""
        self._attendance.give_back(since, until)
        if self.question is not None:
            self.question.give_back(since, until)
        if self.phase is Phase.OFFERED:
            self._opening.until = self.deadline = self.deadline + until - since
        self._schedule()

    def back(self, seat: Seat) -> Standing:
        """Note that a seat has a stream again, and return how things stand for it."""
        self._attendance.come(seat)
        self._schedule()
        return self.standing(seat)

    def forfeit(self, seat: Seat, now: int) -> Outputs:
        """Let a seat forfeit by decision of the arena."""
        if self.phase is Phase.OFFERED:
            return self.stop(now)
        return self._overdue(now, self._forfeit(self.sitters[seat], Termination.FORFEIT))

    def stop(self, now: int) -> Outputs:
        """End the game after the hand in progress, without a result."""
        del now
        self._course.stopped = True
        if self.phase is not Phase.OFFERED:
            return []
        return self._end([Withdrawn(seat, Withdrawal.CANCELLED) for seat in SEATS])

    def void(self, cause: VoidCause) -> Outputs:
        """Drop the hand in progress, if there is one: the arena failed. It is dealt anew."""
        if self.phase is not Phase.PLAYING:
            return []
        self.question = self._late = self._hand = None
        return self._store(self._course.void(self._ledger, cause))

    def standing(self, seat: Seat, now: int | None = None) -> Standing:
        """Return how things stand for a seat, with the time left `now` for its open question."""
        question = self.question
        own = question if question is not None and question.seat is seat else None
        left = None if own is None or now is None else own.left(now)
        return self._course.standing(self.sitters[seat], own, left)

    # -- before the first hand

    def _all_ready(self, now: int) -> Outputs:
        if self._course.started is not None and self._course.is_over:
            return self._next_hand(now, [self._course.started])
        nonces = self._course.nonces
        if nonces is None:  # re-attaching never changes a nonce
            nonces = self._course.nonces = self._opening.nonces()
        self.phase = Phase.STARTING
        self.deadline = NEVER
        return [StoreReady(nonces)]

    def _not_ready(self, now: int) -> Outputs:
        if (
            self._course.started is not None
        ):  # a game that has begun goes on; who is absent has no stream
            for seat in self._opening.absent:
                self._attendance.leave(seat, now)
            return self._all_ready(now)
        self.phase = Phase.OVER
        self.deadline = NEVER
        self.outcome = self._opening.not_started()
        return self._opening.withdrawn()

    # -- hands

    def _next_hand(self, now: int, out: Outputs) -> Outputs:
        if self._course.is_over:
            return self._end(out)
        self.phase = Phase.PLAYING
        self._ledger = ledger = self._course.deal()
        self._hand = ledger.hand
        out.append(HandDealt(ledger.hand))
        return self._advance(now, out)

    def _advance(self, now: int, out: Outputs) -> Outputs:
        """Ask the next question, deciding for seats that cannot be asked; or end the hand."""
        hand = self._hand
        assert hand is not None
        while (view := hand.view) is not None:
            sitter = self.sitters[view.seat]
            sitter.seq += 1
            if self._clocked and not sitter.house:
                clock = sitter.clock
                view.bank, view.limit = clock.bank, clock.limit
                budget = clock.budget
            else:
                view.bank, view.limit = None, self._setup.limit_of(sitter.seat)
                budget = nanos(view.limit)
            question = Question(view.seat, sitter.seq, view, now, budget)
            if sitter.forfeit is not None:
                out.append(self._judge.decide(question, ForcedCause.FORFEIT, self._ledger, now))
                continue
            self.question = question
            if sitter.house and self._attendance.is_gone(sitter, now):
                return self._house_late(question, now, out)
            out.append(question)
            self._schedule()
            return out
        self.question = None
        return out + self._store(self._course.finish(self._ledger))

    def _store(self, record: HandRecord) -> Outputs:
        self.phase = Phase.STORING
        self._schedule()
        return [StoreHand(record)]

    def _end(self, out: Outputs) -> Outputs:
        """Have the end stored, if the game had begun and it is not stored yet."""
        self.phase = Phase.CLOSING
        self.deadline = NEVER
        self.question = None
        outcome = self._course.outcome()
        if self._course.started is not None and not self._course.outcome_is_stored:
            return [*out, StoreOutcome(outcome)]
        return out + self._over(outcome)

    def _over(self, outcome: GameOutcome) -> Outputs:
        self.phase = Phase.OVER
        self.outcome = outcome
        return [] if self._course.started is None else [GameEnded(outcome)]

    # -- decisions that are not the bot's

    def _forfeit(self, sitter: Sitter, how: Termination) -> Outputs:
        """Let a seat forfeit, unless the game is over but for the storing."""
        over = self.phase is Phase.CLOSING or self.phase is Phase.OVER
        if over or self._course.is_complete:
            return []
        return self._judge.forfeit(sitter, how)

    def _refuse(
        self, question: Question, kind: FaultKind, reason: str, sentence: str, now: int
    ) -> Outputs:
        out = self._judge.refuse(question, kind, reason, sentence, self._ledger)
        return self._overdue(now, out)

    def _too_late(self, question: Question, now: int) -> Outputs:
        out = self._time_up(question, now, [])
        return [*out, Dropped(question.seat, question.seq, Drop.LATE)]

    def _house_late(self, question: Question, now: int, out: Outputs) -> Outputs:
        """Have a house bot's answer computed; nobody's clock runs meanwhile, and it is no fault."""
        if question is self._late:  # that has failed, too
            return self._decide(question, ForcedCause.HOUSE_LATE, now, out)
        self._late = question
        question.budget = question.spent(now) + nanos(self._setup.conduct.house_limit)
        self._schedule()
        out.append(HouseLate(question))
        return out

    def _time_up(self, question: Question, now: int, out: Outputs) -> Outputs:
        sitter = self.sitters[question.seat]
        if sitter.house:
            return self._house_late(question, now, out)
        if self._clocked:
            sitter.clock.charge(question.budget)
        time = FaultKind.TIME
        out += self._judge.charge(question.seat, time, time.name, self._ledger)
        return self._decide(question, ForcedCause.TIME, now, out)

    def _decide(
        self,
        question: Question,
        cause: ForcedCause,
        now: int,
        out: Outputs,
        action: Action | None = None,
    ) -> Outputs:
        """Close the open question without an answer of its bot, and go on."""
        self.question = self._late = None
        if cause is not ForcedCause.UNSUPPORTED:
            self.sitters[question.seat].timed_out.add(question.seq)
        out.append(self._judge.decide(question, cause, self._ledger, now, action))
        return self._advance(now, out)

    def _overdue(self, now: int, out: Outputs) -> Outputs:
        """Decide for the seat whose turn it is if it has forfeited or its time is up."""
        question = self.question
        if question is None:
            self._schedule()
            return out
        sitter = self.sitters[question.seat]
        if sitter.forfeit is not None:
            return self._decide(question, ForcedCause.FORFEIT, now, out)
        if question.departure.at is None and sitter.lost_since is None:
            # it has not left the arena: nobody is charged for that
            self._schedule()
            if self.deadline <= now:
                self.deadline = now + _UNSENT_GRACE
            return out
        if question.spent(now) > question.budget:
            return self._time_up(question, now, out)
        self._schedule()
        return out

    def _schedule(self) -> None:
        """Set the deadline: of the open question, and of who is without a stream."""
        if self.phase is not Phase.PLAYING and self.phase is not Phase.STORING:
            return
        deadline = NEVER
        question = self.question
        if question is not None:
            departed = question.departure.at
            deadline = (question.asked if departed is None else departed) + question.budget + 1
        if self._attendance.missing:
            deadline = min(deadline, self._attendance.until)
        self.deadline = deadline
