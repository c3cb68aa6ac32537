"""The covariance by block against matrices written out, against resampling, and in simulation."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings import rank_games, rank_sessions, sandwich
from arena.ratings.elo import ELO_PER_LOGIT, ELO_PER_POINT
from arena.ratings.linear import HAND_VARIANCE, SessionBlocks, fit_sessions
from arena.ratings.newton import fit
from arena.ratings.plackett_luce import GameBlocks, GamePrior
from arena.ratings.simulation import names, simulate_games, simulate_sessions
from arena.scheduling import Entry, EntryId, Schedule
from euchre_sdk.game import Session


def trios_of(n, cycles=1):
    """Return the trios of a round robin as rows of numbers."""
    number = {name: index for index, name in enumerate(names(n))}
    schedule = Schedule(
        entries=tuple(Entry(EntryId(name)) for name in names(n)),
        format=Session(30),
        seed="spring",
        cycles=cycles,
    )
    return np.array([[number[entry] for entry in block.trio] for block in schedule.blocks()])


def power_of_half(matrix):
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(values**-0.5) @ vectors.T


def rows_of_block(columns, block, n):
    """Return X_b and the answers, one row for the hands of a session, seat and dealer."""
    rows, answers = [], []
    for session in np.flatnonzero(columns.block == block):
        seats = columns.seats[session]
        for seat in range(3):
            for dealer in range(3):
                row = np.zeros(2 * n + 3)
                own, left, right = (seats[(seat + turn) % 3] for turn in range(3))
                row[own] += 1.0
                row[[left, right]] -= 0.5
                row[n + (seat - dealer - 1) % 3] += 1.0
                row[n + 3 + left] += 1.0
                row[n + 3 + right] -= 1.0
                if not columns.hands[session, dealer]:
                    continue
                # Equal hands of one dealer and seat: their mean, weighted by their number.
                weight = np.sqrt(columns.hands[session, dealer])
                rows.append(row * weight)
                answers.append(columns.points[session, seat, dealer] / weight)
    return np.array(rows), np.array(answers)


def written_out(columns, n, bread, parameters):
    """Return CR2 by its definition, from one row per hand and seat: X_b, H_bb, e_b."""
    meat = np.zeros(bread.shape)
    for block in np.unique(columns.block):
        x, answers = rows_of_block(columns, block, n)
        error = answers - x @ parameters
        adjusted = power_of_half(np.eye(len(x)) - x @ bread @ x.T) @ error
        meat += np.outer(x.T @ adjusted, x.T @ adjusted)
    return bread @ meat @ bread


def bread_and_parameters(columns, n):
    """Return the inverse information and the estimates from all rows."""
    both = [rows_of_block(columns, block, n) for block in np.unique(columns.block)]
    x, answers = (np.concatenate(part) for part in zip(*both, strict=True))
    ridge = np.repeat([4.5, 1e-6, HAND_VARIANCE / 0.05**2], [n, 3, n])
    bread = np.linalg.inv(x.T @ x + np.diag(ridge))
    return bread, bread @ x.T @ answers


def test_cr2_by_blocks_is_cr2_by_its_definition(monkeypatch):
    """Also shows that position and neighbour terms may be left out of the correction."""
    monkeypatch.setattr(sandwich, "PRIOR_BLOCKS", 0.0)
    n = 5
    columns = simulate_sessions(trios_of(n), np.zeros(n), seed=2, block_deviation=0.2)
    blocks = SessionBlocks.of(columns)
    result = sandwich.uncertainty(
        blocks, fit_sessions(blocks, n), blocks.hands, np.zeros(n, dtype=bool), HAND_VARIANCE
    )
    expected = written_out(columns, n, *bread_and_parameters(columns, n))[:n, :n]
    assert result.covariance.dense() == pytest.approx(expected, rel=1e-9)
    assert result.degrees == pytest.approx(np.full(n, 5.0))  # ten blocks, six of them each


def test_where_mirrors_are_missing_neighbour_terms_have_their_part(monkeypatch):
    """Without the correction for leverage, the sandwich with all parameters, written out."""
    monkeypatch.setattr(sandwich, "PRIOR_BLOCKS", 0.0)
    n = 5
    columns = simulate_sessions(trios_of(n, cycles=9), np.zeros(n), seed=2, block_deviation=0.2)
    columns.hands[::4, 2] = 0
    columns.points[::4, :, 2] = 0
    blocks = SessionBlocks.of(columns)
    assert blocks.entangled
    result = sandwich.uncertainty(
        blocks, fit_sessions(blocks, n), blocks.hands, np.zeros(n, dtype=bool), HAND_VARIANCE
    )
    expected = written_out(columns, n, *bread_and_parameters(columns, n))[:n, :n]
    ours = result.covariance.dense()
    assert np.diag(ours) == pytest.approx(np.diag(expected), rel=0.01)


def test_covariances_of_pairs_and_sums_are_those_of_the_whole_matrix():
    n = 12
    columns = simulate_games(trios_of(n), np.linspace(-1, 1, n), seed=3, ties=(0.1, 0.2, 0.1))
    ranking = rank_games(columns)
    found = ranking.covariance.strengths
    whole = found.dense()
    first, second = np.meshgrid(np.arange(n), np.arange(n))
    pairs = found.between(first.ravel(), second.ravel()).reshape(n, n)
    assert pairs == pytest.approx(whole, rel=1e-9)
    for members in (np.arange(n), np.array([3]), np.array([2, 7, 9])):
        sums = whole[np.ix_(members, members)].sum(axis=1)
        assert found.row_sums(members) == pytest.approx(sums, rel=1e-9, abs=1e-12)
    centre = np.eye(n) - 1.0 / n
    order = [row.entry for row in ranking.standings]
    at = [names(n).index(entry) for entry in order]
    elo = (centre @ whole @ centre)[np.ix_(at, at)] * ELO_PER_LOGIT**2
    assert ranking.covariance.dense() == pytest.approx(elo, rel=1e-8)


def contrasts(n):
    return np.eye(n)[:-1] - np.eye(n)[1:]


@pytest.mark.parametrize("kind", ["sessions", "games"])
def test_errors_agree_with_resampling_whole_blocks(kind):
    n, times = 5, 400
    trios, strength = trios_of(n, cycles=8), np.array([0.3, 0.1, 0.0, -0.1, -0.3])
    blocks: SessionBlocks | GameBlocks
    if kind == "sessions":
        blocks = SessionBlocks.of(simulate_sessions(trios, strength, seed=1, block_deviation=0.3))
        usual = HAND_VARIANCE
    else:
        blocks = GameBlocks.of(simulate_games(trios, strength, seed=1, echo=0.5, ties=(0, 0.3, 0)))
        usual = 1.0

    def estimated(some):
        if isinstance(some, SessionBlocks):
            return fit_sessions(some, n)
        return fit(some, GamePrior(n), np.zeros(n + some.ties), common=some.ties)

    alike, bounded = np.ones(len(trios)), np.zeros(n, dtype=bool)
    result = sandwich.uncertainty(blocks, estimated(blocks), alike, bounded, usual)
    random = np.random.default_rng(7)
    resampled = [
        estimated(blocks.some(random.integers(0, len(trios), len(trios)))) for _ in range(times)
    ]
    differences = np.array([contrasts(n) @ one.parameters[:n] for one in resampled])
    ours = np.sqrt(np.diag(contrasts(n) @ result.covariance.dense() @ contrasts(n).T))
    # The deviation of 400 resamplings is itself uncertain by 3.5 %.
    assert ours / differences.std(axis=0) == pytest.approx(np.ones(n - 1), abs=0.15)


@pytest.mark.parametrize(
    ("kind", "blocks_each"),
    [("sessions", 6), ("sessions", 21), ("games", 6), ("games", 21)],
)
def test_intervals_contain_the_truth_as_often_as_they_say(kind, blocks_each):
    """60 small tournaments of 9 with dependence inside blocks; a big run is in benchmarks/.

    540 intervals, nearly independent between tournaments: a standard error of about 1 %.
    """
    n, hits = 9, []
    trios = trios_of(n, cycles=2)[: blocks_each * n // 3]
    for seed in range(60):
        random = np.random.default_rng(seed)
        if kind == "sessions":
            strength = random.normal(0.0, 0.12, n)
            columns = simulate_sessions(
                trios, strength, seed=seed, neighbour=random.normal(0, 0.03, n), block_deviation=0.2
            )
            ranking, scale = rank_sessions(columns), ELO_PER_POINT
        else:
            strength = random.normal(0.0, 0.5, n)
            games = simulate_games(trios, strength, seed=seed, ties=(0.0, 0.2, 0.0), echo=0.3)
            ranking, scale = rank_games(games), ELO_PER_LOGIT
        truth = dict(zip(names(n), 1500 + scale * (strength - strength.mean()), strict=True))
        hits += [abs(row.elo - truth[row.entry]) <= row.elo_error for row in ranking.standings]
    assert 0.92 <= np.mean(hits) <= 0.98
