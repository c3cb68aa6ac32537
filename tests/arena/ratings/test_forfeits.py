"""The rule for games against the formula written out (sessions: see test_rank)."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from math import exp, log

import numpy as np
import pytest
from scipy import optimize

from arena.ratings.forfeits import in_games
from arena.ratings.newton import fit
from arena.ratings.plackett_luce import GameBlocks, GamePrior
from arena.ratings.simulation import simulate_games


def probability_of_last(own, first, second):
    """Plackett-Luce without ties, the orders written out."""
    alpha = [exp(own), exp(first), exp(second)]
    return sum(
        alpha[a] / sum(alpha) * alpha[b] / (alpha[b] + alpha[c])
        for a, b, c in permutations(range(3))
        if c == 0
    )


def test_the_offender_goes_where_its_rated_games_and_being_last_agree_best():
    trios = np.array([[0, 1, 2], [1, 2, 3], [3, 0, 1], [2, 0, 3]] * 4)
    columns = simulate_games(trios, np.zeros(4), seed=2, ties=(0.0, 0.3, 0.0))
    blocks, prior = GameBlocks.of(columns), GamePrior(4)
    found = fit(blocks, prior, np.zeros(4 + blocks.ties), common=blocks.ties).parameters
    seats = np.array([[0, 1, 2], [3, 1, 0], [1, 2, 0]])
    forfeited = np.array([[0, 1, 0], [0, 1, 0], [1, 0, 1]], dtype=bool)
    result = in_games(found, blocks, prior, 4, seats, forfeited)

    def loss(own, offender, tables):
        moved = found.copy()
        moved[offender] = own
        behind = sum(log(probability_of_last(own, *found[list(pair)])) for pair in tables)
        return -blocks.slope(moved)[0] - prior.at(moved)[0] - behind

    # Entry 1 forfeited three games, the last together with entry 0: there both are behind 2 only.
    def loss_of_1(own):
        return loss(own, 1, [(0, 2), (3, 0)]) - log(1 / (1 + exp(own - found[2])))

    def loss_of_0(own):
        return loss(own, 0, []) - log(1 / (1 + exp(own - found[2])))

    assert result.strength[1] == pytest.approx(optimize.minimize_scalar(loss_of_1).x, abs=1e-5)
    assert result.strength[0] == pytest.approx(optimize.minimize_scalar(loss_of_0).x, abs=1e-5)
    assert result.strength[1] < found[1]
    assert result.strength[2:].tolist() == found[2:4].tolist()
    assert result.factor[2:].tolist() == [1.0, 1.0]


def test_the_factor_is_how_far_the_result_follows_the_rated_games():
    """Shift what the rated games say by a little: the result shifts by the factor times that."""
    trios = np.array([[0, 1, 2]] * 40)
    columns = simulate_games(trios, np.zeros(3), seed=2)
    blocks = GameBlocks.of(columns)
    found = fit(blocks, GamePrior(3), np.zeros(3), common=0).parameters
    seats, forfeited = np.array([[0, 1, 2]] * 30), np.array([[True, False, False]] * 30)
    result = in_games(found, blocks, GamePrior(3), 3, seats, forfeited)

    # In each block a thousandth of a first place goes from entry 1 to entry 0.
    came_out = blocks.came_out + 0.001 * np.array([[1], [-1], [0]])
    heavier = replace(blocks, came_out=came_out)
    moved = found.copy()

    def own(value):
        moved[0] = value
        return -heavier.slope(moved)[0] - GamePrior(3).at(moved)[0]

    moved[0] = optimize.minimize_scalar(own, bounds=(-1, 1), options={"xatol": 1e-10}).x
    shifted = in_games(moved, heavier, GamePrior(3), 3, seats, forfeited)
    ratio = (shifted.strength[0] - result.strength[0]) / (moved[0] - found[0])
    assert ratio == pytest.approx(result.factor[0], rel=0.01)
    assert 0.5 < ratio < 1.0
