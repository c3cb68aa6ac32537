"""The limits of a tournament are such that games can be played and counted under them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from arena.referee import Conduct, TimeControl
from euchre_sdk.game.rules import MAX_VALUE


@pytest.mark.parametrize("name", ["bank", "increment", "allowance", "allowance_in_all"])
@pytest.mark.parametrize("time", [timedelta(microseconds=-1), timedelta(days=1, microseconds=1)])
def test_times_that_are_negative_or_longer_than_a_day_are_refused(
    name: str, time: timedelta
) -> None:
    values: dict[str, Any] = {name: time}
    with pytest.raises(ValueError, match=f"{name} is .*: it must not be negative, at most a day"):
        TimeControl(**values)


def test_the_longest_times_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="at most a day"):
        TimeControl(bank=timedelta.max, increment=timedelta.max)


@pytest.mark.parametrize("name", ["faults", "fault_hands"])
@pytest.mark.parametrize("number", [0, 1001, 2**32 - 1])
def test_numbers_of_faults_that_mean_nothing_are_refused(name: str, number: int) -> None:
    values: dict[str, Any] = {name: number}
    with pytest.raises(ValueError, match=f"{name} is {number}: it must be at"):
        Conduct(**values)


def test_bots_can_be_told_the_limit_of_faults_in_the_longest_session() -> None:
    assert Conduct(faults=1000, fault_hands=1).fault_limit(MAX_VALUE) < 2**32
