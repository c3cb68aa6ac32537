"""What people mistype or interrupt: one sentence, and never a traceback."""

from __future__ import annotations

import errno
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from euchre_sdk import workers
from euchre_sdk.cli_group import run
from euchre_sdk.cli_play_options import MOST_JOBS
from euchre_sdk.series import Series
from euchre_sdk.series_player import Player
from euchre_sdk.workers import WorkerError, play_in_processes

pytestmark = pytest.mark.cli

INTERRUPTED = """
import builtins, sys
real = builtins.__import__
def press_ctrl_c(name, *more):
    if name == {name!r}:
        raise KeyboardInterrupt
    return real(name, *more)
builtins.__import__ = press_ctrl_c
from euchre_sdk.cli import main
main()
"""


@pytest.mark.parametrize(
    "name", ["importlib.util", "io", "euchre_sdk.cli_group", "click", "euchre_sdk.loading"]
)
def test_ctrl_c_while_the_command_loads_shows_no_traceback(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(name=name)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_package_imports_next_to_nothing_before_a_name_of_it_is_used() -> None:
    code = (
        "import sys, euchre_sdk\n"
        "assert not [m for m in sys.modules if m.startswith('euchre_sdk.')], sys.modules\n"
        "from euchre_sdk import *\n"
        "assert View and run and play_series"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""


@pytest.mark.parametrize("jobs", [str(MOST_JOBS + 1), "-1", "many", "9" * 60])
def test_the_number_of_jobs_has_bounds(capsys, jobs: str) -> None:
    assert run(["play", "random", "random", "random", f"--jobs={jobs}"]) == 2
    said = capsys.readouterr().err
    assert f"invalid value for '--jobs': expected a whole number from 0 to {MOST_JOBS}, not" in said
    assert len(said) < 200


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "random", "random", "random", "--hands", "6", "--record", ""),
        ("record", "localhost:1", "g1", "--to", ""),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_directory_without_a_name_is_refused(
    tmp_path: Path, monkeypatch, capsys, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    assert 'expected a directory, such as "games"' in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("where", ["ProcessPoolExecutor", "_deaf_to_ctrl_c"])
def test_a_process_that_cannot_be_started_is_said_in_a_sentence(monkeypatch, where: str) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(workers, where, full)
    series = Series(bots=("random", "random", "random"))
    with pytest.raises(WorkerError) as caught:
        list(play_in_processes(partial(Player, series), range(9), 9))
    assert str(caught.value) == (
        "9 processes cannot be started here (Too many open files): play with fewer --jobs."
    )
