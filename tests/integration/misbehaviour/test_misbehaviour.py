"""Bots in processes of their own that misbehave at every moment of a hand, in a real arena.

Every case is a game of one that misbehaves and two that do not (`cases`); all of them are played at
the same time in one arena, with a store (`stage`), and then judged one by one (`verdict`).
"""

from __future__ import annotations

import pytest

from euchre_sdk.testing.misdeeds import Deed, Moment
from tests.integration.misbehaviour.cases import ROWS, Case, all_cases, pairs, usual_cases
from tests.integration.misbehaviour.stage import Report
from tests.integration.misbehaviour.verdict import CHECKS

pytestmark = [pytest.mark.slow, pytest.mark.cli, pytest.mark.timeout(3600)]


def test_it_costs_who_did_it_and_nobody_else(case: Case, reports: list[Report]) -> None:
    found = [r.evidence[case.name] for r in reports if case.name in r.evidence]
    assert found, "the arena gave the game up, or it never ended: see the log"
    (evidence,) = found
    for check in CHECKS:
        check(evidence)


def test_the_arena_keeps_nothing_of_games_and_bots_that_are_gone(reports: list[Report]) -> None:
    assert [report.kept for report in reports] == [{}] * len(reports)


def test_every_two_values_of_any_two_factors_meet_in_the_usual_cases() -> None:
    met = {pair for case in usual_cases() for pair in pairs(case)}
    assert met == {pair for case in all_cases() for pair in pairs(case)}


def test_every_moment_and_every_misdeed_has_cases() -> None:
    done = {row.deed.partition("=")[0] for row in ROWS}
    assert done == {deed.value for deed in Deed}
    assert {moment for row in ROWS for moment in row.moments} == (
        set(Moment) - {Moment.ANY, Moment.CONNECT}
    )
