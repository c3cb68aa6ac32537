"""Estimates after one more block are those of the full fit, to a tenth of an Elo."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings.columns import GameColumns, SessionColumns
from arena.ratings.elo import ELO_PER_LOGIT, ELO_PER_POINT
from arena.ratings.linear import SessionBlocks, SessionPrior
from arena.ratings.live import Change, LiveFit
from arena.ratings.newton import fit
from arena.ratings.plackett_luce import GameBlocks, GamePrior
from arena.ratings.simulation import simulate_games, simulate_sessions

ENTRIES, BLOCKS, NEW = 30, 600, 20


def of_blocks(columns, kept):
    rows = np.isin(columns.block, kept)
    fields = {}
    for name in type(columns).__slots__:
        value = getattr(columns, name)
        per_row = isinstance(value, np.ndarray) and len(value) == len(columns.block)
        fields[name] = value[rows] if per_row else value
    return type(columns)(**fields)


def simulated(model):
    random = np.random.default_rng(5)
    trios = np.stack([random.permutation(ENTRIES)[:3] for _ in range(BLOCKS)])
    if model == "sessions":
        return simulate_sessions(trios, random.normal(0, 0.2, ENTRIES), seed=1)
    return simulate_games(trios, random.normal(0, 0.7, ENTRIES), seed=1, ties=(0.02, 0.3, 0.01))


def full(columns):
    if isinstance(columns, SessionColumns):
        blocks = SessionBlocks.of(columns)
        start = np.zeros(2 * ENTRIES + 3)
        return fit(blocks, SessionPrior(ENTRIES), start), ELO_PER_POINT, ()
    assert isinstance(columns, GameColumns)
    games = GameBlocks.of(columns)
    return fit(games, GamePrior(ENTRIES), games.start(ENTRIES)), ELO_PER_LOGIT, games.kinds


def blocks_of(columns, kinds):
    if isinstance(columns, SessionColumns):
        return SessionBlocks.of(columns)
    return GameBlocks.of(columns, kinds=kinds)


def elo(parameters, scale):
    strength = parameters[:ENTRIES]
    return scale * (strength - strength.mean())


@pytest.mark.parametrize("model", ["sessions", "games"])
def test_after_one_block_and_after_many_it_is_the_full_fit(model):
    columns = simulated(model)
    before, scale, kinds = full(of_blocks(columns, np.arange(BLOCKS - NEW)))
    live = LiveFit.of(before)
    truth = before
    for number in range(BLOCKS - NEW, BLOCKS):
        live = live.after(blocks_of(of_blocks(columns, [number]), kinds))
        truth = full(of_blocks(columns, np.arange(number + 1)))[0]
        error = np.abs(elo(live.parameters, scale) - elo(truth.parameters, scale)).max()
        assert error < 0.1
    moved = np.abs(elo(truth.parameters, scale) - elo(before.parameters, scale)).max()
    assert moved > 5.0
    variance, true = np.diag(live.inverse)[:ENTRIES], np.diag(truth.inverse)[:ENTRIES]
    assert np.allclose(variance, true, rtol=0.01)


@pytest.mark.parametrize("model", ["sessions", "games"])
def test_a_block_that_is_taken_away_leaves_no_trace(model):
    columns = simulated(model)
    everything, scale, kinds = full(columns)
    less = full(of_blocks(columns, np.arange(1, BLOCKS)))[0]
    live = LiveFit.of(everything).after(
        blocks_of(of_blocks(columns, [0]), kinds), Change.TAKEN_AWAY
    )
    assert np.abs(elo(live.parameters, scale) - elo(less.parameters, scale)).max() < 0.1


def test_the_order_in_which_blocks_come_matters_to_nobody():
    columns = simulated("sessions")
    before, scale, kinds = full(of_blocks(columns, np.arange(BLOCKS - NEW)))
    new = np.arange(BLOCKS - NEW, BLOCKS)
    there, back = LiveFit.of(before), LiveFit.of(before)
    for number, other in zip(new, new[::-1], strict=True):
        there = there.after(blocks_of(of_blocks(columns, [number]), kinds))
        back = back.after(blocks_of(of_blocks(columns, [other]), kinds))
    assert np.allclose(elo(there.parameters, scale), elo(back.parameters, scale), atol=1e-6)


def test_a_kind_of_tie_that_the_fit_has_no_parameter_for_asks_for_a_full_fit():
    columns = simulated("games")
    with pytest.raises(ValueError, match="no parameter"):
        GameBlocks.of(columns, kinds=())
