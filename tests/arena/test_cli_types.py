"""What is typed for a tournament, and how its plan is told."""

from __future__ import annotations

from datetime import timedelta

import click
import pytest

from arena.cli_plan import plan_lines
from arena.cli_types import Limits
from arena.referee import Conduct
from arena.rpc.terms import read_conduct, write_conduct
from arena.rpc.values import write_plan
from arena.tournaments.spec import TournamentSpec
from euchre.v1 import types_pb2

ODD = Conduct(
    faults=7,
    fault_hands=9,
    lost=timedelta(seconds=5),
    house_limit=timedelta(minutes=2),
    misses=4,
    forfeits=6,
)


@pytest.mark.parametrize(
    ("typed", "conduct"),
    [
        pytest.param("faults=5", Conduct(faults=5), id="one"),
        pytest.param(
            "faults=7,fault_hands=9, lost=5s,house_limit=2m,misses=4,forfeits=6", ODD, id="all"
        ),
    ],
)
def test_limits_are_typed_by_name(typed: str, conduct: Conduct) -> None:
    assert Limits().convert(typed, None, None) == conduct


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "accepted are faults, fault_hands, misses, forfeits with a number, lost"),
        ("patience=5", "'patience=5' is no limit"),
        ("faults=x", "'faults=x' is no limit"),
        ("faults=0", "faults is 0: it must be at least 1"),
        ("faults=9999", "at most 1000"),
        ("lost=soon", "accepted are 90s, 30m, 12h, 7d"),
        ("lost=9d", "at most a day"),
        ("faults=1,faults=2", "faults is given twice"),
    ],
)
def test_what_is_no_limit_is_refused_in_a_sentence(typed: str, why: str) -> None:
    with pytest.raises(click.BadParameter, match=why):
        Limits().convert(typed, None, None)


def test_every_limit_is_told_with_the_plan() -> None:
    plan = write_plan(TournamentSpec(conduct=ODD), seed="1")
    told = " ".join(plan_lines(plan))
    for part in ("7 faults for each 9 hands", "5 s without", "4 missed", "6 forfeits", "120 s"):
        assert part in told


def test_limits_survive_the_wire_and_what_is_absent_has_its_default() -> None:
    assert read_conduct(write_conduct(ODD)) == ODD
    assert read_conduct(types_pb2.Conduct(faults=3, fault_hands=15)) == Conduct()
