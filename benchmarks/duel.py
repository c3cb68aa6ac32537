"""How often a duel errs, and how many blocks it takes, against a test of fixed length.

Blocks are simulated from hands: the difference of two bots' points in one hand is drawn from
counted hands of near-equal bots, and what hands of a block have in common is added: one block in
ten is twice as wild as others, and all have a little form. So tails are heavy and hands depend on
one another. The spread is that of near-equal bots on fresh deals, or a share of its variance for
duels on the same deals. Some simulated duels are run again by the test itself, block by block.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported

import math
from dataclasses import dataclass, replace

import click
import numpy as np

from arena.ratings.square import Floats
from benchmarks.harness import Report, as_report, machine
from euchre_sdk.cli_duel_options import fixed_blocks
from euchre_sdk.duel import Decision, SequentialTest
from euchre_sdk.duel.gsprt import HAND_DEVIATION, LEAST_BLOCKS
from euchre_sdk.intervals import t_quantile

HANDS = 60
"""Of a block."""
AT_ONCE = 250
"""Duels that are simulated together: bounds the memory."""
CHECKED = 20
"""Duels of each kind that are run again by the test itself."""
COUNTED = {-4: 44, -3: 1150, -2: 1356, -1: 1521, 0: 4019, 1: 1592, 2: 1188, 3: 1109, 4: 21}
"""How often each difference of two bots' points was seen in 12,000 hands of house bots."""
FORM = 0.03
"""Deviation of what all hands of a block have in common, in points a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of duel: what it looks for, and how blocks vary."""

    name: str
    points: float
    share: float
    """Of the variance of near-equal bots on fresh deals."""

    @property
    def test(self) -> SequentialTest:
        """The test, with the cap that the commands give it."""
        asked = SequentialTest(points1=self.points, block_hands=HANDS, cap=10**6)
        return replace(asked, cap=3 * fixed_blocks(asked))

    @property
    def fixed(self) -> int:
        """Blocks of a test of fixed length with the same errors."""
        return max(LEAST_BLOCKS, math.ceil(fixed_blocks(self.test) * self.share))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """What became of many duels."""

    stronger: float
    """Share that ended with A called stronger."""
    not_stronger: float
    blocks: float
    """Mean number of blocks."""
    covered: float
    """Share of 95 % intervals, at the end, that held the true lead."""


KINDS = (
    Kind(name="fresh_0.10", points=0.1, share=1.0),
    Kind(name="fresh_0.05", points=0.05, share=1.0),
    Kind(name="same_deals_0.05", points=0.05, share=0.4),
    Kind(name="relatives_0.05", points=0.05, share=0.1),
)


def values(random: np.random.Generator, kind: Kind, lead: float, duels: int, blocks: int) -> Floats:
    """Return the values of blocks, [duels, blocks]."""
    points = np.array(list(COUNTED), dtype=float)
    weights = np.array(list(COUNTED.values())) / sum(COUNTED.values())
    centred = points - weights @ points
    hands = random.multinomial(HANDS, weights, size=(duels, blocks)) @ centred / HANDS
    wild = np.where(random.random((duels, blocks)) < 0.1, 2.0, 1.0)
    form = random.normal(0.0, FORM, (duels, blocks))
    variance = weights @ centred**2 / HANDS * (0.1 * 4.0 + 0.9) + FORM**2
    wanted = HAND_DEVIATION**2 / HANDS * kind.share
    scaled: Floats = lead + (hands * wild + form) * np.sqrt(wanted / variance)
    return scaled


def play(kind: Kind, lead: float, duels: int, *, seed: int) -> Outcomes:
    """Simulate duels with a true lead."""
    random = np.random.default_rng([seed, round(1e4 * kind.points), round(1e5 * lead)])
    test = kind.test
    found: list[Floats] = []
    for begin in range(0, duels, AT_ONCE):
        blocks = values(random, kind, lead, min(AT_ONCE, duels - begin), test.cap)
        found.append(_ends(test, blocks, lead))
        if not begin:
            _check(test, blocks[:CHECKED], found[0][:CHECKED])
    up, down, used, covered = np.concatenate(found).mean(axis=0)
    return Outcomes(stronger=up, not_stronger=down, blocks=used, covered=covered)


def _ends(test: SequentialTest, blocks: Floats, lead: float) -> Floats:
    """Return for every duel: stronger, not stronger, blocks, and whether the interval holds."""
    count = np.arange(1, blocks.shape[1] + 1)
    mean = np.cumsum(blocks, axis=1) / count
    scatter = np.cumsum(blocks**2, axis=1) - count * mean**2
    variance = scatter / np.maximum(count - 1, 1)
    middle = (test.points0 + test.points1) / 2
    llr = count * (test.points1 - test.points0) * (mean - middle)
    llr /= np.maximum(variance, test.floor)
    over = (llr >= test.upper) | (llr <= test.lower)
    over[:, : test.least - 1] = False
    over[:, -1] = True
    end = over.argmax(axis=1)
    rows = np.arange(len(blocks))
    last, used = llr[rows, end], end + 1
    quantiles = np.array([0.0, 0.0, *(t_quantile(0.975, n - 1) for n in range(2, max(used) + 1))])
    half = quantiles[used] * np.sqrt(variance[rows, end] / used)
    held = np.abs(mean[rows, end] - lead) <= half
    return np.column_stack([last >= test.upper, last <= test.lower, used, held]).astype(float)


def _check(test: SequentialTest, blocks: Floats, ends: Floats) -> None:
    """Stop if the test itself ends otherwise than what is simulated here."""
    decisions = {(1.0, 0.0): Decision.STRONGER, (0.0, 1.0): Decision.NOT_STRONGER}
    for row, (up, down, used, _) in zip(blocks.tolist(), ends.tolist(), strict=True):
        state = test.after(row)
        expected = decisions.get((up, down), Decision.CAP)
        if (state.decision, state.evidence.blocks) != (expected, used):
            raise AssertionError(f"the test ends {state}, the simulation {expected} after {used}")


def measured(duels: int, *, seed: int = 1) -> tuple[dict[str, tuple[float, str]], dict[str, float]]:
    """Return the error rates with their aims, and the figures beside them."""
    ratios: dict[str, tuple[float, str]] = {}
    figures: dict[str, float] = {}
    for kind in KINDS:
        none = play(kind, 0.0, duels, seed=seed)
        wanted = play(kind, kind.points, duels, seed=seed)
        between = play(kind, kind.points / 2, duels // 2, seed=seed)
        far = play(kind, 3 * kind.points, duels // 2, seed=seed)
        ratios[f"false_positives_{kind.name}"] = (none.stronger, "<= 0.06")
        ratios[f"false_negatives_{kind.name}"] = (wanted.not_stronger, "<= 0.06")
        mean = (none.blocks + wanted.blocks) / 2
        ratios[f"fixed_test_over_duel_{kind.name}"] = (kind.fixed / mean, "")
        figures |= {
            f"blocks_{kind.name}_no_lead": none.blocks,
            f"blocks_{kind.name}_lead_looked_for": wanted.blocks,
            f"blocks_{kind.name}_half_of_it": between.blocks,
            f"blocks_{kind.name}_three_times_it": far.blocks,
            f"blocks_{kind.name}_fixed_test": kind.fixed,
            f"undecided_{kind.name}_half_of_it": 1 - between.stronger - between.not_stronger,
            f"coverage_at_the_end_{kind.name}": (none.covered + wanted.covered) / 2,
        }
    return ratios, figures


@click.command()
@click.option("--duels", default=4000, show_default=True, help="Simulated duels of each kind.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def main(*, duels: int, as_json: bool) -> None:
    """Print error rates, blocks used, and coverage."""
    ratios, figures = measured(duels)
    report = Report(
        name="duel",
        compared_with=f"α = β = 0.05 and a test of fixed length, {duels} simulated duels each",
        ratios=ratios,
        figures=figures,
        machine=machine("numpy"),
    )
    click.echo(as_report(report, as_json=as_json))


if __name__ == "__main__":
    main()
