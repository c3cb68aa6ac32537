"""How many blocks the adaptive ladder needs to separate a field, against the uniform round robin.

A field of known strengths plays both schedules with the same luck model: sessions of 30 hands, the
difference of two seats with a deviation of 1.9 points a hand, neighbours, and a form of the block.
Counted are the blocks until every pair of neighbours in the true order has a difference whose 95 %
interval, by the arena's own fit of all blocks so far, lies on the right side of zero. A field that
has not got there after `MOST` blocks is counted with that number. Ratios are geometric means.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the arena; before numpy is imported

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from time import process_time

import click
import numpy as np

from arena.ratings import Meetings, Ranking, SessionColumns, rank_sessions
from arena.ratings.simulation import names, simulate_sessions
from arena.ratings.square import Floats, Ints
from arena.scheduling import (
    Block,
    BlockResult,
    Entry,
    EntryId,
    FixedCourse,
    Ladder,
    LiveCourse,
    Schedule,
)
from benchmarks.harness import Report, as_report, machine
from euchre_sdk.game import Session

SESSION = Session(30)
OPEN = 6
"""Blocks that are played at once."""
MOST = 3_000

Field = Callable[[np.random.Generator], Floats]
"""Strengths of a field, in points a hand, best first."""


def spread(random: np.random.Generator) -> Floats:
    """Twelve bots with gaps of 0.06 to 0.18."""
    return -np.cumsum(random.uniform(0.06, 0.18, 12))


def close_top(random: np.random.Generator) -> Floats:
    """Sixteen bots: four close ones at the top, the others far apart."""
    gaps = np.concatenate([random.uniform(0.05, 0.08, 4), random.uniform(0.12, 0.25, 12)])
    return -np.cumsum(gaps)


def clusters(random: np.random.Generator) -> Floats:
    """Fifteen bots in five groups of three that are near each other."""
    gaps = np.where(np.arange(15) % 3 == 0, random.uniform(0.2, 0.35, 15), 0.07)
    return -np.cumsum(gaps)


FIELDS: dict[str, Field] = {each.__name__: each for each in (spread, close_top, clusters)}


class Tournament:
    """One field with its luck: a block's result depends on its trio and on how often it met."""

    def __init__(self, strength: Floats, seed: int, *, block_deviation: float = 0.05) -> None:
        """Begin it; `block_deviation`: form of the block, in points a hand."""
        self.strength = strength
        self._seed = seed
        self._block_deviation = block_deviation
        self._neighbour = np.random.default_rng([seed, 7]).normal(0.0, 0.03, len(strength))
        self._number = {EntryId(name): place for place, name in enumerate(names(len(strength)))}
        self._trios: list[list[int]] = []
        self._points: list[Ints | Floats] = []

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everybody."""
        return tuple(Entry(entry) for entry in self._number)

    def play(self, block: Block) -> BlockResult:
        """Play one block and keep it."""
        trio = [self._number[entry] for entry in block.trio]
        columns = self._columns(np.array([trio]), self._seed * 100_003 + len(self._trios))
        self._trios.append(trio)
        self._points.append(columns.points)
        totals = columns.points.sum(axis=2)
        both = totals[0] + totals[1][::-1]
        scored = dict(zip(block.trio, both.tolist(), strict=True))
        return BlockResult(block_id=block.id, points=scored, hands=2 * SESSION.hands)

    def ranking(self, meetings: Meetings) -> Ranking:
        """Return the fit of all blocks so far; `meetings`: what decided who met."""
        columns = self._columns(np.array(self._trios), 0)
        points = np.array(self._points)
        together = np.concatenate([points[:, 0], points[:, 1]])
        columns.points[:] = together
        return rank_sessions(columns, meetings=meetings)

    def separated(self, meetings: Meetings) -> bool:
        """Return whether all neighbours of the true order are apart, the right way round."""
        ranking = self.ranking(meetings)
        place = {row.entry: at for at, row in enumerate(ranking.standings)}
        order = [place[entry] for entry in self._number]
        for better, worse in pairwise(order):
            found = ranking.compare(better, worse)
            if found.elo_diff <= found.elo_error:
                return False
        return True

    def _columns(self, trios: Ints, seed: int) -> SessionColumns:
        return simulate_sessions(
            trios,
            self.strength,
            seed=seed,
            neighbour=self._neighbour,
            hands=SESSION.hands,
            block_deviation=self._block_deviation,
        )


def blocks_needed(tournament: Tournament, course: FixedCourse | LiveCourse, luck: int) -> int:
    """Return after how many blocks the field is separated."""
    random = np.random.default_rng([luck, 3])
    meetings = Meetings.BY_RESULTS if isinstance(course, LiveCourse) else Meetings.FIXED
    size = len(tournament.entries)
    running: list[Block] = []
    played, check = 0, 2 * size
    while played < MOST:
        block = course.next() if len(running) < OPEN else None
        if block is not None:
            running.append(block)
            continue
        ended = running.pop(int(random.integers(len(running))))
        course.learn(tournament.play(ended))
        played += 1
        if played >= check:
            if tournament.separated(meetings):
                return played
            check = math.ceil(check * 1.05)
    return MOST


def compared(field: Field, fields: int) -> Iterator[tuple[int, int]]:
    """Yield the blocks that round robin and ladder need for the same fields."""
    for seed in range(fields):
        strength = field(np.random.default_rng([seed, 1]))
        counts = []
        for adaptive in (False, True):
            tournament = Tournament(strength, seed)
            course: FixedCourse | LiveCourse
            if adaptive:
                course = LiveCourse(
                    Ladder.of(SESSION),
                    entries=tournament.entries,
                    format=SESSION,
                    seed=str(seed),
                    owners_apart=False,
                )
            else:
                course = FixedCourse(
                    Schedule(entries=tournament.entries, format=SESSION, seed=str(seed), cycles=100)
                )
            counts.append(blocks_needed(tournament, course, seed))
        yield counts[0], counts[1]


def cost_of_choosing(entries: int, blocks: int = 60) -> float:
    """Return the CPU of one decision of the ladder, in milliseconds."""
    tournament = Tournament(-0.05 * np.arange(entries, dtype=float), 1)
    course = LiveCourse(
        Ladder.of(SESSION),
        entries=tournament.entries,
        format=SESSION,
        seed="1",
        owners_apart=False,
    )
    given = [course.next() for _ in range(entries)]
    for block in given:
        assert block is not None
        course.learn(tournament.play(block))
    took = 0.0
    for _ in range(blocks):
        began = process_time()
        block = course.next()
        took += process_time() - began
        assert block is not None
        course.learn(tournament.play(block))
    return 1e3 * took / blocks


@click.command()
@click.option("--fields", default=8, show_default=True, help="Simulated fields of each shape.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def main(*, fields: int, as_json: bool) -> None:
    """Print how many times fewer blocks the ladder needs."""
    ratios: dict[str, tuple[float, str]] = {}
    figures: dict[str, float] = {}
    for name, field in FIELDS.items():
        counts = np.array(list(compared(field, fields)), dtype=float)
        ratio = np.log(counts[:, 0] / counts[:, 1])
        ratios[f"fewer_blocks_{name}"] = (float(np.exp(ratio.mean())), ">= 1.3")
        error = ratio.std(ddof=1) / math.sqrt(len(ratio)) if len(ratio) > 1 else math.nan
        figures[f"relative_standard_error_{name}"] = float(error)
        figures[f"blocks_round_robin_{name}"] = float(np.median(counts[:, 0]))
        figures[f"blocks_ladder_{name}"] = float(np.median(counts[:, 1]))
        figures[f"fields_not_separated_{name}"] = float((counts[:, 0] >= MOST).sum())
    for entries in (20, 100, 1000):
        figures[f"ms_a_decision_{entries}_entries"] = cost_of_choosing(entries)
    report = Report(
        name="ladder",
        compared_with=f"the balanced round robin, over {fields} fields of each shape",
        ratios=ratios,
        figures=figures,
        machine=machine("numpy", "scipy"),
    )
    click.echo(as_report(report, as_json=as_json))


if __name__ == "__main__":
    main()
