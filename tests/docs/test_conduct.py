"""The page about the protocol and the referee agree on the conduct, row by row."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import timedelta
from pathlib import Path

import pytest

from arena.referee import Conduct, LinkConduct, Termination
from arena.referee.conduct import CONDUCT, FAULTS, Offence, Ruling
from arena.rpc.play.goodbye import GOODBYE
from euchre.v1 import types_pb2

PAGE = (Path(__file__).resolve().parents[2] / "docs/protocol.md").read_text(encoding="utf-8")


def rows(head: str) -> list[list[str]]:
    """Return the rows of the table with that head."""
    _, _, after = PAGE.partition(f"| {head} ")
    table, _, _ = after.partition("\n\n")
    lines = table.splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _counts(ruling: Ruling) -> str:
    parts = ["1 fault"] * (ruling.faults == 1) + ["towards a flood"] * ruling.floods
    return ", ".join(parts)


def test_every_offence_has_its_ruling_and_its_row() -> None:
    assert set(CONDUCT) == set(Offence)
    assert [
        [
            offence.value,
            ruling.at_once.value,
            _counts(ruling),
            "" if ruling.termination is None else f"`{ruling.termination.value}`",
        ]
        for offence, ruling in CONDUCT.items()
    ] == rows("what | at once |")


@pytest.mark.parametrize(
    ("head", "limits"),
    [
        pytest.param("value of the tournament |", Conduct(), id="of a tournament"),
        pytest.param("value of the arena, for a link |", LinkConduct(), id="of a link"),
    ],
)
def test_every_limit_stands_in_the_page_with_its_default(
    head: str, limits: Conduct | LinkConduct
) -> None:
    told = {row[0].strip("`"): row[1] for row in rows(head)}
    assert told == {each.name: _plain(getattr(limits, each.name)) for each in fields(limits)}


def _plain(value: object) -> str:
    if isinstance(value, timedelta):
        return f"{value.total_seconds():g} s"
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_every_end_of_a_game_stands_in_the_page_with_its_sentence_and_on_the_wire() -> None:
    told = {row[0].strip("`"): row[1] for row in rows("`Termination` |")}
    assert told == {how.value: how.sentence for how in Termination}
    names = {f"TERMINATION_{how.name}" for how in Termination}
    assert names == set(types_pb2.Termination.keys()) - {"TERMINATION_UNSPECIFIED"}


def test_a_forfeit_is_said_to_be_one() -> None:
    forfeits = {how for how in Termination if how.is_forfeit}
    assert forfeits == {how for how in Termination if re.match("It forfeited", how.sentence)}
    assert {ruling.termination for ruling in FAULTS.values()} < forfeits


def test_who_is_cut_off_is_told_why() -> None:
    closing = {offence for offence, ruling in CONDUCT.items() if ruling.at_once.name == "CLOSED"}
    assert set(GOODBYE) == closing
