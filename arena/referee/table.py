"""One game at one table, without any I/O: told what happens and when, it says what to do next.

Every method returns outputs to be carried out in order. `deadline` says when to call `expire`. What
is stored is acknowledged by `nonces_stored` and `hand_stored`; results are told only after that.
Whatever the three bots do or leave undone, the game ends.

Instants are nanoseconds on one monotonic clock. `now` is when the table is told, `arrived` when the
message reached the arena.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from arena.referee.clock import nanos
from arena.referee.ending import make_outcome
from arena.referee.ledger import Ledger, forced_moves
from arena.referee.outcome import (
    Attempt,
    Fault,
    GameOutcome,
    HandRecord,
    Nonces,
    Triple,
)
from arena.referee.outputs import (
    Drop,
    Dropped,
    GameEnded,
    HandDealt,
    HandEnded,
    HandVoided,
    MoveForced,
    Offered,
    Outputs,
    Question,
    Refused,
    Standing,
    Started,
    StoreFault,
    StoreHand,
    StoreReady,
    Withdrawal,
    Withdrawn,
)
from arena.referee.seating import Sitter
from arena.referee.setup import Phase
from arena.referee.termination import FaultKind, ForcedCause, Termination, VoidCause
from euchre_sdk.game import (
    SEATS,
    Action,
    Game,
    Hand,
    IllegalActionError,
    fallback,
)

if TYPE_CHECKING:
    from arena.referee.setup import Setup
    from euchre_sdk.game import Public, Seat

NEVER = 1 << 63
MAX_VOIDS = 3
"""Void deals of one hand in one run of the arena; after them the game is void."""
_UNSENT_GRACE = 50_000_000
"""Nanoseconds after which a question that has not left the arena is looked at again."""


class Table:
    """One game between three seats."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._conduct = setup.conduct
        self._clocked = setup.time_control.clocked
        played = setup.played
        self.sitters = tuple(
            Sitter(
                seat,
                setup.time_control,
                house=setup.house[seat],
                faults=played.faults[seat],
            )
            for seat in SEATS
        )
        self.phase = Phase.OFFERED
        self.deadline = NEVER
        """When to call `expire`, in nanoseconds; `NEVER` if nothing is waited for."""
        self.question: Question | None = None
        """The decision that is open."""
        self.outcome: GameOutcome | None = None
        """How the game ended, once it has."""
        self._game: Game | None = None
        self._hand: Hand | None = None
        self._started: Started | None = None
        self._nonces: Nonces | None = played.nonces
        self._hands: list[HandRecord] = list(played.hands)
        self._ready_until = NEVER
        self._stopped = False
        self._lost = 0
        self._ledger = self._new_ledger(retry=0)

    def _new_ledger(self, *, retry: int) -> Ledger:
        return Ledger(Attempt(self._setup.incarnation, retry), self.sitters)

    @property
    def public(self) -> Public | None:
        """What everybody at the table knows of the hand in progress, if there is one."""
        return None if self._hand is None else self._hand.public

    # -- what is told to the table

    def start(self, now: int) -> Outputs:
        """Offer the game to everybody."""
        if self._nonces is not None:
            self._take_up(self._nonces)
            assert self._game is not None
            if self._game.result is not None or self._somebody_forfeited():
                return self._end([])
        self._ready_until = self.deadline = now + nanos(self._setup.time_control.ready)
        return [Offered(seat) for seat in SEATS]

    def ready(self, seat: Seat, nonce: bytes, arrived: int, now: int) -> Outputs:
        """Take a seat's nonce; when all have come, have the nonces stored.

        A second Ready of a seat, and one that came too late, change nothing.
        """
        sitter = self.sitters[seat]
        if sitter.ready or self.phase is not Phase.OFFERED or arrived > self._ready_until:
            return []
        sitter.ready = True
        sitter.nonce = nonce
        return self._all_ready(now) if all(s.ready for s in self.sitters) else []

    def nonces_stored(self, now: int) -> Outputs:
        """Begin: the nonces are stored."""
        assert self.phase is Phase.STARTING
        assert self._nonces is not None
        self._take_up(self._nonces)
        return self._begin(now)

    def hand_stored(self, now: int) -> Outputs:
        """Tell the result of the hand that is now stored, and go on."""
        assert self.phase is Phase.STORING
        assert self._game is not None
        record = self._hands[-1]
        if record.void is not None:
            out: Outputs = [HandVoided(record.hand_number, record.void)]
            retry = self._ledger.attempt.retry + 1
            self._ledger = self._new_ledger(retry=retry)
            return self._end(out) if retry > MAX_VOIDS else self._next_hand(now, out)
        assert self._hand is not None
        out = [
            HandEnded(
                hand=self._hand,
                points=record.points,
                score=record.score,
                faults=self._fault_counts(),
                forced=forced_moves(self._hand, record),
            )
        ]
        self._hand = None
        self._ledger = self._new_ledger(retry=0)
        return self._next_hand(now, out)

    def answer(self, seat: Seat, seq: int, action: Action, arrived: int, now: int) -> Outputs:
        """Carry an action out, or refuse it, or drop it if it answers nothing that is open."""
        question = self.question
        if question is None or question.seq != seq or question.seat is not seat:
            return self.stray(seat, seq)
        departed = question.departure.at
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
        departed = question.departure.at
        if arrived - (question.asked if departed is None else departed) > question.budget:
            return self._too_late(question, now)
        return self._refuse(question, kind, reason, sentence, now)

    def unsupported(self, question: Question, now: int) -> Outputs:
        """Decide for a bot that does not know the open question's kind."""
        assert question is self.question
        out: Outputs = []
        self._force(question, ForcedCause.UNSUPPORTED, now, out)
        return self._advance(now, out)

    def stray(self, seat: Seat, seq: int) -> Outputs:
        """Drop an answer that belongs to no open question."""
        return [Dropped(seat, seq, self.sitters[seat].why_stray(seq))]

    def expire(self, now: int) -> Outputs:
        """Do what is due. Answers that have arrived must have been told before."""
        out: Outputs = []
        if self.phase is Phase.OFFERED:
            return self._not_ready(now) if now >= self._ready_until else out
        for sitter in self.sitters:
            if self._is_gone(sitter, now) and not sitter.house:
                self._forfeit(sitter, Termination.LOST)
        return self._overdue(now, out)

    def lost(self, seat: Seat, now: int) -> Outputs:
        """Note that a seat has no stream; its clock runs on."""
        sitter = self.sitters[seat]
        if sitter.lost_since is None:
            sitter.lost_since = now
            self._lost += 1
            self._schedule()
        return []

    def back(self, seat: Seat) -> Standing:
        """Note that a seat has a stream again, and return how things stand for it."""
        if self.sitters[seat].lost_since is not None:
            self.sitters[seat].lost_since = None
            self._lost -= 1
        self._schedule()
        return self.standing(seat)

    def forfeit(self, seat: Seat, now: int) -> Outputs:
        """Let a seat forfeit by decision of the arena."""
        if self.phase is Phase.OFFERED:
            return self.stop(now)
        self._forfeit(self.sitters[seat], Termination.FORFEIT)
        return self._overdue(now, [])

    def stop(self, now: int) -> Outputs:
        """End the game after the hand in progress, without a result."""
        del now
        self._stopped = True
        if self.phase is not Phase.OFFERED:
            return []
        return self._end([Withdrawn(seat, Withdrawal.CANCELLED) for seat in SEATS])

    def void(self, cause: VoidCause) -> Outputs:
        """Drop the hand in progress, if there is one: the arena failed. It is dealt anew."""
        hand, game = self._hand, self._game
        if self.phase is not Phase.PLAYING or hand is None or game is None:
            return []
        self.question = None
        self._ledger.set_clocks_back()
        record = self._ledger.record(hand, points=(0, 0, 0), score=game.score, void=cause)
        game.void_hand()
        self._hand = None
        return self._store(record)

    def standing(self, seat: Seat, now: int | None = None) -> Standing:
        """Return how things stand for a seat, with the time left `now` for its open question."""
        sitter, question = self.sitters[seat], self.question
        own = question if question is not None and question.seat is seat else None
        left = None
        if own is not None and now is not None:
            limit = own.view.limit
            departed = own.departure.at or own.asked
            spent = timedelta(microseconds=max(0, now - departed) // 1_000)
            left = max(timedelta(0), limit - spent) if limit is not None else None
        return Standing(
            ready=sitter.ready,
            started=self._started,
            score=(0, 0, 0) if self._game is None else self._game.score,
            question=own,
            left=left,
            faults=sitter.faults,
        )

    # -- before the first hand

    def _all_ready(self, now: int) -> Outputs:
        self._ready_until = NEVER
        if self._nonces is not None:  # re-attaching never changes a nonce
            return self._begin(now)
        first, second, third = (
            self._setup.source.derived_nonce(s.seat) if s.house or s.nonce is None else s.nonce
            for s in self.sitters
        )
        self._nonces = (first, second, third)
        self.phase = Phase.STARTING
        self._schedule()
        return [StoreReady(self._nonces)]

    def _not_ready(self, now: int) -> Outputs:
        absent = tuple(s.seat for s in self.sitters if not s.ready)
        if self._nonces is not None:  # a game that has begun goes on; who is absent has no stream
            for seat in absent:
                self.lost(seat, now)
            return self._all_ready(now)
        self.phase = Phase.OVER
        self.deadline = NEVER
        never = Termination.NOT_STARTED
        self.outcome = GameOutcome(terminations=(never, never, never), not_ready=absent)
        return [
            Withdrawn(
                s.seat,
                Withdrawal.OTHER_NOT_READY if s.ready else Withdrawal.NOT_READY,
            )
            for s in self.sitters
        ]

    def _take_up(self, nonces: Nonces) -> None:
        """Make the game that the nonces determine, as far as it has been played."""
        setup = self._setup
        self._game = game = Game(setup.rules, setup.source.deals(nonces), setup.format)
        self._started = Started(
            nonces=nonces,
            derived=setup.house,
            first_dealer=game.first_dealer,
            draws=game.draws,
        )
        counted = [hand for hand in self._hands if hand.void is None]
        for hand in counted:
            game.add(hand.points)
        if self._hands:
            last = self._hands[-1]
            for sitter in self.sitters:
                sitter.clock.set_back(last.bank_us[sitter.seat], last.allowance_us[sitter.seat])
        if counted and counted[-1].in_forfeit:
            limit = self._conduct.fault_limit(counted[-1].hand_number)
            for sitter in self.sitters:
                if sitter.faults >= limit:
                    sitter.forfeit = self._last_fault(sitter.seat)
        self._ledger = self._new_ledger(retry=0)

    def _last_fault(self, seat: Seat) -> Termination:
        kinds = [f.kind for hand in self._hands for f in hand.faults if f.seat == seat]
        return kinds[-1].termination if kinds else Termination.FORFEIT

    def _begin(self, now: int) -> Outputs:
        assert self._started is not None
        return self._next_hand(now, [self._started])

    # -- hands

    def _next_hand(self, now: int, out: Outputs) -> Outputs:
        game = self._game
        assert game is not None
        if self._stopped or game.result is not None or self._somebody_forfeited():
            return self._end(out)
        self.phase = Phase.PLAYING
        self._hand = game.start_hand(self._ledger.attempt.number)
        out.append(HandDealt(self._hand))
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
                view.bank = None
                view.limit = (
                    self._conduct.house_limit if sitter.house else self._setup.time_control.limit
                )
                budget = nanos(view.limit)
            question = Question(view.seat, sitter.seq, view, now, budget)
            if sitter.forfeit is not None:
                self._force(question, ForcedCause.FORFEIT, now, out)
            elif sitter.house and self._is_gone(sitter, now):
                self._force(question, ForcedCause.HOUSE_LATE, now, out)
            else:
                self.question = question
                out.append(question)
                self._schedule()
                return out
        self.question = None
        game = self._game
        assert game is not None
        points = game.finish_hand()
        return out + self._store(self._ledger.record(hand, points=points, score=game.score))

    def _store(self, record: HandRecord) -> Outputs:
        self._hands.append(record)
        self.phase = Phase.STORING
        self._schedule()
        return [StoreHand(record)]

    def _end(self, out: Outputs) -> Outputs:
        self.phase = Phase.OVER
        self.deadline = NEVER
        self.question = None
        self.outcome = outcome = make_outcome(
            self._game, self._setup.format, self.sitters, tuple(self._hands), self._nonces
        )
        if self._started is not None:
            out.append(GameEnded(outcome))
        return out

    # -- conduct

    def _fault_counts(self) -> Triple:
        first, second, third = (s.faults for s in self.sitters)
        return first, second, third

    def _charge_fault(self, seat: Seat, kind: FaultKind, reason: str, out: Outputs) -> int:
        """Count a fault, and let the seat forfeit if it is one too many; return the limit."""
        hand = self._hand
        assert hand is not None
        sitter = self.sitters[seat]
        limit = self._conduct.fault_limit(hand.public.hand_number)
        sitter.faults += 1
        fault = Fault(seat=seat, kind=kind, decision=self._ledger.decision, reason=reason)
        self._ledger.add_fault(fault)
        out.append(StoreFault(hand.public.hand_number, fault))
        if sitter.faults >= limit:
            self._forfeit(sitter, kind.termination)
        return limit

    def _refuse(
        self, question: Question, kind: FaultKind, reason: str, sentence: str, now: int
    ) -> Outputs:
        out: Outputs = []
        limit = self._charge_fault(question.seat, kind, reason, out)
        out.append(
            Refused(
                seat=question.seat,
                seq=question.seq,
                reason=reason,
                sentence=sentence,
                faults=self.sitters[question.seat].faults,
                fault_limit=limit,
            )
        )
        return self._overdue(now, out)

    def _too_late(self, question: Question, now: int) -> Outputs:
        out = self._time_up(question, now, [])
        return [*out, Dropped(question.seat, question.seq, Drop.LATE)]

    def _time_up(self, question: Question, now: int, out: Outputs) -> Outputs:
        sitter = self.sitters[question.seat]
        sitter.timed_out.add(question.seq)
        if sitter.house:
            self._force(question, ForcedCause.HOUSE_LATE, now, out)
            return self._advance(now, out)
        if self._clocked:
            sitter.clock.charge(question.budget)
        self._charge_fault(question.seat, FaultKind.TIME, FaultKind.TIME.name, out)
        self._force(question, ForcedCause.TIME, now, out)
        return self._advance(now, out)

    def _overdue(self, now: int, out: Outputs) -> Outputs:
        """Decide for the seat whose turn it is if it has forfeited or its time is up."""
        question = self.question
        if question is None:
            self._schedule()
            return out
        sitter = self.sitters[question.seat]
        if sitter.forfeit is not None:
            sitter.timed_out.add(question.seq)
            self._force(question, ForcedCause.FORFEIT, now, out)
            return self._advance(now, out)
        departed = question.departure.at
        if departed is None and sitter.lost_since is None:
            # it has not left the arena: nobody is charged for that
            self._schedule()
            if self.deadline <= now:
                self.deadline = now + _UNSENT_GRACE
            return out
        if now - (question.asked if departed is None else departed) > question.budget:
            return self._time_up(question, now, out)
        self._schedule()
        return out

    def _force(self, question: Question, cause: ForcedCause, now: int, out: Outputs) -> None:
        """Decide for a seat. Seats that forfeited, and absent house bots, are not told."""
        hand = self._hand
        assert hand is not None
        sitter = self.sitters[question.seat]
        action = fallback(question.view)
        if cause is ForcedCause.HOUSE_LATE:
            chosen = self._setup.house_answer(question.view)
            action = chosen if chosen in question.view.legal else action
        asked = question.view.kind
        hand.apply(action)
        departed = question.departure.at
        spent = now - (question.asked if departed is None else departed)
        self._ledger.add_forced(cause, max(0, spent) // 1_000)
        self.question = None
        out.append(
            MoveForced(
                seat=question.seat,
                seq=question.seq,
                cause=cause,
                asked=asked,
                action=action,
                faults=sitter.faults,
                fault_limit=self._conduct.fault_limit(hand.public.hand_number),
            )
        )

    def _somebody_forfeited(self) -> bool:
        return any(sitter.forfeit is not None for sitter in self.sitters)

    @staticmethod
    def _forfeit(sitter: Sitter, how: Termination) -> None:
        if sitter.forfeit is None:
            sitter.forfeit = how

    def _is_gone(self, sitter: Sitter, now: int) -> bool:
        """Return whether a seat has had no stream for as long as the conduct allows."""
        patience = self._conduct.house_limit if sitter.house else self._conduct.lost
        return sitter.lost_since is not None and now - sitter.lost_since >= nanos(patience)

    def _schedule(self) -> None:
        """Set the deadline: of the open question, and of who is without a stream."""
        if self.phase is Phase.OFFERED or self.phase is Phase.OVER:
            return
        deadline = NEVER
        question = self.question
        if question is not None:
            departed = question.departure.at
            deadline = (question.asked if departed is None else departed) + question.budget + 1
        if self._lost:
            for sitter in self.sitters:
                if sitter.lost_since is not None and not sitter.house and sitter.forfeit is None:
                    deadline = min(deadline, sitter.lost_since + nanos(self._conduct.lost))
        self.deadline = deadline
