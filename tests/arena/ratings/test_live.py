"""Estimates after a few more blocks are those of the full fit, to a tenth of an Elo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.ratings import GameColumns, SessionColumns, fit_games, fit_sessions
from arena.ratings.live import ranking_after
from arena.ratings.simulation import simulate_games, simulate_sessions

KINDS = ["sessions", "games"]


def of_blocks(columns, kept):
    """Return some blocks; the entries stay."""
    rows = np.isin(columns.block, kept)
    fields = {}
    for name in type(columns).__slots__:
        value = getattr(columns, name)
        per_row = isinstance(value, np.ndarray) and len(value) == len(columns.block)
        fields[name] = value[rows] if per_row else value
    return type(columns)(**fields)


def simulated(kind, entries, blocks, seed=5):
    random = np.random.default_rng(seed)
    trios = np.stack([random.permutation(entries)[:3] for _ in range(blocks)])
    if kind == "sessions":
        return simulate_sessions(trios, random.normal(0, 0.2, entries), seed=1)
    strength = random.normal(0, 0.7, entries)
    return simulate_games(trios, strength, seed=1, ties=(0.02, 0.3, 0.01))


def fitted(columns):
    fit = fit_sessions if isinstance(columns, SessionColumns) else fit_games
    return fit(columns)


def elo_of(ranking):
    return {row.entry: row.elo for row in ranking.standings}


def largest_difference(one, other):
    there, back = elo_of(one), elo_of(other)
    assert there.keys() == back.keys()
    return max(abs(there[entry] - back[entry]) for entry in there)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("anchor", [None, "e00003"])
def test_after_one_block_and_after_many_it_is_the_full_fit(kind, anchor):
    columns, blocks, new = simulated(kind, 30, 600), 600, 20
    before = fitted(of_blocks(columns, np.arange(blocks - new)))
    was = before.ranking(anchor=anchor)
    live = truth = was
    for last in range(blocks - new, blocks):
        stepped = ranking_after(before, was, of_blocks(columns, np.arange(blocks - new, last + 1)))
        if stepped is None:
            assert kind == "games"  # the model of sessions is linear
            assert last >= blocks - new + 3
            break
        live = stepped
        truth = fitted(of_blocks(columns, np.arange(last + 1))).ranking(anchor=anchor)
        assert largest_difference(live, truth) < 0.1
    assert largest_difference(was, truth) > 2.0
    for row, true in zip(live.standings, truth.standings, strict=True):
        assert (row.entry, row.rank, row.group) == (true.entry, true.rank, true.group)
        assert (row.hands, row.blocks, row.places) == (true.hands, true.blocks, true.places)
        assert row.points_per_hand == pytest.approx(true.points_per_hand)
        assert row.elo_error == pytest.approx(true.elo_error, rel=0.2)
    compared = [each for each in live.neighbours() if each is not None]
    assert all(each.elo_diff >= 0.0 for each in compared)


@pytest.mark.parametrize("kind", KINDS)
def test_a_thousand_bots_after_one_more_block(kind):
    columns = simulated(kind, 1000, 8000)
    before = fitted(of_blocks(columns, np.arange(7999)))
    was = before.ranking()
    live = ranking_after(before, was, of_blocks(columns, [7999]))
    truth = fitted(columns).ranking()
    assert largest_difference(live, truth) < 0.1 < largest_difference(was, truth)


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_in_which_blocks_come_matters_to_nobody(kind):
    columns = simulated(kind, 30, 600)
    before = fitted(of_blocks(columns, np.arange(590)))
    new = of_blocks(columns, np.arange(590, 600))
    rows = np.random.default_rng(1).permutation(len(new.block))
    fields = {
        name: value[rows]
        for name in type(new).__slots__
        if isinstance(value := getattr(new, name), np.ndarray)
    }
    there = ranking_after(before, before.ranking(), new)
    back = ranking_after(before, before.ranking(), replace(new, **fields))
    assert largest_difference(there, back) < 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_one_step_cannot_tell_asks_for_a_full_fit(kind):
    columns = simulated(kind, 30, 600)
    before = fitted(of_blocks(columns, np.arange(599)))
    was, new = before.ranking(), of_blocks(columns, [599])
    assert ranking_after(before, was, new) is not None
    late = replace(new, entries=(*new.entries, "late"))
    assert ranking_after(before, was, late) is None
    forfeited = np.zeros(new.offenders.shape, dtype=bool)
    forfeited[0, 0] = True
    assert ranking_after(before, was, replace(new, offenders=forfeited)) is None
    if isinstance(new, SessionColumns):
        half = replace(
            new,
            **{
                name: value[:1]
                for name in type(new).__slots__
                if isinstance(value := getattr(new, name), np.ndarray)
            },
        )
        assert ranking_after(before, was, half) is None
    else:
        assert isinstance(new, GameColumns)
        assert ranking_after(before, was, replace(new, places=0 * new.places)) is None
        of_all = replace(new, places=np.ones_like(new.places))
        without = fit_games(of_blocks(columns, played_without_ties(columns)))
        assert ranking_after(without, without.ranking(), of_all) is None


def played_without_ties(columns):
    tied = {int(block) for block in columns.block[columns.places.sum(axis=1) != 6]}
    return [block for block in range(599) if block not in tied]


def test_who_met_nobody_of_a_group_asks_for_a_full_fit():
    trios = np.array([[0, 1, 2]] * 20 + [[3, 4, 5]] * 20 + [[0, 1, 3]])
    columns = simulate_sessions(trios, np.zeros(7), seed=1)
    before = fitted(of_blocks(columns, np.arange(40)))
    assert ranking_after(before, before.ranking(), of_blocks(columns, [40])) is None
