"""What the exact fit of a very large tournament takes: time and memory.

10,000 bots, 10,000,000 games in blocks of six, from columns to the table with all intervals and all
neighbours compared. Memory is the most the process ever held, results and interpreter included.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the arena; before numpy is imported

import resource
import time

import click
import numpy as np

from arena.ratings import rank_games
from arena.ratings.simulation import simulate_games
from benchmarks.harness import Report, as_report, machine
from benchmarks.ratings import random_trios


@click.command()
@click.option("--bots", default=10_000, show_default=True)
@click.option("--results", default=10_000_000, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def main(*, bots: int, results: int, as_json: bool) -> None:
    """Fit once."""
    random = np.random.default_rng(1)
    strength = random.normal(0.0, 0.7, bots)
    columns = simulate_games(random_trios(random, bots, results // 6), strength, seed=2)
    cpu, began = time.process_time(), time.monotonic()
    ranking = rank_games(columns)
    compared = ranking.neighbours()
    cpu, wall = time.process_time() - cpu, time.monotonic() - began
    assert len(compared) == bots
    # In KiB on Linux.
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    report = Report(
        name="ratings_large",
        compared_with="the aims, in CPU seconds and GiB",
        ratios={"cpu_seconds": (cpu, "<= 60"), "gib": (held, "<= 4")},
        figures={"seconds": wall, "bots": bots, "results": results},
        machine=machine("numpy", "scipy"),
    )
    click.echo(as_report(report, as_json=as_json))


if __name__ == "__main__":
    main()
