"""The Python examples play whole games under any rules, and each is better than the one before."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_sdk import PRESETS, STANDARD, Bot, RuleSet, Session
from euchre_sdk.loading import load_bot
from euchre_sdk.local import PlayedGame, play_game
from tests.game.tables import do, table
from tests.strategies import rule_sets

FOLDER = Path(__file__).resolve().parents[2] / "example_bots"
EXAMPLES = sorted(FOLDER.glob("*_bot.py"))
LOAD = {path.stem: load_bot(str(path)) for path in EXAMPLES}
QUICK = ["random_bot", "careful_bot", "heuristic_bot"]


def play(bots: list[Bot], rules: RuleSet = STANDARD, hands: int = 6, seed: int = 1) -> PlayedGame:
    return play_game(
        bots, rules=rules, format=Session(hands), seed=seed, strict=True, keep_record=True
    )


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("name", LOAD)
def test_plays_a_whole_game_by_the_presets(name, rules):
    bots = [LOAD[name](), LOAD["random_bot"](), LOAD["careful_bot"]()]
    played = play_game(bots, rules=rules, seed=4, strict=True)
    assert played.result.places is not None


@given(rules=rule_sets(), seed=st.integers(0, 2**32))
@settings(max_examples=60)
@pytest.mark.parametrize("name", QUICK)
def test_plays_by_any_rules(name, rules, seed):
    play([LOAD[name](), LOAD["random_bot"](), LOAD[name]()], rules, seed=seed)


@given(rules=rule_sets(), seed=st.integers(0, 2**32))
@settings(max_examples=8)
def test_monte_carlo_plays_by_any_rules(rules, seed):
    play([LOAD["monte_carlo_bot"](), LOAD["random_bot"](), LOAD["random_bot"]()], rules, 1, seed)


@pytest.mark.parametrize("name", LOAD)
def test_the_same_seed_gives_the_same_play(name):
    records = [play([LOAD[name]() for _ in range(3)], hands=2).record for _ in range(2)]
    assert records[0] == records[1]


@pytest.mark.parametrize(
    ("better", "worse"),
    [("careful_bot", "random_bot"), ("heuristic_bot", "careful_bot")],
)
def test_each_is_better_than_the_one_before(better, worse):
    points, others = 0, 0
    for seat in range(3):
        bots = [LOAD[better if place == seat else worse]() for place in range(3)]
        score = play(bots, hands=150).result.score
        points += score[seat]
        others += sum(score) - score[seat]
    assert points > others / 2 * 1.2


def test_the_heuristic_leaves_a_trick_to_its_partner():
    rules = RuleSet(maker_alone_allowed=False, defender_alone_allowed=False)
    hands = {1: "AD KD 9C TC 9S", 2: "JC QC KC AH TH", 0: "9D JS JH KH QS"}
    hand = table(hands, turn_up="QH", rules=rules)
    do(hand, "1 pass, 2 pass, 0 order, 0 QS, 0 keep JH KH QH 9D JS, 1 AD")
    assert hand.view is not None
    assert hand.view.seat == 2  # void in diamonds: a trump would win, the ace wins already
    assert str(LOAD["heuristic_bot"]().act(hand.view)) == "JC"
