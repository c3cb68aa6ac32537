"""What a bot is: one method from a view to an action, and hooks for those who want them.

Any class with `act(self, view)` is a bot, here and in an arena; no base class is needed. An
instance plays one game or session: a fresh one is made for each, so that what it remembers concerns
this game only. What is dear to load belongs at the top of its module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar, assert_never

from euchre_sdk.game import (
    Action,
    Card,
    Format,
    Kind,
    Public,
    RuleSet,
    Seat,
    Suit,
    View,
    fallback,
)

_Answer = TypeVar("_Answer")


class Bot(Protocol):
    """Decides for a seat."""

    def act(self, view: View, /) -> Action:
        """Return one of `view.legal`."""
        ...


BotFactory: TypeAlias = Callable[[], Bot]
"""Makes a bot for one game: a class without constructor arguments, or a function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStart:
    """What a bot is told before the first hand."""

    seat: Seat
    """Where you sit in this game."""
    rules: RuleSet
    format: Format
    seed: int
    """A number for your own randomness: `self.random = random.Random(start.seed)`. In local play it
    follows from the run's seed, the game and your seat, so that a run can be repeated exactly; in
    an arena it is drawn anew for each game."""
    names: tuple[str, str, str] | None = None
    """Names shown for seats 0, 1, 2; pseudonyms in a blind tournament, `None` if none are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """What a bot is told after a hand: what everybody at the table knows."""

    points: tuple[int, int, int]
    """Points of seats 0, 1, 2 for this hand."""
    score: tuple[int, int, int]
    """Points of seats 0, 1, 2 so far, this hand included."""
    public: Public
    """The whole public course of the hand; its `score` is the one before the hand."""

    @property
    def is_passed_out(self) -> bool:
        """Whether everybody passed twice (A17)."""
        return self.public.maker is None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """What a bot is told when a game or session is over."""

    score: tuple[int, int, int]
    """Points of seats 0, 1, 2."""
    places: tuple[int, int, int] | None
    """Places from 1, equal scores share the better one; `None` if the game has none (A19)."""
    hands: int
    """Hands played."""
    message: str = ""
    """Why, if the end was not a normal one."""


class BotBase:
    """An optional base that splits `act` by what is asked.

    Overwrite what you care about; each default is the referee's fallback (rules §4), the most
    modest legal choice. The hooks at the end do nothing here; any bot may have them, with or
    without this base.
    """

    def order_up(self, view: View) -> bool:
        """Return whether to make the suit of `view.turn_up` trump."""
        return False

    def name_trump(self, view: View) -> Suit | None:
        """Return the suit to name in the second round, or `None` to pass.

        Where the dealer must name one, `None` is refused: look for `Action.PASS` in `view.legal`.
        """
        choice = fallback(view)
        return None if choice is Action.PASS else choice.suit

    def exchange(self, view: View) -> Card | None:
        """Return the card to lay down for the turn-up, or `None` to leave the turn-up.

        Where it must be taken, `None` is refused: look for `Action.DECLINE` in `view.legal`.
        """
        choice = fallback(view)
        return None if choice is Action.DECLINE else choice.card

    def play_alone(self, view: View, trump: Suit) -> bool:
        """Return whether to play without the dummy as the maker of `trump`.

        Asked after the exchange or, where the rules say so, together with your bid (A23).
        """
        return False

    def keep_five(self, view: View) -> Iterable[Card]:
        """Return the five cards to keep out of the ten of `view.pool`."""
        return view.hand

    def defend_alone(self, view: View) -> bool:
        """Return whether to defend without the other defender."""
        return False

    def play_card(self, view: View) -> Card:
        """Return one of `view.legal_cards`."""
        return fallback(view).card

    def act(self, view: View) -> Action:
        """Ask the finer method and return its answer as an action."""
        kind = view.kind
        match kind:
            case Kind.PLAY:
                return self.play_card(view)
            case Kind.ORDER_UP:
                if not _no_action(self.order_up(view), "order_up"):
                    return Action.PASS
                alone = Action.ORDER_UP_ALONE in view.legal
                if alone and _no_action(self.play_alone(view, view.turn_up.suit), "play_alone"):
                    return Action.ORDER_UP_ALONE
                return Action.ORDER_UP
            case Kind.NAME_TRUMP:
                suit = _no_action(self.name_trump(view), "name_trump", "a suit or None")
                if suit is None:
                    return Action.PASS
                with_bid = Action.name_trump_alone(suit)
                if with_bid in view.legal and _no_action(self.play_alone(view, suit), "play_alone"):
                    return with_bid
                return Action.name_trump(suit)
            case Kind.EXCHANGE:
                card = self.exchange(view)
                return Action.DECLINE if card is None else card
            case Kind.MAKER_ALONE:
                trump = view.trump
                assert trump is not None  # it has just been made
                alone = _no_action(self.play_alone(view, trump), "play_alone")
                return Action.ALONE if alone else Action.WITH_DUMMY
            case Kind.KEEP_FIVE:
                return Action.keep(self.keep_five(view))
            case Kind.DEFEND_ALONE:
                alone = _no_action(self.defend_alone(view), "defend_alone")
                return Action.ALONE if alone else Action.TOGETHER
            case _:
                assert_never(kind)

    def game_started(self, start: GameStart) -> None:
        """Take in seat, rules and a seed before the first hand."""

    def hand_ended(self, result: HandResult) -> None:
        """Take in what a finished hand showed."""

    def game_ended(self, end: GameEnd) -> None:
        """Take in the final score."""


_YES_OR_NO = "True or False"


def _no_action(answer: _Answer, method: str, expected: str = _YES_OR_NO) -> _Answer:
    """Return a finer method's answer; refuse an action, which would always count as yes."""
    if isinstance(answer, Action):
        msg = f"{method} returns {expected}, not the action {answer}"
        raise TypeError(msg)
    return answer


HOOKS = ("game_started", "hand_ended", "game_ended")


def hook(bot: object, name: str) -> Callable[[Any], object] | None:
    """Return a bot's hook of this name, `None` if it has none or only the one that does nothing."""
    found: Callable[[Any], object] | None = getattr(bot, name, None)
    if getattr(found, "__func__", found) is getattr(BotBase, name):
        return None
    return found
