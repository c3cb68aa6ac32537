"""The yardstick of the house bots is true: no luck of cards or seats is left in it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from benchmarks.bots import main, measure


def test_a_bot_has_no_lead_over_itself() -> None:
    lead = measure("heuristic@1", "heuristic@1", deals=20, seed=1)
    assert (lead.mean, lead.error) == (0, 0)
    assert lead.hands == 60


def test_a_lead_is_that_of_the_challenger() -> None:
    assert measure("heuristic@1", "random@1", deals=60, seed=1).lowest > 0
    assert measure("random@1", "heuristic@1", deals=60, seed=1).mean < 0


@pytest.mark.cli
def test_prints_one_json_object_with_ratios_named() -> None:
    options = ["--deals", "9", "--search-deals", "3", "--json"]
    result = CliRunner().invoke(main, options)
    assert result.exit_code == 0, result.output
    printed = json.loads(result.output)
    assert set(printed["ratios"]) == {
        "heuristic_over_two_random_at_least",
        "monte_carlo_over_two_heuristic_at_least",
    }
    assert printed["aims"]["heuristic_over_two_random_at_least"] == ">= 0.8"
