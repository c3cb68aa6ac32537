"""The correction: it favours nobody, knows nothing of a hand's own result, and saves hands."""

from __future__ import annotations

import numpy as np
import pytest

from arena.luck import BaselineKind, HandsPlayed, LuckError, PlayedSession, correct, without_luck
from arena.luck.correction import LEAST_HANDS

BLOCKS, HANDS = 40, 60


def field(
    *, luck: float = 1.0, noise: float = 1.0, seed: int = 1, skill: float = 0.3
) -> HandsPlayed:
    """Return hands whose points are cards, skill of the position's owner, and chance."""
    random = np.random.default_rng(seed)
    n = BLOCKS * HANDS
    terms = random.normal(0.0, 1.0, (n, 2, 3)).astype(np.float32)
    points = luck * (terms[:, 0] - 0.5 * terms[:, 1]) + random.normal(0.8, noise, (n, 3))
    points = points + skill * np.array([1.0, 0.0, -1.0])
    return HandsPlayed(block=np.arange(n) // HANDS, points=points, terms=terms)


def test_points_without_luck_have_the_means_of_the_raw_ones() -> None:
    played = field()
    corrected = correct(played)
    np.testing.assert_allclose(corrected.points.mean(0), played.points.mean(0), atol=0.01)
    assert corrected.points.var() < 0.55 * played.points.var()


def test_no_result_has_a_part_in_its_own_correction() -> None:
    played = field()
    before = correct(played)
    points = played.points.copy()
    points[played.block == 7] += np.random.default_rng(2).normal(0.0, 50.0, (HANDS, 3))
    after = correct(HandsPlayed(block=played.block, points=points, terms=played.terms))
    np.testing.assert_allclose(after.coefficients[7], before.coefficients[7], atol=1e-9)
    others = np.arange(BLOCKS) != 7
    assert (
        (np.abs(after.coefficients[others] - before.coefficients[others]) > 1e-3).any((1, 2)).all()
    )
    own = played.block == 7
    taken, taken_before = points - after.points, played.points - before.points
    np.testing.assert_allclose(taken[own], taken_before[own], atol=1e-9)


def test_coefficients_are_those_of_least_squares_over_the_other_blocks() -> None:
    played = field()
    x = played.terms.reshape(len(played.block), -1).astype(float)
    there = played.block != 3
    design = np.hstack([np.ones((there.sum(), 1)), x[there]])
    plain = np.linalg.lstsq(design, played.points[there], rcond=None)[0][1:]
    np.testing.assert_allclose(correct(played).coefficients[3], plain, atol=0.03)


def test_useless_baselines_do_no_harm() -> None:
    played = field(luck=0.0)
    assert correct(played).points.var() < 1.01 * played.points.var()


def test_the_order_of_hands_and_the_names_of_blocks_mean_nothing() -> None:
    played = field()
    shuffled = np.random.default_rng(3).permutation(len(played.block))
    other = HandsPlayed(
        block=(BLOCKS - 1 - played.block)[shuffled],
        points=played.points[shuffled],
        terms=played.terms[shuffled],
    )
    np.testing.assert_allclose(correct(other).points, correct(played).points[shuffled], atol=1e-9)


def test_where_too_little_is_known_nothing_is_changed() -> None:
    played = field()
    few = played.block < 1 + LEAST_HANDS // HANDS  # the other block has fewer than it takes
    some = HandsPlayed(block=played.block[few], points=played.points[few], terms=played.terms[few])
    assert np.array_equal(correct(some).points, some.points)
    assert not correct(some).coefficients.any()


def test_a_baseline_that_never_varies_gets_no_coefficient() -> None:
    played = field()
    terms = played.terms.copy()
    terms[:, 1] = 4.0
    corrected = correct(HandsPlayed(block=played.block, points=played.points, terms=terms))
    assert np.isfinite(corrected.points).all()
    assert not corrected.coefficients[:, 3:].any()


def bias(played: HandsPlayed, favoured: np.ndarray) -> float:
    """Return how far the correction moves the favoured hands' first position, in errors."""
    moved = (correct(played).points - played.points)[favoured, 0]
    return float(abs(moved.mean()) / (moved.std() / np.sqrt(len(moved))))


def test_a_baseline_that_knows_who_played_is_caught_by_its_bias() -> None:
    """One bot is stronger: what depends on its play takes its strength off."""
    random = np.random.default_rng(5)
    honest = field()
    strong = random.random(len(honest.block)) < 0.5
    points = honest.points + np.where(strong[:, None], [0.5, -0.25, -0.25], 0.0)
    same = HandsPlayed(block=honest.block, points=points, terms=honest.terms)
    assert bias(same, strong) < 4
    terms = honest.terms.copy()
    terms[strong, 0, 0] += 0.5  # as if it were worth more in its hands
    assert bias(HandsPlayed(block=honest.block, points=points, terms=terms), strong) > 6


def test_hands_that_do_not_fit_are_refused() -> None:
    played = field()
    with pytest.raises(LuckError, match="are not those of"):
        HandsPlayed(block=played.block, points=played.points[:5], terms=played.terms)
    with pytest.raises(LuckError, match="negative number"):
        HandsPlayed(block=played.block - 1, points=played.points, terms=played.terms)


def sessions(count: int, kinds: tuple[BaselineKind, ...], *, seed: int = 1) -> list[PlayedSession]:
    """Return sessions in which the value of the deal is most of what happens."""
    random = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        dealers = np.arange(30) % 3
        terms = {
            kind: random.normal(0.0, 1.0, (30, kind.terms, 3)).astype(np.float32)
            for kind in BaselineKind
        }
        by_position = terms[BaselineKind.MODEL][:, 0] + random.normal(0.0, 0.3, (30, 3))
        seat = (dealers[:, None] + 1 + np.arange(3)) % 3
        points = np.zeros((30, 3))
        np.put_along_axis(points, seat, by_position, axis=1)
        made.append(
            PlayedSession(
                dealers=dealers, points=points, baselines={kind: terms[kind] for kind in kinds}
            )
        )
    return made


def raw_sums(played: list[PlayedSession]) -> np.ndarray:
    return np.array(
        [
            [
                [each.points[each.dealers == dealer, seat].sum() for dealer in range(3)]
                for seat in range(3)
            ]
            for each in played
        ]
    )


def test_sums_of_sessions_are_nearer_to_their_mean_without_luck() -> None:
    played = sessions(60, (BaselineKind.MODEL,))
    found = without_luck(played, np.arange(60) // 2)
    assert found.points.std() < 0.4 * raw_sums(played).std()
    np.testing.assert_allclose(found.points.mean(), raw_sums(played).mean(), atol=0.05)
    assert (found.hands == 30).all()
    each, whole = found.factors(np.tile([0, 1, 2], (60, 1)), 3)
    assert whole > 5
    np.testing.assert_allclose(each, whole, rtol=0.3)


def test_sessions_without_baselines_stay_as_they_are() -> None:
    played = [*sessions(40, (BaselineKind.MODEL,)), *sessions(20, (), seed=2)]
    found = without_luck(played, np.arange(60) // 2)
    np.testing.assert_allclose(found.points[40:], raw_sums(played)[40:], atol=1e-9)
    assert found.hands.tolist() == [30] * 40 + [0] * 20
    assert not np.allclose(found.points[:40], raw_sums(played)[:40])


def test_without_any_baseline_nothing_is_saved() -> None:
    played = sessions(10, ())
    found = without_luck(played, np.arange(10) // 2)
    each, whole = found.factors(np.tile([0, 1, 3], (10, 1)), 4)
    assert whole == pytest.approx(1.0)
    assert each.tolist() == pytest.approx([1.0] * 4)  # of whom entry 2 has not played


def test_a_session_without_hands_that_count_has_no_sums() -> None:
    nothing = PlayedSession(
        dealers=np.zeros(0, dtype=np.int64), points=np.zeros((0, 3)), baselines={}
    )
    found = without_luck([*sessions(8, (BaselineKind.MODEL,)), nothing], np.arange(9) // 2)
    assert not found.points[8].any()
    assert found.hands[8] == 0


def test_baselines_of_other_hands_are_refused() -> None:
    with pytest.raises(LuckError, match="accepted are"):
        PlayedSession(
            dealers=np.zeros(3, dtype=np.int64),
            points=np.zeros((3, 3)),
            baselines={BaselineKind.PLAYOUTS: np.zeros((2, 2, 3), dtype=np.float32)},
        )
