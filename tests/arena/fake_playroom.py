"""A playroom without any network: it plays ordered games in this process, at once."""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import trio

from arena.referee import Attempt, GameOutcome, HandRecord, Termination
from euchre_sdk.game import SEATS, Game, SeededDeals

if TYPE_CHECKING:
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
        self.most_at_once: Counter[str] = Counter()
        self.gate: trio.Event | None = None
        """If set, games wait for it before each hand."""
        self.crash_after: int | None = None
        """Hands after which the arena dies."""
        self.faulty_games = 0
        """So many of the next games fail through the arena."""
        self._busy: Counter[str] = Counter()
        self._running: set[str] = set()
        self._stopped: set[str] = set()
        self._forfeited: dict[str, set[Seat]] = {}
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

    async def play(self, order: GameOrder, journal: Journal) -> GameOutcome:
        bots = [seat.bot_id for seat in order.seats]
        self._busy.update(bots)
        for bot in bots:
            self.most_at_once[bot] = max(self.most_at_once[bot], self._busy[bot])
        self.orders.append(order)
        self._running.add(order.game_id)
        try:
            await trio.lowlevel.checkpoint()
            return await self._play(order, journal)
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
        if order.played.nonces is None:
            nonces = tuple(hashlib.sha256(order.seed + bytes([s])).digest() for s in SEATS)
            await journal.ready((nonces[0], nonces[1], nonces[2]))
        hands = list(order.played.hands)
        deals = _Deals(order)
        game = Game(order.rules, deals, order.format)
        for record in hands:
            if record.void is None:
                game.add(record.points)
        random = Random(order.seed)
        while game.result is None:
            await self._before_hand(order)
            if out := self._forfeited.get(order.game_id):
                how = tuple(Termination.FORFEIT if s in out else Termination.NORMAL for s in SEATS)
                places = tuple(3 if s in out else 1 for s in SEATS)
                return GameOutcome(terminations=how, places=places, hands=tuple(hands))
            if order.game_id in self._stopped:
                return GameOutcome(terminations=(Termination.VOID,) * 3, hands=tuple(hands))
            hand = game.start_hand()
            self.decks.append(tuple(map(int, hand.deck)))
            while (view := hand.view) is not None:
                hand.apply(random.choice(view.legal))
            dealer, number = game.dealer, game.hand_number
            if self.crash_after is not None:
                self.crash_after -= 1
                if self.crash_after < 0:
                    raise Crash
            points = game.finish_hand()
            record = HandRecord(
                hand_number=number,
                attempt=Attempt(order.incarnation, 0),
                dealer=dealer,
                deck=tuple(hand.deck),
                decisions=hand.decisions,
                spent_us=(0,) * len(hand.decisions),
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


class _Deals:
    """A deck for each hand that depends on nothing but the order and the number of the hand."""

    def __init__(self, order: GameOrder) -> None:
        self._order = order

    def first_dealer(self, rules):
        return SeededDeals(int.from_bytes(self._order.seed, "big")).first_dealer(rules)

    def deck(self, rules, hand_number, attempt):
        key = f"{self._order.seed.hex()}/{hand_number}/{self._order.incarnation}"
        return SeededDeals(hash_of(key)).deck(rules, hand_number, attempt)


def hash_of(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
