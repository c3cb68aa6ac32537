"""Error bars over blocks, against cases worked by hand and published tables."""

from __future__ import annotations

import random
from math import sqrt

import pytest

from euchre_sdk.intervals import BlockSums, t_probability, t_quantile


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (5, 2.571),
        (10, 2.228),
        (30, 2.042),
        (120, 1.98),
        (500, 1.965),
        (501, 1.965),
        (100000, 1.96),
    ],
)
def test_quantiles_are_those_of_the_printed_table(degrees: int, quantile: float) -> None:
    assert t_quantile(0.975, degrees) == pytest.approx(quantile, abs=6e-4)


@pytest.mark.parametrize("degrees", [1, 2, 7, 100, 500, 501, 5000])
def test_the_distribution_is_symmetric_and_rises(degrees: int) -> None:
    steps = [t_probability(t / 4, degrees) for t in range(-20, 21)]
    assert steps == sorted(steps)
    assert steps[20] == pytest.approx(0.5)
    assert steps[5] + steps[-6] == pytest.approx(1)


def test_the_exact_and_the_approximate_distribution_meet() -> None:
    for t in (-3.0, -1.0, 0.5, 2.0, 4.0):
        assert t_probability(t, 500) == pytest.approx(t_probability(t, 501), abs=1e-5)


def sums_of(blocks: list[tuple[list[int], int]]) -> BlockSums:
    sums = BlockSums()
    for amounts, size in blocks:
        sums.add(amounts, size)
    return sums


def test_a_case_worked_by_hand() -> None:
    # Four blocks of ten hands. First bot: 8 10 12 14, mean 11 a block, variance 20/3.
    sums = sums_of([([8, 1, 0], 10), ([10, 2, 0], 10), ([12, 1, 0], 10), ([14, 2, 0], 10)])
    assert sums.mean(0) == pytest.approx(1.1)
    standard_error = sqrt(20 / 3 / 4) / 10
    assert sums.error(0) == pytest.approx(3.18245 * standard_error, abs=1e-5)
    # Differences to the second: 7 8 11 12, mean 9.5, variance 17/3; t = 9.5 / sqrt(17/3/4).
    t = 9.5 / sqrt(17 / 3 / 4)
    assert sums.superiority(0, 1) == pytest.approx(t_probability(t, 3))
    assert sums.superiority(1, 0) == pytest.approx(1 - t_probability(t, 3))


def test_blocks_of_unequal_size_weigh_by_their_size() -> None:
    # 10 of 10 and 5 of 20: 15 of 30. Residuals 10 − 5 and 5 − 10; s² = 50, error of the mean
    # sqrt(2 · 50) / 30 = 1/3.
    sums = sums_of([([10, 0, 0], 10), ([5, 0, 0], 20)])
    assert sums.mean(0) == pytest.approx(0.5)
    assert sums.error(0) == pytest.approx(12.7062 / 3, abs=1e-3)


def test_one_block_has_no_interval() -> None:
    sums = sums_of([([10, 0, 0], 10)])
    assert sums.mean(0) == 1
    assert sums.error(0) is None
    assert sums.superiority(0, 1) is None


def test_blocks_that_do_not_vary_say_nothing_about_superiority() -> None:
    sums = sums_of([([3, 1, 2], 6)] * 5)
    assert sums.error(0) == 0
    assert sums.superiority(0, 1) is None


def test_no_size_has_no_mean() -> None:
    assert BlockSums().mean(0) is None
    assert sums_of([([0, 0, 0], 0)] * 2).error(1) is None


def test_the_order_of_blocks_does_not_matter() -> None:
    rng = random.Random(5)
    blocks = [([rng.randrange(90) for _ in range(3)], rng.randrange(50, 70)) for _ in range(60)]
    forth, back = sums_of(blocks), sums_of(blocks[::-1])
    assert [forth.error(bot) for bot in range(3)] == [back.error(bot) for bot in range(3)]


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(11)
    inside = 0
    for _ in range(1000):
        sums = BlockSums()
        for _ in range(8):
            sums.add([sum(rng.random() < 0.3 for _ in range(40)), 0, 0], 40)
        mean, error = sums.mean(0), sums.error(0)
        assert mean is not None
        assert error is not None
        inside += abs(mean - 0.3) <= error
    assert 0.93 <= inside / 1000 <= 0.97
