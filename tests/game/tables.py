"""Positions to test the rules with: tables laid out by hand, decisions with their seats."""

from __future__ import annotations

from collections.abc import Mapping

from euchre_sdk.game import STANDARD, Action, Card, Hand, RuleSet, Seat, parse_cards
from euchre_sdk.game.hand_state import Points
from euchre_sdk.game.rules_file import rules_to_fields
from tests.game import naive_rules


def table(
    hands: Mapping[int, str],
    *,
    turn_up: str,
    dealer: int = 0,
    dummy: str = "",
    stock: str = "",
    rules: RuleSet = STANDARD,
    score: Points = (0, 0, 0),
) -> Hand:
    """A fresh hand with these cards dealt; what is left open is filled up from the rest."""
    named = parse_cards(" ".join([*hands.values(), dummy, turn_up, stock]))
    assert len(set(named)) == len(named)
    rest = [card for card in rules.deck if card not in named]

    def five(text: str) -> list[Card]:
        cards = list(parse_cards(text))
        while len(cards) < 5:
            cards.append(rest.pop())
        return cards

    order = ((dealer + 1) % 3, (dealer + 2) % 3, None, dealer)
    dealt = [five(dummy) if seat is None else five(hands.get(seat, "")) for seat in order]
    places = naive_rules.deal(rules_to_fields(rules), [str(n) for n in range(20)])
    deck: list[Card] = [Card(0)] * 20
    for cards, at in zip(dealt, places, strict=True):
        for card, place in zip(cards, at, strict=True):
            deck[int(place)] = card
    deck += [*parse_cards(turn_up), *parse_cards(stock), *rest]
    assert sorted(deck) == sorted(rules.deck)
    return Hand(rules, Seat(dealer), deck, score=score)


def do(hand: Hand, decisions: str) -> Hand:
    """Carry out decisions such as `1 pass, 2 order, 0 9C`: a seat and what it decides."""
    for decision in decisions.split(", "):
        seat, action = decision.split(" ", 1)
        assert hand.view is not None, f"the hand was over before {decision}"
        assert str(hand.view.seat) == seat, f"seat {hand.view.seat} is asked before {decision}"
        hand.apply(Action.parse(action))
    return hand


def legal(hand: Hand) -> list[str]:
    """The legal actions in notation."""
    assert hand.view is not None
    return [str(action) for action in hand.view.legal]


def asked(hand: Hand) -> tuple[int, str]:
    """Who is asked what."""
    assert hand.view is not None
    return int(hand.view.seat), hand.view.kind.value


def trump_is(trump: str, hands: Mapping[int, str], rules: RuleSet = STANDARD) -> Hand:
    """A hand in which seat 0 deals, seat 1 names trump, nobody is alone and seat 1 leads.

    Hands that are shorter than five cards are filled up; the maker keeps what he was dealt.
    """
    named = " ".join(hands.values()).split()
    turn_up = next(
        str(card)
        for card in rules.deck
        if str(card) not in named and not card.is_joker and str(card.suit) != trump
    )
    hand = table(hands, turn_up=turn_up, rules=rules)
    do(hand, f"1 pass, 2 pass, 0 pass, 1 name {trump}, 1 dummy")
    assert hand.view is not None
    hand.apply(Action.keep(hand.view.hand))
    return do(hand, "2 together, 0 together")


def without(suit: str, trump: str, taken: str, count: int, rules: RuleSet = STANDARD) -> str:
    """So many cards of the deck that are not `taken` and not effectively of `suit`."""
    cards = [
        text
        for text in map(str, rules.deck)
        if text not in taken and naive_rules.suit_of(text, trump) != suit
    ]
    return " ".join(cards[:count])
