"""`euchre verify`: one line a record, exit codes, JSON; files, directories, patterns."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from euchre_sdk.cli_group import run
from euchre_sdk.game import GameRecord, write_record
from euchre_sdk.game.record import VerifiableSource
from tests.verify.table_records import played_game

GOOD = played_game(1)
assert isinstance(GOOD.source, VerifiableSource)
BAD = replace(GOOD, hands=(replace(GOOD.hands[0], points=(9, 9, 9)), *GOOD.hands[1:]))
OPEN = replace(GOOD, source=replace(GOOD.source, seed=None))


def write(path: Path, record: GameRecord) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_record(record), encoding="utf-8")
    return path


def verify(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = run(["verify", *map(str, arguments)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(
    ("record", "code", "line"),
    [
        pytest.param(GOOD, 0, "g.jsonl: ok: 3 hands, 3 decks from the seed, ", id="a true one"),
        pytest.param(
            BAD, 1, "g.jsonl: WRONG: hand 1: points of the hand: the record says 9-9-9, not ",
            id="a wrong one",
        ),
        pytest.param(
            OPEN, 3, "g.jsonl: not proved: 3 hands, ", id="one whose seed is not revealed"
        ),
    ],
)  # fmt: skip
def test_one_line_says_what_came_of_a_record_and_the_exit_code_says_it_too(
    tmp_path: Path, capsys, monkeypatch, record: GameRecord, code: int, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "g.jsonl", record)
    got, printed, errors = verify(capsys, "g.jsonl")
    assert (got, errors) == (code, "")
    assert printed.startswith(line)
    assert printed.count("\n") == 1


def test_directories_and_patterns_stand_for_their_records(tmp_path: Path, capsys) -> None:
    write(tmp_path / "one" / "a.jsonl", GOOD)
    write(tmp_path / "one" / "deep" / "b.jsonl", BAD)
    write(tmp_path / "two" / "c.jsonl", OPEN)
    (tmp_path / "one" / "notes.txt").write_text("not a record")
    code, printed, _ = verify(capsys, tmp_path / "one")
    assert code == 1
    assert [line.split(": ")[1] for line in printed.splitlines()] == [
        "ok",
        "WRONG",
        "1 ok, 1 WRONG",
    ]
    code, printed, _ = verify(capsys, tmp_path / "*" / "[ac].jsonl")
    assert code == 3
    assert printed.splitlines()[-1] == "2 records: 1 ok, 1 not proved"


def test_a_file_that_is_no_record_is_wrong_and_the_others_are_still_checked(
    tmp_path: Path, capsys
) -> None:
    write(tmp_path / "a.jsonl", GOOD)
    (tmp_path / "b.jsonl").write_text(write_record(GOOD).replace('"hand":2', '"hand":"two"'))
    (tmp_path / "c.jsonl").write_bytes(b"\xff\x00 \x1b[2J")
    code, printed, _ = verify(capsys, tmp_path)
    assert code == 1
    _, second, third, last = printed.splitlines()
    assert 'WRONG: line 3: hand must be a whole number from 0, not "two"' in second
    assert "WRONG: line 1: it is no text in UTF-8" in third
    assert last == "3 records: 1 ok, 2 WRONG"


def test_a_record_of_a_later_format_is_not_called_wrong(tmp_path: Path, capsys) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(write_record(GOOD).replace('"format_version":1', '"format_version":2'))
    code, printed, _ = verify(capsys, file)
    assert code == 3
    assert "not proved: 0 hands, 0 actions; format_version is 2; this reader knows 1" in printed


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nowhere.jsonl", "there is no file nowhere.jsonl."),
        ("*.jsonl", "no file matches *.jsonl."),
        (".", "the directory . holds no *.jsonl."),
    ],
)
def test_a_name_that_stands_for_nothing_is_refused(
    tmp_path: Path, capsys, monkeypatch, name: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert verify(capsys, name) == (1, "", f"{sentence}\n")


def test_no_name_is_a_misuse(capsys) -> None:
    code, _, errors = verify(capsys)
    assert code == 2
    assert "RECORD..." in errors


def test_json_says_line_place_found_and_expected(tmp_path: Path, capsys) -> None:
    write(tmp_path / "a.jsonl", GOOD)
    write(tmp_path / "b.jsonl", BAD)
    code, printed, _ = verify(capsys, tmp_path, "--json")
    told = json.loads(printed)
    assert code == 1
    assert (told["schema"], told["ok"], told["wrong"], told["unproved"]) == (
        *("euchre-verify/1", 1, 1, 0),
    )
    good, bad = told["records"]
    assert (good["verdict"], good["problems"], good["hands"]) == ("ok", [], 3)
    assert good["game_id"] == GOOD.game_id
    problem = bad["problems"][0]
    assert (problem["line"], problem["where"], problem["found"]) == (2, "hand 1", "9-9-9")
    assert problem["expected"] in bad["sentence"]


def test_an_arena_that_is_not_there_is_said_in_a_sentence(tmp_path: Path, capsys) -> None:
    write(tmp_path / "a.jsonl", GOOD)
    code, _, errors = verify(capsys, tmp_path, "--arena", "127.0.0.1:1")
    assert code == 1
    assert errors.startswith("no arena answers at 127.0.0.1:1 (connection refused).")


def test_the_command_runs_as_a_process_of_its_own(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", BAD)
    done = subprocess.run(
        [sys.executable, "-m", "euchre_sdk", "verify", file],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "WRONG: hand 1" in done.stdout
    assert done.stderr == ""
