"""Rule sets: defaults, presets, what is refused, files (rules §3)."""

from __future__ import annotations

import copy
import json
import pickle
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from euchre_sdk.game import PRESETS, STANDARD, RuleSet, RuleSetError, Session
from euchre_sdk.game.compiled import compiled
from euchre_sdk.game.rules import (
    OPTIONS,
    AloneTiming,
    DealPattern,
    Exchange,
    FirstDealer,
    JokerTurnedUp,
    LeadRule,
    TieRule,
)
from euchre_sdk.game.rules_file import (
    find_rules,
    load_rules,
    read_rules,
    rules_from_fields,
    rules_to_fields,
    save_rules,
    to_json,
    to_toml,
)
from tests import strategies


@pytest.mark.parametrize(
    ("field", "default"),
    [
        pytest.param("lowest_rank", 9, id="A01 lowest_rank"),
        pytest.param("joker", False, id="A01 joker"),
        pytest.param("first_dealer", FirstDealer.RANDOM, id="A05"),
        pytest.param("deal_pattern", DealPattern.P32, id="A11"),
        pytest.param("joker_turned_up", JokerTurnedUp.BLIND, id="A12"),
        pytest.param("exchange_on_order", Exchange.OPTIONAL, id="A13 ordered"),
        pytest.param("exchange_on_accept", Exchange.REQUIRED, id="A13 accepted"),
        pytest.param("turned_down_suit_allowed", False, id="A15"),
        pytest.param("stick_the_dealer", False, id="A18"),
        pytest.param("alone_timing", AloneTiming.AFTER_EXCHANGE, id="A23"),
        pytest.param("maker_alone_allowed", True, id="A27 maker"),
        pytest.param("defender_alone_allowed", True, id="A27 defender"),
        pytest.param("lead_rule", LeadRule.LEFT_OF_LONER, id="A29"),
        pytest.param("target", 10, id="A38"),
        pytest.param("tie_rule", TieRule.PLAY_ON, id="A31"),
        pytest.param("points_make", 1, id="A37 make"),
        pytest.param("points_march", 3, id="A37 march"),
        pytest.param("points_euchred", 2, id="A37 euchred"),
        pytest.param("points_alone_march", 3, id="A32"),
        pytest.param("points_alone_euchred", 2, id="A33"),
        pytest.param("points_lone_defender", 2, id="A34 three or four"),
        pytest.param("points_lone_defender_march", 4, id="A34 five"),
    ],
)
def test_the_default_of_an_option(field: str, default: object) -> None:
    assert getattr(RuleSet(), field) == default


def test_there_are_no_other_options() -> None:
    assert len(OPTIONS) == 22


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("standard", {}),
        ("lone-bonus", {"points_alone_march": 4}),
        (
            "pub",
            {
                "stick_the_dealer": True,
                "exchange_on_order": Exchange.REQUIRED,
                "exchange_on_accept": Exchange.REQUIRED,
                "points_alone_march": 4,
                "points_lone_defender": 4,
                "points_lone_defender_march": 4,
                "lead_rule": LeadRule.LEFT_OF_DEALER,
            },
        ),
        ("british", {"joker": True}),
        ("short", {"target": 5}),
    ],
)
def test_presets_are_the_defaults_but_for_these(name: str, changed: dict[str, object]) -> None:
    for option in OPTIONS:
        expected = changed.get(option.name, option.default)
        assert getattr(PRESETS[name], option.name) == expected
    assert len(PRESETS) == 5


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"lowest_rank": 10}, "20 cards leave nothing to turn up beside a dummy"),
        ({"lowest_rank": 5}, "lowest_rank must be 9, 8 or 7, not 5"),
        ({"points_march": -1}, "points_march must be 0 to 1000000, not -1"),
        ({"points_make": 0}, "points_make must be at least 1"),
        ({"target": 0}, "target must be 1 to 1000000, not 0"),
        ({"target": 10**9}, "target must be 1 to 1000000"),
        ({"joker": 1}, "joker must be true or false, not 1"),
        ({"target": True}, "target must be a whole number, not True"),
        ({"target": 1.5}, "target must be a whole number"),
        (
            {"lead_rule": "left"},
            'lead_rule must be one of left_of_loner, left_of_dealer, not "left"',
        ),
        ({"tie_rule": FirstDealer.RANDOM}, "tie_rule must be one of play_on, shared"),
    ],
)
def test_a_rule_set_that_cannot_be_played_is_refused(options: Any, sentence: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        RuleSet(**options)
    assert sentence in str(refused.value)


def test_all_faults_are_listed_at_once() -> None:
    with pytest.raises(RuleSetError) as refused:
        RuleSet(lowest_rank=10, target=0, points_make=-1, joker="no")  # type: ignore[arg-type]
    assert len(refused.value.faults) == 4


@pytest.mark.parametrize("hands", [0, -1, True, 2.0, "6", 10**7])
def test_a_session_has_a_number_of_hands(hands: Any) -> None:
    with pytest.raises(RuleSetError, match="a session has 1 to"):
        Session(hands)


@given(strategies.rule_sets())
def test_equal_rule_sets_are_interchangeable(rules: RuleSet) -> None:
    for other in (
        pickle.loads(pickle.dumps(rules)),
        copy.deepcopy(rules),
        RuleSet(**_fields(rules)),
    ):
        assert other == rules
        assert hash(other) == hash(rules)
        assert other.deck == rules.deck
        assert compiled(other) is compiled(rules)


def _fields(rules: RuleSet) -> dict[str, Any]:
    return {option.name: getattr(rules, option.name) for option in OPTIONS}


# Files.


@given(strategies.rule_sets())
def test_a_rule_set_is_written_and_read_back(rules: RuleSet) -> None:
    assert read_rules(to_toml(rules).encode(), name="a.toml") == rules
    assert read_rules(to_json(rules).encode(), name="a.json") == rules
    assert rules_from_fields(rules_to_fields(rules)) == rules
    assert tomllib.loads(to_toml(rules)) == json.loads(to_json(rules)) == rules_to_fields(rules)


@pytest.mark.parametrize("suffix", [".toml", ".json", ".txt"])
def test_a_rule_set_is_kept_in_a_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rules{suffix}"
    save_rules(PRESETS["pub"], path)
    assert load_rules(path) == PRESETS["pub"]
    assert find_rules(str(path)) == PRESETS["pub"]


def test_a_file_names_only_what_differs() -> None:
    assert read_rules(b"", name="x.toml") == STANDARD
    assert read_rules(b"target = 7", name="x.toml") == RuleSet(target=7)
    from_pub = read_rules(b'preset = "pub"\ntarget = 7', name="x.toml")
    assert from_pub.stick_the_dealer
    assert from_pub.target == 7


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_found_by_its_name(name: str) -> None:
    assert find_rules(name) is PRESETS[name]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(
            b'stick_the_dealer = "yes"\npoints_march = -1\ntrget = 5',
            'rule set pub.toml: stick_the_dealer must be true or false, not "yes"; '
            "points_march must be 0 to 1000000, not -1; "
            'unknown field "trget" (did you mean "target"?).',
            id="all faults in one sentence",
        ),
        pytest.param(
            b'preset = "pup"',
            "rule set pub.toml: preset must be one of standard, lone-bonus, pub, british, short "
            '(did you mean "pub"?), not "pup".',
            id="an unknown preset",
        ),
        pytest.param(b"preset = 3", "rule set pub.toml: preset must be one of", id="no preset"),
        pytest.param(b"target 5", "rule set pub.toml: it is no TOML: ", id="no TOML"),
        pytest.param(
            b"target = " + b"9" * 5000,
            "rule set pub.toml: it is no TOML: a number has too many digits.",
            id="a long number",
        ),
        pytest.param(
            b"target = 0x" + b"f" * 5000,
            "rule set pub.toml: target must be 1 to 1000000, not a number of 20000 bits.",
            id="a large number",
        ),
        pytest.param(
            b"preset = 0x" + b"f" * 5000,
            "rule set pub.toml: preset must be one of standard, lone-bonus, pub, british, short, "
            "not a number of 20000 bits.",
            id="a large number for a preset",
        ),
        pytest.param(
            b"target = " + b"[" * 400 + b"]" * 400,
            "rule set pub.toml: target must be a whole number, not [[[[[[[...]]]]]]].",
            id="a nest",
        ),
        pytest.param(
            b'"\\u001b[2J" = 1',
            r'rule set pub.toml: unknown field "\x1b[2J"',
            id="what clears a screen",
        ),
        pytest.param(b"\xff", "rule set pub.toml: it is no text in UTF-8.", id="no text"),
        pytest.param(
            b'lead_rule = "left"',
            "rule set pub.toml: lead_rule must be one of left_of_loner, left_of_dealer, "
            'not "left".',
            id="an unknown choice",
        ),
        pytest.param(b"qwertz = 1", 'rule set pub.toml: unknown field "qwertz".', id="unlike any"),
    ],
)
def test_a_file_that_is_no_rule_set_is_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        read_rules(content, name="pub.toml")
    assert str(refused.value).startswith(sentence)


def test_json_that_is_no_object_is_refused() -> None:
    with pytest.raises(RuleSetError, match="expected fields and their values"):
        read_rules(b"[1]", name="a.json")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pubb", 'no rule set "pubb": expected one of standard, lone-bonus, pub, british, short'),
        ("missing.toml", "rule set missing.toml: No such file or directory."),
        ("x" * 5000, 'no rule set "xxx'),
    ],
)
def test_a_rule_set_that_is_not_there_is_refused(
    text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuleSetError) as refused:
        find_rules(text)
    assert str(refused.value).startswith(sentence)


def test_a_directory_or_a_huge_file_is_no_rule_set(tmp_path: Path) -> None:
    huge = tmp_path / "huge.toml"
    huge.write_bytes(b"#" * 200_000)
    for path, word in ((tmp_path, "directory"), (huge, "larger than")):
        with pytest.raises(RuleSetError, match=word):
            find_rules(str(path))


@given(st.binary(max_size=200), st.sampled_from(["a.toml", "a.json"]))
def test_any_bytes_are_a_rule_set_or_refused(content: bytes, name: str) -> None:
    with suppress(RuleSetError):
        assert read_rules(content, name=name).deck
