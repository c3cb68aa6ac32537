"""docs/view.md names everything a view gives, and nothing that it does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from euchre_sdk.game import Kind, MakerPlay, Public, Trick, TurnUp, View

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "view.md").read_text()
CODE = {name for span in re.findall(r"`([^`\n]+)`", PAGE) for name in re.findall(r"\w+", span)}


def public_names(*things: object) -> set[str]:
    return {name for thing in things for name in dir(thing) if not name.startswith("_")}


@pytest.mark.parametrize("name", sorted(public_names(View, Public)))
def test_every_attribute_of_a_view_is_documented(name: str) -> None:
    assert name in CODE


@pytest.mark.parametrize("name", [m.name for kind in (Kind, TurnUp, MakerPlay) for m in kind])
def test_every_value_of_its_enums_is_documented(name: str) -> None:
    assert name in CODE


def test_every_field_that_is_documented_is_there() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", PAGE, re.MULTILINE)
    fields = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    known = public_names(View, Public) | {kind.name for kind in Kind} | set(Trick._fields)
    assert fields <= known
    assert len(fields) > 30
