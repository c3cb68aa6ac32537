"""Decks, first dealer, cut, deal (rules 1.1, 2.1–2.3, worked cases 6.3)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from euchre_sdk.game import SEATS, Card, Game, Hand, RuleSet, Seat, SeededDeals, parse_cards
from euchre_sdk.game.dealing import SMALLEST_PACKET, VerifiableDeals, draw_for_deal, lowest_of
from euchre_sdk.game.rules import DealPattern, FirstDealer, RuleSetError
from tests.game import naive_dealing

DRAW_LOW = RuleSet(first_dealer=FirstDealer.DRAW_LOW)


def verifiable(number: int) -> VerifiableDeals:
    seed = random.Random(number)
    return VerifiableDeals(
        seed.randbytes(32), (seed.randbytes(32), seed.randbytes(32), seed.randbytes(32))
    )


@pytest.mark.parametrize(
    ("lowest", "joker", "size", "left_over"),
    [
        pytest.param(9, False, 24, 4, id="A01 A03 D24"),
        pytest.param(9, True, 25, 5, id="A01 A03 D25"),
        pytest.param(8, False, 28, 8, id="A01 A03 D28"),
        pytest.param(8, True, 29, 9, id="A01 A03 D29"),
        pytest.param(7, False, 32, 12, id="A01 A03 D32"),
        pytest.param(7, True, 33, 13, id="A01 A03 D33"),
    ],
)
def test_twenty_cards_are_dealt_one_is_turned_the_rest_stays_down(
    lowest: int, *, joker: bool, size: int, left_over: int
) -> None:
    rules = RuleSet(lowest_rank=lowest, joker=joker)
    hand = Hand(rules, SEATS[0], rules.deck)
    assert len(set(rules.deck)) == size
    assert hand.public.turn_up is rules.deck[20]
    assert len(hand.stock) == left_over - 1
    dealt = [card for view in hand.views for card in view.hand]
    assert sorted([*dealt, *hand.dummy, hand.public.turn_up, *hand.stock]) == sorted(rules.deck)


def test_a01_the_default_deck_has_24_cards() -> None:
    assert len(RuleSet().deck) == 24


@pytest.mark.parametrize("lowest", [10, 6, 0])
def test_a01_another_deck_is_refused(lowest: int) -> None:
    with pytest.raises(RuleSetError, match="lowest_rank must be 9, 8 or 7"):
        RuleSet(lowest_rank=lowest)


# The cells of the table in 2.3.
PATTERNS = [
    pytest.param(
        DealPattern.P32,
        ("0-2, 12-13", "3-5, 14-15", "6-8, 16-17", "9-11, 18-19"),
        id="A10 A11 P32",
    ),
    pytest.param(
        DealPattern.P23,
        ("0-1, 8-10", "2-3, 11-13", "4-5, 14-16", "6-7, 17-19"),
        id="A10 A11 P23",
    ),
    pytest.param(
        DealPattern.ALT32,
        ("0-2, 10-11", "3-4, 12-14", "5-7, 15-16", "8-9, 17-19"),
        id="A10 A11 ALT32",
    ),
    pytest.param(
        DealPattern.ALT23,
        ("0-1, 10-12", "2-4, 13-14", "5-6, 15-17", "7-9, 18-19"),
        id="A10 A11 ALT23",
    ),
    pytest.param(
        DealPattern.SINGLES,
        ("0, 4, 8, 12, 16", "1, 5, 9, 13, 17", "2, 6, 10, 14, 18", "3, 7, 11, 15, 19"),
        id="A10 A11 SINGLES",
    ),
]


def places(cell: str) -> list[int]:
    """The indices of a cell."""
    ends = [[int(end) for end in part.split("-")] for part in cell.split(", ")]
    return [n for part in ends for n in range(part[0], part[-1] + 1)]


@pytest.mark.parametrize("dealer", SEATS, ids=str)
@pytest.mark.parametrize(("pattern", "cells"), PATTERNS)
def test_packets_go_to_eldest_middle_dummy_dealer(
    pattern: DealPattern, cells: tuple[str, str, str, str], dealer: Seat
) -> None:
    rules = RuleSet(deal_pattern=pattern)
    deck = list(rules.deck)
    random.Random(4).shuffle(deck)
    hand = Hand(rules, dealer, deck)
    eldest, middle, dummy, last = ({deck[n] for n in places(cell)} for cell in cells)
    assert set(hand.views[dealer.left].hand) == eldest
    assert set(hand.views[dealer.right].hand) == middle
    assert set(hand.dummy) == dummy
    assert set(hand.views[dealer].hand) == last
    assert hand.public.turn_up is deck[20]
    assert hand.stock == tuple(deck[21:])


@pytest.mark.parametrize(
    ("pattern", "hands", "dummy"),
    [
        pytest.param(
            DealPattern.P32,
            ((0, 1, 2, 12, 13), (3, 4, 5, 14, 15), (9, 10, 11, 18, 19)),
            (6, 7, 8, 16, 17),
            id="T24 P32",
        ),
        pytest.param(
            DealPattern.ALT32,
            ((0, 1, 2, 10, 11), (3, 4, 12, 13, 14), (8, 9, 17, 18, 19)),
            (5, 6, 7, 15, 16),
            id="T25 ALT32",
        ),
    ],
)
def test_seat_2_deals_these_places_of_the_deck(
    pattern: DealPattern, hands: tuple[tuple[int, ...], ...], dummy: tuple[int, ...]
) -> None:
    deck = RuleSet().deck
    hand = Hand(RuleSet(deal_pattern=pattern), SEATS[2], deck)
    for view, indices in zip(hand.views, hands, strict=True):
        assert {deck.index(card) for card in view.hand} == set(indices)
    assert {deck.index(card) for card in hand.dummy} == set(dummy)
    assert deck.index(hand.public.turn_up) == 20
    assert [deck.index(card) for card in hand.stock] == [21, 22, 23]


@pytest.mark.parametrize(
    ("rules", "last"),
    [
        pytest.param(RuleSet(), 20, id="T23 A09 D24"),
        pytest.param(RuleSet(joker=True), 21, id="A09 D25"),
        pytest.param(RuleSet(lowest_rank=8), 24, id="A09 D28"),
        pytest.param(RuleSet(lowest_rank=7), 28, id="A09 D32"),
        pytest.param(RuleSet(lowest_rank=7, joker=True), 29, id="A09 D33"),
    ],
)
def test_a_cut_leaves_four_cards_in_each_packet(rules: RuleSet, last: int) -> None:
    seed, nonces = bytes(32), (bytes(32), bytes(32), bytes(32))
    deals = VerifiableDeals(seed, nonces)
    cuts = set()
    for number in range(1, 1000):
        random_bytes = naive_dealing.stream(seed, nonces, "deck", number, 0)
        shuffled, cut = naive_dealing.shuffle_and_cut(random_bytes, list(map(str, rules.deck)))
        cuts.add(cut)
        dealt = [str(card) for card in deals.deck(rules, number, 0)]
        assert dealt == shuffled[cut:] + shuffled[:cut]
    assert cuts == set(range(4, last + 1))
    assert SMALLEST_PACKET == 4
    assert last == len(rules.deck) - 4


# The first dealer.


@pytest.mark.parametrize("deals", [SeededDeals, verifiable], ids=["seeded", "verifiable"])
def test_a05_the_first_dealer_is_uniform(deals) -> None:
    chosen = Counter(deals(number).first_dealer(RuleSet())[0] for number in range(3000))
    assert set(chosen) == set(SEATS)
    assert all(abs(count - 1000) < 100 for count in chosen.values())  # four standard deviations
    assert deals(1).first_dealer(RuleSet())[1] == ()


@pytest.mark.parametrize("deals", [SeededDeals, verifiable], ids=["seeded", "verifiable"])
@pytest.mark.parametrize("joker", [False, True], ids=["D24", "D25"])
def test_a05_draw_low_seats_draw_in_turn_and_the_lowest_deals(deals, *, joker: bool) -> None:
    rules = RuleSet(first_dealer=FirstDealer.DRAW_LOW, joker=joker)
    dealers = set()
    for number in range(300):
        game = Game(rules, deals(number))
        seats = [seat for seat, _ in game.draws]
        cards = [card for _, card in game.draws]
        assert seats[:3] == list(SEATS)
        assert len(set(cards)) == len(cards)
        assert not any(card.is_joker for card in cards)
        assert set(cards) <= set(rules.deck)
        assert game.dealer is game.first_dealer
        dealers.add(game.dealer)
        lowest = min("A789TJQK".index(str(card.rank)) for card in cards[:3])
        assert "A789TJQK".index(str(dict(game.draws[:3])[game.dealer].rank)) == lowest
    assert dealers == set(SEATS)


@pytest.mark.parametrize(
    ("drawn", "lowest"),
    [
        pytest.param("KC 9D AH", [2], id="T26 A05 the ace is low"),
        pytest.param("9C KC QD", [0], id="A05 the nine is lower than a picture"),
        pytest.param("7C 9C 8D", [0], id="A05 seven is lower than eight and nine"),
        pytest.param("QC JD KS", [1], id="A05 jack queen king"),
        pytest.param("AC AD KH", [0, 1], id="A06 a tie for lowest"),
        pytest.param("KC 9D 9H", [1, 2], id="A06 another tie"),
    ],
)
def test_the_lowest_card_drawn_deals(drawn: str, lowest: list[int]) -> None:
    assert lowest_of(list(zip(SEATS, parse_cards(drawn), strict=True))) == lowest


class Chooser:
    """Draws the cards it is told to, from the pack as it lies."""

    def __init__(self, rules: RuleSet, cards: str) -> None:
        self.pack = [card for card in rules.deck if not card.is_joker]
        self.spread = list(self.pack)
        self.cards = list(parse_cards(cards))

    def __call__(self, n: int) -> int:
        if n > len(self.pack):
            self.pack = list(self.spread)
        assert n == len(self.pack)
        card: Card = self.cards.pop(0)
        place = self.pack.index(card)
        del self.pack[place]
        return place


def test_a06_only_those_tied_draw_again_in_seat_order_from_what_is_left() -> None:
    choose = Chooser(DRAW_LOW, "9C KC 9D TD TH 9H QS")
    dealer, draws = draw_for_deal(DRAW_LOW, choose)
    assert [(int(seat), str(card)) for seat, card in draws] == [
        *((0, "9C"), (1, "KC"), (2, "9D")),
        *((0, "TD"), (2, "TH")),
        *((0, "9H"), (2, "QS")),
    ]
    assert dealer is SEATS[0]


def test_a06_the_cards_are_spread_anew_when_too_few_are_left() -> None:
    pairs = "9H 9S TC TD TH TS JC JD JH JS QC QD QH QS KC KD AC AD AH AS"
    choose = Chooser(DRAW_LOW, f"9C 9D KH {pairs} TC 9C")
    dealer, draws = draw_for_deal(DRAW_LOW, choose)
    assert len(draws) == 25  # 23 draws leave one card for two players
    assert dealer is SEATS[1]
