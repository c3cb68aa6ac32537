"""Bidding and the dealer's exchange (rules 2.4–2.6, worked cases 6.3)."""

from __future__ import annotations

import pytest

from euchre_sdk.game import PRESETS, STANDARD, IllegalActionError, Kind, Reason, RuleSet, TurnUp
from euchre_sdk.game.rules import AloneTiming, Exchange, JokerTurnedUp
from tests.game.tables import asked, do, legal, table

D25 = PRESETS["british"]
WITH_BID = RuleSet(alone_timing=AloneTiming.WITH_BID)
P0 = "AS KS QC JC 9C"


def qh_up(rules: RuleSet = STANDARD, hands: dict[int, str] | None = None):
    """Dealer P0, turn-up QH."""
    return table(hands or {0: P0}, turn_up="QH", rules=rules)


def test_t28_eldest_may_pass_or_order_up() -> None:
    hand = qh_up()
    assert asked(hand) == (1, "order_up")
    assert legal(hand) == ["pass", "order"]


def test_t29_an_order_up_ends_the_bidding() -> None:
    hand = do(qh_up(), "1 order")
    assert (hand.public.maker, str(hand.public.trump)) == (1, "H")
    assert asked(hand) == (0, "exchange")
    do(hand, "0 decline")
    assert asked(hand) == (1, "maker_alone")  # the dealer is never asked to bid


def test_t30_a14_assisting_is_ordering_up_and_the_dealer_defends() -> None:
    hand = do(qh_up(), "1 pass, 2 order")
    assert hand.public.maker == 2
    assert asked(hand) == (0, "exchange")
    do(hand, "0 9C, 2 alone")
    assert asked(hand) == (0, "defend_alone")
    do(hand, "0 together")
    assert asked(hand) == (1, "defend_alone")


def test_t31_the_dealer_may_decline_or_lay_any_of_his_five_down_never_the_turn_up() -> None:
    hand = do(qh_up(), "1 pass, 2 order")
    assert legal(hand)[0] == "decline"
    assert sorted(legal(hand)[1:]) == sorted(P0.split())
    with pytest.raises(IllegalActionError) as refused:
        do(hand, "0 QH")
    assert refused.value.reason is Reason.TURN_UP_NOT_DISCARDABLE


HOLDS = "JH JD AH KH QH"


@pytest.mark.parametrize(
    ("rules", "decisions", "options"),
    [
        pytest.param(STANDARD, "1 pass, 2 pass, 0 order", HOLDS, id="T33 A13 accepted: required"),
        pytest.param(
            RuleSet(exchange_on_accept=Exchange.OPTIONAL),
            "1 pass, 2 pass, 0 order",
            f"decline {HOLDS}",
            id="T33 A13 accepted: optional",
        ),
        pytest.param(STANDARD, "1 order", f"decline {HOLDS}", id="A13 ordered: optional"),
        pytest.param(STANDARD, "1 pass, 2 order", f"decline {HOLDS}", id="A13 assisted: optional"),
        pytest.param(
            RuleSet(exchange_on_order=Exchange.REQUIRED),
            "1 order",
            HOLDS,
            id="A13 ordered: required",
        ),
        pytest.param(
            RuleSet(exchange_on_order=Exchange.REQUIRED),
            "1 pass, 2 order",
            HOLDS,
            id="A13 assisted: required",
        ),
        pytest.param(PRESETS["pub"], "1 order", HOLDS, id="A13 pub"),
        pytest.param(PRESETS["pub"], "1 pass, 2 pass, 0 order", HOLDS, id="A13 pub accepted"),
    ],
)
def test_the_pick_up(rules: RuleSet, decisions: str, options: str) -> None:
    hand = do(table({0: HOLDS}, turn_up="9H", rules=rules), decisions)
    assert asked(hand) == (0, "exchange")
    assert sorted(legal(hand)) == sorted(options.split())


def test_a13_a_turn_up_taken_replaces_the_discard() -> None:
    hand = do(qh_up(), "1 pass, 2 order, 0 9C")
    view = hand.views[0]
    assert sorted(map(str, view.hand)) == sorted(["AS", "KS", "QC", "JC", "QH"])
    assert str(view.discard) == "9C"
    assert hand.public.turn_up_state is TurnUp.TAKEN
    assert [view.discard for view in hand.views[1:]] == [None, None]


def test_a13_a_turn_up_declined_is_dead() -> None:
    hand = do(qh_up(), "1 pass, 2 order, 0 decline")
    assert sorted(map(str, hand.views[0].hand)) == sorted(P0.split())
    assert hand.public.turn_up_state is TurnUp.DECLINED
    assert hand.views[0].discard is None


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        pytest.param(
            STANDARD, "pass, name C, name D, name S", id="T34 A15 not the suit turned down"
        ),
        pytest.param(
            RuleSet(turned_down_suit_allowed=True),
            "pass, name C, name D, name H, name S",
            id="A15 allowed",
        ),
    ],
)
def test_the_second_round(rules: RuleSet, options: str) -> None:
    hand = do(qh_up(rules), "1 pass, 2 pass, 0 pass")
    assert hand.public.turn_up_state is TurnUp.TURNED_DOWN
    for seat in (1, 2, 0):
        assert asked(hand) == (seat, "name_trump")
        assert ", ".join(legal(hand)) == options
        do(hand, f"{seat} pass")
    assert hand.view is None


def test_a15_naming_the_suit_turned_down_is_refused_with_its_reason() -> None:
    hand = do(qh_up(), "1 pass, 2 pass, 0 pass")
    with pytest.raises(IllegalActionError, match="hearts was turned down") as refused:
        do(hand, "1 name H")
    assert refused.value.reason is Reason.SUIT_TURNED_DOWN


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(RuleSet(stick_the_dealer=True), id="T35 A18"),
        pytest.param(PRESETS["pub"], id="A18 pub"),
    ],
)
def test_a_stuck_dealer_must_name_a_suit(rules: RuleSet) -> None:
    hand = do(qh_up(rules), "1 pass, 2 pass, 0 pass")
    assert legal(hand)[0] == "pass"
    do(hand, "1 pass, 2 pass")
    assert legal(hand) == ["name C", "name D", "name S"]
    with pytest.raises(IllegalActionError, match="must name a suit") as refused:
        do(hand, "0 pass")
    assert refused.value.reason is Reason.MUST_NAME_A_SUIT
    do(hand, "0 name D")
    assert (hand.public.maker, str(hand.public.trump)) == (0, "D")


def test_a18_is_off_by_default() -> None:
    hand = do(qh_up(), "1 pass, 2 pass, 0 pass, 1 pass, 2 pass")
    assert "pass" in legal(hand)


def test_a17_t36_six_passes_score_nothing() -> None:
    hand = do(qh_up(), "1 pass, 2 pass, 0 pass, 1 pass, 2 pass, 0 pass")
    assert hand.points == (0, 0, 0)
    assert hand.is_passed_out
    assert hand.view is None


@pytest.mark.parametrize("bid", ["1 order", "1 pass, 2 pass, 0 pass, 1 name S"])
def test_a16_a_bidder_need_not_hold_trump(bid: str) -> None:
    hand = table({1: "9C TC 9D TD AC"}, turn_up="QH")
    do(hand, bid)
    assert hand.public.maker == 1


def test_t37_the_suit_of_the_other_colour_may_be_named_though_its_left_bower_is_dead() -> None:
    hand = do(table({}, turn_up="JD"), "1 pass, 2 pass, 0 pass, 1 name H, 1 dummy")
    assert str(hand.public.trump) == "H"
    assert "JD" not in [str(card) for view in hand.views for card in view.hand]
    assert "JD" not in map(str, hand.view.pool if hand.view else ())


# A joker turned up (A12).


def xx_up(rules: RuleSet, dealer: int = 1):
    """A joker turned up, dealer P1."""
    return table({1: "AS KS QC JC 9C"}, turn_up="XX", dealer=dealer, rules=rules)


def test_t38_a12_the_dealer_names_a_suit_before_he_sees_his_hand() -> None:
    hand = xx_up(D25)
    assert asked(hand) == (1, "name_trump")
    assert legal(hand) == ["name C", "name D", "name H", "name S"]
    assert hand.views[1].hand == ()
    assert [len(hand.views[seat].hand) for seat in (0, 2)] == [5, 5]
    do(hand, "1 name C")
    assert hand.public.maker == 1
    assert asked(hand) == (1, "exchange")
    assert sorted(legal(hand)) == sorted(["AS", "KS", "QC", "JC", "9C"])
    do(hand, "1 AS")
    assert "XX" in map(str, hand.views[1].hand)


def test_a12_seen_he_looks_at_his_hand_first() -> None:
    hand = xx_up(RuleSet(joker=True, joker_turned_up=JokerTurnedUp.SEEN))
    assert sorted(map(str, hand.views[1].hand)) == sorted(["AS", "KS", "QC", "JC", "9C"])
    assert legal(hand) == ["name C", "name D", "name H", "name S"]


@pytest.mark.parametrize("exchange", Exchange, ids=lambda e: f"A12 A13 {e.value}")
def test_the_joker_must_be_taken_whatever_the_exchange_rules_say(exchange: Exchange) -> None:
    rules = RuleSet(joker=True, exchange_on_accept=exchange, exchange_on_order=exchange)
    hand = do(xx_up(rules), "1 name D")
    with pytest.raises(IllegalActionError, match="must take") as refused:
        do(hand, "1 decline")
    assert refused.value.reason is Reason.MUST_TAKE_TURN_UP


def test_a12_a23_with_the_bid_each_suit_comes_with_and_without_alone() -> None:
    hand = xx_up(RuleSet(joker=True, alone_timing=AloneTiming.WITH_BID))
    suits = ["name C", "name D", "name H", "name S"]
    assert legal(hand) == [*suits, *(f"{name} alone" for name in suits)]
    do(hand, "1 name S alone, 1 9C")
    assert asked(hand) == (2, "defend_alone")


def test_a12_no_suit_is_passed_on_and_nothing_was_turned_down() -> None:
    hand = xx_up(RuleSet(joker=True, stick_the_dealer=True))
    with pytest.raises(IllegalActionError) as refused:
        do(hand, "1 pass")
    assert refused.value.reason is Reason.MUST_NAME_A_SUIT


# Out of turn (T39).


@pytest.mark.parametrize(
    ("before", "seat", "action"),
    [
        pytest.param("", 2, "order", id="T39 a bid out of turn"),
        pytest.param("1 order", 1, "9C", id="T39 an exchange of another"),
        pytest.param(
            "1 order, 0 decline, 1 alone, 2 together, 0 together",
            0,
            "AS",
            id="T39 a card out of turn",
        ),
    ],
)
def test_out_of_turn_is_refused(before: str, seat: int, action: str) -> None:
    from euchre_sdk.game import SEATS, Action  # noqa: PLC0415

    hand = qh_up()
    if before:
        do(hand, before)
    untouched = hand.clone()
    with pytest.raises(IllegalActionError, match="turn") as refused:
        hand.act(SEATS[seat], Action.parse(action))
    assert refused.value.reason is Reason.NOT_YOUR_TURN
    assert hand.views == untouched.views


def test_t39_a_second_bid_after_an_order_up_is_refused() -> None:
    hand = do(qh_up(), "1 order")
    with pytest.raises(IllegalActionError) as refused:
        do(hand, "0 order")
    assert refused.value.reason is Reason.WRONG_KIND
    assert asked(hand) == (0, "exchange")


def test_the_kinds_of_questions_follow_the_course_of_a_hand() -> None:
    hand = do(qh_up(), "1 pass")
    kinds = []
    while hand.view is not None:
        kinds.append(hand.view.kind)
        first, last = hand.view.legal[0], hand.view.legal[-1]
        hand.apply(last if hand.view.kind in {Kind.ORDER_UP, Kind.EXCHANGE} else first)
    assert list(dict.fromkeys(kinds)) == [
        Kind.ORDER_UP,
        Kind.EXCHANGE,
        Kind.MAKER_ALONE,
        Kind.KEEP_FIVE,
        Kind.DEFEND_ALONE,
        Kind.PLAY,
    ]
