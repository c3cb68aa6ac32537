"""What a seat is sent depends on what it may know, and on nothing else (docs/protocol.md)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from euchre_sdk.game import PRESETS, RuleSet
from tests.leaks.proof import Tally, prove, random_rules, scripts
from tests.leaks.script import How, Script, Trouble

POINTS = 2_000
"""Decision points at least for each of the five presets and its forty random rule sets."""


def games(preset: RuleSet, more: int, rng: Random) -> Iterator[Script]:
    yield from scripts(preset, rng)
    for _ in range(more):
        yield from scripts(random_rules(rng), rng, of_each=False)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_seat_is_sent_the_same_bytes_whatever_is_hidden_from_it(
    preset: str, rule_sets: int
) -> None:
    tally = Tally()
    assert prove(games(PRESETS[preset], rule_sets, Random(preset)), tally) is None
    assert tally.points >= POINTS
    assert tally.messages >= POINTS // 2
    # Everything that is to be hidden differed, and everything that can go wrong went wrong.
    for what in ("hand", "dummy", "buried", "discard", "sitting out", "stock"):
        assert tally.hidden[what] >= 20, what
    for how in How:
        assert tally.hows[how.value] >= 20, how
    for trouble in Trouble:
        assert tally.troubles[trouble.value] >= 3, trouble
    assert tally.voids >= 5
    assert len(tally.kinds) == 7
    assert min(tally.kinds.values()) >= 20
