"""How much is proved: enough for every run, or with --long a hundred times as much."""

from __future__ import annotations

import pytest

RANDOM_RULE_SETS = 40
"""Beside each preset."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "rule_sets" in metafunc.fixturenames:
        usual = pytest.param(RANDOM_RULE_SETS, id="40 more")
        long = pytest.param(
            100 * RANDOM_RULE_SETS, id="4000 more", marks=pytest.mark.timeout(12 * 3600)
        )
        metafunc.parametrize("rule_sets", [long if metafunc.config.getoption("--long") else usual])
