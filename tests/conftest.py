"""What all tests share: Hypothesis draws the same examples in every run; --long runs more."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "same every time",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("same every time")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let tests that have a long form be run in it."""
    parser.addoption(
        "--long",
        action="store_true",
        help="run tests that have a long form in it: whole products, many more examples (hours)",
    )
