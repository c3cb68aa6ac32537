"""Which cards may be played (rules 1.2, 2.10, worked cases 6.1)."""

from __future__ import annotations

import pytest

from euchre_sdk.game import CARDS, SUITS, Card, RuleSet
from euchre_sdk.game.compiled import BY_LEAD, FOLLOW, SUIT_MASK
from tests.game import naive_rules
from tests.game.tables import do, legal, trump_is, without

D24, D25 = RuleSet(), RuleSet(joker=True)


@pytest.mark.parametrize(
    ("rules", "trump", "led", "held", "playable"),
    [
        pytest.param(D24, "H", "KH", "JD AD 9D TC QS", "JD", id="T01 the left is the only heart"),
        pytest.param(D24, "H", "AD", "JD KC 9S", "JD KC 9S", id="T02 the left is no diamond"),
        pytest.param(D24, "S", "JC", "9S AC KC", "9S", id="T04 the left bower leads trump"),
        pytest.param(
            D24, "S", "JH", "QH JS 9C", "QH", id="T06 a jack of the other colour is plain"
        ),
        pytest.param(D24, "C", "9C", "JC AD", "JC", id="T07 the right bower follows trump"),
        pytest.param(D24, "D", "AS", "9D KD TH", "9D KD TH", id="T08 A16 no duty to trump"),
        pytest.param(D24, "H", "9H", "TH AH 9S", "TH AH", id="T09 no duty to win"),
        pytest.param(D25, "D", "9D", "XX AS", "XX", id="T10 A04 the joker follows trump"),
        pytest.param(D25, "D", "AS", "XX 9S", "9S", id="T11 A04 the joker is not plain"),
        pytest.param(D25, "D", "XX", "AH 9C", "AH 9C", id="T13 A04 void of the trump it calls for"),
        pytest.param(D25, "D", "XX", "9D JH 9C", "9D JH", id="A04 trump follows the joker"),
        pytest.param(D25, "D", "AS", "XX 9C", "XX 9C", id="A04 the joker if void of a plain suit"),
    ],
)
def test_the_second_player_follows(
    rules: RuleSet, trump: str, led: str, held: str, playable: str
) -> None:
    suit = naive_rules.suit_of(led, trump)
    rest = without(suit, trump, f"{led} {held}", 5 - len(held.split()), rules)
    hand = do(trump_is(trump, {1: led, 2: f"{held} {rest}"}, rules), f"1 {led}")
    expected = playable.split() if playable != held else [*held.split(), *rest.split()]
    assert sorted(legal(hand)) == sorted(expected)


@pytest.mark.parametrize("trump", "CDHS")
def test_t14_the_leader_may_play_any_card_trump_included(trump: str) -> None:
    cards = f"J{trump} A{trump} AC KD QH 9S".split()
    held = list(dict.fromkeys(cards))[:5]
    hand = trump_is(trump, {1: " ".join(held)})
    assert sorted(legal(hand)) == sorted(held)


@pytest.mark.parametrize("trump", SUITS, ids=str)
def test_the_tables_say_what_the_rule_says(trump) -> None:
    for card in CARDS:
        suit = naive_rules.suit_of(str(card), str(trump))
        assert str(card.effective_suit(trump)) == suit
        same = {str(c) for c in CARDS if c.mask & FOLLOW[trump][card]}
        assert same == {str(c) for c in CARDS if naive_rules.suit_of(str(c), str(trump)) == suit}
        assert BY_LEAD[trump][card][0] == FOLLOW[trump][card]
    assert sum(SUIT_MASK[trump]) == sum(card.mask for card in CARDS)


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        pytest.param(RuleSet(), 7, id="D24"),
        pytest.param(RuleSet(joker=True), 8, id="D25"),
        pytest.param(RuleSet(lowest_rank=8), 8, id="D28"),
        pytest.param(RuleSet(lowest_rank=8, joker=True), 9, id="D29"),
        pytest.param(RuleSet(lowest_rank=7), 9, id="D32"),
        pytest.param(RuleSet(lowest_rank=7, joker=True), 10, id="D33"),
    ],
)
def test_each_deck_has_so_many_trumps(rules: RuleSet, count: int) -> None:
    for trump in SUITS:
        assert sum(card.effective_suit(trump) is trump for card in rules.deck) == count


def test_a_jack_belongs_to_its_printed_suit_before_trump_is_known() -> None:
    assert str(Card.parse("JD").suit) == "D"
    with pytest.raises(ValueError, match="no printed suit"):
        _ = Card.parse("XX").suit
