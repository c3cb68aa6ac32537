"""What `heuristic@1` decides before the cards are played, position by position.

Dealer is seat 0, so that seat 1 is eldest and speaks first.
"""

from __future__ import annotations

import pytest

from euchre_sdk import PRESETS, STANDARD, RuleSet
from euchre_sdk.bots import make_bot
from euchre_sdk.game.rules import AloneTiming, JokerTurnedUp
from tests.game.tables import do, table

PLAIN = RuleSet(maker_alone_allowed=False)
"""The maker plays with the dummy and is not asked."""
WITH_BID = RuleSet(alone_timing=AloneTiming.WITH_BID, points_alone_march=4)


def answer(hands, calls="", **more):
    """The bot's decision, in notation, after these calls and plays."""
    hand = table(hands, **more)
    if calls:
        do(hand, calls)
    assert hand.view is not None
    decision = make_bot("heuristic@1").act(hand.view)
    hand.apply(decision)
    return str(decision)


@pytest.mark.parametrize(
    ("cards", "bid"),
    [
        pytest.param("9S TS QC KC 9D", "pass", id="nothing"),
        pytest.param("JH 9S TS QC KC", "order", id="the right bower"),
        pytest.param("9H TH AC 9S TS", "order", id="two small trumps and an ace"),
        pytest.param("9H 9S TS QC KC", "pass", id="one small trump"),
        pytest.param("AC AS AD 9S 9C", "pass", id="aces without a trump"),
    ],
)
def test_eldest_orders_up_when_the_dummy_should_do_the_rest(cards, bid):
    assert answer({1: cards}, turn_up="QH") == bid


def test_the_dealer_counts_the_turn_up_that_comes_to_his_hand():
    weak = "9H 9S TS QC 9C"
    assert answer({0: weak}, "1 pass, 2 pass", turn_up="AH") == "order"
    assert answer({1: weak}, turn_up="AH") == "pass"


@pytest.mark.parametrize(
    ("cards", "bid"),
    [
        pytest.param("JC JS AC 9C 9D", "name C", id="the longest and highest suit"),
        pytest.param("JS AS KS 9C TC", "name S", id="bowers of that suit are counted"),
    ],
)
def test_names_its_best_suit_in_the_second_round(cards, bid):
    assert answer({1: cards}, "1 pass, 2 pass, 0 pass", turn_up="QH") == bid


def test_passes_in_the_second_round_only_if_it_may():
    cards, calls = "9C 9S 9D TD TS", "1 pass, 2 pass, 0 pass, 1 pass, 2 pass"
    assert answer({0: cards}, calls, turn_up="QH") == "pass"
    assert answer({0: cards}, calls, turn_up="QH", rules=PRESETS["pub"]).startswith("name ")


def test_names_some_suit_blind_when_a_joker_is_turned_up():
    assert answer({}, turn_up="XX", rules=PRESETS["british"]).startswith("name ")


def test_names_its_best_suit_when_a_joker_is_turned_up_and_it_sees_its_hand():
    rules = RuleSet(joker=True, joker_turned_up=JokerTurnedUp.SEEN)
    assert answer({0: "JD AD 9D 9C TC"}, turn_up="XX", rules=rules) == "name D"


@pytest.mark.parametrize(
    ("cards", "discard"),
    [
        pytest.param("JH AH 9S 9C TC", "9S", id="the last of its suit goes first"),
        pytest.param("JH JD AH KS AC", "KS", id="a king before an ace"),
        pytest.param("JH JD AH KH TH", "TH", id="with trumps only, the lowest"),
    ],
)
def test_lays_down_what_is_missed_least(cards, discard):
    assert answer({0: cards}, "1 pass, 2 pass, 0 order", turn_up="QH") == discard


@pytest.mark.parametrize(
    ("cards", "dummy", "kept"),
    [
        pytest.param(
            "9C TC QD KD 9S", "JH JD AH KH TH", "JH JD AH KH TH", id="T40: all five of the dummy"
        ),
        pytest.param(
            "9H TH KC 9S TS", "AC KD 9D TD AS", "9H TH KC AC AS", id="trumps, aces, king with ace"
        ),
        pytest.param(
            "9H TH AH KD QS", "KH TS 9D JC 9S", "9H TH AH KH KD", id="trumps and the best of few"
        ),
        pytest.param(
            "9H TH AH KH JD", "JH AC AS AD KC", "JH JD AH KH TH", id="six trumps: the lowest goes"
        ),
    ],
)
def test_keeps_the_best_five_of_ten(cards, dummy, kept):
    decided = answer({1: cards}, "1 order, 0 decline", turn_up="QH", dummy=dummy, rules=PLAIN)
    assert sorted(decided.split()[1:]) == sorted(kept.split())


SURE = "JH JD AH KH AS"
ALONE_CALLS = "1 order, 0 decline"


@pytest.mark.parametrize(
    ("cards", "rules", "decision"),
    [
        pytest.param(SURE, PRESETS["lone-bonus"], "alone", id="a sure march that pays more alone"),
        pytest.param(SURE, STANDARD, "dummy", id="a sure march that pays the same with the dummy"),
        pytest.param("JH AH KH 9S TS", PRESETS["lone-bonus"], "dummy", id="no sure march"),
    ],
)
def test_plays_alone_only_when_that_pays(cards, rules, decision):
    assert answer({1: cards}, ALONE_CALLS, turn_up="QH", rules=rules) == decision


def test_says_alone_with_the_bid_where_the_rules_have_it():
    assert answer({1: SURE}, turn_up="QH", rules=WITH_BID) == "order alone"
    calls = "1 pass, 2 pass, 0 pass"
    assert answer({1: SURE}, calls, turn_up="QC", rules=WITH_BID) == "name H alone"


@pytest.mark.parametrize(
    ("cards", "rules", "decision"),
    [
        pytest.param("JH JD AH AS KS", PRESETS["pub"], "alone", id="three sure tricks pay double"),
        pytest.param("JH JD AH 9S TS", STANDARD, "together", id="three sure tricks pay the same"),
        pytest.param("JH JD AH KH AS", STANDARD, "alone", id="all five pay double"),
        pytest.param("9S TS KS 9H QC", PRESETS["pub"], "together", id="no tricks at all"),
    ],
)
def test_defends_alone_only_when_that_pays(cards, rules, decision):
    dealer = "9D" if rules is PRESETS["pub"] else "decline"
    hands = {0: "9D TD", 1: "TH 9C TC JC QD", 2: cards}
    calls = f"1 order, 0 {dealer}, 1 dummy, 1 keep TH 9C TC KC AC"
    assert answer(hands, calls, turn_up="QH", dummy="KC AC", rules=rules) == decision
