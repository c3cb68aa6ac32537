"""The forced move of a seat that does not decide (rules §4)."""

from __future__ import annotations

import pytest

from euchre_sdk.game import PRESETS, STANDARD, Action, Hand, RuleSet, fallback, parse_cards
from euchre_sdk.game.rules import AloneTiming, Exchange
from tests.game.tables import do, table, trump_is

REQUIRED = RuleSet(exchange_on_order=Exchange.REQUIRED)
STICK = RuleSet(stick_the_dealer=True)
WITH_BID = RuleSet(joker=True, alone_timing=AloneTiming.WITH_BID)
ROUND = "1 pass, 2 pass, 0 pass"


def forced(hand: Hand) -> str:
    assert hand.view is not None
    return str(fallback(hand.view))


@pytest.mark.parametrize(
    ("rules", "turn_up", "decisions", "expected"),
    [
        pytest.param(STANDARD, "QH", "", "pass", id="pass in the first round"),
        pytest.param(STANDARD, "QH", ROUND, "pass", id="pass in the second"),
        pytest.param(STICK, "QH", f"{ROUND}, 1 pass, 2 pass", "name C", id="A18 stuck: clubs"),
        pytest.param(
            STICK, "QC", f"{ROUND}, 1 pass, 2 pass", "name D", id="A18 stuck, clubs turned down"
        ),
        pytest.param(PRESETS["british"], "XX", "", "name C", id="A12 a joker turned: clubs"),
        pytest.param(WITH_BID, "XX", "", "name C", id="A12 A23 a joker turned: not alone"),
        pytest.param(STANDARD, "QH", "1 order", "decline", id="A13 decline"),
        pytest.param(STANDARD, "QH", "1 order, 0 decline", "dummy", id="A21 with the dummy"),
        pytest.param(STANDARD, "QH", "1 order, 0 decline, 1 alone", "together", id="A26 together"),
    ],
)
def test_what_is_said(rules: RuleSet, turn_up: str, decisions: str, expected: str) -> None:
    hand = table({}, turn_up=turn_up, rules=rules)
    if decisions:
        do(hand, decisions)
    assert forced(hand) == expected


def test_with_the_dummy_the_original_five_are_kept() -> None:
    hand = do(table({1: "9C TC QD KD 9S"}, turn_up="QH"), "1 order, 0 decline, 1 dummy")
    assert hand.view is not None
    assert fallback(hand.view) == Action.keep(parse_cards("9C TC QD KD 9S"))


@pytest.mark.parametrize(
    ("held", "discard"),
    [
        pytest.param("AS KS QC JC 9C", "9C", id="the lowest plain card"),
        pytest.param("AH KH JH JD TS", "TS", id="plain before trump"),
        pytest.param("AH KH JH JD AS", "AS", id="even an ace"),
        pytest.param("9C 9D 9S AH KH", "9C", id="equal ranks: clubs first"),
        pytest.param("9S 9D TC AH KH", "9D", id="then diamonds"),
        pytest.param("AH KH JH JD TH", "TH", id="all trumps: the lowest"),
        pytest.param("JC TD AC AD AS", "TD", id="a jack of the other colour by its rank"),
    ],
)
def test_a_required_pick_up_lays_the_lowest_card_down(held: str, discard: str) -> None:
    hand = do(table({0: held}, turn_up="QH", rules=REQUIRED), "1 order")
    assert forced(hand) == discard


@pytest.mark.parametrize(
    ("led", "held", "card"),
    [
        pytest.param("9D", "AD KD TD JD 9S", "TD", id="the lowest that follows"),
        pytest.param("9D", "AS KS JD JH 9H", "KS", id="void: plain before trump"),
        pytest.param("9H", "JD JH AH KH QH", "QH", id="trump led: the lowest trump"),
        pytest.param("9D", "JD JH AH KH QH", "QH", id="all trumps: the lowest"),
        pytest.param("9D", "9C 9S TS JH AH", "9C", id="equal ranks: C D H S"),
    ],
)
def test_the_lowest_legal_card_is_played(led: str, held: str, card: str) -> None:
    assert forced(do(trump_is("H", {1: led, 2: held}), f"1 {led}")) == card


def test_the_lowest_card_is_led() -> None:
    assert forced(trump_is("S", {1: "JC JS AS TD TH"})) == "TD"
