"""A hand brought to where it was: the deck and the decisions, checked one by one by the engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from euchre_sdk.game.cards import Action, Card, Seat, show_cards
from euchre_sdk.game.hand import Hand, Points
from euchre_sdk.game.rules import Format, RuleSet, ToTarget


def replay_hand(
    rules: RuleSet,
    dealer: Seat,
    deck: Sequence[Card],
    decisions: Iterable[Action],
    *,
    score: Points = (0, 0, 0),
    hand_number: int = 1,
    format: Format = ToTarget(),  # noqa: B008 - the default is a frozen value
) -> Hand:
    """Return the hand dealt from `deck`, the cut deck, after `decisions`, the hidden ones too.

    Stop the decisions early to get a hand in the middle of play. Raises `ValueError` for cards that
    are not the deck of these rules, `IllegalActionError` for a decision that is not legal.
    """
    if len(deck) != len(rules.deck) or set(deck) != set(rules.deck):
        msg = f"not the {len(rules.deck)} cards of this rule set's deck: {show_cards(deck)}"
        raise ValueError(msg)
    hand = Hand(rules, dealer, deck, score=score, hand_number=hand_number, format=format)
    for action in decisions:
        hand.apply(action)
    return hand
