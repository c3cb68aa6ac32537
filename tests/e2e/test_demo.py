"""`make demo` as a whole: a ranking, exit 0, and nothing left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


def started(*arguments: str) -> subprocess.Popen[str]:
    """Start the demo as the leader of a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "arena.demo", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def nothing_left(group: int) -> bool:
    """Whether no process of the group lives."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_demo_ends_with_a_ranking_and_leaves_nothing() -> None:
    demo = started("--hands", "3")
    said, _ = demo.communicate(timeout=150)
    assert demo.returncode == 0, said
    ranking = said[said.index("finished") :]
    for name in ("heuristic@1", "monte_carlo", "heuristic", "careful", "random"):
        assert name in ranking
    assert "anchor" in ranking
    assert "Try next" in ranking
    assert nothing_left(demo.pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_demo_that_is_stopped_leaves_nothing(number: signal.Signals) -> None:
    demo = started()
    assert demo.stdout is not None
    for line in demo.stdout:  # stop it once the bots are there
        if "arena watch" in line:
            break
    demo.send_signal(number)
    said, _ = demo.communicate(timeout=60)
    assert demo.returncode == 130, said
    assert "Traceback" not in said
    assert nothing_left(demo.pid)


def test_a_number_of_hands_that_does_not_fit_is_refused() -> None:
    demo = started("--hands", "4")
    said, _ = demo.communicate(timeout=60)
    assert demo.returncode == 2
    assert "multiple of 3" in said
