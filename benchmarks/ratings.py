"""How long the exact fits take, as multiples of numpy's own work on the same arrays.

1,000 bots, 1,000,000 three-player results. The yardstick, in the same rounds: one dense Cholesky
factorisation of 1000 x 1000 plus ten `bincount` passes over the three columns of results.
Everything runs on one thread of OpenBLAS.

Beside it, in the same rounds, openskill's sequential pass over the same results: the first
`SEQUENTIAL` of them, scaled up, as its cost is the same for each. It makes no errors by block; ours
are included. Ordo is no Python package and is not built here.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the arena; before numpy is imported

import time
from collections.abc import Callable
from statistics import median

import click
import numpy as np
from openskill.models import PlackettLuce
from scipy import linalg

from arena.ratings import (
    GameColumns,
    SessionColumns,
    fit_games,
    fit_sessions,
    rank_games,
    rank_sessions,
)
from arena.ratings.live import ranking_after
from arena.ratings.newton import fit
from arena.ratings.plackett_luce import GameBlocks, GamePrior
from arena.ratings.rank import FittedGames, FittedSessions
from arena.ratings.simulation import simulate_games, simulate_sessions
from arena.ratings.square import Floats, Ints
from benchmarks.harness import Report, as_report, machine

SEQUENTIAL = 10_000
"""Results that the sequential pass is timed with."""


def sequential_pass(seats: Ints, places: Ints) -> None:
    """Rate results one after the other, as openskill does."""
    model = PlackettLuce()
    rated = [model.rating() for _ in range(int(seats.max()) + 1)]
    for trio, ranks in zip(seats.tolist(), places.tolist(), strict=True):
        table = model.rate([[rated[entry]] for entry in trio], ranks=ranks)
        for entry, (rating,) in zip(trio, table, strict=True):
            rated[entry] = rating


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of one call, in seconds."""
    start = time.process_time()
    work()
    return time.process_time() - start


@click.command()
@click.option("--bots", default=1000, show_default=True)
@click.option("--results", default=1_000_000, show_default=True)
@click.option("--rounds", default=5, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def main(*, bots: int, results: int, rounds: int, as_json: bool) -> None:
    """Time the fits."""
    random = np.random.default_rng(1)
    # A million results alone, the hardest case for the fit, and the same number in blocks.
    strength = random.normal(0.0, 0.7, bots)
    alone = simulate_games(random_trios(random, bots, results), strength, seed=1, games=1)
    trios = random_trios(random, bots, results // 6)
    in_blocks = simulate_games(trios, strength, seed=2)
    tied = simulate_games(trios, strength, seed=2, ties=(0.02, 0.2, 0.01))
    sessions = simulate_sessions(trios, 0.3 * strength, seed=3)
    dense = _positive_definite(random, bots)
    seats = [np.ascontiguousarray(alone.seats[:, seat]) for seat in range(3)]
    weights = random.random(results)

    def yardstick() -> None:
        linalg.cho_factor(dense, lower=True, check_finite=False)
        for number in range(10):
            np.bincount(seats[number % 3], weights=weights, minlength=bots)

    def estimates_only() -> None:
        blocks = GameBlocks.of(in_blocks)
        fit(blocks, GamePrior(bots), blocks.start(bots), common=0)

    work: dict[str, Callable[[], object]] = {
        "yardstick": yardstick,
        "openskill": lambda: sequential_pass(alone.seats[:SEQUENTIAL], alone.places[:SEQUENTIAL]),
        "games_alone": lambda: rank_games(alone),
        "games_in_blocks": lambda: rank_games(in_blocks),
        "games_in_blocks_with_ties": lambda: rank_games(tied),
        "games_in_blocks_estimates_only": estimates_only,
        "sessions": lambda: rank_sessions(sessions),
    }
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, call in work.items():
            seconds[name].append(cpu_seconds(call))
    seconds["openskill"] = [took * results / SEQUENTIAL for took in seconds["openskill"]]

    after = {
        "games": _after_one_block(
            fit_games(in_blocks), simulate_games(trios[:1], strength, seed=9)
        ),
        "sessions": _after_one_block(
            fit_sessions(sessions), simulate_sessions(trios[:1], 0.3 * strength, seed=9)
        ),
    }
    updates = {
        name: median(cpu_seconds(call) for _ in range(rounds)) for name, call in after.items()
    }

    def ratio(name: str, to: str = "yardstick") -> float:
        pairs = zip(seconds[name], seconds[to], strict=True)
        return median(ours / theirs for ours, theirs in pairs)

    report = Report(
        name="ratings",
        compared_with=f"one Cholesky of {bots} and ten bincounts over {results} results, in numpy",
        ratios={
            "openskill_over_games_alone": (ratio("openskill", "games_alone"), ">= 20"),
            "openskill_over_games_in_blocks": (ratio("openskill", "games_in_blocks"), ">= 20"),
            **{f"{name}_in_yardsticks": (ratio(name), "") for name in work if name != "yardstick"},
        },
        figures={
            **{f"cpu_seconds_{name}": median(times) for name, times in seconds.items()},
            **{f"cpu_ms_after_one_more_block_{name}": 1e3 * took for name, took in updates.items()},
        },
        machine=machine("numpy", "scipy", "openskill"),
    )
    click.echo(as_report(report, as_json=as_json))


def _after_one_block(
    fitted: FittedGames | FittedSessions, more: GameColumns | SessionColumns
) -> Callable[[], object]:
    """Return what ranks everybody once more after one block."""
    ranking = fitted.ranking()
    assert ranking_after(fitted, ranking, more) is not None
    return lambda: ranking_after(fitted, ranking, more)


def random_trios(random: np.random.Generator, bots: int, count: int) -> Ints:
    """Return random rows of three different entries."""
    first = random.integers(0, bots, count)
    gap = random.integers(1, bots, count)
    other = random.integers(1, bots - 1, count)
    other = np.where(other >= gap, other + 1, other)
    return np.stack([first, (first + gap) % bots, (first + other) % bots], axis=1)


def _positive_definite(random: np.random.Generator, size: int) -> Floats:
    root = random.random((size, size))
    dense: Floats = root @ root.T + size * np.eye(size)
    return dense


if __name__ == "__main__":
    main()
