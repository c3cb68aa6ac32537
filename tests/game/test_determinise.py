"""Complete hands drawn from what one seat knows: consistent, playable, uniform."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_sdk.game import (
    SEATS,
    STANDARD,
    Action,
    Card,
    Hand,
    Public,
    RuleSet,
    TurnUp,
    View,
    parse_cards,
)
from euchre_sdk.game.cards import mask_of
from euchre_sdk.game.rules import JokerTurnedUp
from tests import strategies
from tests.game import naive_rules
from tests.game.tables import do, table, trump_is


@settings(max_examples=80)
@given(strategies.rule_sets(), st.integers(0, 2**32))
def test_every_view_of_a_hand_can_be_completed_at_every_step(rules: RuleSet, seed: int) -> None:
    rng = random.Random(seed)
    hand = strategies.dealt(rules, rng)
    while True:
        for view in hand.views:
            drawn = view.determinise(rng)
            assert drawn.views[view.seat] == view
            assert drawn.public == hand.public
            assert sorted(drawn.deck) == sorted(rules.deck)
            assert (drawn.view is None) == (hand.view is None)
        if hand.view is None:
            break
        hand.apply(rng.choice(hand.view.legal))


@settings(max_examples=40)
@given(strategies.rule_sets(), st.integers(0, 2**32))
def test_a_completed_hand_can_be_played_to_its_end(rules: RuleSet, seed: int) -> None:
    rng = random.Random(seed)
    hand = strategies.played(rules, rng, rng.randrange(25))
    for view in hand.views:
        drawn = view.determinise(rng)
        while drawn.view is not None:
            drawn.apply(rng.choice(drawn.view.legal))
        assert drawn.points is not None


def test_a_view_that_came_over_a_wire_can_be_completed() -> None:
    hand = do(table({}, turn_up="QH"), "1 pass, 2 order")
    before = hand.views[0]
    public = Public(STANDARD, before.format, 1, before.dealer, before.turn_up, (0, 0, 0))
    public.calls = list(before.public.calls)
    public.kind, public.trump, public.maker = before.kind, before.trump, before.maker
    public.turn_up_state = TurnUp.ORDERED
    view = View(before.seat, public, before.hand_mask)
    view.legal = before.legal
    assert view.determinise(random.Random(1)).views[0] == before


def test_the_same_random_source_gives_the_same_hand() -> None:
    hand = do(table({}, turn_up="QH"), "1 pass, 2 order")
    assert hand.views[1].determinise(random.Random(4)).deck == (
        hand.views[1].determinise(random.Random(4)).deck
    )


@pytest.mark.parametrize("spoil", ["a card too many", "a card that was played"])
def test_a_view_that_no_hand_gives_is_refused(spoil: str) -> None:
    hand = strategies.played(RuleSet(stick_the_dealer=True), random.Random(5), 14)
    view = hand.views[hand.view.seat if hand.view else 0].freeze()
    view.public.plays = list(hand.public.plays)
    assert view.public.plays
    if spoil == "a card too many":
        unknown = next(c for c in hand.stock if c not in view.hand)
        view.hand_mask |= unknown.mask
    else:
        view.hand_mask ^= view.hand[0].mask | view.public.plays[0].mask
    with pytest.raises(ValueError, match=r"^no complete hand looks like this view: "):
        view.determinise(random.Random(1))


@pytest.mark.parametrize("seed", range(20))
def test_a_view_with_something_changed_is_refused_or_completed_as_it_is(seed: int) -> None:
    rng = random.Random(seed)
    rules = RuleSet(joker=seed % 2 == 0, lowest_rank=rng.choice((9, 7)))
    for decisions in range(1, 22):
        hand = strategies.played(rules, rng, decisions)
        view = hand.views[rng.randrange(3)].freeze()
        public = view.public
        match rng.randrange(7):
            case 0:
                view.hand_mask ^= rng.choice(rules.deck).mask
            case 1 if public.plays:
                public.plays[rng.randrange(len(public.plays))] = rng.choice(rules.deck)
            case 2 if public.calls:
                del public.calls[rng.randrange(len(public.calls))]
            case 3:
                public.turn_up = rng.choice(rules.deck)
            case 4:
                public.maker = rng.choice(SEATS)
            case 5:
                public.lone_defender = rng.choice((None, *SEATS))
            case _:
                view.discard = rng.choice(rules.deck)
        try:
            completed = view.determinise(rng)
        except ValueError as refused:
            assert str(refused).startswith("no complete hand looks like this view: ")  # noqa: PT017
        else:
            mine = completed.views[view.seat]
            assert (mine.hand, mine.dummy, mine.discard) == (view.hand, view.dummy, view.discard)
            assert mine.public.plays == public.plays
            assert (mine.maker, mine.lone_defender) == (public.maker, public.lone_defender)


# Uniformity, against the placements counted one by one.


def placements(view: View) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Every way to place the unseen cards, as the hands of the two others, once per way.

    Discard and buried five are places of their own; what is left over is one more.
    """
    public = view.public
    trump = str(public.trump)
    known = {*view.hand, *view.buried, *view.dummy, *public.plays, public.turn_up, view.discard}
    unseen = [str(card) for card in view.rules.deck if card not in known]
    a, b = view.seat.left, view.seat.right
    played = {s: [c for who, c in public.seated_plays() if who is s] for s in (a, b)}
    sizes = {s: 5 - len(played[s]) for s in (a, b)}
    took = public.turn_up_state is TurnUp.TAKEN
    combined = Action.COMBINE in [action for _, action in public.calls]
    hidden_discard = took and public.dealer is not view.seat
    hidden_five = combined and public.maker is not view.seat
    up = str(public.turn_up)
    loose = hidden_discard and public.turn_up not in public.plays
    if loose:
        unseen.append(up)

    def may_hold(seat, cards) -> bool:
        voids = {str(suit) for suit in public.voids(seat)}
        return not any(naive_rules.suit_of(card, trump) in voids for card in cards)

    for of_a in combinations(unseen, sizes[a]):
        if not may_hold(a, of_a):
            continue
        left = [card for card in unseen if card not in of_a]
        for of_b in combinations(left, sizes[b]):
            if not may_hold(b, of_b):
                continue
            rest = [card for card in left if card not in of_b]
            holder = of_a if public.dealer is a else of_b
            other = of_b if public.dealer is a else of_a
            if loose and up in other:
                continue
            free = hidden_five and public.maker is public.dealer
            if loose and up not in holder and not free:
                continue
            ways = 0
            for discard in rest if hidden_discard else [""]:
                if discard == up:
                    continue
                others = [card for card in rest if card != discard]
                fives = combinations(others, 5) if hidden_five else [()]
                ways += sum(not loose or up in holder or up in five for five in fives)
            for _ in range(ways):
                yield frozenset(of_a), frozenset(of_b)


def late_hand(wanted, seed: int, plays: int) -> Hand:
    """A random hand of that kind with so many cards played."""
    rng = random.Random(seed)
    while True:
        hand = strategies.dealt(STANDARD, rng)
        while hand.view is not None and len(hand.public.plays) < plays:
            hand.apply(rng.choice(hand.view.legal))
        if hand.view is not None and wanted(hand):
            return hand


def took_and_combined(hand: Hand) -> bool:
    public = hand.public
    return (
        public.turn_up_state is TurnUp.TAKEN
        and public.maker is public.dealer
        and Action.COMBINE in [action for _, action in public.calls]
        and public.turn_up not in public.plays
        and public.lone_defender is None
    )


def has_voids(hand: Hand) -> bool:
    public = hand.public
    return public.lone_defender is None and sum(len(public.voids(s.seat)) for s in hand.views) >= 3


def lone_defender_with_voids(hand: Hand) -> bool:
    public = hand.public
    return public.lone_defender is not None and any(public.voids(s.seat) for s in hand.views)


def dealer_defends_with_the_turn_up(hand: Hand) -> bool:
    public = hand.public
    return (
        public.turn_up_state is TurnUp.TAKEN
        and public.maker is not public.dealer
        and public.turn_up not in public.plays
        and has_voids(hand)
    )


@pytest.mark.parametrize(
    ("wanted", "plays", "seed"),
    [
        pytest.param(took_and_combined, 12, 1, id="a turn-up that may be buried"),
        pytest.param(took_and_combined, 12, 5, id="another"),
        pytest.param(has_voids, 11, 2, id="voids"),
        pytest.param(has_voids, 12, 6, id="voids, one trick to go"),
        pytest.param(lone_defender_with_voids, 9, 3, id="a lone defender"),
        pytest.param(dealer_defends_with_the_turn_up, 11, 4, id="a turn-up known to be held"),
    ],
)
def test_all_placements_are_equally_likely(wanted, plays: int, seed: int) -> None:
    hand = late_hand(wanted, seed, plays)
    rng = random.Random(seed)
    draws = 3000
    for view in hand.views:
        if view.seat is hand.public.sitting_out:
            continue
        ways = Counter(placements(view))
        total = sum(ways.values())
        a, b = view.seat.left, view.seat.right
        drawn: Counter[tuple[frozenset[str], frozenset[str]]] = Counter()
        for _ in range(draws):
            views = view.determinise(rng).views
            drawn[frozenset(map(str, views[a].hand)), frozenset(map(str, views[b].hand))] += 1
        assert set(drawn) <= set(ways)
        # Compare by chi-square over the placements, rare ones put together.
        cells = [(ways[key] / total * draws, drawn[key]) for key in ways]
        rare = [cell for cell in cells if cell[0] < 5]
        common = [cell for cell in cells if cell[0] >= 5]
        if rare:
            common.append((sum(e for e, _ in rare), sum(n for _, n in rare)))
        if len(common) < 2:
            continue
        square = sum((n - e) ** 2 / e for e, n in common)
        freedom = len(common) - 1
        assert square < freedom + 5 * (2 * freedom) ** 0.5 + 5


def test_a_void_once_shown_is_respected() -> None:
    # Seat 2 trumps a diamond: no completion gives it one. The left bower is a heart and may be its.
    hands = {1: "AD KD 9C TC QC", 2: "9H 9S TS QS KS", 0: "TD TH QH AC KC"}
    hand = do(trump_is("H", hands), "1 AD, 2 9H")
    rng = random.Random(2)
    held = set()
    for _ in range(300):
        held |= {str(card) for card in hand.views[0].determinise(rng).views[2].hand}
    assert not held & {"9D", "TD", "QD", "KD", "AD"}
    assert {"JD", "AS", "JS"} <= held


@pytest.mark.parametrize("turned_up", JokerTurnedUp, ids=lambda j: j.value)
def test_a_blind_dealer_does_not_know_his_own_hand(turned_up: JokerTurnedUp) -> None:
    rules = RuleSet(joker=True, joker_turned_up=turned_up)
    hand = table({0: "9C TC QC KC AC"}, turn_up="XX", rules=rules)
    rng = random.Random(1)
    hands = set()
    for _ in range(20):
        drawn = hand.views[0].determinise(rng)
        drawn.apply(Action.parse("name C"))
        hands.add(drawn.views[0].hand_mask)
    assert (len(hands) > 10) == (turned_up is JokerTurnedUp.BLIND)


def test_a_maker_never_deals_out_what_he_buried() -> None:
    hand = do(
        table({1: "9C TC QD KD 9S"}, turn_up="9H", dummy="JH JD AH KH QH"),
        "1 order, 0 decline, 1 dummy, 1 keep JH JD AH KH QH, 2 together, 0 together",
    )
    buried = parse_cards("9C TC QD KD 9S")
    rng = random.Random(1)
    for _ in range(100):
        drawn = hand.views[1].determinise(rng)
        held = [card for view in drawn.views for card in view.hand]
        assert not set(held) & set(buried)
        assert mask_of(buried) == drawn.views[1].buried_mask
        assert {Card.parse("9H")} == set(drawn.deck) - set(held) - set(buried) - set(drawn.stock)
