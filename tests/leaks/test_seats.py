"""What a seat is sent depends on what it may know, and on nothing else (docs/protocol.md)."""

from __future__ import annotations

from random import Random

from euchre_sdk.game import PRESETS
from tests.leaks.proof import Tally, prove, rule_sets, scripts
from tests.leaks.script import How, Trouble

RANDOM_RULE_SETS = 200
POINTS = 10_000
"""Decision points at least."""


def test_a_seat_is_sent_the_same_bytes_whatever_is_hidden_from_it() -> None:
    rng, tally = Random(20), Tally()
    games = (
        game
        for number, rules in enumerate(rule_sets(rng, RANDOM_RULE_SETS))
        for game in scripts(rules, rng, of_each=number < len(PRESETS))
    )
    assert prove(games, tally) is None
    assert tally.points >= POINTS
    assert tally.messages >= POINTS // 2
    # Everything that is to be hidden differed, and everything that can go wrong went wrong.
    for what in ("hand", "dummy", "buried", "discard", "sitting out", "stock"):
        assert tally.hidden[what] >= 100, what
    for how in How:
        assert tally.hows[how.value] >= 100, how
    for trouble in Trouble:
        assert tally.troubles[trouble.value] >= 30, trouble
    assert len(tally.kinds) == 7
    assert min(tally.kinds.values()) >= 100
