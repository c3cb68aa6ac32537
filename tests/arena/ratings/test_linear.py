"""The model of sessions against least squares written out hand by hand."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings.columns import SessionColumns
from arena.ratings.linear import (
    HAND_VARIANCE,
    NEIGHBOUR_DEVIATION,
    SessionBlocks,
    fit_sessions,
    strength_precision,
)
from arena.ratings.results import SessionResult


def rows_of_one_hand(seats, dealer, n):
    """Return the explanatory values of the three seats, by the formula of the module."""
    rows = np.zeros((3, 2 * n + 3))
    for seat in range(3):
        own, left, right = seats[seat], seats[(seat + 1) % 3], seats[(seat + 2) % 3]
        rows[seat, own] += 1.0
        rows[seat, [left, right]] -= 0.5
        rows[seat, n + (seat - dealer - 1) % 3] += 1.0
        rows[seat, n + 3 + left] += 1.0
        rows[seat, n + 3 + right] -= 1.0
    return rows


def precision_of(n):
    """Return the precision of every parameter's prior."""
    ridge = HAND_VARIANCE / NEIGHBOUR_DEVIATION**2
    return np.repeat([strength_precision(), 1e-6, ridge], [n, 3, n])


def points_of(seed):
    return tuple(np.random.default_rng(seed).integers(0, 3, 3).tolist())


def random_sessions(seed, names="abcde", blocks=12):
    """Sessions of uneven length, some without a mirror: the worst case for the equations."""
    random = np.random.default_rng(seed)
    hands = []
    for block in range(blocks):
        trio = random.permutation(len(names))[:3]
        for seats in (trio, trio[::-1])[: 1 + block % 2]:
            for number in range(random.integers(1, 20)):
                points = tuple(random.integers(0, 3, 3).tolist())
                hands.append((block, tuple(seats.tolist()), number % 3, points))
    return hands


def columns_of(hands, names="abcde"):
    sessions: dict[tuple[int, tuple[int, ...]], list[tuple[int, tuple[int, int, int]]]] = {}
    for block, seats, dealer, points in hands:
        sessions.setdefault((block, seats), []).append((dealer, points))
    return SessionColumns.of(
        SessionResult.of_hands(
            block_id=f"b{block}",
            seats=tuple(names[seat] for seat in seats),
            scheduled=len(played),
            hands=played,
            places=(1, 2, 3),
        )
        for (block, seats), played in sessions.items()
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_fit_is_least_squares_over_hands(seed):
    hands = random_sessions(seed)
    design = np.concatenate([rows_of_one_hand(seats, dealer, 5) for _, seats, dealer, _ in hands])
    response = np.array([points for *_, points in hands], dtype=float).ravel()
    information = design.T @ design + np.diag(precision_of(5))
    found = fit_sessions(SessionBlocks.of(columns_of(hands)), 5)
    expected = np.linalg.solve(information, design.T @ response)
    assert found.parameters == pytest.approx(expected, abs=1e-10)
    assert found.inverse == pytest.approx(np.linalg.inv(information)[:8, :8], abs=1e-10)


def test_where_all_blocks_are_whole_lambdas_bear_on_nothing_and_are_left_out():
    hands = [
        (block, seats, number % 3, points_of(number + block))
        for block, trio in enumerate([(0, 1, 2), (2, 3, 4), (4, 0, 3), (1, 2, 4)])
        for seats in (trio, trio[::-1])
        for number in range(30)
    ]
    design = np.concatenate([rows_of_one_hand(s, d, 5) for _, s, d, _ in hands])
    response = np.array([points for *_, points in hands], dtype=float).ravel()
    information = design.T @ design + np.diag(precision_of(5))
    expected = np.linalg.solve(information, design.T @ response)
    blocks = SessionBlocks.of(columns_of(hands))
    found = fit_sessions(blocks, 5)
    assert not blocks.entangled
    assert found.parameters == pytest.approx(expected[:8], abs=1e-10)
    assert found.inverse == pytest.approx(np.linalg.inv(information)[:8, :8], abs=1e-10)


def test_one_block_by_hand():
    """a, b, c make 2, 1, 0 points in every hand of two mirrored sessions of 30 hands.

    Least squares: 1.5 times a difference of thetas is a difference of points, so 2/3, 0, -2/3.
    The information on such differences is 2.25 a hand, the prior's 1.5 for each of 3 hands:
    shrunk by 135 / (135 + 4.5). The mean points of every position are 1.
    """
    hands = [
        (0, seats, number % 3, tuple(2 - entry for entry in seats))
        for seats in ((0, 1, 2), (2, 1, 0))
        for number in range(30)
    ]
    found = fit_sessions(SessionBlocks.of(columns_of(hands, "abc")), 3)
    shrink = 135.0 / 139.5
    expected = [2 / 3 * shrink, 0, -2 / 3 * shrink, 1, 1, 1]
    assert found.parameters == pytest.approx(expected, abs=1e-6)


def test_neighbours_bear_on_no_strength_under_mirrors():
    """b makes the one behind it a point richer in every hand, and the one before it poorer."""
    hands = []
    for seats in ((0, 1, 2), (2, 1, 0)):
        b = seats.index(1)
        points = [1.0, 1.0, 1.0]
        points[(b + 2) % 3] += 1
        points[(b + 1) % 3] -= 1
        hands += [(0, seats, number % 3, tuple(int(p) for p in points)) for number in range(3000)]
    found = fit_sessions(SessionBlocks.of(columns_of(hands, "abc")), 3)
    assert found.parameters[:3] == pytest.approx([0, 0, 0], abs=1e-9)


def test_neighbours_are_told_from_strength_where_a_mirror_is_missing():
    """As above, and one more block without its mirror."""
    hands = []
    for block, seats, many in ((0, (0, 1, 2), 3000), (0, (2, 1, 0), 3000), (1, (0, 1, 2), 60)):
        b = seats.index(1)
        points = [1, 1, 1]
        points[(b + 2) % 3] += 1
        points[(b + 1) % 3] -= 1
        hands += [(block, seats, number % 3, tuple(points)) for number in range(many)]
    found = fit_sessions(SessionBlocks.of(columns_of(hands, "abc")), 3)
    theta, gift = found.parameters[:3], found.parameters[6:]
    assert theta == pytest.approx([0, 0, 0], abs=1e-3)
    # lambda is (-1/3, 2/3, -1/3) before the ridge, whose information is compared with 3 a hand.
    shrink = 18_180 / (18_180 + HAND_VARIANCE / NEIGHBOUR_DEVIATION**2)
    assert gift == pytest.approx(np.array([-1, 2, -1]) / 3 * shrink, abs=1e-3)


def test_entries_without_a_hand_stay_at_the_mean():
    columns = SessionColumns.of([], entries=["a", "b", "c"])
    found = fit_sessions(SessionBlocks.of(columns), 3)
    assert found.parameters == pytest.approx(np.zeros(6))
