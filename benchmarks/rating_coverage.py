"""How often 95 % intervals contain the truth, over simulated tournaments of known strengths.

9 bots in a round robin cut after 6, 20 or 60 blocks a bot, and as many under the adaptive ladder;
results of a block hang together (a form of the block in sessions, echoes in games). Fields are
normal; under the ladder, games are also played by fields half as wide, twice as wide, in three
clusters, and with one bot far below the others. Coverage is pooled over the bots; its standard
error is that of the tournaments' means, as the bots of one tournament share their results.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the arena; before numpy is imported

from collections.abc import Callable
from functools import partial
from itertools import combinations

import click
import numpy as np

from arena.ratings import GameColumns, Meetings, Ranking, rank_games, rank_sessions
from arena.ratings.elo import ELO_PER_LOGIT, ELO_PER_POINT
from arena.ratings.simulation import names, simulate_games, simulate_sessions
from arena.ratings.square import Floats, Ints
from arena.scheduling import (
    SESSION_HANDS,
    BlockResult,
    Entry,
    EntryId,
    Ladder,
    LiveCourse,
    Schedule,
)
from arena.scheduling.ladder import GAME_HANDS
from benchmarks.harness import Report, as_report, machine
from benchmarks.ladder import Tournament
from euchre_sdk.game import Session, ToTarget

BOTS = 9
PLACE_POINTS = np.array([0, 10, 7, 4])
"""About what the first, second and third have at the end of a game to 10, by place."""

Simulated = Callable[[Ints, int], tuple[Ranking, Floats]]
"""Trios and a seed give a ranking and the true Elo of every bot about the field's mean."""


def sessions(trios: Ints, seed: int) -> tuple[Ranking, Floats]:
    """Strengths with a deviation of 0.12 points a hand, neighbours, and form of the block."""
    random = np.random.default_rng([seed, 1])
    strength = random.normal(0.0, 0.12, BOTS)
    columns = simulate_sessions(
        trios,
        strength,
        seed=seed,
        neighbour=random.normal(0.0, 0.03, BOTS),
        block_deviation=0.2,
    )
    return rank_sessions(columns), ELO_PER_POINT * (strength - strength.mean())


def ladder(trios: Ints, seed: int) -> tuple[Ranking, Floats]:
    """As `sessions`, of as many blocks, each of which the adaptive ladder chooses."""
    random = np.random.default_rng([seed, 1])
    strength = random.normal(0.0, 0.12, BOTS)
    played = Tournament(strength, seed, block_deviation=0.2)
    course = LiveCourse(
        Ladder.of(Session(SESSION_HANDS)),
        entries=played.entries,
        format=Session(SESSION_HANDS),
        seed=str(seed),
        owners_apart=False,
    )
    for _ in trios:
        block = course.next()
        assert block is not None
        course.learn(played.play(block))
    return played.ranking(Meetings.BY_RESULTS), ELO_PER_POINT * (strength - strength.mean())


def games(trios: Ints, seed: int) -> tuple[Ranking, Floats]:
    """Strengths with a deviation of 0.5 log odds, ties for last, three games of ten echoes."""
    random = np.random.default_rng([seed, 2])
    strength = random.normal(0.0, 0.5, BOTS)
    columns = simulate_games(trios, strength, seed=seed, ties=(0.0, 0.2, 0.0), echo=0.3)
    return rank_games(columns), ELO_PER_LOGIT * (strength - strength.mean())


def _normal(random: np.random.Generator) -> Floats:
    return random.normal(0.0, 0.5, BOTS)


def _narrow(random: np.random.Generator) -> Floats:
    return random.normal(0.0, 0.25, BOTS)


def _wide(random: np.random.Generator) -> Floats:
    return random.normal(0.0, 1.0, BOTS)


def _clusters(random: np.random.Generator) -> Floats:
    return np.repeat([0.8, 0.0, -0.8], BOTS // 3) + random.normal(0.0, 0.1, BOTS)


def _outlier(random: np.random.Generator) -> Floats:
    return np.append(random.normal(0.0, 0.2, BOTS - 1), -2.0)


Shape = Callable[[np.random.Generator], Floats]
SHAPES: dict[str, Shape] = {
    "narrow": _narrow,
    "wide": _wide,
    "clusters": _clusters,
    "outlier": _outlier,
}
"""Other fields than the usual one, in log odds."""


def ladder_games(trios: Ints, seed: int, shape: Shape = _normal) -> tuple[Ranking, Floats]:
    """As `games`, of as many blocks, each of which the adaptive ladder chooses.

    What it sees are points, of which a simulated game has none: places stand for `PLACE_POINTS`.
    """
    strength = shape(np.random.default_rng([seed, 2]))
    number = {EntryId(name): place for place, name in enumerate(names(BOTS))}
    course = LiveCourse(
        Ladder.of(ToTarget()),
        entries=tuple(Entry(entry) for entry in number),
        format=ToTarget(),
        seed=str(seed),
        owners_apart=False,
    )
    played: list[GameColumns] = []
    for turn in range(len(trios)):
        block = course.next()
        assert block is not None
        trio = np.array([[number[entry] for entry in block.trio]])
        played.append(
            simulate_games(
                trio, strength, seed=seed * 100_003 + turn, ties=(0.0, 0.2, 0.0), echo=0.3
            )
        )
        points = np.bincount(
            played[-1].seats.ravel(), PLACE_POINTS[played[-1].places].ravel(), BOTS
        )
        scored = {entry: int(points[number[entry]]) for entry in block.trio}
        course.learn(BlockResult(block_id=block.id, points=scored, hands=6 * GAME_HANDS))
    together = GameColumns(
        entries=names(BOTS),
        seats=np.concatenate([each.seats for each in played]),
        block=np.repeat(np.arange(len(played)), 6),
        hands=np.concatenate([each.hands for each in played]),
        points=np.concatenate([each.points for each in played]),
        places=np.concatenate([each.places for each in played]),
        offenders=np.concatenate([each.offenders for each in played]),
    )
    ranking = rank_games(together, meetings=Meetings.BY_RESULTS)
    return ranking, ELO_PER_LOGIT * (strength - strength.mean())


def coverage(simulated: Simulated, blocks_each: int, tournaments: int) -> tuple[float, ...]:
    """Return coverage of ratings and of all differences, each with its standard error."""
    own, differences = [], []
    for seed in range(tournaments):
        ranking, truth = simulated(_trios(seed)[: blocks_each * BOTS // 3], seed)
        known = dict(zip(names(BOTS), truth, strict=True))
        rows = ranking.standings
        own.append(
            np.mean([abs(row.elo - 1500.0 - known[row.entry]) <= row.elo_error for row in rows])
        )
        hits = []
        for first, second in combinations(range(BOTS), 2):
            found = ranking.compare(first, second)
            true = known[rows[first].entry] - known[rows[second].entry]
            hits.append(abs(found.elo_diff - true) <= found.elo_error)
        differences.append(np.mean(hits))
    root = np.sqrt(tournaments)
    return tuple(
        float(value)
        for hits in (own, differences)
        for value in (np.mean(hits), np.std(hits, ddof=1) / root)
    )


def _trios(seed: int) -> Ints:
    number = {name: index for index, name in enumerate(names(BOTS))}
    schedule = Schedule(
        entries=tuple(Entry(EntryId(name)) for name in number),
        format=Session(SESSION_HANDS),
        seed=str(seed),
        cycles=6,
    )
    return np.array([[number[entry] for entry in block.trio] for block in schedule.blocks()])


@click.command()
@click.option("--tournaments", default=400, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def main(*, tournaments: int, as_json: bool) -> None:
    """Print coverage."""
    ratios: dict[str, tuple[float, str]] = {}
    figures: dict[str, float] = {}
    for simulated in (sessions, ladder, games, ladder_games):
        for blocks_each in (6, 20, 60):
            name = f"{simulated.__name__}_{blocks_each}_blocks"
            own, own_error, difference, difference_error = coverage(
                simulated, blocks_each, tournaments
            )
            # With 6 blocks a bot a ladder has hardly begun to choose, and promises nothing.
            begun = blocks_each == 6 and simulated in {ladder, ladder_games}
            aim = "" if begun else ">= 0.93"
            ratios[f"coverage_{name}"] = (own, aim)
            ratios[f"coverage_of_differences_{name}"] = (difference, aim)
            figures[f"standard_error_{name}"] = own_error
            figures[f"standard_error_of_differences_{name}"] = difference_error
    for shape, field in SHAPES.items():
        simulated = partial(ladder_games, shape=field)
        own, own_error, difference, _ = coverage(simulated, 20, tournaments)
        figures[f"coverage_ladder_games_{shape}_20_blocks"] = own
        figures[f"coverage_of_differences_ladder_games_{shape}_20_blocks"] = difference
        figures[f"standard_error_ladder_games_{shape}_20_blocks"] = own_error
    report = Report(
        name="rating_coverage",
        compared_with=f"0.95, in {tournaments} simulated tournaments each",
        ratios=ratios,
        figures=figures,
        machine=machine("numpy", "scipy"),
    )
    click.echo(as_report(report, as_json=as_json))


if __name__ == "__main__":
    main()
