"""A table with a clock to turn by hand and a store that acknowledges when it is told to."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from arena.referee import Conduct, GameOutcome, HandRecord, Nonces, Resumed, TimeControl
from arena.referee.clock import nanos
from arena.referee.outputs import (
    HouseLate,
    Output,
    Outputs,
    Question,
    StoreFault,
    StoreHand,
    StoreOutcome,
    StoreReady,
)
from arena.referee.setup import Setup
from arena.referee.table import Table
from euchre_sdk.game import STANDARD, Action, Deals, Format, Seat, SeededDeals, Session, fallback

if TYPE_CHECKING:
    from collections.abc import Callable

    from euchre_sdk.game import View

T = TypeVar("T")
SECOND = 10**9


class Source:
    """Deals from one number; asks nothing of the nonces."""

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed

    def derived_nonce(self, seat: Seat) -> bytes:
        return bytes([seat]) * 32

    def deals(self, nonces: Nonces) -> Deals:
        return SeededDeals(self.seed + len(nonces))


class Played:
    """Drives a table: turns its clock, acknowledges what it stores, answers for its seats."""

    def __init__(
        self,
        *,
        seed: int = 1,
        format: Format = Session(2),
        house: tuple[bool, bool, bool] = (False, False, False),
        control: TimeControl = TimeControl(),
        conduct: Conduct = Conduct(),
        played: Resumed = Resumed(),  # noqa: B008
        incarnation: int = 1,
        house_answer: Callable[[View], Action | None] = fallback,
    ) -> None:
        self.house_answer = house_answer
        self.now = 5 * SECOND
        self.log: list[Output] = []
        self.stored: list[HandRecord] = []
        self.faults: list[StoreFault] = []
        self.nonces: Nonces | None = None
        self.table = Table(
            Setup(
                rules=STANDARD,
                format=format,
                time_control=control,
                conduct=conduct,
                source=Source(seed),
                house=house,
                incarnation=incarnation,
                played=played,
            )
        )

    def begin(self) -> Played:
        """Start the game with everybody ready."""
        self.do(self.table.start(self.now))
        for seat in (Seat(0), Seat(1), Seat(2)):
            self.do(self.table.ready(seat, b"n" * 32, arrived=self.now, now=self.now))
        return self

    def do(self, outputs: Outputs) -> Outputs:
        """Carry outputs out: questions leave at once, the store acknowledges at once."""
        done = list(outputs)
        self.log += outputs
        for output in outputs:
            match output:
                case Question():
                    output.departure.at = self.now
                case StoreReady(nonces):
                    self.nonces = nonces
                    done += self.do(self.table.nonces_stored(self.now))
                case StoreHand(record):
                    self.stored.append(record)
                    done += self.do(self.table.hand_stored(self.now))
                case StoreOutcome():
                    done += self.do(self.table.outcome_stored(self.now))
                case HouseLate(question):
                    action = self.house_answer(question.view)
                    done += self.do(self.table.house_decided(question, action, self.now))
                case StoreFault():
                    self.faults.append(output)
        return done

    def wait(self, time: timedelta) -> Outputs:
        """Let time pass, expiring whatever is due on the way."""
        until = self.now + nanos(time)
        done: Outputs = []
        while self.table.deadline <= until:
            self.now = max(self.now, self.table.deadline)
            done += self.do(self.table.expire(self.now))
        self.now = until
        return done

    @property
    def question(self) -> Question:
        assert self.table.question is not None
        return self.table.question

    @property
    def outcome(self) -> GameOutcome:
        assert self.table.outcome is not None
        return self.table.outcome

    def answer(self, action: Action | None = None, *, seat: Seat | None = None) -> Outputs:
        """Answer the open question, with the fallback action if none is given."""
        question = self.question
        return self.do(
            self.table.answer(
                question.seat if seat is None else seat,
                question.seq,
                fallback(question.view) if action is None else action,
                arrived=self.now,
                now=self.now,
            )
        )

    def until(self, seat: Seat) -> Question:
        """Answer for everybody until it is this seat's turn."""
        while self.question.seat is not seat:
            self.answer()
        return self.question

    def finish(self) -> GameOutcome:
        """Answer for everybody to the end."""
        while self.table.outcome is None:
            self.answer()
        return self.outcome

    def told(self, kind: type[T]) -> list[T]:
        """Return what was put out of one kind."""
        return [output for output in self.log if isinstance(output, kind)]
