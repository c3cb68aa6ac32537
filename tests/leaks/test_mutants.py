"""The test of the test: an arena that leaks is found out, whatever it leaks."""

from __future__ import annotations

from random import Random

import pytest

from euchre_sdk.game import PRESETS
from tests.leaks.mutants import MUTANTS
from tests.leaks.proof import prove, random_rules, scripts
from tests.leaks.script import Script

AT_ONCE = 10


@pytest.fixture(scope="module")
def games() -> list[Script]:
    rng = Random(7)
    british = [game for _ in range(4) for game in scripts(PRESETS["british"], rng)]
    others = [*PRESETS.values(), *(random_rules(rng) for _ in range(6))]
    return [*british, *(game for rules in others for game in scripts(rules, rng))]


def test_nothing_is_found_where_nothing_leaks(games: list[Script]) -> None:
    assert prove(games[:40]) is None


@pytest.mark.parametrize("what", MUTANTS)
def test_an_arena_is_found_out_that_lets_out(
    what: str, games: list[Script], monkeypatch: pytest.MonkeyPatch
) -> None:
    MUTANTS[what](monkeypatch)
    assert prove(games, at_once=AT_ONCE) is not None
