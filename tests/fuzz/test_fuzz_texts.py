"""Texts and files: accepted, or refused with a reason. Nothing else is ever raised."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.settings import Settings, SettingsError, load_settings
from euchre_sdk import play_game
from euchre_sdk.bots import make_bot
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import PRESETS, Action, Card, RuleSetError, Session, ToTarget
from euchre_sdk.game.cards import parse_cards
from euchre_sdk.game.notation import parse_decisions
from euchre_sdk.game.record import RecordError, VerifiableSource, write_record
from euchre_sdk.game.record_reading import read_record
from euchre_sdk.game.replay import replay_record
from euchre_sdk.game.rules_file import find_rules, read_rules, to_json, to_toml
from euchre_sdk.game.story import tell_record
from euchre_sdk.game.suits import Suit
from euchre_sdk.verify import verify_record
from euchre_sdk.verify_receipts import ReceiptError, read_receipts, receipt_problems
from tests.fuzz.damage import (
    TEXTS,
    VALUES,
    broken_bytes,
    broken_json,
    broken_lines,
    broken_text,
    fuzzed,
)

NOTATIONS: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "a card": (Card.parse, ("JH", "TS", "9C", "??")),
    "a suit": (Suit.parse, ("H", "S")),
    "cards": (parse_cards, ("JH TS 9C", "AS AS")),
    "an action": (Action.parse, ("JH", "pass", "order up", "alone H", "H")),
    "decisions": (parse_decisions, ("pass pass order up JH 9C", "")),
}


@pytest.mark.parametrize("what", NOTATIONS)
def test_notation(what: str) -> None:
    read, valid = NOTATIONS[what]

    @fuzzed(60)
    def check(random: Random) -> None:
        text = broken_text(random, random.choice((*valid, *TEXTS)))
        try:
            read(text)
        except EuchreError as refusal:
            _is_a_sentence(refusal)

    check()


def _records() -> tuple[str, ...]:
    found = []
    for rules, format in ((PRESETS["standard"], Session(2)), (PRESETS["pub"], ToTarget())):
        bots = [make_bot(name) for name in ("random", "heuristic", "random")]
        played = play_game(bots, rules=rules, format=format, seed=7, keep_record=True)
        assert played.record is not None
        found.append(write_record(played.record))
    return tuple(found)


RECORDS = _records()
SOURCE = VerifiableSource(
    deal_set="set",
    commitment=bytes(32),
    nonces=(bytes(32), bytes(32), bytes(32)),
    derived=(False, False, True),
    seed=None,
)


def _take(content: bytes) -> None:
    """Do with a record whatever `euchre replay` and `euchre verify` do."""
    try:
        record = read_record(content)
    except RecordError as refusal:
        _is_a_sentence(refusal)
        return
    verify_record(record)
    for look in (replay_record, tell_record):
        try:
            look(record)
        except RecordError as refusal:
            _is_a_sentence(refusal)


@fuzzed(120)
def test_a_record_with_a_broken_value(random: Random) -> None:
    _take(broken_lines(random, random.choice(RECORDS)))


@fuzzed(80)
def test_a_record_with_broken_bytes(random: Random) -> None:
    _take(broken_bytes(random, random.choice(RECORDS).encode()))


TOLD = (
    {
        "game_id": "g1",
        "event": "start",
        "seat": 1,
        "nonce": "00" * 32,
        "names": ["a", "b", "c"],
        "first_dealer": 0,
        "commitment": "00" * 32,
    },
    {"game_id": "g1", "event": "hand", "hand": 1, "points": [1, 0, 0], "score": [1, 0, 0]},
    {"game_id": "g1", "event": "over", "score": [1, 0, 0], "places": None, "hands": 2},
    {"game_id": "g1", "event": "revealed", "seed": "00" * 32},
)


def test_receipts(tmp_path: Path) -> None:
    file = tmp_path / "receipts.jsonl"
    record = read_record(RECORDS[0].encode())
    seat = replace(SOURCE, nonces=(bytes(32),) * 3)
    records = (record, replace(record, source=seat))

    @fuzzed(100)
    def check(random: Random) -> None:
        lines = "".join(json.dumps(each) + "\n" for each in TOLD)
        if random.random() < 0.7:
            file.write_bytes(broken_lines(random, lines))
        else:
            file.write_bytes(broken_bytes(random, lines.encode()))
        try:
            receipts = read_receipts([file])
        except ReceiptError as refusal:
            _is_a_sentence(refusal)
            return
        for told in receipts.values():
            for problem in receipt_problems(random.choice(records), told):
                assert problem.what

    check()


@fuzzed(150)
def test_a_rule_set_file(random: Random) -> None:
    rules = random.choice(list(PRESETS.values()))
    name, text = random.choice((("r.json", to_json(rules)), ("r.toml", to_toml(rules))))
    if name == "r.json" and random.random() < 0.7:
        content = json.dumps(broken_json(random, json.loads(text))).encode()
    else:
        content = broken_bytes(random, text.encode())
    try:
        read_rules(content, name=name)
    except RuleSetError as refusal:
        _is_a_sentence(refusal)


@fuzzed(60)
def test_the_name_of_a_rule_set(random: Random) -> None:
    try:
        find_rules(broken_text(random, random.choice((*PRESETS, *TEXTS, "pub.toml", "/", "."))))
    except RuleSetError as refusal:
        _is_a_sentence(refusal)


SETTINGS = """
address = "127.0.0.1:0"
data = "here"
games_at_once = 4
grace = 2.5
log_level = "warning"
plaintext = true
metrics_address = "127.0.0.1:0"
"""


@pytest.fixture
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in tuple(os.environ):
        if name.startswith("ARENA_"):
            monkeypatch.delenv(name)


@pytest.mark.usefixtures("no_variables")
def test_a_file_of_settings(tmp_path: Path) -> None:
    file = tmp_path / "arena.toml"

    @fuzzed(60)
    def check(random: Random) -> None:
        file.write_bytes(broken_bytes(random, SETTINGS.encode()))
        _load({}, file)

    check()


@pytest.mark.usefixtures("no_variables")
def test_settings_of_any_value() -> None:
    names = (*Settings.model_fields, "games_at_one", "")

    @fuzzed(80)
    def check(random: Random) -> None:
        count = random.choice((1, 2, 3))
        _load({name: random.choice((*VALUES, *TEXTS)) for name in random.sample(names, count)})

    check()


@pytest.mark.usefixtures("no_variables")
def test_settings_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [*Settings.model_fields, "games_at_one", "adress"]

    @fuzzed(60)
    def check(random: Random) -> None:
        with monkeypatch.context() as variables:
            for name in random.sample(names, 2):
                text = broken_text(random, random.choice((*TEXTS, "1", "true", "127.0.0.1:0")))
                variables.setenv(f"ARENA_{name.upper()}", text.replace("\x00", ""))
            _load({})

    check()


@pytest.mark.usefixtures("no_variables")
@pytest.mark.parametrize(
    "flags",
    [
        pytest.param({"data": "caf\udce9"}, id="a path that is no UTF-8"),
        pytest.param({"address": "x" * 5000}, id="a value too long to be shown"),
        pytest.param({"games_at_once": 10**5000}, id="a number too long to be written"),
        pytest.param({"\x1b[2J": 1}, id="a name that takes a terminal over"),
    ],
)
def test_settings_that_fuzzing_found(flags: dict[str, Any]) -> None:
    with pytest.raises(SettingsError) as refusal:
        load_settings(flags)
    _is_a_sentence(refusal.value)


@pytest.mark.usefixtures("no_variables")
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"games_at_once = " + b"9" * 5000, id="a number with too many digits"),
        pytest.param(b"a = " + b"[" * 5000, id="nested too deeply"),
    ],
)
def test_files_of_settings_that_nobody_can_read(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "arena.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match="is not TOML") as refusal:
        load_settings({}, file=file)
    _is_a_sentence(refusal.value)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("pub\x00.toml", id="a name that no file can have"),
        pytest.param("\x1b[2J", id="a name that takes a terminal over"),
        pytest.param("x" * 5000, id="a name too long to be shown"),
    ],
)
def test_rule_sets_that_fuzzing_found(name: str) -> None:
    with pytest.raises(RuleSetError) as refusal:
        find_rules(name)
    _is_a_sentence(refusal.value)


def _load(flags: dict[str, Any], file: Path | None = None) -> None:
    try:
        load_settings(flags, file=file)
    except SettingsError as refusal:
        _is_a_sentence(refusal)


def _is_a_sentence(refusal: EuchreError) -> None:
    """Demand something for people to read, short enough and without escapes for a terminal."""
    text = str(refusal)
    assert len(text) > 10
    assert len(text) < 4000, f"{len(text)} characters"
    assert "\x1b" not in text
    assert "\x00" not in text
