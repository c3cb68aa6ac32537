"""What a table says about its own doubts: intervals, groups, luck, pairs, and lines left out."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations

import pytest

from euchre_sdk.cli_ranking import ranking_view
from euchre_sdk.cli_ranking_matrix import matrix_view
from euchre_sdk.cli_ranking_options import ranking_json
from euchre_sdk.cli_ranking_window import visible
from euchre_sdk.rankings import Corrected, Pair, Ranking
from tests.sdk.test_cli_ranking import RATED, drawn, many, ranking

pytestmark = pytest.mark.cli


def doubtful(count: int) -> Ranking:
    """A field with an anchor, in which two of three are not separated, corrected for luck."""
    raw = many(count, hands=50_000)
    rows = [
        replace(
            row,
            superiority=0.81,
            blocks_to_separate=None if row.separated else 120 * at,
            group=1,
            corrected=Corrected(
                elo=(row.elo or 0.0) + 3.0,
                elo_error=None if row.elo_error is None else row.elo_error / 1.3,
                points_per_hand=1.03,
                points_per_hand_error=0.01,
                saving_factor=1.7,
            ),
        )
        for at, row in enumerate(raw.rows, 1)
    ]
    return replace(raw, rows=tuple(rows), saving_factor=1.74)


def compared(count: int) -> Ranking:
    """A field of which neighbours are not separated and all others are."""
    pairs = tuple(
        Pair(first=one, second=two, superiority=0.7 if two - one == 1 else 0.999, separated=apart)
        for one, two in combinations(range(count), 2)
        for apart in (two - one > 1,)
    )
    return replace(many(count), pairs=pairs)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("count", [6, 30, 100])
def test_every_rating_keeps_its_bar_and_every_doubt_its_mark(width: int, count: int) -> None:
    lines = drawn(ranking_view(doubtful(count), width=width), width)
    assert max(map(len, lines)) <= width
    rows = lines[4 : 4 + count]
    assert all("●" in row for row in rows)
    assert sum("≈" in row for row in rows) == count - len(range(1, count + 1, 3))
    assert any("+240" in row for row in rows)
    assert "+: about so many blocks more would" in " ".join(map(str.strip, lines))


def test_a_wide_table_says_how_likely_the_one_above_is_better_and_what_is_missing() -> None:
    text = "\n".join(drawn(ranking_view(doubtful(3), width=170), 170))
    assert "not separated from 1 (81 %, about 240 blocks more)" in text
    assert "how likely the line above is the stronger" in text


@pytest.mark.parametrize(("width", "column"), [(80, False), (120, True)])
def test_what_luck_took_is_a_column_or_a_note(width: int, column: bool) -> None:  # noqa: FBT001
    lines = drawn(ranking_view(doubtful(6), width=width), width)
    assert ("corrected" in lines[3]) == column
    assert ("1596 ± 16" in lines[4]) == column
    assert "1.74 times as many hands" in "\n".join(lines)
    without = "\n".join(drawn(ranking_view(many(6), width=width), width))
    assert "luck" not in without


def test_a_guess_has_two_digits_and_what_is_as_good_as_never_is_not_told() -> None:
    first, second, third = many(3).rows
    rows = (
        first,
        replace(second, separated=False, blocks_to_separate=1_234),
        replace(third, separated=False, blocks_to_separate=224_017),
    )
    lines = drawn(ranking_view(ranking(*rows), width=80), 80)
    assert lines[5].endswith("≈ +1,200")
    assert lines[6].endswith("≈")


def test_groups_that_never_met_stand_apart() -> None:
    rows = [replace(row, group=1 + (at > 2), separated=True) for at, row in enumerate(many(5).rows)]
    lines = drawn(ranking_view(ranking(*rows), width=80), 80)
    assert [line.strip() for line in lines if line.strip().startswith("group")] == [
        "group 1",
        "group 2",
    ]
    assert lines[4].strip() == "group 1"
    assert lines[8].strip() == "group 2"
    assert any(line.startswith(" Groups never met") for line in lines)
    one = "\n".join(drawn(ranking_view(doubtful(5), width=80), 80))
    assert "group" not in one.lower()


@pytest.mark.parametrize("width", [80, 120])
def test_a_group_without_the_anchor_says_what_is_held_and_takes_no_room_from_numbers(
    width: int,
) -> None:
    named = many(6, "x").rows
    rows = [replace(row, group=1 + (at > 2), anchored=at <= 2) for at, row in enumerate(named)]
    lines = drawn(ranking_view(ranking(*rows), width=width), width)
    assert max(map(len, lines)) <= width
    assert any(line.strip() == "group 2, mean 1500" for line in lines)
    assert sum("1,234,567" in line for line in lines) == 6
    assert not any("…" in line for line in lines)


def test_who_was_ahead_in_every_game_is_marked_and_explained() -> None:
    text = drawn(ranking_view(ranking(replace(RATED, one_sided=True)), width=80), 80)
    assert "ahead of, or behind, all others in each game" in "\n".join(text)
    assert text[4].endswith(("one-sided", "*"))


def test_it_is_said_that_forfeits_are_left_out() -> None:
    text = "\n".join(drawn(ranking_view(replace(many(3), forfeits_left_out=True), width=80), 80))
    assert "Forfeits are left out of the ratings." in text
    assert "left out" not in "\n".join(drawn(ranking_view(many(3), width=80), 80))


@pytest.mark.parametrize("height", [24, 40])
def test_a_wanted_bot_is_seen_with_its_neighbours_however_low_it_stands(height: int) -> None:
    view = ranking_view(many(100), width=80, height=height, wanted=["bot71"])
    lines = drawn(view, 80)
    assert len(lines) <= height - 1
    for name in ("bot1", "bot3", "bot70", "bot71", "bot72"):
        assert any(f" {name} " in line for line in lines)
    gaps = [int(line.split()[1]) for line in lines if "…" in line]
    assert sum(gaps) == 100 - sum("1,234,567" in line for line in lines)


@pytest.mark.parametrize("room", range(3, 12))
@pytest.mark.parametrize("wanted", [[], [0], [9], [4, 17], [19], [3, 4, 5]])
def test_what_is_shown_fits_and_has_the_best_three(room: int, wanted: list[int]) -> None:
    shown = visible(20, room, wanted)
    gaps = sum(b - a > 1 for a, b in zip([-1, *shown], shown, strict=False))
    assert len(shown) + gaps <= room
    assert shown[:3] == [0, 1, 2]
    assert shown == sorted(set(shown))
    if room > 3 + 2 * len(wanted):
        assert set(wanted) <= set(shown)


def test_a_small_field_is_compared_in_percent_and_both_ways_round() -> None:
    lines = drawn(matrix_view(compared(4), width=80), 80)
    assert [line.split()[2:] for line in lines[1:5]] == [
        ["–", "70", "99", "99"],
        ["30", "–", "70", "99"],
        ["1", "30", "–", "70"],
        ["1", "1", "30", "–"],
    ]


def test_a_large_field_is_compared_by_signs_as_far_as_there_is_room() -> None:
    lines = drawn(matrix_view(compared(100), width=80), 80)
    assert max(map(len, lines)) <= 80
    assert lines[1].split()[-1].startswith("\\·+++")
    assert lines[3].split()[-1].startswith("-·\\·+++")
    shown = len(lines[1].split()[-1])
    assert f" {100 - shown} columns have no room" in "\n".join(lines)


def test_pairs_that_never_met_are_no_guess() -> None:
    lines = drawn(matrix_view(many(3), width=80), 80)
    assert lines[1].split()[2:] == ["–", "?", "?"]


def test_a_line_of_json_has_all_of_it() -> None:
    told = json.loads(ranking_json(replace(doubtful(2), pairs=compared(2).pairs)))
    assert told["remaining"] == 720.0
    assert told["state"] == "running"
    assert told["saving_factor"] == 1.74
    assert told["rows"][1]["corrected"]["elo_error"] is None
    assert told["rows"][1]["blocks_to_separate"] == 240
    assert told["pairs"] == [{"first": 0, "second": 1, "superiority": 0.7, "separated": False}]
