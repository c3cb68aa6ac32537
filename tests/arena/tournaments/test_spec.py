"""What a tournament's organiser chose comes back from the database as it was."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from arena.referee import WITHOUT_CLOCK, Conduct, TimeControl
from arena.tournaments.names import name_faults
from arena.tournaments.spec import TournamentSpec, decode_spec, encode_spec
from euchre_sdk.game import PRESETS, Session, ToTarget


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(TournamentSpec(), id="defaults"),
        *(pytest.param(TournamentSpec(rules=rules), id=name) for name, rules in PRESETS.items()),
        pytest.param(TournamentSpec(format=ToTarget(), policy="all-trios", cycles=7), id="games"),
        pytest.param(TournamentSpec(format=Session(3), time_control=WITHOUT_CLOCK), id="no clock"),
        pytest.param(
            TournamentSpec(
                time_control=TimeControl(bank=timedelta(microseconds=1)),
                conduct=Conduct(faults=9, lost=timedelta(seconds=1.5)),
                owners_apart=False,
                deadline=datetime(2026, 3, 1, tzinfo=UTC),
            ),
            id="everything else",
        ),
    ],
)
def test_a_spec_survives_the_database(spec: TournamentSpec) -> None:
    assert decode_spec(encode_spec(spec)) == spec


def test_a_spec_of_an_older_arena_gets_the_defaults_of_what_came_later() -> None:
    data = json.loads(encode_spec(TournamentSpec()))
    del data["conduct"]["misses"]
    del data["time_control"]["clocked"]
    assert decode_spec(json.dumps(data)) == TournamentSpec()


@pytest.mark.parametrize("name", ["a", "lynx-2", "B.o_t", "x" * 32, "7"])
def test_plain_names_are_accepted(name: str) -> None:
    assert name_faults("name", name) == []


@pytest.mark.parametrize(
    "name", ["", "-a", "x" * 33, "a b", "a@1", "ä", "a\n", "a\x1b[0m", "<b>", "../a", "a" * 10_000]
)
def test_names_that_could_do_harm_are_refused_and_shown_harmlessly(name: str) -> None:
    (fault,) = name_faults("name", name)
    assert fault.isascii()
    assert fault.isprintable()
    assert len(fault) < 200
