"""Bots that tests seat: well-behaved ones and every kind of bad one."""

from __future__ import annotations

import os
import random
import sys
from asyncio import CancelledError

from euchre_sdk import Action, BotBase, Card, GameEnd, GameStart, HandResult, Kind, View


class Lot:
    """Draws lots; its seed makes it repeatable."""

    def game_started(self, start: GameStart) -> None:
        self.random = random.Random(start.seed)

    def act(self, view: View) -> Action:
        return view.legal[self.random.randrange(len(view.legal))]


class Modest(BotBase):
    """Does what the referee would do in its place."""


class Bold(BotBase):
    """Makes trump whenever it can."""

    def order_up(self, view: View) -> bool:
        return True


class Listener(Lot):
    """Remembers what its hooks were told."""

    def __init__(self) -> None:
        self.starts: list[GameStart] = []
        self.hands: list[HandResult] = []
        self.ends: list[GameEnd] = []

    def game_started(self, start: GameStart) -> None:
        super().game_started(start)
        self.starts.append(start)

    def hand_ended(self, result: HandResult) -> None:
        self.hands.append(result)

    def game_ended(self, end: GameEnd) -> None:
        self.ends.append(end)


class Divides(Lot):
    """Raises at its third decision of every game, in a function of its own."""

    def __init__(self) -> None:
        self.decisions = 0

    def act(self, view: View) -> Action:
        self.decisions += 1
        if self.decisions == 3:
            return weigh(view, 0)
        return super().act(view)


def weigh(view: View, by: int) -> Action:
    return view.legal[1 // by]


class ReturnsNothing:
    def act(self, view: View) -> Action:
        return None  # type: ignore[return-value]


class ReturnsText:
    def act(self, view: View) -> Action:
        return "pass"  # type: ignore[return-value]


class ReturnsNumber:
    """Returns the number of a legal card, which is not the card."""

    def act(self, view: View) -> Action:
        return int(view.legal[0])  # type: ignore[return-value]


class Incomparable:
    """Something that cannot even be compared with an action."""

    def __eq__(self, other: object) -> bool:
        raise TypeError("cannot compare")

    __hash__ = None  # type: ignore[assignment]


class ReturnsIncomparable:
    def act(self, view: View) -> Action:
        return Incomparable()  # type: ignore[return-value]


class Revokes(Lot):
    """Plays a card it does not hold."""

    def act(self, view: View) -> Action:
        if view.kind is Kind.PLAY:
            return next(card for card in view.rules.deck if card not in view.hand)
        return super().act(view)


class Odd:
    """Something whose `repr` raises, and whose comparison ends the program."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __eq__(self, other: object) -> bool:
        sys.exit("compared")

    __hash__ = None  # type: ignore[assignment]


class ReturnsOdd:
    def act(self, view: View) -> Action:
        return Odd()  # type: ignore[return-value]


class ReturnsLots:
    def act(self, view: View) -> Action:
        return ["x" * 1000] * 1_000_000  # type: ignore[return-value]


class SilentError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no str")


class RaisesSilently:
    def act(self, view: View) -> Action:
        raise SilentError


class RaisesControls:
    """Raises what would clear a terminal's screen, with half a character that no file can hold."""

    def act(self, view: View) -> Action:
        raise ValueError("\x1b[2J and \ud800")


class RaisesPastExceptions:
    def act(self, view: View) -> Action:
        raise CancelledError


class HasNoAttributes(Modest):
    """Raises wherever it is looked at, but for the constructor."""

    def __getattribute__(self, name: str) -> object:
        raise LookupError(name)


class Exits:
    def act(self, view: View) -> Action:
        sys.exit("enough")


class FailsInHooks(Modest):
    def game_started(self, start: GameStart) -> None:
        raise RuntimeError("no start")

    def hand_ended(self, result: HandResult) -> None:
        raise RuntimeError("no hand")

    def game_ended(self, end: GameEnd) -> None:
        raise RuntimeError("no end")


class CrashesTheProcess(Modest):
    """Ends its process when it plays; being made and loaded is fine."""

    def play_card(self, view: View) -> Card:
        os._exit(7)


class Forgets(Modest):
    """Changes what it may only read."""

    def play_card(self, view: View) -> Card:
        view.public.plays.clear()
        return super().play_card(view)


class Cheats(Modest):
    """Gives itself a card."""

    def play_card(self, view: View) -> Card:
        card = next(card for card in view.rules.deck if card not in view.hand)
        view.legal = (card,)
        return card


class Chatty(Modest):
    def play_card(self, view: View) -> Card:
        print("I am thinking")  # noqa: T201
        return super().play_card(view)


class KeepsRubbish(Bold):
    """Makes trump every time and keeps what cannot take a trick: the defenders score together."""

    def keep_five(self, view: View) -> list[Card]:
        trump = view.trump
        return sorted(view.pool, key=lambda c: (trump and c.effective_suit(trump) is trump, c))[:5]
