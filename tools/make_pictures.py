"""Draws the pictures of docs/ratings.md: `python tools/make_pictures.py`.

Whatever is simulated has a fixed seed and goes through the arena's own fit. The files are the same
byte for byte each time, and a test draws them again: a picture cannot be older than what it shows.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the arena; before numpy is imported

import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("svg")

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arena.ratings import Ranking, expected_score, rank_sessions
from arena.ratings.elo import ANCHOR_ELO, ELO_PER_POINT
from arena.ratings.simulation import simulate_sessions
from arena.ratings.square import Ints

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"

BLUE, RED, GREY = "#1f5f99", "#c0392b", "#777777"
STRENGTH = np.array([0.06, 0.045, 0.0, -0.02, -0.085])
"""Points a hand, of a field of five; the second is the bot that is followed."""
FOLLOWED = 1
HAND_DEVIATION = 1.9
"""Of the difference of two equal bots' points in one hand."""
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "euchre",  # else ids are random
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def odds(axes: Axes) -> None:
    """Draw how often the better of two finishes ahead, by the difference of their ratings."""
    differences = np.arange(0, 601, 10)
    share = [100 * expected_score(float(difference)) for difference in differences]
    axes.plot(differences, share, color=BLUE)
    for difference in (35, 100, 200, 400):
        y = 100 * expected_score(difference)
        axes.plot(difference, y, "o", color=BLUE)
        axes.annotate(f"{difference}: {y:.0f} %", (difference + 12, y - 3.5))
    axes.set_xlabel("difference of the ratings (Elo)")
    axes.set_ylabel("finishes ahead (%)")
    axes.set_ylim(45, 100)


def nineteen_of_twenty(axes: Axes) -> None:
    """Draw the interval of one bot in twenty tournaments of the same field."""
    truth = ANCHOR_ELO + ELO_PER_POINT * float(STRENGTH[FOLLOWED] - STRENGTH.mean())
    for number in range(20):
        elo, error = _followed(_tournament(seed=100 + number, cycles=2))
        missed = abs(elo - truth) > error
        axes.errorbar(
            number + 1, elo, yerr=error, fmt="o", capsize=3, color=RED if missed else BLUE
        )
    axes.axhline(truth, color=GREY, linestyle="--")
    axes.set_xlabel("tournament")
    axes.set_ylabel("rating ± 95 %")
    axes.set_xticks([1, 5, 10, 15, 20])


def more_blocks(axes: Axes) -> None:
    """Draw how an interval shrinks while blocks come in."""
    truth = ANCHOR_ELO + ELO_PER_POINT * float(STRENGTH[FOLLOWED] - STRENGTH.mean())
    cycles = (1, 2, 4, 8, 16, 32)
    for at, count in enumerate(cycles):
        elo, error = _followed(_tournament(seed=7, cycles=count))
        axes.errorbar(at, elo, yerr=error, fmt="o", capsize=4, color=BLUE)
        axes.annotate(f"± {error:.0f}", (at + 0.1, elo + 4))
    axes.axhline(truth, color=GREY, linestyle="--")
    axes.set_xlim(-0.4, len(cycles) - 0.4)
    axes.set_xticks(range(len(cycles)), [str(6 * count) for count in cycles])
    axes.set_xlabel("blocks a bot (each four times as many: half as wide)")
    axes.set_ylabel("rating ± 95 %")


def luck(axes: Axes) -> None:
    """Draw what two bots 0.10 points a hand apart may show after so many hands."""
    gap = 0.10
    for hands, shade in ((60, 0.25), (600, 0.5), (2_800, 1.0)):
        deviation = HAND_DEVIATION / hands**0.5
        seen = np.linspace(gap - 3.2 * deviation, gap + 3.2 * deviation, 121)
        density = np.exp(-0.5 * ((seen - gap) / deviation) ** 2)
        axes.plot(seen, density, color=BLUE, alpha=shade, label=f"{hands:,} hands")
    axes.axvline(0.0, color=RED, linestyle="--")
    axes.annotate("the weaker one\nlooks better", (-0.03, 0.9), ha="right", color=RED)
    axes.set_xlim(-0.6, 0.8)
    axes.set_yticks([])
    axes.set_xlabel("difference seen (points a hand); the true one is 0.10")
    axes.legend(frameon=False)


def differences(axes: Axes) -> None:
    """Draw two intervals that overlap, and the interval of the difference, which leaves out 0."""
    axes.errorbar([1530], [2], xerr=[19], fmt="o", capsize=4, color=BLUE)
    axes.errorbar([1500], [1], xerr=[19], fmt="o", capsize=4, color=BLUE)
    both = 19 * 2**0.5
    axes.errorbar([1530 + 60], [1.5], xerr=[both], fmt="o", capsize=4, color=RED)
    axes.axvline(1560, color=RED, linestyle="--", ymax=0.75)
    axes.annotate("0", (1557, 2.45), color=RED)
    axes.annotate(f"30 ± {both:.0f}", (1577, 1.62), color=RED)
    axes.annotate("1530 ± 19", (1515, 2.12), color=BLUE)
    axes.annotate("1500 ± 19", (1485, 1.12), color=BLUE)
    axes.set_yticks([1, 1.5, 2], ["puma", "difference", "lynx"])
    axes.set_ylim(0.6, 2.7)
    axes.set_xticks([1480, 1500, 1520, 1540])
    axes.set_xlabel("Elo")


DRAWN: dict[str, Callable[[Axes], None]] = {
    "odds": odds,
    "nineteen-of-twenty": nineteen_of_twenty,
    "more-blocks": more_blocks,
    "luck": luck,
    "differences": differences,
}


def draw(directory: Path) -> None:
    """Draw every picture into a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        for name, drawn in DRAWN.items():
            figure = Figure(figsize=(5.6, 2.6), layout="constrained")
            drawn(figure.subplots())
            figure.savefig(directory / f"{name}.svg", metadata={"Date": None, "Creator": None})


def _tournament(*, seed: int, cycles: int) -> Ranking:
    """Play so many cycles of all trios of the field, both ways round, and rate them."""
    trios: Ints = np.array(list(combinations(range(len(STRENGTH)), 3)) * cycles)
    columns = simulate_sessions(trios, STRENGTH, seed=seed, block_deviation=0.1)
    return rank_sessions(columns)


def _followed(ranking: Ranking) -> tuple[float, float]:
    """Return rating and error of the bot that is followed, about the field's mean."""
    names = sorted(row.entry for row in ranking.standings)
    (row,) = [row for row in ranking.standings if row.entry == names[FOLLOWED]]
    return row.elo, row.elo_error


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
