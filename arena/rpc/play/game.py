"""One game being played: its table, its flight recorders, and what waits to be stored."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic_ns
from typing import TypeAlias

import trio

from arena.metrics import Metrics
from arena.referee import GameOutcome
from arena.referee.clock import NEVER
from arena.referee.flight import Flight
from arena.referee.outputs import (
    Outputs,
    StoreFault,
    StoreForfeit,
    StoreHand,
    StoreOutcome,
    StoreReady,
    StoreVoid,
)
from arena.referee.setup import Setup
from arena.referee.table import Table
from arena.rpc.play import account
from arena.rpc.play.answer_bytes import pick_answer
from arena.tournaments.playroom import GameOrder, Journal
from euchre_sdk.game import SEATS

Fact: TypeAlias = StoreReady | StoreFault | StoreForfeit | StoreVoid | StoreHand | StoreOutcome
"""What is stored of a game."""


class GameInPlay:
    """A table and what is kept beside it. Everything here happens in the trio thread."""

    def __init__(self, order: GameOrder, setup: Setup, commitment: bytes) -> None:
        self.order = order
        self.commitment = commitment
        self.table = Table(setup)
        now = monotonic_ns()
        first, second, third = (Flight(began=now, pick=pick_answer) for _ in SEATS)
        self.flights = (first, second, third)
        """What goes in and out, by seat."""
        self.due = NEVER
        """The earliest instant at which the game stands in the queue of deadlines."""
        self.failure: Exception | None = None
        """What ended it if the arena could not go on."""
        self.told = [(0, 0), (0, 0), (0, 0)]
        """How many calls and plays of the hand each seat that follows has been told."""
        self._to_store: deque[Fact] = deque()
        self._wake = trio.Event()

    def store(self, fact: Fact) -> None:
        """Have a fact stored, after those before it."""
        self._to_store.append(fact)
        self._wake.set()

    def fail(self, failure: Exception) -> None:
        """End the game: the arena cannot go on with it."""
        self.failure = failure
        self._wake.set()

    def wake(self) -> None:
        """Let `keep` see that the game may be over."""
        self._wake.set()

    async def keep(
        self,
        journal: Journal,
        tell: Callable[[Callable[[int], Outputs]], None],
        metrics: Metrics,
    ) -> GameOutcome:
        """Store what the table wants stored, and let it go on, until the game is over.

        `tell` calls a method of the table with the time and carries out what it says.
        """
        table = self.table
        while True:
            while self._to_store and self.failure is None:
                match self._to_store.popleft():
                    case StoreReady(nonces):
                        await journal.ready(nonces)
                        tell(table.nonces_stored)
                    case StoreHand(record):
                        await journal.hand(record)
                        account.tell_hand(record, metrics)
                        tell(table.hand_stored)
                    case StoreFault(hand_number, fault):
                        await journal.fault(hand_number, fault)
                    case StoreVoid(record):
                        await journal.hand(record)
                        account.tell_hand(record, metrics)
                    case StoreForfeit(forfeit):
                        await journal.forfeit(forfeit)
                    case StoreOutcome(outcome):
                        await journal.over(outcome)
                        tell(table.outcome_stored)
            if self.failure is not None:
                raise self.failure
            if table.outcome is not None:
                account.count_end(table.outcome, metrics)
                return table.outcome
            self._wake = trio.Event()
            await self._wake.wait()
