"""Records of games that were played at a real table by bots that misbehave."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from arena.referee import (
    Conduct,
    FaultKind,
    GameOutcome,
    Resumed,
    Termination,
    TimeControl,
    VoidCause,
)
from arena.referee.outputs import StoreForfeit
from arena.referee.setup import Setup
from arena.referee.table import Table
from arena.scheduling import BlockId, EntryId, Sitting
from arena.store.states import EntryState, GameState, TournamentState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.deal_sets import DealSet
from arena.tournaments.orders import game_order, offered_game
from arena.tournaments.plan import Step
from arena.tournaments.playroom import GameOrder
from arena.tournaments.records import record_of
from arena.tournaments.spec import TournamentSpec, encode_spec
from euchre_sdk.game import SEATS, STANDARD, Action, Format, GameRecord, RuleSet, Session
from euchre_sdk.game.record import OpenFault
from tests.arena.referee.seating_plan import Played

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = ("lynx", "puma", "ocelot")
CONDUCT = Conduct(faults=4)


class Scene:
    """One game of a tournament, as it is ordered and as it is recorded."""

    def __init__(
        self,
        secret: bytes,
        *,
        rules: RuleSet = STANDARD,
        format: Format = Session(3),
        house: tuple[bool, bool, bool] = (False, False, False),
        offer: int = 1,
    ) -> None:
        self.spec = TournamentSpec(rules=rules, format=format, conduct=CONDUCT)
        self.tournament = StoredTournament(
            tournament_id="t1",
            name="spring",
            state=TournamentState.RUNNING,
            spec=encode_spec(self.spec),
            public_seed="7",
            secret=secret,
            created=NOW,
        )
        self.entries = {
            f"e{seat}": StoredEntry(
                entry_id=f"e{seat}",
                bot_id=f"b{seat}",
                bot_name=NAMES[seat],
                owner=None if house[seat] else "ada",
                version="1",
                state=EntryState.PLAYING,
                created=NOW,
            )
            for seat in SEATS
        }
        first, second, third = (EntryId(f"e{seat}") for seat in SEATS)
        self.sitting = Sitting(
            block_id=BlockId("c1b1"),
            attempt=1,
            number=1,
            seats=(first, second, third),
            format=format,
        )
        self.game = offered_game(self.tournament, Step(self.sitting, offer), now=NOW)

    def order(self, played: Resumed = Resumed()) -> GameOrder:  # noqa: B008
        """The order of the game, new or taken up again."""
        return game_order(
            self.tournament,
            self.spec,
            self.entries,
            self.sitting,
            self.game,
            played=played,
        )

    def record(self, outcome: GameOutcome, open_faults: tuple[OpenFault, ...] = ()) -> GameRecord:
        """The record of the game once it is over."""
        is_void = Termination.VOID in outcome.terminations
        over = replace(
            self.game,
            state=GameState.VOID if is_void else GameState.FINISHED,
            nonces=outcome.nonces,
            terminations=outcome.terminations,
            points=outcome.points,
            places=outcome.places,
            unfinished=outcome.unfinished,
            ended=NOW,
        )
        return record_of(over, self.tournament, self.entries, outcome.hands, open_faults)


def played_game(
    seed: int,
    *,
    trouble: float = 0.05,
    until_forfeit: bool = False,
    stopped_after: int | None = None,
    first_start: int = 1,
    skipped: int = 0,
    house: tuple[bool, bool, bool] = (False, True, False),
    **more: Any,
) -> GameRecord:
    """Play a game with so much trouble at each decision, and return its record.

    `stopped_after` so many hands the arena dies in the middle of one and starts anew; with
    `until_forfeit` once somebody has forfeited. `first_start` is the incarnation of the
    first deal, and so many are `skipped` when the arena starts anew.
    """
    rng = random.Random(seed)
    scene = Scene(rng.randbytes(32), house=house, **more)
    nonces = [rng.randbytes(32) for _ in SEATS]
    played = Resumed(incarnation=first_start - 1)
    open_faults: tuple[OpenFault, ...] = ()
    while True:
        order = scene.order(played)
        driven = Driven(
            Setup(
                rules=order.rules,
                format=order.format,
                time_control=TimeControl(),
                conduct=CONDUCT,
                source=DealSet(order),
                house=house,
                incarnation=order.incarnation,
                played=played,
            )
        )
        driven.offer(nonces)
        ended = driven.play(rng, trouble, stop=stopped_after, until_forfeit=until_forfeit)
        open_faults += driven.open_faults
        if ended:
            return scene.record(driven.outcome, open_faults)
        stopped_after = None
        played = Resumed(
            nonces=driven.nonces,
            hands=(*played.hands, *driven.stored),
            faults=driven.fault_counts,
            forfeits=tuple(told.forfeit for told in driven.told(StoreForfeit)),
            incarnation=order.incarnation + skipped,
        )


class Driven(Played):
    """A table at which everybody chooses at random, and some do worse."""

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.table = Table(setup)
        self.nonces = setup.played.nonces

    @property
    def fault_counts(self) -> tuple[int, int, int]:
        first, second, third = (sitter.faults for sitter in self.table.sitters)
        return first, second, third

    @property
    def open_faults(self) -> tuple[OpenFault, ...]:
        """Faults in a hand that was not stored: the journal would have put them down."""
        stored = Counter(fault for record in self.stored for fault in record.faults)
        left = []
        for told in self.faults:
            stored[told.fault] -= 1
            if stored[told.fault] < 0:
                fault = told.fault
                left.append(OpenFault(told.hand_number, fault.seat, fault.kind.value, fault.reason))
        return tuple(left)

    def offer(self, nonces: list[bytes]) -> None:
        self.do(self.table.start(self.now))
        for seat in SEATS:
            self.do(self.table.ready(seat, nonces[seat], arrived=self.now, now=self.now))

    def play(
        self, rng: random.Random, trouble: float, *, stop: int | None, until_forfeit: bool
    ) -> bool:
        """Play to the end, or until the arena dies in a hand; return whether it is the end."""
        while self.table.outcome is None:
            question = self.question
            far = bool(self.told(StoreForfeit)) if until_forfeit else question.seq > 2
            if stop is not None and len(self.stored) >= stop and far:
                return False
            remote = not self.table._setup.house[question.seat]
            dice = rng.random() / trouble if trouble else 1.0
            if until_forfeit and remote and question.seat == 0:
                dice = 0.3
            if dice < 0.2:
                self.do(self.table.void(VoidCause.ARENA_FAULT))
            elif dice < 0.22 and remote:
                self.do(self.table.lost(question.seat, self.now))
                self.wait(timedelta(seconds=61))
            elif dice < 0.4 and remote:
                self.wait(timedelta(seconds=6))
            elif dice < 0.6 and remote:
                self.answer(Action.TAKE)  # which nobody is ever asked
            elif dice < 0.7 and remote:
                reason = ("MALFORMED", "It has no cards.")
                late = {"arrived": self.now, "now": self.now}
                self.do(self.table.refuse(question, FaultKind.MALFORMED, *reason, **late))
            elif dice < 0.8 and remote:
                self.do(self.table.unsupported(question, self.now))
            elif dice < 1.0 and not remote:
                self.wait(timedelta(seconds=11))
            else:
                self.answer(rng.choice(question.view.legal))
        return True
