"""A playroom without any network: it plays ordered games in this process, at once."""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import trio

from arena.referee import Attempt, GameOutcome, HandRecord, Termination, VoidCause
from arena.tournaments.deal_sets import DealSet
from arena.tournaments.endings import forfeited
from euchre_sdk.game import SEATS, Game

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.tournaments.playroom import GameOrder, Journal
    from euchre_sdk.game import Seat

NORMAL = (Termination.NORMAL,) * 3


class Crash(BaseException):
    """The arena dies here: nothing that is left of it may run on."""


class FakePlayroom:
    """Bots that choose at random from their legal actions; who is here is set by the test."""

    def __init__(self, **games_at_once: int) -> None:
        self.games_at_once = dict(games_at_once)
        """How many games each bot takes at once, by id; absent bots are missing or 0."""
        self.labels: dict[str, str] = {}
        self.misses: Counter[str] = Counter()
        """How often each bot will not be ready when it is next offered a game."""
        self.orders: list[GameOrder] = []
        self.decks: list[tuple[int, ...]] = []
        """Every deck that was dealt, in order."""
        self.takes_us: Counter[str] = Counter()
        """Microseconds that each bot takes for an answer."""
        self.most_at_once: Counter[str] = Counter()
        self.gate: trio.Event | None = None
        """If set, games wait for it before each hand."""
        self.crash_after: int | None = None
        """Hands after which the arena dies."""
        self.quarantined: list[str] = []
        """Bots that were told that they are in quarantine."""
        self.handed_on: tuple[int, int] | None = (1, 2)
        """Links and games that `take_over` hands on of a bot that is here."""
        self.faulty_games = 0
        """So many of the next games fail through the arena."""
        self._busy: Counter[str] = Counter()
        self._running: set[str] = set()
        self._stopped: set[str] = set()
        self._forfeited: dict[str, set[Seat]] = {}
        self._dealt: Callable[[GameOrder], None] = lambda _: None
        """Told of every hand that is dealt."""
        self._changed = trio.Event()

    def come(self, bot_id: str, games_at_once: int = 1) -> None:
        """Let a bot connect, or leave with 0."""
        self.games_at_once[bot_id] = games_at_once
        self._change()

    def presence(self, bot_id: str) -> int:
        return self.games_at_once.get(bot_id, 0) - self._busy[bot_id]

    def version(self, bot_id: str) -> str | None:
        return self.labels.get(bot_id, "1") if self.games_at_once.get(bot_id, 0) else None

    async def wait_change(self) -> None:
        await self._changed.wait()

    def stop_after_hand(self, game_id: str) -> None:
        if game_id in self._running:
            self._stopped.add(game_id)

    def forfeit(self, game_id: str, seat: Seat) -> None:
        if game_id in self._running:
            self._forfeited.setdefault(game_id, set()).add(seat)

    def quarantine(self, bot_id: str) -> None:
        self.quarantined.append(bot_id)

    def take_over(self, bot_id: str) -> tuple[int, int] | None:
        return self.handed_on if self.presence(bot_id) else (0, 0)

    async def play(self, order: GameOrder, journal: Journal) -> GameOutcome:
        bots = [seat.bot_id for seat in order.seats]
        self._busy.update(bots)
        for bot in bots:
            self.most_at_once[bot] = max(self.most_at_once[bot], self._busy[bot])
        self.orders.append(order)
        self._running.add(order.game_id)
        try:
            await trio.lowlevel.checkpoint()
            if order.played.outcome is not None:
                return order.played.outcome
            outcome = await self._play(order, journal)
            if outcome.started:
                await journal.over(outcome)
            return outcome
        finally:
            self._busy.subtract(bots)
            self._running.discard(order.game_id)
            self._change()

    async def _play(self, order: GameOrder, journal: Journal) -> GameOutcome:
        absent = tuple(seat for seat in SEATS if self.misses[order.seats[seat].bot_id] > 0)
        if absent and order.played.nonces is None:
            self.misses.subtract(order.seats[seat].bot_id for seat in absent)
            return GameOutcome(terminations=(Termination.NOT_STARTED,) * 3, not_ready=absent)
        if self.faulty_games:
            self.faulty_games -= 1
            msg = "the table fell over"
            raise RuntimeError(msg)
        source, nonces = DealSet(order), order.played.nonces
        if nonces is None:
            first, second, third = (
                source.derived_nonce(seat)
                if order.seats[seat].house
                else hashlib.sha256(order.seed + bytes([seat])).digest()
                for seat in SEATS
            )
            nonces = (first, second, third)
        hands = list(order.played.hands)
        game = Game(order.rules, source.deals(nonces), order.format)
        for record in hands:
            if record.void is None:
                game.add(record.points)
        if order.played.interrupted is not None and game.result is None:
            hands.append(_voided(game, order.played.interrupted.attempt))
            await journal.hand(hands[-1])
        await journal.ready(nonces)
        random = Random(order.seed)
        while game.result is None:
            await self._before_hand(order)
            if out := self._forfeited.get(order.game_id):
                return forfeited(tuple(sorted(out)), tuple(hands), format=order.format)
            if order.game_id in self._stopped:
                return GameOutcome(terminations=(Termination.VOID,) * 3, hands=tuple(hands))
            attempt = Attempt(order.incarnation, 0)
            hand = game.start_hand(attempt.number)
            self.decks.append(tuple(map(int, hand.deck)))
            self._dealt(order)
            spent = []
            while (view := hand.view) is not None:
                hand.apply(random.choice(view.legal))
                spent.append(self.takes_us[order.seats[view.seat].bot_id])
            dealer, number = game.dealer, game.hand_number
            if self.crash_after is not None:
                self.crash_after -= 1
                if self.crash_after < 0:
                    raise Crash
            points = game.finish_hand()
            record = HandRecord(
                hand_number=number,
                attempt=attempt,
                dealer=dealer,
                deck=tuple(hand.deck),
                decisions=hand.decisions,
                spent_us=tuple(spent),
                points=points,
                score=game.score,
            )
            await journal.hand(record)
            hands.append(record)
        return GameOutcome(
            terminations=NORMAL,
            points=game.score,
            places=game.result.places or (1, 1, 1),
            hands=tuple(hands),
            unfinished=game.result.is_unfinished,
        )

    async def _before_hand(self, _order: GameOrder) -> None:
        if self.gate is not None:
            await self.gate.wait()

    def _change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def _voided(game: Game, attempt: Attempt) -> HandRecord:
    """The record of the deal in which the arena stopped."""
    hand = game.start_hand(attempt.number)
    number = game.hand_number
    game.void_hand()
    return HandRecord(
        hand_number=number,
        attempt=attempt,
        dealer=hand.dealer,
        deck=tuple(hand.deck),
        decisions=(),
        spent_us=(),
        points=(0, 0, 0),
        score=game.score,
        void=VoidCause.ARENA_STOPPED,
    )
