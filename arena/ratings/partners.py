"""Partner effect: does somebody score more when a certain other one sits at the table?

Strengths explain how a block's three entries should share its points. What is left over for X in
the blocks in which Y sits, too, is the partner effect of Y on X: near 0 among bots that play each
for itself, and positive where Y helps X. It is a hint for organisers and no proof, and it moves
nobody's rating.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from arena.ratings.square import Floats
from arena.ratings.student import probability_below, reach_95

LEAST_BLOCKS = 4
"""With fewer common blocks nothing is said of two entries."""
_PRIOR_HANDS = 3.0
"""Keeps the strengths of who has played little near the mean."""
CHANCE = 0.05
"""Probability that any pair at all is called notable where there is no effect anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockScore:
    """What the three of one block scored."""

    points: Mapping[str, float]
    """Points a hand of each entry."""
    hands: int
    """Hands that count, above 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerEffect:
    """The effect of one entry on another."""

    entry: str
    partner: str
    points: float
    """Points a hand by which `entry` scores more where `partner` sits, too, than strengths say."""
    error: float
    """Half-width of its 95 % interval, by block, for this pair alone."""
    blocks: int
    notable: bool
    """Whether it stands out of chance although all pairs are looked at (Bonferroni's bound)."""


def partner_effects(blocks: Sequence[BlockScore]) -> tuple[PartnerEffect, ...]:
    """Return the effect of every ordered pair that can be told, the surest first."""
    entries = sorted({entry for block in blocks for entry in block.points})
    strength = dict(zip(entries, _strengths(blocks, entries), strict=True))
    left: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for block in blocks:
        mean = sum(strength[entry] for entry in block.points) / len(block.points)
        middle = sum(block.points.values()) / len(block.points)
        for entry, partner in permutations(block.points, 2):
            expected = middle + 1.5 * (strength[entry] - mean)
            rest = block.points[entry] - expected
            left.setdefault((entry, partner), []).append((float(block.hands), rest))
    # Who never plays without the other shows nothing that strength could not be.
    played = Counter(entry for block in blocks for entry in block.points)
    enough = {
        pair: rows for pair, rows in left.items() if LEAST_BLOCKS <= len(rows) < played[pair[0]]
    }
    found = [
        _effect(entry, partner, np.array(rows), comparisons=len(enough))
        for (entry, partner), rows in enough.items()
    ]
    return tuple(sorted(found, key=lambda each: (-abs(each.points) / each.error, each.entry)))


def _strengths(blocks: Sequence[BlockScore], entries: Sequence[str]) -> Floats:
    """Return strengths by weighted least squares: points differ by 1.5 times what strengths do."""
    number = {entry: place for place, entry in enumerate(entries)}
    centre = np.eye(3) - 1.0 / 3.0
    normal, right = np.eye(len(entries)) * _PRIOR_HANDS, np.zeros(len(entries))
    for block in blocks:
        at = [number[entry] for entry in block.points]
        points = np.array(list(block.points.values()), dtype=np.float64)
        normal[np.ix_(at, at)] += 2.25 * block.hands * centre
        right[at] += 1.5 * block.hands * (points - points.mean())
    return np.asarray(np.linalg.solve(normal, right), dtype=np.float64)


def _effect(entry: str, partner: str, rows: Floats, *, comparisons: int) -> PartnerEffect:
    """Return the mean of what is left over, weighted by hands, with its error by block."""
    hands, rest = rows[:, 0], rows[:, 1]
    blocks = len(rows)
    mean = float((hands * rest).sum() / hands.sum())
    squares = float((hands**2 * (rest - mean) ** 2).sum())
    deviation = max(np.sqrt(squares * blocks / (blocks - 1)) / hands.sum(), 1e-9)
    free = float(blocks - 1)
    above = float(probability_below(-abs(mean) / deviation, free))
    return PartnerEffect(
        entry=entry,
        partner=partner,
        points=mean,
        error=float(reach_95(free) * deviation),
        blocks=blocks,
        notable=2.0 * above < CHANCE / comparisons,
    )
