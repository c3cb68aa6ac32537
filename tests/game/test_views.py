"""Who sees what (rules §5), on views, and what a view answers a player."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_sdk.game import SEATS, STANDARD, Action, Card, Hand, Kind, RuleSet, View, parse_cards
from euchre_sdk.game.replay import replay_hand
from tests import strategies
from tests.game.tables import do, table, trump_is
from tests.game.test_whole_hand import DECISIONS, before, w1


def seen(view: View) -> set[Card]:
    """Every card that a view shows of its own, without what is public."""
    cards = {*view.hand, *view.dummy, *view.buried, *view.pool}
    return cards | ({view.discard} if view.discard is not None else set())


@settings(max_examples=60)
@given(strategies.rule_sets(), st.integers(0, 2**32))
def test_a_seat_sees_what_is_its_own_and_nothing_else(rules: RuleSet, seed: int) -> None:
    rng = random.Random(seed)
    hand = strategies.dealt(rules, rng)
    # What each seat may have seen, kept from the deal and the decisions alone.
    fresh = replay_hand(rules, hand.dealer, hand.deck, ())
    own = [set(view.hand) for view in fresh.views]
    blind = not fresh.views[hand.dealer].hand
    dummy = set(hand.dummy)
    while (view := hand.view) is not None:
        maker = hand.public.maker
        for watching in hand.views:
            may_see = set(own[watching.seat])
            if watching.seat is maker and hand.public.maker_plays.value == "with_dummy":
                exchanged = hand.view.kind is not Kind.EXCHANGE
                may_see |= dummy if exchanged else set()
            if watching.seat is hand.dealer and hand.public.turn_up_state.value == "taken":
                may_see.add(hand.public.turn_up)
            assert seen(watching) <= may_see
            assert watching.public is hand.public
            assert watching.legal == () or watching is view
        action = rng.choice(view.legal)
        hand.apply(action)
        if blind and hand.public.trump is not None:
            own[hand.dealer] |= set(hand.views[hand.dealer].hand)
            blind = False


def test_the_public_state_holds_the_turn_up_and_the_cards_played() -> None:
    hand = w1()
    for decision in DECISIONS.split(", "):
        do(hand, decision)
        shown = {action for _, action in hand.public.history if isinstance(action, Card)}
        for name in type(hand.public).__slots__:
            value = getattr(hand.public, name)
            shown |= {item for item in _flat(value) if isinstance(item, Card)}
        assert shown == {*hand.public.plays, hand.public.turn_up}


def _flat(value: object) -> list[object]:
    if isinstance(value, list | tuple):
        return [inner for item in value for inner in _flat(item)]
    return [value]


def test_the_dealers_discard_is_the_dealers_alone() -> None:
    hand = do(w1(), "1 pass, 2 order, 0 9C")
    assert str(hand.views[0].discard) == "9C"
    for view in (hand.views[1], hand.views[2]):
        assert view.discard is None
        assert "9C" not in str(view)
    assert (0, Action.TAKE) in [(int(s), a) for s, a in hand.public.history]


def test_the_sitting_out_partner_learns_nothing_new_and_shows_nothing() -> None:
    hand = do(table({}, turn_up="9H"), "1 pass, 2 order, 0 decline, 2 alone, 0 alone")
    before = hand.views[1].hand
    while hand.view is not None:
        assert hand.views[1].hand == before
        assert not set(before) & (seen(hand.views[0]) | seen(hand.views[2]))
        hand.apply(hand.view.legal[0])


def test_legal_actions_are_the_actors_alone() -> None:
    hand = w1()
    for decision in DECISIONS.split(", "):
        acting = int(decision[0])
        assert [bool(view.legal) for view in hand.views] == [seat == acting for seat in SEATS]
        do(hand, decision)
    assert [view.legal for view in hand.views] == [(), (), ()]


def test_a_view_can_be_frozen() -> None:
    hand = w1()
    view = hand.view
    assert view is not None
    frozen = view.freeze()
    assert frozen == view
    do(hand, "1 pass, 2 order")
    assert frozen != view
    assert frozen.legal == (Action.PASS, Action.ORDER_UP)
    assert frozen.history == ()


@pytest.mark.parametrize("field", ["hand_mask", "dummy_mask", "buried_mask", "discard", "limit"])
def test_views_differ_by_anything_a_seat_knows(field: str) -> None:
    view = w1().views[1]
    other = view.freeze()
    value = {"discard": Card.parse("9C"), "limit": timedelta(seconds=1)}.get(field, 1)
    setattr(other, field, value)
    assert view != other


# What a player works out.


def test_a_view_knows_the_partner_and_the_maker() -> None:
    hand = do(w1(), "1 pass, 2 order")
    maker, first, second = hand.views[2], hand.views[0], hand.views[1]
    assert (maker.is_maker, maker.partner) == (True, None)
    assert (first.is_maker, first.partner) == (False, 1)
    assert second.partner == 0


def test_nobody_is_the_partner_of_a_lone_defender() -> None:
    hand = do(table({}, turn_up="9H"), "1 pass, 2 order, 0 decline, 2 alone, 0 alone")
    assert [view.partner for view in hand.views] == [None, None, None]
    assert hand.views[0].active == (0, 2)


def test_a_view_says_who_is_winning_and_what_beats_him() -> None:
    hand = do(trump_is("H", {1: "AD", 2: "9D JD 9H AS KS"}), "1 AD")
    view = hand.views[2]
    assert (view.winning_seat, str(view.winning_card)) == (1, "AD")
    beating = {str(card) for card in view.hand if view.beats(card)}
    assert beating == {"JD", "9H"}
    assert view.strength(Card.parse("AS")) == 0
    assert view.legal_cards == parse_cards("9D")


def test_before_trump_is_made_no_card_has_a_strength() -> None:
    with pytest.raises(ValueError, match="before trump is made"):
        w1().views[0].strength(Card.parse("AS"))


def test_a_view_is_drawn_in_three_lines() -> None:
    hand = do(w1(), before("2 JH"))
    score, bidding, trick = str(hand.views[2]).splitlines()
    assert score == "hand 1 · you are seat 2 · dealer 0 · target 10 · score 0-0-0"
    assert bidding == (
        "turn-up QH (ordered up by 2) · trump H · maker 2 with the dummy · dealer took QH · "
        "tricks 0-0-1"
    )
    assert trick == "trick 2: you to lead: JH* AH* AC* KC*        (* = legal)"
    do(hand, "2 JH")
    assert str(hand.views[0]).splitlines()[2] == (
        "trick 2: seat 2 leads JH, you: QH* JC AS KS        (* = legal)"
    )
    assert str(hand.views[1]).splitlines()[2] == "trick 2: seat 2 leads JH, you hold: KH 9H TS 9S"


@settings(max_examples=30)
@given(strategies.rule_sets(), st.integers(0, 2**32))
def test_any_view_can_be_drawn(rules: RuleSet, seed: int) -> None:
    rng = random.Random(seed)
    hand = strategies.dealt(rules, rng)
    while (view := hand.view) is not None:
        for watching in hand.views:
            lines = str(watching).splitlines()
            assert len(lines) == 3
            hidden = {*hand.deck} - seen(watching) - {*hand.public.plays, hand.public.turn_up}
            words = set(str(watching).replace("*", " ").replace(",", " ").split())
            assert not words & set(map(str, hidden))
        hand.apply(rng.choice(view.legal))


def test_a_hand_is_over_for_every_view() -> None:
    hand = do(w1(), DECISIONS)
    assert [str(view).splitlines()[2] for view in hand.views] == ["the hand is over"] * 3


def test_clones_are_independent() -> None:
    rng = random.Random(8)
    for _ in range(40):
        hand = strategies.played(STANDARD, rng, rng.randrange(20))
        if hand.view is None:
            continue
        frozen = [view.freeze() for view in hand.views]
        twin: Hand = hand.clone()
        assert list(twin.views) == frozen
        while twin.view is not None:
            twin.apply(rng.choice(twin.view.legal))
        assert list(hand.views) == frozen
        again = hand.clone()
        while hand.view is not None:
            hand.apply(rng.choice(hand.view.legal))
        assert list(again.views) == frozen
