"""Hands for the tests of the luck correction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from arena.luck.deals import DEALER
from euchre_sdk.game import SUITS, Action, Card, Hand, RuleSet, Suit, View

Decide = Callable[[View], Action]
Played = tuple[Sequence[Card], Sequence[Action]]


def decks(rules: RuleSet, hands: int, seed: int = 1) -> list[tuple[Card, ...]]:
    """Return cut decks."""
    random = Random(seed)
    return [tuple(random.sample(rules.deck, len(rules.deck))) for _ in range(hands)]


def at_random(seed: int = 1) -> Decide:
    """Return a bot that decides at random."""
    random = Random(seed)
    return lambda view: random.choice(view.legal)


def play(
    rules: RuleSet, deck: Sequence[Card], decide: Decide
) -> tuple[Played, tuple[int, int, int]]:
    """Play one deck to the end; return it as it is kept, and the points by position."""
    hand = Hand(rules, DEALER, tuple(deck))
    while (view := hand.view) is not None:
        hand.apply(decide(view))
    assert hand.points is not None
    return (deck, hand.decisions), hand.points


def renamed(card: Card, names: Sequence[Suit]) -> Card:
    """Return the card of the same rank whose suit is called otherwise."""
    return card if card.is_joker else Card(8 * names[card.suit] + int(card) % 8)


def renamed_action(action: Action, names: Sequence[Suit]) -> Action:
    """Return the same decision where suits are called otherwise."""
    if isinstance(action, Card):
        return renamed(action, names)
    if action.is_keep:
        return Action.keep(renamed(card, names) for card in action.cards)
    for suit in SUITS:
        if action is Action.name_trump(suit):
            return Action.name_trump(names[suit])
        if action is Action.name_trump_alone(suit):
            return Action.name_trump_alone(names[suit])
    return action
