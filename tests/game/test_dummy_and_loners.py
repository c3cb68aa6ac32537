"""The maker's dummy and those who play alone (rules 2.7, 2.8, worked cases 6.4)."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from euchre_sdk.game import (
    STANDARD,
    Action,
    IllegalActionError,
    MakerPlay,
    NotationError,
    Reason,
    RuleSet,
    parse_cards,
)
from euchre_sdk.game.rules import AloneTiming
from tests.game.tables import asked, do, legal, table

WITH_BID = RuleSet(alone_timing=AloneTiming.WITH_BID)
P1 = "9C TC QD KD 9S"
DUMMY = "JH JD AH KH QH"


def five_of_ten(rules: RuleSet = STANDARD):
    """Trump H, maker P1, who may keep five of ten."""
    return do(table({1: P1}, turn_up="9H", dummy=DUMMY, rules=rules), "1 order, 0 decline, 1 dummy")


def test_t40_a21_any_five_of_the_ten_may_be_kept() -> None:
    view = five_of_ten().view
    assert view is not None
    ten = parse_cards(f"{P1} {DUMMY}")
    assert sorted(view.pool) == sorted(ten)
    assert len(view.legal) == 252
    assert set(view.legal) == {Action.keep(five) for five in combinations(ten, 5)}
    for five in (P1, DUMMY, "9C TC QD JH JD"):
        hand = five_of_ten()
        hand.apply(Action.keep(parse_cards(five)))
        assert sorted(hand.views[1].hand) == sorted(parse_cards(five))
        assert sorted(hand.views[1].buried) == sorted(set(ten) - set(parse_cards(five)))


@pytest.mark.parametrize(
    "five",
    [
        pytest.param("JH JD AH KH", id="T41 four"),
        pytest.param("JH JD AH KH QH 9C", id="T41 six"),
        pytest.param("JH JD AH KH KH", id="T41 one of them twice"),
    ],
)
def test_anything_but_five_different_cards_is_no_choice(five: str) -> None:
    with pytest.raises(NotationError, match="five different cards"):
        Action.keep(parse_cards(five))


def test_t41_a_card_not_among_the_ten_is_refused() -> None:
    hand = five_of_ten()
    before = hand.clone()
    with pytest.raises(IllegalActionError, match="any five of") as refused:
        do(hand, "1 keep JH JD AH KH TH")
    assert refused.value.reason is Reason.NOT_FIVE_OF_THE_TEN
    assert hand.views == before.views


@pytest.mark.parametrize("number", [0, 1 << 40, 1 << 40 | 0b1111, 1 << 40 | 0b111111])
def test_t41_a_number_that_is_no_choice_of_five_is_not_legal(number: int) -> None:
    view = five_of_ten().view
    assert view is not None
    assert Action(number) not in view.legal


def test_t42_a24_the_ten_hold_the_turn_up_taken_and_not_the_discard() -> None:
    hand = table({0: "9H KS QC JC 9C"}, turn_up="AS")
    do(hand, "1 pass, 2 pass, 0 order, 0 9H, 0 dummy")
    assert hand.view is not None
    pool = [str(card) for card in hand.view.pool]
    assert "AS" in pool
    assert "9H" not in pool
    assert sorted(pool) == sorted(["AS", "KS", "QC", "JC", "9C", *map(str, hand.dummy)])


def test_t43_a22_the_maker_answers_before_he_sees_the_dummy() -> None:
    hand = do(table({1: P1}, turn_up="9H", dummy=DUMMY), "1 order, 0 decline")
    assert asked(hand) == (1, "maker_alone")
    assert legal(hand) == ["dummy", "alone"]
    assert hand.views[1].dummy == ()
    do(hand, "1 alone")
    while hand.view is not None:
        assert all(view.dummy == () == view.buried for view in hand.views)
        hand.apply(hand.view.legal[-1])


def test_a23_the_steps_come_in_order_and_the_defenders_last() -> None:
    hand = five_of_ten()
    assert [str(action) for _, action in hand.public.history] == ["order", "decline", "dummy"]
    do(hand, "1 keep JH JD AH KH QH")
    assert asked(hand) == (2, "defend_alone")
    do(hand, "2 together, 0 together")
    assert asked(hand)[1] == "play"


def test_a23_with_the_bid_the_maker_says_alone_at_once() -> None:
    hand = table({1: P1}, turn_up="9H", dummy=DUMMY, rules=WITH_BID)
    assert legal(hand) == ["pass", "order", "order alone"]
    alone = do(hand.clone(), "1 order alone, 0 decline")
    assert alone.public.maker_plays is MakerPlay.ALONE
    assert asked(alone) == (2, "defend_alone")
    with_dummy = do(hand, "1 order, 0 decline")
    assert with_dummy.public.maker_plays is MakerPlay.WITH_DUMMY
    assert asked(with_dummy) == (1, "keep_five")


def test_a23_with_the_bid_each_suit_of_the_second_round_comes_with_alone() -> None:
    hand = do(table({}, turn_up="9H", rules=WITH_BID), "1 pass, 2 pass, 0 pass")
    names = ["name C", "name D", "name S"]
    assert legal(hand) == ["pass", *names, *(f"{name} alone" for name in names)]
    do(hand, "1 name S alone")
    assert hand.public.maker_plays is MakerPlay.ALONE
    assert str(hand.public.trump) == "S"
    assert asked(hand) == (2, "defend_alone")


def test_a23_alone_is_not_said_with_the_bid_by_default() -> None:
    hand = table({}, turn_up="9H")
    for bid in ("1 order alone", "1 name S alone"):
        with pytest.raises(IllegalActionError):
            do(hand, bid)


def test_a25_the_five_unused_cards_are_known_to_the_maker_alone() -> None:
    hand = do(five_of_ten(), "1 keep 9C TC JH JD AH, 2 together, 0 together")
    buried = set(parse_cards("QD KD 9S KH QH"))
    assert set(hand.views[1].buried) == buried
    while hand.view is not None:
        for view in (hand.views[0], hand.views[2]):
            assert view.buried == () == view.dummy
        assert not buried & set(hand.public.plays)
        hand.apply(hand.view.legal[-1])


def test_a26_the_defender_at_the_makers_left_is_asked_first() -> None:
    for maker, decisions in (
        (1, "1 order"),
        (2, "1 pass, 2 order"),
        (0, "1 pass, 2 pass, 0 order"),
    ):
        hand = do(table({}, turn_up="9H"), decisions)
        hand.apply(hand.views[0].legal[-1])
        do(hand, f"{maker} alone")
        assert asked(hand) == ((maker + 1) % 3, "defend_alone")
        assert legal(hand) == ["together", "alone"]


def test_t44_a26_the_first_alone_stands_and_the_other_sits_out() -> None:
    hand = do(table({}, turn_up="9H"), "1 pass, 2 order, 0 decline, 2 alone, 0 alone")
    public = hand.public
    assert (public.lone_defender, public.sitting_out) == (0, 1)
    assert asked(hand)[1] == "play"
    seats = set()
    while hand.view is not None:
        seats.add(hand.view.seat)
        hand.apply(hand.view.legal[-1])
    assert seats == {0, 2}
    assert [len(trick.cards) for trick in public.tricks] == [2] * 5
    assert len(hand.views[1].hand) == 5


def test_a26_the_second_defender_may_be_alone_when_the_first_is_not() -> None:
    hand = do(table({}, turn_up="9H"), "1 pass, 2 order, 0 decline, 2 alone, 0 together, 1 alone")
    assert (hand.public.lone_defender, hand.public.sitting_out) == (1, 0)


def test_t46_together_makes_tricks_of_three() -> None:
    hand = do(five_of_ten(), "1 keep JH JD AH KH QH, 2 together, 0 together")
    while hand.view is not None:
        hand.apply(hand.view.legal[-1])
    assert [len(trick.cards) for trick in hand.public.tricks] == [3] * 5


@pytest.mark.parametrize("maker", ["alone", "dummy"])
def test_a27_a_defender_may_be_alone_whether_or_not_the_maker_is(maker: str) -> None:
    hand = do(table({1: P1}, turn_up="9H", dummy=DUMMY), f"1 order, 0 decline, 1 {maker}")
    if maker == "dummy":
        do(hand, f"1 keep {DUMMY}")
    do(hand, "2 alone")
    assert hand.public.lone_defender == 2


@pytest.mark.parametrize("timing", AloneTiming, ids=lambda t: f"A27 {t.value}")
def test_without_a_lone_maker_the_question_is_not_asked(timing: AloneTiming) -> None:
    rules = RuleSet(maker_alone_allowed=False, alone_timing=timing)
    hand = table({1: P1}, turn_up="9H", dummy=DUMMY, rules=rules)
    assert legal(hand) == ["pass", "order"]
    do(hand, "1 order, 0 decline")
    assert hand.public.maker_plays is MakerPlay.WITH_DUMMY
    assert asked(hand) == (1, "keep_five")


def test_a27_without_a_lone_defender_the_question_is_not_asked() -> None:
    hand = table({1: P1}, turn_up="9H", dummy=DUMMY, rules=RuleSet(defender_alone_allowed=False))
    do(hand, f"1 order, 0 decline, 1 dummy, 1 keep {DUMMY}")
    assert asked(hand) == (1, "play")


def test_the_252_choices_are_made_only_when_looked_at() -> None:
    view = five_of_ten().view
    assert view is not None
    rng = random.Random(1)
    chosen = rng.choice(view.legal)
    assert chosen in view.legal
    assert len(chosen.cards) == 5
    assert list(view.legal[:3]) == [view.legal[0], view.legal[1], view.legal[2]]
    assert view.legal[-1] == view.legal[251]
