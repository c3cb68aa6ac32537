"""Many games on one stream: which questions share a message, when, and what is hidden in each.

Bots think for random times that have nothing to do with cards. So what shares a message with what
may depend on instants, and must be independent of the cards that are hidden from the reader.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

import trio
import trio.testing

from arena.referee import Nonces
from arena.rpc.play.service import PlayService
from arena.rpc.stream import Stream
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import SEATS, STANDARD, Card, Seat, Session
from euchre_sdk.game.rules_file import rules_to_fields
from tests.game import naive_rules
from tests.leaks.injected import injected, instant
from tests.leaks.script import Script
from tests.leaks.stage import NAMES, Memory, _order, authenticate

GAMES = 12
"""At once; so many that the arena gathers messages."""
HANDS = 12
TICK_US = 250
THOUGHT = 24
"""Ticks that a bot thinks at most."""
READER = 0
"""The seat whose messages are looked at."""


class Decks:
    """Random decks, known to the test."""

    commitment = b"c" * 32

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def derived_nonce(self, seat: Seat) -> bytes:
        return bytes([seat]) * 32

    def deals(self, nonces: Nonces) -> Decks:
        return self

    def first_dealer(self, rules: object) -> tuple[Seat, tuple[()]]:
        return SEATS[0], ()

    def deck(self, rules: object, hand_number: int, attempt: int) -> list[Card]:
        return [Card.parse(text) for text in self.texts(hand_number)]

    def texts(self, hand_number: int) -> list[str]:
        deck = naive_rules.full_deck(rules_to_fields(STANDARD))
        Random(f"{self._seed}/{hand_number}").shuffle(deck)
        return deck


def hidden_facts(deck: list[str], dealer: int) -> dict[str, bool]:
    """Return facts about cards that the reader is not shown; each is true about half the time."""
    eldest, middle, dummy, own = naive_rules.deal(rules_to_fields(STANDARD), deck)
    left = {(dealer + 1) % 3: eldest, (dealer + 2) % 3: middle, dealer: own}[(READER + 1) % 3]
    return {
        "the left hand is mostly black": sum(card[1] in "CS" for card in left) >= 3,
        "the dummy is mostly black": sum(card[1] in "CS" for card in dummy) >= 3,
        "the stock begins with a red card": deck[21][1] in "DH",
    }


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to the reader."""

    game: str
    arrived: int
    """When the action arrived that led to it, in nanoseconds."""
    by: int
    """Whose action that was; public, and not independent of the cards."""
    message: int
    """The number of the message in which it was."""
    facts: dict[str, bool]


class Table:
    """Three bots that play many games at once, each on one stream."""

    def __init__(self, seed: int) -> None:
        self.asked: list[Asked] = []
        self._rng = Random(seed)
        self._decks = {f"g{n}": Decks(f"{seed}/{n}") for n in range(GAMES)}
        self._slots: dict[tuple[int, int], str] = {}
        """Games by bot and slot."""
        self._last: dict[str, tuple[int, int]] = {}
        """When the last action of each game arrived, and from whom."""
        self._messages = 0
        self._streams: list[Stream] = []
        self._nursery: trio.Nursery
        self._service = PlayService(
            authenticate=authenticate, deal_source=lambda order: self._decks[order.game_id]
        )

    def to_edge(self, call: Callable[[Any], None], argument: Any) -> None:
        call(argument)

    def _sent(self, stream: Stream) -> None:
        while stream.outbox:
            data, departure = stream.outbox.popleft()
            stream.written_messages += 1
            stream.written_bytes += len(data)
            if departure is not None:
                departure.at = instant()
            self._hear(int(stream.peer[-1]), play_pb2.PlayResponse.FromString(data))

    def _hear(self, bot: int, response: play_pb2.PlayResponse) -> None:
        self._messages += bot == READER
        for offer in response.offers:
            self._slots[bot, offer.slot] = offer.game_id
            ready = play_pb2.Ready(slot=offer.slot, nonce=b"n" * 32)
            self._nursery.start_soon(self._say, bot, play_pb2.PlayRequest(readies=[ready]), 0)
        for question in response.questions:
            game = self._slots[bot, question.slot]
            if bot == READER:
                deck = self._decks[game].texts(question.hand_number)
                facts = hidden_facts(deck, question.dealer)
                self.asked.append(Asked(game, *self._last[game], self._messages, facts))
            request = play_pb2.PlayRequest(answers=[self._answer(question)])
            ticks = self._rng.randrange(1, THOUGHT + 1)
            self._nursery.start_soon(self._say, bot, request, ticks, game)

    async def _say(
        self, bot: int, request: play_pb2.PlayRequest, ticks: int, game: str = ""
    ) -> None:
        await trio.sleep(ticks * TICK_US / 1e6)
        self._last[game] = instant(), bot
        stream = self._streams[bot]
        stream.inbox.append((request.SerializeToString(), instant()))
        self._service.woken(stream)
        self._service.settled()

    def _answer(self, question: play_pb2.Question) -> play_pb2.Answer:
        """Return a random legal answer."""
        kind = self._rng.choice(question.legal_kinds)
        answer = play_pb2.Answer(slot=question.slot, seq=question.seq, kind=kind)
        if kind == types_pb2.ACTION_KIND_NAME_TRUMP:
            answer.suit = self._rng.choice(question.legal_suits)
        elif kind == types_pb2.ACTION_KIND_KEEP_FIVE:
            answer.cards.extend(self._rng.sample(question.legal_cards, 5))
        elif kind in (types_pb2.ACTION_KIND_PLAY, types_pb2.ACTION_KIND_EXCHANGE):
            answer.cards.append(self._rng.choice(question.legal_cards))
        return answer

    async def run(self) -> None:
        """Play all games to their end."""
        async with trio.open_nursery() as self._nursery:
            await self._nursery.start(self._service.run)
            for number, name in enumerate(NAMES):
                token = {"authorization": f"Bearer {name}"}
                stream = Stream(f"unix:{number}", token, 1 << 16, self, self._sent)  # type: ignore[arg-type]
                self._streams.append(stream)
                self._service.opened(stream)
                hello = play_pb2.Hello(protocol_revision=1, version_label="1", games_at_once=GAMES)
                await self._say(number, play_pb2.PlayRequest(hello=hello), 1)
                await trio.sleep(1)
            async with trio.open_nursery() as games:
                for number in range(GAMES):
                    order = replace(_order(_script(), number, 0), format=Session(HANDS))
                    memory: Any = Memory()
                    games.start_soon(self._service.play, order, memory)
            self._nursery.cancel_scope.cancel()


def _script() -> Script:
    return Script(
        rules=rules_to_fields(STANDARD),
        observer=READER,
        session=HANDS,
        follows=(False, False, False),
        house=(False, False, False),
        clocked=True,
        secretly=False,
        hands=[],
    )


def play(seed: int) -> list[Asked]:
    """Return the questions to the reader of many games, in the order in which they were sent."""
    table = Table(seed)
    with injected(in_order=False):
        trio.run(table.run, clock=trio.testing.MockClock(autojump_threshold=0))
    return table.asked


def deviation(asked: Iterable[Asked], fact: str) -> float:
    """Return how far sharing a message depends on a hidden fact, in standard deviations.

    Of each two questions that follow each other, about different games: do they share a message
    more often when the fact holds in the later one's game? Stratified by the time between the
    arrivals that led to them, and whose they were (Mantel and Haenszel 1959, without correction);
    standard normal if the answer is no.
    """
    ordered = sorted(asked, key=lambda each: (each.arrived, each.message))
    strata: dict[tuple[int, ...], list[tuple[bool, bool]]] = defaultdict(list)
    for one, two in pairwise(ordered):
        if one.game != two.game:
            gap = (two.arrived - one.arrived) // (TICK_US * 1000)
            strata[gap, one.by, two.by].append((two.facts[fact], one.message == two.message))
    difference = variance = 0.0
    for pairs in strata.values():
        total, true = len(pairs), sum(holds for holds, _ in pairs)
        shared = sum(share for _, share in pairs)
        if total > 1:
            difference += sum(share for holds, share in pairs if holds) - true * shared / total
            variance += true * (total - true) * shared * (total - shared) / (total**2 * (total - 1))
    return difference / math.sqrt(variance)
