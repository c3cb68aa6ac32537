"""The registry of house bots, and that each of them plays under any rules."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_sdk import PRESETS, STANDARD, Session
from euchre_sdk.bots import BUILT_IN, make_bot
from euchre_sdk.game import SeededDeals
from euchre_sdk.local import play_game
from tests.strategies import rule_sets

VERSIONS = [name for name in BUILT_IN if "@" in name]
QUICK = ["random@1", "heuristic@1"]
HEURISTIC_1 = "1cda013a86f852ec"
"""Digest of what three `heuristic@1` decide under the presets."""


def course(names, rules=STANDARD, hands=4, seed=1, bot_seeds=None):
    """Every decision of a session, one line a hand."""
    played = play_game(
        [make_bot(name) for name in names],
        rules=rules,
        format=Session(hands),
        seed=None if bot_seeds else seed,
        deals=SeededDeals(seed) if bot_seeds else None,
        bot_seeds=bot_seeds,
        strict=True,
        keep_record=True,
    )
    assert played.record is not None
    return [" ".join(map(str, hand.decisions)) for hand in played.record.hands]


def test_a_name_without_a_version_is_the_newest_of_its_kind():
    assert set(BUILT_IN) >= {"random", "heuristic", "monte_carlo", *VERSIONS}
    for name in VERSIONS:
        kind = name.split("@")[0]
        newest = max(VERSIONS, key=lambda v: (v.startswith(f"{kind}@"), int(v.split("@")[1])))
        assert BUILT_IN[kind] is BUILT_IN[newest]


def test_every_bot_is_made_anew():
    assert make_bot("heuristic") is not make_bot("heuristic")


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no house bot 'clever'.*random@1.*monte_carlo@1"):
        make_bot("clever")


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("name", VERSIONS)
def test_plays_whole_games_by_the_presets(name, rules):
    played = play_game(
        [make_bot(name), make_bot("random"), make_bot(name)], rules=rules, seed=5, strict=True
    )
    assert played.result.places is not None
    assert played.fault_counts == (0, 0, 0)


@given(rules=rule_sets(), seed=st.integers(0, 2**32))
@settings(max_examples=60)
@pytest.mark.parametrize("name", QUICK)
def test_plays_by_any_rules(name, rules, seed):
    assert len(course([name, "random", name], rules, 6, seed)) == 6


@given(rules=rule_sets(), seed=st.integers(0, 2**32))
@settings(max_examples=8)
def test_monte_carlo_plays_by_any_rules(rules, seed):
    assert len(course(["monte_carlo@1", "random", "heuristic"], rules, 1, seed)) == 1


@pytest.mark.parametrize("name", VERSIONS)
def test_the_same_seed_gives_the_same_play(name):
    seats = [name, "heuristic", "random"]
    rules = PRESETS["british"]
    assert course(seats, rules, 3, seed=8) == course(seats, rules, 3, seed=8)


def test_another_seed_gives_other_play():
    seats = ["random@1"] * 3
    assert course(seats, bot_seeds=[1, 2, 3]) == course(seats, bot_seeds=[1, 2, 3])
    assert course(seats, bot_seeds=[1, 2, 3]) != course(seats, bot_seeds=[4, 5, 6])


def test_heuristic_1_plays_as_it_always_did():
    """A version is for ever: results of different days must compare. Better play is `@2`."""
    digest = hashlib.sha256()
    for name, rules in PRESETS.items():
        for line in course(["heuristic@1"] * 3, rules, 60, seed=7):
            digest.update(f"{name} {line}\n".encode())
    assert digest.hexdigest()[:16] == HEURISTIC_1
