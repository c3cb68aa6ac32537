"""Partner effects: found where somebody helps, and nowhere else."""

from __future__ import annotations

import random
from itertools import combinations

from arena.ratings.partners import LEAST_BLOCKS, BlockScore, partner_effects

STRENGTH = dict(zip("abcdef", (0.3, 0.2, 0.1, 0.0, -0.1, -0.2), strict=True))


def blocks(rounds: int, *, help_points: float = 0.0, seed: int = 1) -> list[BlockScore]:
    """Play every trio so often; at a table with f, e scores more and the third one less."""
    luck = random.Random(seed)
    found = []
    for _ in range(rounds):
        for trio in combinations("abcdef", 3):
            mean = sum(STRENGTH[entry] for entry in trio) / 3
            points = {
                entry: 0.8 + 1.5 * (STRENGTH[entry] - mean) + luck.gauss(0.0, 1.34 / 60**0.5)
                for entry in trio
            }
            if {"e", "f"} <= set(trio):
                points["e"] += help_points
                points[trio[0]] -= help_points
            found.append(BlockScore(points=points, hands=60))
    return found


def test_where_everybody_plays_for_itself_nobody_stands_out():
    notable = [
        effect
        for seed in range(20)
        for effect in partner_effects(blocks(4, seed=seed))
        if effect.notable
    ]
    assert len(notable) <= 2  # of 600 pairs; one tournament in twenty has one


def test_intervals_hold_the_truth_for_bots_that_do_not_help_each_other():
    effects = [effect for seed in range(20) for effect in partner_effects(blocks(6, seed=seed))]
    inside = sum(abs(effect.points) <= effect.error for effect in effects) / len(effects)
    assert 0.92 < inside <= 1.0


def test_who_is_helped_is_found_first():
    first, *_ = partner_effects(blocks(6, help_points=0.4))
    assert (first.entry, first.partner, first.notable) == ("e", "f", True)
    assert 0.2 < first.points < 0.5
    assert first.blocks == 24


def test_nothing_is_said_of_pairs_with_few_blocks():
    few = blocks(1)[: LEAST_BLOCKS - 1]
    assert partner_effects(few) == ()
    assert partner_effects([]) == ()


def test_nothing_is_said_of_who_never_plays_without_the_other():
    together = [block for block in blocks(9) if set(block.points) == set("abc")]
    assert len(together) > LEAST_BLOCKS
    assert partner_effects(together) == ()
