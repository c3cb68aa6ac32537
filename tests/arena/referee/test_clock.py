"""One seat's clock: what a decision costs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee import TimeControl
from arena.referee.clock import Clock, nanos

MS = 1_000_000
CONTROL = TimeControl(
    bank=timedelta(seconds=1),
    increment=timedelta(milliseconds=100),
    limit=timedelta(milliseconds=500),
    allowance=timedelta(milliseconds=20),
    allowance_in_all=timedelta(milliseconds=50),
)


@pytest.mark.parametrize(
    ("spent_ms", "bank_ms", "allowance_ms"),
    [
        pytest.param([10], 1000, 40, id="within the allowance"),
        pytest.param([100], 1000, 30, id="within the increment"),
        pytest.param([120], 1000, 30, id="increment and allowance, to the hair"),
        pytest.param([121], 999, 30, id="the bank pays what is beyond"),
        pytest.param([120, 120, 120], 990, 0, id="the allowance runs out"),
        pytest.param([400, 400, 400, 400], 0, 0, id="the bank is never negative"),
    ],
)
def test_a_decision_costs(spent_ms: list[int], bank_ms: int, allowance_ms: int) -> None:
    clock = Clock(CONTROL)
    for spent in spent_ms:
        clock.charge(spent * MS)
    assert (clock.bank_us, clock.allowance_us) == (bank_ms * 1000, allowance_ms * 1000)
    assert clock.bank == timedelta(milliseconds=bank_ms)


@pytest.mark.parametrize(
    ("bank_ms", "limit_ms", "budget_ms"),
    [
        pytest.param(1000, 500, 520, id="the limit binds while the bank is full"),
        pytest.param(150, 250, 270, id="increment and bank bind when it is low"),
        pytest.param(0, 100, 120, id="an empty bank leaves the increment"),
    ],
)
def test_a_decision_may_take(bank_ms: int, limit_ms: int, budget_ms: int) -> None:
    clock = Clock(CONTROL)
    clock.set_back(bank_ms * 1000, 50_000)
    assert clock.limit == timedelta(milliseconds=limit_ms)
    assert clock.budget == budget_ms * MS


@given(st.lists(st.integers(0, 10**9), max_size=30))
def test_a_clock_never_gains_and_never_goes_below_zero(spent: list[int]) -> None:
    clock = Clock(CONTROL)
    for one in spent:
        before = clock.bank_us, clock.allowance_us
        clock.charge(min(one, clock.budget))
        assert 0 <= clock.bank_us <= before[0]
        assert 0 <= clock.allowance_us <= before[1]
        assert clock.limit >= timedelta(milliseconds=100)


def test_nanoseconds_of_a_day_are_exact() -> None:
    assert nanos(timedelta(days=1, microseconds=1)) == 86_400 * 10**9 + 1_000
