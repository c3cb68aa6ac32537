"""Every ruling and every worked case of docs/rules.md is cited by a test's id."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"(?<![A-Za-z0-9])([ATW]\d{1,2})(?![A-Za-z0-9])")
ROW = re.compile(r"^\| ([AT]\d\d) \|", re.MULTILINE)


@pytest.fixture(scope="module")
def cited() -> set[str]:
    """The numbers in the ids of all tests (`test_a13_…` and `[A13 …]` both count)."""
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--override-ini"]
    listed = subprocess.run(
        [*collect, "addopts=--import-mode=importlib", "tests", "--ignore=tests/docs"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    ids = re.sub(r"_([atw]\d{1,2})(?=_|\b)", lambda m: " " + m[1].upper() + " ", listed)
    return set(NUMBER.findall(ids))


def test_every_number_of_the_rules_is_cited_by_a_test(cited: set[str]) -> None:
    numbers = set(ROW.findall((ROOT / "docs/rules.md").read_text())) | {"W1"}
    assert len(numbers) > 80
    assert sorted(numbers - cited) == []


def test_no_test_cites_a_number_that_the_rules_lack(cited: set[str]) -> None:
    numbers = set(ROW.findall((ROOT / "docs/rules.md").read_text())) | {"W1"}
    assert sorted(number for number in cited if number[0] == "A" and number not in numbers) == []
