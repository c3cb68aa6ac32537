"""Cards, actions, hands and decisions as text and back; small integers with names."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from euchre_sdk.game import (
    CARDS,
    JOKER,
    RANKS,
    SEATS,
    SUITS,
    Action,
    Card,
    NotationError,
    Rank,
    Seat,
    Suit,
    parse_cards,
    show_cards,
)
from euchre_sdk.game.notation import (
    parse_decisions,
    show_decisions,
    show_hand,
    show_triple,
)
from tests import strategies


def test_cards_have_their_numbers_and_names() -> None:
    assert show_cards(CARDS) == (
        "7C 8C 9C TC JC QC KC AC 7D 8D 9D TD JD QD KD AD "
        "7H 8H 9H TH JH QH KH AH 7S 8S 9S TS JS QS KS AS XX"
    )
    assert [int(card) for card in CARDS] == list(range(33))
    assert all(Card(int(card)) is card is Card.parse(str(card)) for card in CARDS)
    assert CARDS[32] is JOKER


@given(strategies.actions())
def test_an_action_is_written_and_read_back(action: Action) -> None:
    assert Action.parse(str(action)) == action
    assert Action(int(action)) == action
    assert type(Action(int(action))) is type(action)


@given(st.lists(strategies.actions()))
def test_decisions_are_written_and_read_back(decisions: list[Action]) -> None:
    assert parse_decisions(show_decisions(decisions)) == tuple(decisions)


@given(st.text(max_size=12))
def test_any_text_is_an_action_or_refused(text: str) -> None:
    with suppress(NotationError):
        assert str(Action.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("HJ", "no action 'HJ': expected a card such as JH"),
        ("jh", "no action 'jh'"),
        ("name X", "no action 'name X'"),
        ("keep JH", "keep takes five different cards, not JH"),
        ("keep JH JD AH KH ZZ", "no card 'ZZ': expected a rank 7 8 9 T J Q K A and a suit C D H S"),
        ("", "no action ''"),
    ],
)
def test_a_text_that_is_no_action_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as refused:
        Action.parse(text)
    assert sentence in str(refused.value)


def test_an_action_says_what_it_names() -> None:
    assert Action.name_trump(Suit.HEARTS).suit is Suit.HEARTS
    assert Action.name_trump_alone(Suit.SPADES).suit is Suit.SPADES
    assert Action.parse("JH").card is Card.parse("JH")
    assert Action.keep(parse_cards("JH JD AH AC KC")).cards == parse_cards("KC AC JD JH AH")
    assert Card.parse("JH").cards == parse_cards("JH")
    assert Action.PASS.cards == ()
    alone = [action for action in strategies.ALL_ACTIONS if action.is_alone]
    assert [str(action) for action in alone] == [
        *("order alone", "name C alone", "name D alone", "name H alone", "name S alone", "alone")
    ]
    for action in (Action.PASS, Action.TAKE, Action.keep(parse_cards("JH JD AH AC KC"))):
        with pytest.raises(ValueError, match="names no"):
            _ = action.card
        with pytest.raises(ValueError, match="names no"):
            _ = action.suit


@pytest.mark.parametrize(
    ("cards", "trump", "shown"),
    [
        ("9S JD AH JH AD", Suit.HEARTS, "JH JD AH AD 9S"),
        ("9S XX AH JC KS", Suit.SPADES, "XX JC KS 9S AH"),
        ("9S XX AH JC KS", None, "XX JC AH KS 9S"),
        ("JD 9C", Suit.DIAMONDS, "JD 9C"),
    ],
)
def test_a_hand_is_shown_as_a_player_sorts_it(cards: str, trump: Suit | None, shown: str) -> None:
    assert show_hand(parse_cards(cards), trump) == shown
    assert sorted(parse_cards(shown)) == sorted(parse_cards(cards))


def test_a_score_is_written_with_dashes() -> None:
    assert show_triple((6, 8, 3)) == "6-8-3"


@pytest.mark.parametrize("kind", [SEATS, SUITS, RANKS, CARDS, strategies.ALL_ACTIONS])
def test_named_numbers_survive_copies_and_pickles_as_the_same_objects(kind) -> None:
    for member in kind:
        assert copy.copy(member) is member
        assert copy.deepcopy(member) is member
        assert pickle.loads(pickle.dumps(member)) is member
        assert bool(member) is True
        assert f"{member:>14}".strip() == str(member)
        assert str(member) in repr(member)


def test_kinds_of_numbers_do_not_mix_in_their_types() -> None:
    assert (type(SEATS[1]), type(SUITS[1]), type(RANKS[1])) == (Seat, Suit, Rank)
    for kind in (Seat, Suit, Rank, Card):
        with pytest.raises(ValueError, match="is 0 to"):
            kind(99)
    with pytest.raises(ValueError, match="no action has the number"):
        Action(77)


def test_seats_go_round() -> None:
    assert [seat.left for seat in SEATS] == [1, 2, 0]
    assert [seat.right for seat in SEATS] == [2, 0, 1]


def test_suits_have_their_colour() -> None:
    assert [str(suit.same_colour) for suit in SUITS] == ["S", "H", "D", "C"]
    assert [suit.word for suit in SUITS] == ["clubs", "diamonds", "hearts", "spades"]
    assert [Suit.parse(letter) for letter in "CDHS"] == list(SUITS)
    with pytest.raises(NotationError, match="expected C, D, H or S"):
        Suit.parse("h")
