"""The model of games against the paper's formula and against a general optimiser."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import exp, inf, log, prod

import numpy as np
import pytest
from scipy import optimize

from arena.ratings.columns import GameColumns
from arena.ratings.newton import fit, gather
from arena.ratings.plackett_luce import PRIOR_GAMES, GameBlocks, GamePrior
from arena.ratings.results import GameResult
from arena.ratings.simulation import simulate_games
from arena.ratings.square import gather_square

WEAK_ORDERS = [
    places
    for places in product((1, 2, 3), repeat=3)
    if all(place == 1 + sum(other < place for other in places) for place in places)
]
LOG_DELTA = {"first": log(0.3), "last": log(0.5), "all": log(0.2)}


def probability(places, theta):
    """Turner et al. 2020 written out, with a delta for ties for first, for last, and of all."""

    def weight(chosen, alternatives):
        if len(chosen) == 1:
            delta = 1.0
        elif len(chosen) == 3:
            delta = exp(LOG_DELTA["all"])
        else:
            delta = exp(LOG_DELTA["first" if len(alternatives) == 3 else "last"])
        return delta * prod(exp(theta[i]) for i in chosen) ** (1 / len(chosen))

    chance, left = 1.0, [0, 1, 2]
    while len(left) > 1:
        best = min(places[i] for i in left)
        chosen = [i for i in left if places[i] == best]
        everything = [set_ for size in range(1, len(left) + 1) for set_ in combinations(left, size)]
        chance *= weight(chosen, left) / sum(weight(set_, left) for set_ in everything)
        left = [i for i in left if i not in chosen]
    return chance


def games(outcomes, seats=("a", "b", "c")):
    return GameColumns.of(
        GameResult(block_id=f"b{i:02d}", seats=seats, hands=10, points=(0, 0, 0), places=places)
        for i, places in enumerate(outcomes)
    )


def index_of(blocks, entries):
    """Return which parameters each block touches."""
    ties = np.broadcast_to(
        entries + np.arange(blocks.ties)[:, None], (blocks.ties, len(blocks.numbers))
    )
    return np.vstack([blocks.trio, ties])


def test_there_are_thirteen_ways_to_end():
    assert len(WEAK_ORDERS) == 13
    assert sum(probability(places, (0.3, -0.2, 0.7)) for places in WEAK_ORDERS) == pytest.approx(1)


@pytest.mark.parametrize("third", [-1.0, 0.2, 2.0])
@pytest.mark.parametrize("ties_for_first", [0.0, 0.3])
def test_odds_of_being_ahead_are_the_strengths_alone_while_nobody_ties_for_first(
    monkeypatch, third, ties_for_first
):
    monkeypatch.setitem(LOG_DELTA, "first", log(ties_for_first) if ties_for_first else -inf)
    theta = (0.7, 0.0, third)
    ahead = sum(probability(places, theta) for places in WEAK_ORDERS if places[0] < places[1])
    behind = sum(probability(places, theta) for places in WEAK_ORDERS if places[0] > places[1])
    if ties_for_first:
        assert 1.0 < ahead / behind < exp(0.7) - 0.01
    else:
        assert ahead / behind == pytest.approx(exp(0.7))


@pytest.mark.parametrize("places", WEAK_ORDERS, ids=lambda places: "".join(map(str, places)))
def test_the_probability_of_each_ending_is_that_of_the_paper(places):
    blocks = GameBlocks.of(games(WEAK_ORDERS))
    theta = np.array([0.3, -0.2, 0.7])
    parameters = np.concatenate([theta, list(LOG_DELTA.values())])
    row = WEAK_ORDERS.index(places)
    value, _ = blocks.some(np.array([row])).slope(parameters)
    assert exp(value) == pytest.approx(probability(places, theta))


@pytest.mark.parametrize("ties", [(0.0, 0.0, 0.0), (0.0, 0.4, 0.0), (0.2, 0.4, 0.1)])
def test_derivatives_are_those_of_the_value(ties):
    trios = np.array([[0, 1, 2], [1, 2, 3], [3, 0, 1], [2, 0, 3]])
    blocks = GameBlocks.of(simulate_games(trios, np.zeros(4), seed=3, ties=ties, games=6))
    point = np.linspace(-0.5, 0.6, 4 + blocks.ties)
    size, step = len(point), 1e-5
    index = index_of(blocks, 4)
    slope = gather(index, blocks.slope(point)[1], size)
    bend = gather_square(index, blocks.information(point), size)
    for i in range(size):
        (up, up_score), (down, down_score) = (
            blocks.slope(point + sign * step * np.eye(size)[i]) for sign in (1, -1)
        )
        assert slope[i] == pytest.approx((up - down) / (2 * step), abs=1e-6)
        change = gather(index, down_score - up_score, size)
        assert bend[i] == pytest.approx(change / (2 * step), abs=1e-6)


@pytest.mark.parametrize("ties", [(0.0, 0.0, 0.0), (0.15, 0.4, 0.1)])
def test_the_fit_is_where_a_general_optimiser_ends(ties):
    trios = np.array([[0, 1, 2], [1, 2, 3], [3, 0, 1], [2, 0, 3]] * 5)
    strength = np.array([0.5, 0.0, -0.7, 0.2])
    blocks = GameBlocks.of(simulate_games(trios, strength, seed=5, ties=ties))
    prior = GamePrior(4)
    found = fit(blocks, prior, np.zeros(4 + blocks.ties), common=blocks.ties)

    def loss(parameters):
        return -blocks.slope(parameters)[0] - prior.at(parameters)[0]

    other = optimize.minimize(
        loss,
        np.zeros(4 + blocks.ties),
        method="Nelder-Mead",
        options={
            "xatol": 1e-9,
            "fatol": 1e-12,
            "maxiter": 20_000,
            "maxfev": 20_000,
            "adaptive": True,
        },
    )
    assert found.parameters == pytest.approx(other.x, abs=1e-5)


def test_the_prior_is_half_a_game_won_and_half_a_game_lost_against_the_mean():
    """PlackettLuce 0.4, argument npseudo: log s(theta) + log s(-theta), each half."""
    theta = 0.8
    value, slope, _ = GamePrior(1).at(np.array([theta]))
    ahead = 1 / (1 + exp(-theta))
    assert value == pytest.approx(PRIOR_GAMES * (log(ahead) + log(1 - ahead)))
    assert slope[0] == pytest.approx(PRIOR_GAMES * ((1 - ahead) - ahead))


def test_one_bot_that_wins_three_games_of_four_by_hand():
    """Only who is first matters if the other two always tie: then theta - others is log 6.

    Three firsts of four at a table of three, no prior: p = alpha / (alpha + 2) = 3/4, alpha = 6
    for others at 1. A thousand-fold count makes the prior vanish.
    """
    outcomes = [(1, 2, 2)] * 6 + [(2, 1, 2), (2, 2, 1)]
    blocks = GameBlocks.of(games(outcomes))
    many = replace(
        blocks,
        came_out=blocks.came_out * 1e5,
        stages=tuple(replace(stage, total=stage.total * 1e5) for stage in blocks.stages),
    )
    start = np.zeros(3 + blocks.ties)
    theta = fit(many, GamePrior(3), start, common=blocks.ties).parameters
    assert theta[0] - theta[1] == pytest.approx(log(6), abs=1e-3)
    assert theta[1] == pytest.approx(theta[2])
