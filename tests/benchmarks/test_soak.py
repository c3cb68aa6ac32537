"""The soak itself: a short one with few bots finds an arena that keeps its word."""

from __future__ import annotations

import pytest

from benchmarks.harness import as_report, meets
from benchmarks.soak import measured, report
from benchmarks.soak_bots import BAD, Habit, habits

pytestmark = pytest.mark.slow


def test_a_share_of_the_bots_misbehaves_in_every_way_there_is() -> None:
    mixed = habits(100, 0.3)
    assert len(mixed) == 100
    assert mixed.count(Habit.GOOD) == 70
    assert set(mixed) == {Habit.GOOD, *BAD}


def test_a_short_soak_tells_one_story() -> None:
    run = measured(6, 2.0, bad=0.4)
    assert run.decisions > 0
    assert run.stored["games finished"] > 0
    made = report(run, {}, 6)
    missed = [
        name
        for name, (value, aim) in made.ratios.items()
        if not meets(value, aim) and not name.startswith("memory")
    ]
    assert missed == []
    assert "time-outs not provoked" in as_report(made, as_json=False)
