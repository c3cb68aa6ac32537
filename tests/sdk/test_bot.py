"""What a bot is: `act` alone, or the finer methods of `BotBase`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from euchre_sdk import PRESETS, STANDARD, Action, BotBase, Card, Kind, Suit, View, fallback
from euchre_sdk.bot import hook
from euchre_sdk.game import Game, RuleSet, SeededDeals, Session
from euchre_sdk.game.rules import AloneTiming, Exchange
from euchre_sdk.local import play_game
from tests.sdk.some_bots import Listener, Lot, Modest


class Scripted(BotBase):
    """Answers each finer method with what it was given."""

    def __init__(self, **answers: object) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def _answer(self, method: str) -> object:
        self.asked.append(method)
        return self.answers[method]

    def order_up(self, view: View) -> bool:
        return bool(self._answer("order_up"))

    def name_trump(self, view: View) -> Suit | None:
        suit = self._answer("name_trump")
        assert suit is None or isinstance(suit, Suit)
        return suit

    def exchange(self, view: View) -> Card | None:
        card = self._answer("exchange")
        assert card is None or isinstance(card, Card)
        return card

    def play_alone(self, view: View, trump: Suit) -> bool:
        self.trump = trump
        return bool(self._answer("play_alone"))

    def keep_five(self, view: View) -> Iterable[Card]:
        return view.pool[:5]

    def defend_alone(self, view: View) -> bool:
        return bool(self._answer("defend_alone"))


def view_of(kind: Kind, rules: RuleSet = STANDARD, *, seed: int = 0) -> View:
    """Return a view that is asked for `kind`, met by drawing lots."""
    for attempt in range(200):
        game = Game(rules, SeededDeals(1000 * seed + attempt), Session(1))
        hand = game.start_hand()
        bots = [Lot(), Lot(), Lot()]
        for bot in bots:
            bot.game_started(_start(attempt))
        while (view := hand.view) is not None:
            if view.kind is kind:
                return view
            hand.apply(bots[view.seat].act(view))
    raise AssertionError(kind)


def _start(seed: int):
    bot = Listener()
    play_game([bot, Lot(), Lot()], format=Session(1), seed=seed)
    return bot.starts[0]


WITH_BID = replace(STANDARD, alone_timing=AloneTiming.WITH_BID)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_base_does_what_the_referee_would_do(kind: Kind, preset: str) -> None:
    view = view_of(kind, PRESETS[preset])
    assert Modest().act(view) == fallback(view)
    assert Modest().act(view) in view.legal


@pytest.mark.parametrize(
    ("kind", "answers", "action"),
    [
        (Kind.ORDER_UP, {"order_up": True}, Action.ORDER_UP),
        (Kind.ORDER_UP, {"order_up": False}, Action.PASS),
        (Kind.NAME_TRUMP, {"name_trump": None}, Action.PASS),
        (Kind.NAME_TRUMP, {"name_trump": Suit.SPADES}, Action.name_trump(Suit.SPADES)),
        (Kind.EXCHANGE, {"exchange": Card.parse("JH")}, Card.parse("JH")),
        (Kind.EXCHANGE, {"exchange": None}, Action.DECLINE),
        (Kind.MAKER_ALONE, {"play_alone": True}, Action.ALONE),
        (Kind.MAKER_ALONE, {"play_alone": False}, Action.WITH_DUMMY),
        (Kind.DEFEND_ALONE, {"defend_alone": True}, Action.ALONE),
        (Kind.DEFEND_ALONE, {"defend_alone": False}, Action.TOGETHER),
    ],
)
def test_an_answer_of_a_finer_method_becomes_an_action(
    kind: Kind, answers: dict[str, object], action: Action
) -> None:
    bot = Scripted(**answers)
    assert bot.act(view_of(kind)) is action
    assert bot.asked == list(answers)


@pytest.mark.parametrize(
    ("kind", "method", "answer", "expected"),
    [
        (Kind.ORDER_UP, "order_up", Action.PASS, "True or False"),
        (Kind.NAME_TRUMP, "name_trump", Action.PASS, "a suit or None"),
        (Kind.MAKER_ALONE, "play_alone", Action.WITH_DUMMY, "True or False"),
        (Kind.DEFEND_ALONE, "defend_alone", Action.TOGETHER, "True or False"),
    ],
)
def test_an_action_is_no_answer_of_a_finer_method(
    kind: Kind, method: str, answer: Action, expected: str
) -> None:
    """Every action counts as true: a bot that means to pass would order up."""
    bot = Modest()
    setattr(bot, method, lambda *_: answer)
    with pytest.raises(TypeError, match=f"^{method} returns {expected}, not the action {answer}$"):
        bot.act(view_of(kind))


def test_five_cards_kept_become_one_action() -> None:
    view = view_of(Kind.KEEP_FIVE)
    assert Scripted().act(view) == Action.keep(view.pool[:5])


@pytest.mark.parametrize("alone", [True, False])
def test_alone_is_asked_with_the_bid_where_the_rules_say_so(*, alone: bool) -> None:
    view = view_of(Kind.ORDER_UP, WITH_BID)
    bot = Scripted(order_up=True, play_alone=alone)
    assert bot.act(view) is (Action.ORDER_UP_ALONE if alone else Action.ORDER_UP)
    assert bot.trump is view.turn_up.suit
    bot = Scripted(name_trump=Suit.CLUBS, play_alone=alone)
    wanted = Action.name_trump_alone if alone else Action.name_trump
    named = next(s for s in Suit._members if s is not view.turn_up.suit)
    bot.answers["name_trump"] = named
    assert bot.act(view_of(Kind.NAME_TRUMP, WITH_BID)) in (wanted(named), Action.name_trump(named))


def test_the_base_never_declines_what_must_be_taken() -> None:
    must = replace(STANDARD, exchange_on_order=Exchange.REQUIRED)
    view = view_of(Kind.EXCHANGE, must)
    assert Action.DECLINE not in view.legal
    assert Modest().act(view) in view.legal


def test_hooks_that_do_nothing_are_not_called() -> None:
    assert hook(Modest(), "hand_ended") is None
    assert hook(Lot(), "hand_ended") is None
    listener = Listener()
    assert hook(listener, "hand_ended") == listener.hand_ended
