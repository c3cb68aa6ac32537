"""Leads in points a hand and as Elo."""

from __future__ import annotations

import importlib

import pytest

from euchre_sdk.duel import Effect, Evidence, elo_of_points, points_of_elo
from euchre_sdk.duel.effect import ELO_PER_POINT


def test_the_interval_is_students_over_blocks() -> None:
    evidence = Evidence()
    for value in (0.1, 0.2, 0.6):
        evidence = evidence.plus(value)
    effect = Effect.of(evidence)
    # t(0.975, 2) = 4.303; deviation 0.26458 / sqrt 3
    assert effect.points_error == pytest.approx(4.303 * 0.26458 / 3**0.5, rel=1e-3)
    assert effect.elo == pytest.approx(530 * 0.3)
    assert effect.elo_error == pytest.approx(530 * 4.303 * 0.26458 / 3**0.5, rel=1e-3)
    assert effect.deviations == pytest.approx(0.3 / 0.26458, rel=1e-3)


@pytest.mark.parametrize("values", [(), (0.5,)])
def test_too_few_blocks_have_no_interval(values: tuple[float, ...]) -> None:
    evidence = Evidence()
    for value in values:
        evidence = evidence.plus(value)
    assert Effect.of(evidence).points_error is None
    assert Effect.of(evidence).elo_error is None


def test_elo_and_points_are_each_others_inverse() -> None:
    assert points_of_elo(elo_of_points(0.07)) == pytest.approx(0.07)


@pytest.mark.cli
def test_sdk_and_arena_agree_on_the_map_from_points_to_elo() -> None:
    elo = importlib.import_module("arena.ratings.elo")

    assert elo.ELO_PER_POINT == ELO_PER_POINT
