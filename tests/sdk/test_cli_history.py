"""What the ratings of a bot were, in the terminal."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import click
import pytest

from euchre_sdk.cli_history import one_tournament
from euchre_sdk.cli_history_view import MOST_LINES, history_view, moments_view, sparkline
from euchre_sdk.history import RatingPoint, TournamentHistory
from euchre_sdk.rankings import TournamentState
from tests.sdk.test_cli_ranking import drawn

pytestmark = pytest.mark.cli

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def point(blocks: int, elo: float = 1500.0) -> RatingPoint:
    return RatingPoint(
        blocks=blocks,
        time=START + timedelta(minutes=blocks),
        rank=2,
        elo=elo,
        elo_error=400.0 / blocks**0.5,
        points_per_hand=1.03,
        points_per_hand_error=0.02,
        anchored=True,
    )


def played(name: str = "spring", moments: int = 64) -> TournamentHistory:
    return TournamentHistory(
        tournament=name,
        state=TournamentState.FINISHED,
        version="3",
        entries=12,
        created=START,
        ended=START + timedelta(hours=2),
        points=tuple(point(at, 1400.0 + at) for at in range(1, moments + 1)),
    )


@pytest.mark.parametrize("width", [80, 120])
def test_a_line_a_tournament_ends_in_how_the_rating_moved(width: int) -> None:
    running = replace(played("a_rather_long_name_of_a_tournament"), state=TournamentState.RUNNING)
    lines = drawn(history_view("lynx", [running, played()], width=width), width)
    assert max(map(len, lines)) <= width
    assert [cell for cell in lines[2].split() if cell != "3"][:5] == (
        ["spring", "2/12", "1464", "±", "50"]
    )
    assert lines[2].rstrip().endswith("█")
    assert lines[2].count("▁") >= 1
    assert lines[1].endswith("running")


def test_who_is_the_anchor_and_what_is_not_anchored_is_said() -> None:
    anchor = replace(played(), points=(replace(point(9), elo_error=None),))
    loose = replace(played(), points=(replace(point(9), anchored=False),))
    lines = drawn(history_view("lynx", [anchor, loose], width=100), 100)
    assert "anchor" in lines[1]
    assert "± 133*" in lines[2]


def test_what_counted_from_another_zero_is_no_step_of_the_way() -> None:
    loose = tuple(replace(point(at, 1900.0), anchored=False) for at in (1, 2))
    line = replace(played(), points=(*loose, *played().points))
    assert "█▁" not in drawn(history_view("lynx", [line], width=80), 80)[1]


def test_a_tournament_without_a_rating_and_a_bot_without_a_tournament_are_said() -> None:
    lines = drawn(history_view("lynx", [replace(played(), points=())], width=80), 80)
    assert lines[1].split() == ["spring", "–", "–", "–", "–", "–"]
    assert "no tournament" in drawn(history_view("lynx", [], width=80), 80)[0]


@pytest.mark.parametrize("width", [80, 120])
def test_the_moments_of_one_tournament_are_drawn_with_their_intervals(width: int) -> None:
    lines = drawn(moments_view("lynx", played(), width=width), width)
    assert max(map(len, lines)) <= width
    assert lines[0] == " lynx in spring · finished"
    rows = lines[3:]
    assert len(rows) == MOST_LINES
    assert all(row.count("●") == 1 for row in rows)
    assert rows[0].split()[0] == "1"
    assert rows[-1].split()[0] == "64"


def test_a_sparkline_keeps_the_first_and_the_last() -> None:
    line = sparkline(range(100), 10)
    assert (len(line), line[0], line[-1]) == (10, "▁", "█")
    assert sparkline([], 5) == ""


def test_a_tournament_it_did_not_play_in_is_refused_with_those_it_did() -> None:
    with pytest.raises(click.ClickException, match="'winter': it has played in spring"):
        one_tournament("lynx", [played()], "winter")
    with pytest.raises(click.ClickException, match="played in none"):
        one_tournament("lynx", [], "winter")
