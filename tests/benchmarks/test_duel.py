"""The error rates of duels, in a small version of the benchmark with a fixed seed."""

from __future__ import annotations

import pytest

from benchmarks.duel import KINDS, Kind, play


@pytest.mark.parametrize(
    "kind", [each for each in KINDS if each.points == 0.1], ids=lambda k: k.name
)
def test_duels_err_as_rarely_as_they_say_and_need_half_the_blocks(kind: Kind) -> None:
    none, wanted = (play(kind, lead, 1000, seed=3) for lead in (0.0, kind.points))
    # 1,000 duels: the standard error of a share of 0.05 is 0.007
    assert 0.02 <= none.stronger <= 0.065
    assert 0.02 <= wanted.not_stronger <= 0.065
    assert none.blocks < 0.6 * kind.fixed
    assert wanted.blocks < 0.6 * kind.fixed
