"""The sequential test: bounds and ratios worked by hand, its end, and keeping it."""

from __future__ import annotations

import json
import math
import random

import pytest

from euchre_sdk.duel import Decision, Evidence, SequentialTest, SprtError, SprtState
from euchre_sdk.duel.gsprt import state_from_json


def evidence_of(values: list[float]) -> Evidence:
    evidence = Evidence()
    for value in values:
        evidence = evidence.plus(value)
    return evidence


@pytest.mark.parametrize(
    ("alpha", "beta", "lower", "upper"),
    [
        (0.05, 0.05, -2.94444, 2.94444),  # ln 19
        (0.05, 0.2, -1.55814, 2.77259),  # ln (4/19), ln 16
        (0.01, 0.1, -2.29253, 4.49981),  # ln (10/99), ln 90
    ],
)
def test_bounds_are_walds(alpha: float, beta: float, lower: float, upper: float) -> None:
    test = SequentialTest(alpha=alpha, beta=beta)
    assert test.lower == pytest.approx(lower, abs=1e-5)
    assert test.upper == pytest.approx(upper, abs=1e-5)


@pytest.mark.parametrize(
    ("values", "points0", "points1", "llr"),
    [
        # mean 0.4, variance 0.02: 2 · 0.1 · 0.35 / 0.02
        ([0.3, 0.5], 0.0, 0.1, 3.5),
        # mean 0.1, just between the hypotheses
        ([-0.4, 0.6, -0.4, 0.6], 0.0, 0.2, 0.0),
        # mean 0, variance 0.01: 3 · 0.1 · (0 - 0.05) / 0.01
        ([-0.1, 0.0, 0.1], 0.0, 0.1, -1.5),
        # mean 0.2, variance 0.12, hypotheses about -0.05: 4 · 0.3 · 0.25 / 0.12
        ([-0.1, 0.5, -0.1, 0.5], -0.2, 0.1, 2.5),
        ([0.3], 0.0, 0.1, 0.0),
        ([], 0.0, 0.1, 0.0),
    ],
)
def test_the_ratio_is_that_of_normal_values_with_the_variance_found(
    values: list[float], points0: float, points1: float, llr: float
) -> None:
    test = SequentialTest(points0=points0, points1=points1)
    assert test.llr(evidence_of(values)) == pytest.approx(llr)


def test_a_variance_below_the_floor_counts_as_the_floor() -> None:
    test = SequentialTest(points1=0.02, block_hands=60)
    assert test.floor == pytest.approx(0.01 * 3.61 / 60)
    expected = 10 * 0.02 * -0.01 / test.floor
    assert test.llr(evidence_of([0.0] * 10)) == pytest.approx(expected)


@pytest.mark.parametrize("lead", [0.0, 0.1])
def test_identical_twins_and_constant_leads_end_at_the_least_number_of_blocks(lead: float) -> None:
    state = SequentialTest().after([lead] * 100)
    assert state.decision is (Decision.STRONGER if lead else Decision.NOT_STRONGER)
    assert state.evidence.blocks == 16


def test_nothing_is_decided_before_the_least_number_of_blocks() -> None:
    state = SequentialTest(least=20).after([1.0, 1.1] * 9 + [1.0])
    assert state.llr > state.test.upper
    assert state.decision is Decision.OPEN
    assert state.plus(1.1).decision is Decision.STRONGER


def test_a_test_ends_undecided_at_its_cap() -> None:
    test = SequentialTest(points0=-0.1, points1=0.1, cap=30)
    state = test.after([0.2, -0.2] * 50)
    assert state.decision is Decision.CAP
    assert state.evidence.blocks == 30


def test_blocks_after_the_end_change_nothing() -> None:
    over = SequentialTest().after([0.5, 0.6] * 20)
    assert over.decision is Decision.STRONGER
    assert over.plus(-100.0) is over


def test_a_test_takes_no_more_blocks_than_it_needs() -> None:
    values = iter([0.0] * 100)
    SequentialTest().after(values)
    assert sum(1 for _ in values) == 84


def test_a_test_that_was_kept_at_any_block_goes_on_as_if_it_had_not_stopped() -> None:
    source = random.Random(4)
    values = [source.gauss(0.05, 0.25) for _ in range(400)]
    test = SequentialTest(cap=500)
    whole = test.after(values)
    assert 16 < whole.evidence.blocks < 400
    for stop in (0, 1, 15, 16, whole.evidence.blocks - 1, whole.evidence.blocks):
        kept = json.loads(json.dumps(test.after(values[:stop]).to_json()))
        state = state_from_json(kept)
        for value in values[stop:]:
            state = state.plus(value)
        assert state == whole


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"points1": -0.1}, "the lead of H1 (-0.1 points a hand) must be above that of H0 (0)"),
        ({"points0": 0.1, "points1": 0.1}, "must be above that of H0 (0.1)"),
        ({"points1": math.nan}, "are no numbers"),
        ({"alpha": 0.0}, "alpha must be above 0 and at most 0.4, not 0"),
        ({"beta": 0.5}, "beta must be above 0 and at most 0.4, not 0.5"),
        ({"cap": 15}, "the cap must be at least 16 blocks, not 15"),
        ({"least": 1}, "two blocks at least, not 1"),
        ({"block_hands": 0}, "a block has a hand at least, not 0"),
        ({"alpha": 1.0, "cap": 2}, "alpha must be above 0 and at most 0.4, not 1; the cap must be"),
    ],
)
def test_tests_that_cannot_be_are_refused_with_all_that_is_wrong(
    settings: dict[str, float], sentence: str
) -> None:
    with pytest.raises(SprtError) as refused:
        SequentialTest(**settings)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_block_without_a_value_is_refused(value: float) -> None:
    with pytest.raises(SprtError, match="a block's value is a number"):
        SequentialTest().start().plus(value)


@pytest.mark.parametrize(
    "change",
    [{"blocks": -1}, {"blocks": 1.5}, {"mean": "0"}, {"scatter": -1.0}, {"alpha": None}],
)
def test_a_state_that_was_never_kept_is_refused(change: dict[str, object]) -> None:
    kept = SequentialTest().after([0.1, 0.2]).to_json()
    assert isinstance(state_from_json(kept), SprtState)
    with pytest.raises(SprtError, match="no kept test"):
        state_from_json({**kept, **change})
    with pytest.raises(SprtError, match="no kept test: 'mean'"):
        state_from_json({name: value for name, value in kept.items() if name != "mean"})


def test_the_deviation_of_blocks_is_that_of_a_sample() -> None:
    evidence = evidence_of([0.1, 0.2, 0.6])
    assert evidence.mean == pytest.approx(0.3)
    assert evidence.deviation == pytest.approx(math.sqrt((0.04 + 0.01 + 0.09) / 2))
