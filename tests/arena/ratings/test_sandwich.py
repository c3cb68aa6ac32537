"""The covariance by block against matrices written out, against resampling, and in simulation."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings import rank_games, rank_sessions, sandwich
from arena.ratings.elo import ELO_PER_LOGIT, ELO_PER_POINT
from arena.ratings.linear import HAND_VARIANCE, SessionBlocks, SessionPrior
from arena.ratings.newton import fit
from arena.ratings.plackett_luce import GameBlocks, GamePrior, Stage
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


def written_out(columns, n, found):
    """Return CR2 by its definition, from one row per hand and seat: X_b, H_bb, e_b."""
    meat = np.zeros(found.inverse.shape)
    for block in np.unique(columns.block):
        rows, answers = [], []
        for session in np.flatnonzero(columns.block == block):
            seats = columns.seats[session]
            for seat in range(3):
                for dealer in range(3):
                    row = np.zeros(2 * n + 3)
                    own, left, right = (seats[(seat + turn) % 3] for turn in range(3))
                    row[own] += 1.0
                    row[[left, right]] -= 0.5
                    row[n + left] += 1.0
                    row[n + right] -= 1.0
                    row[2 * n + (seat - dealer - 1) % 3] += 1.0
                    # Equal hands of one dealer and seat: their mean, weighted by their number.
                    weight = np.sqrt(columns.hands[session, dealer])
                    rows.append(row * weight)
                    answers.append(columns.points[session, seat, dealer] / weight)
        x = np.array(rows)
        error = np.array(answers) - x @ found.parameters
        adjusted = power_of_half(np.eye(len(x)) - x @ found.inverse @ x.T) @ error
        meat += np.outer(x.T @ adjusted, x.T @ adjusted)
    return found.inverse @ meat @ found.inverse


def test_cr2_by_blocks_is_cr2_by_its_definition(monkeypatch):
    """Also shows that position and neighbour terms may be left out of the correction."""
    monkeypatch.setattr(sandwich, "PRIOR_BLOCKS", 0.0)
    n = 5
    columns = simulate_sessions(trios_of(n), np.zeros(n), seed=2, block_deviation=0.2)
    blocks = SessionBlocks.of(columns)
    found = fit(blocks, SessionPrior(n), np.zeros(2 * n + 3))
    result = sandwich.uncertainty(
        blocks.index, found, blocks.hands, np.zeros(n, dtype=bool), HAND_VARIANCE
    )
    expected = written_out(columns, n, found)[:n, :n]
    assert result.covariance == pytest.approx(expected, rel=1e-9)
    assert result.degrees == pytest.approx(np.full(n, 5.0))  # ten blocks, six of them each


def contrasts(n):
    return np.eye(n)[:-1] - np.eye(n)[1:]


@pytest.mark.parametrize("kind", ["sessions", "games"])
def test_errors_agree_with_resampling_whole_blocks(kind):
    n, times = 5, 400
    trios, strength = trios_of(n, cycles=8), np.array([0.3, 0.1, 0.0, -0.1, -0.3])
    blocks: SessionBlocks | GameBlocks
    prior: SessionPrior | GamePrior
    if kind == "sessions":
        blocks = SessionBlocks.of(simulate_sessions(trios, strength, seed=1, block_deviation=0.3))
        prior, size, usual = SessionPrior(n), 2 * n + 3, HAND_VARIANCE
    else:
        blocks = GameBlocks.of(simulate_games(trios, strength, seed=1, echo=0.5, ties=(0, 0.3, 0)))
        prior, size, usual = GamePrior(n), n + blocks.ties, 1.0
    found = fit(blocks, prior, np.zeros(size))
    alike, bounded = np.ones(len(trios)), np.zeros(n, dtype=bool)
    result = sandwich.uncertainty(blocks.index, found, alike, bounded, usual)
    random = np.random.default_rng(7)
    resampled = [
        fit(drawn(blocks, random.integers(0, len(trios), len(trios))), prior, np.zeros(size))
        for _ in range(times)
    ]
    differences = np.array([contrasts(n) @ one.parameters[:n] for one in resampled])
    ours = np.sqrt(np.diag(contrasts(n) @ result.covariance @ contrasts(n).T))
    # The deviation of 400 resamplings is itself uncertain by 3.5 %.
    assert ours / differences.std(axis=0) == pytest.approx(np.ones(n - 1), abs=0.15)


def drawn(blocks, rows):
    """Return the blocks of these rows, with repetition."""
    if isinstance(blocks, SessionBlocks):
        return SessionBlocks(
            index=blocks.index[:, rows],
            numbers=blocks.numbers[rows],
            products=blocks.products[:, rows],
            responses=blocks.responses[:, rows],
            hands=blocks.hands[rows],
        )
    return GameBlocks(
        index=blocks.index[:, rows],
        numbers=blocks.numbers[rows],
        games=blocks.games[rows],
        stages=tuple(drawn_stage(stage, rows) for stage in blocks.stages),
    )


def drawn_stage(stage, rows):
    place = {block: number for number, block in enumerate(stage.blocks)}
    reached = [number for number, block in enumerate(rows) if block in place]
    return Stage(
        table=stage.table,
        blocks=np.array(reached),
        counts=stage.counts[:, [place[rows[number]] for number in reached]],
    )


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
