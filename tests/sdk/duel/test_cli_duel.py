"""`euchre duel` as a user meets it."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from euchre_sdk.cli_duel_options import fixed_blocks
from euchre_sdk.cli_duel_screen import gauge, show_duel
from euchre_sdk.cli_group import run
from euchre_sdk.duel import SequentialTest
from euchre_sdk.duel.local import LocalDuel
from euchre_sdk.duel.run import DuelRun

pytestmark = pytest.mark.cli


def test_a_duel_ends_with_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["duel", "heuristic", "random", "--deals", "fresh", "--session", "3"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "Is heuristic stronger than random, by 0.1 points a hand?" in printed
    assert "heuristic is stronger than random, shown by" in printed
    assert "Played on new deals in every session, as asked for." in printed


def test_json_is_the_whole_output(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["duel", "random", "random", "--deals", "fresh", "--session", "3", "--cap", "16"]
    assert run([*asked, "--json", "--points", "0.02", "--local"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["blocks"], told["cap"]) == ("euchre-duel/1", 16, 16)
    assert (told["first"], told["second"]) == ("random", "random#2")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--alpha", "0"], "alpha must be above 0 and at most 0.4, not 0."),
        (["--points", "-1"], "the lead of H1 (-1 points a hand) must be above that of H0 (0)."),
        (["--elo0", "30", "--elo1", "20"], "must be above that of H0 (0.0566038)."),
        (["--points", "1", "--elo1", "20"], "say --points or --elo1, not both."),
        (["--cap", "15"], "expected a whole number from 16 to 200,000, not '15'"),
        (["--points", "nan"], "expected a number, not 'nan'"),
        (["--deals", "new"], "'new' is not one of 'auto', 'same', 'fresh'"),
        (["--third", "nobody"], "no bot 'nobody'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    assert run(["duel", "heuristic", "random", *options]) in (1, 2)
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    ("points", "alpha", "beta", "blocks"),
    [
        # ((1.645 + 1.645) * 1.9 / sqrt 60 / 0.1)²
        (0.1, 0.05, 0.05, 66),
        (0.05, 0.05, 0.05, 261),
        # (1.645 + 0.842)² = 6.183; * 3.61 / 60 / 0.01
        (0.1, 0.05, 0.2, 38),
    ],
)
def test_the_fixed_test_is_the_usual_one(
    points: float, alpha: float, beta: float, blocks: int
) -> None:
    assert fixed_blocks(SequentialTest(points1=points, alpha=alpha, beta=beta)) == blocks


@pytest.mark.parametrize(
    ("values", "bar"),
    [
        ([], "├────●────┤"),
        ([0.5, 0.6] * 8, "├────┼────●"),
        ([-0.5, -0.6] * 8, "●────┼────┤"),
    ],
)
def test_the_bar_shows_the_ratio_between_its_bounds(values: list[float], bar: str) -> None:
    run_of = DuelRun(LocalDuel(first="heuristic", second="random", test=SequentialTest()))
    run_of.state = run_of.duel.test.after(values)
    assert gauge(run_of.view(), width=11) == bar


@pytest.mark.parametrize("width", [80, 100])
def test_the_picture_fits_into_eighty_columns(width: int) -> None:
    run_of = DuelRun(LocalDuel(first="heuristic", second="random", test=SequentialTest()))
    run_of.state = run_of.duel.test.after([-0.123, 0.077] * 8)
    out = Console(width=width, record=True, file=io.StringIO())
    show_duel(out, run_of.view())
    assert max(map(len, out.export_text().splitlines())) <= width


@pytest.mark.slow
def test_a_duel_that_is_interrupted_goes_on_with_the_same_command(tmp_path: Path) -> None:
    file = tmp_path / "duel.jsonl"
    command = [sys.executable, "-m", "euchre_sdk", "duel", "random", "random", "--state", str(file)]
    command += ["--points", "0.002", "--session", "3", "--deals", "fresh", "--cap"]
    process = subprocess.Popen([*command, "20000"], stdout=subprocess.PIPE, text=True)
    while not file.exists() or file.read_bytes().count(b"\n") < 5:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Stopped by Ctrl-C. The same command goes on." in printed
    played = file.read_bytes().count(b"\n") - 1
    again = subprocess.Popen([*command, "20000", "--json"], stdout=subprocess.PIPE, text=True)
    while file.read_bytes().count(b"\n") < played + 5:
        assert again.poll() is None
    again.send_signal(signal.SIGINT)
    told = json.loads(again.communicate(timeout=20)[0])
    assert told["blocks"] >= played + 3
    assert told["blocks"] == file.read_bytes().count(b"\n") - 1
