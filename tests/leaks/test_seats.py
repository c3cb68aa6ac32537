"""What a seat is sent depends on what it may know, and on nothing else (docs/protocol.md)."""

from __future__ import annotations

from random import Random

import pytest

from euchre_sdk.game import PRESETS
from tests.leaks.proof import Tally, prove, random_rules, scripts
from tests.leaks.script import How, Trouble

RANDOM_RULE_SETS = 200
POINTS = 10_000
"""Decision points at least, of all presets together."""


@pytest.mark.parametrize("preset", PRESETS)
def test_a_seat_is_sent_the_same_bytes_whatever_is_hidden_from_it(preset: str) -> None:
    rng, tally = Random(preset), Tally()
    games = list(scripts(PRESETS[preset], rng))
    for _ in range(RANDOM_RULE_SETS // len(PRESETS)):
        games += scripts(random_rules(rng), rng, of_each=False)
    assert prove(games, tally) is None
    assert tally.points >= POINTS // len(PRESETS)
    assert tally.messages >= POINTS // len(PRESETS) // 2
    # Everything that is to be hidden differed, and everything that can go wrong went wrong.
    for what in ("hand", "dummy", "buried", "discard", "sitting out", "stock"):
        assert tally.hidden[what] >= 20, what
    for how in How:
        assert tally.hows[how.value] >= 20, how
    for trouble in Trouble:
        assert tally.troubles[trouble.value] >= 3, trouble
    assert len(tally.kinds) == 7
    assert min(tally.kinds.values()) >= 20
