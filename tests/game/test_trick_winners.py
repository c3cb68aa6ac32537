"""Who wins a trick (rules 1.2, 2.10, worked cases 6.2)."""

from __future__ import annotations

from itertools import combinations

import pytest

from euchre_sdk.game import CARDS, SUITS, Hand, RuleSet
from euchre_sdk.game.compiled import STRENGTH, card_strength
from tests.game import naive_rules
from tests.game.tables import do, trump_is, without

D24, D25 = RuleSet(), RuleSet(joker=True)


def first_trick(rules: RuleSet, trump: str, cards: list[str]) -> Hand:
    """A hand whose first trick is these cards, led by seat 1."""
    suit = naive_rules.suit_of(cards[0], trump)
    taken = " ".join(cards)
    hands = {}
    for seat, card in zip((1, 2, 0), cards, strict=True):
        rest = without(suit, trump, taken, 4, rules)
        taken += f" {rest}"
        hands[seat] = f"{card} {rest}"
    hand = trump_is(trump, hands, rules)
    return do(hand, f"1 {cards[0]}, 2 {cards[1]}, 0 {cards[2]}")


@pytest.mark.parametrize(
    ("rules", "trump", "cards", "winner"),
    [
        pytest.param(D24, "H", "AD JD 9H", 1, id="T15 the left bower trumps the ace of its suit"),
        pytest.param(D24, "H", "KH JD JH", 2, id="T16 the right bower beats the left"),
        pytest.param(D24, "C", "QD 9D AH", 0, id="T17 another suit never wins"),
        pytest.param(D24, "S", "TH AH 9S", 2, id="T18 the lowest trump beats the ace led"),
        pytest.param(D25, "C", "JC XX AC", 1, id="T19 A04 the joker beats the right bower"),
        pytest.param(D24, "D", "AH JH KH", 1, id="T21 the left bower is a trump"),
        pytest.param(D24, "S", "9C JH AC", 2, id="a jack of the other colour is ordinary"),
        pytest.param(D24, "D", "9D KD AS", 1, id="trump led: the highest trump"),
    ],
)
def test_the_best_card_wins_the_trick_and_its_player_leads(
    rules: RuleSet, trump: str, cards: str, winner: int
) -> None:
    hand = first_trick(rules, trump, cards.split())
    seat = (1, 2, 0)[winner]
    trick = hand.public.tricks[0]
    assert trick.winner == seat
    assert hand.public.leader == seat
    assert hand.view is not None
    assert hand.view.seat == seat
    assert hand.public.tricks_won[seat] == 1


@pytest.mark.parametrize("trump", SUITS, ids=str)
def test_strengths_rank_every_three_cards_as_the_plain_order_does(trump) -> None:
    for led in CARDS:
        suit = led.effective_suit(trump)
        for card in CARDS:
            assert STRENGTH[trump][led][card] == card_strength(card, suit, trump)
        others = [card for card in CARDS if card is not led]
        for second, third in combinations(others[::3], 2):
            cards = [led, second, third]
            best = max(cards, key=STRENGTH[trump][led].__getitem__)
            assert cards.index(best) == naive_rules.best_of(list(map(str, cards)), str(trump))
