"""A ranking in the terminal: nothing is cut that matters, at any width and for any field."""

from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pyte
import pytest
from rich.console import Console

from euchre_sdk.cli_ranking import ranking_line, ranking_table, ranking_view
from euchre_sdk.cli_ranking_screen import LINE_EVERY, RankingScreen
from euchre_sdk.rankings import Ranking, RankingRow, TournamentState

pytestmark = pytest.mark.cli

RATED = RankingRow(
    rank=1,
    name="lynx",
    version="3",
    house=False,
    withdrawn=False,
    online=True,
    elo=1530.0,
    elo_error=19.0,
    points_per_hand=1.03,
    points_per_hand_error=0.02,
    blocks=172,
    hands=10_320,
    forfeits=0,
    not_started=0,
    faults=0,
    separated=True,
)
UNRATED = replace(
    RATED,
    rank=None,
    elo=None,
    elo_error=None,
    points_per_hand=None,
    points_per_hand_error=None,
    blocks=0,
    hands=0,
)


def ranking(*rows: RankingRow, **changes) -> Ranking:
    made = Ranking(
        tournament="spring",
        schedule="round robin",
        state=TournamentState.RUNNING,
        blocks_complete=690,
        blocks_total=1_320,
        games_running=41,
        hands=41_400,
        remaining=timedelta(minutes=12),
        anchor="heuristic@1",
        rows=rows,
    )
    return replace(made, **changes)


def many(count: int, name: str = "bot", *, hands: int = 1_234_567) -> Ranking:
    """A field in which some are not separated, with big numbers, and an anchor."""
    rows = [
        replace(
            RATED,
            rank=place,
            name="heuristic@1" if place == 2 else f"{name}{place}",
            elo=1600.0 - 7 * place,
            elo_error=None if place == 2 else 20.0 + place,
            hands=hands,
            faults=place,
            separated=place % 3 == 1,
        )
        for place in range(1, count + 1)
    ]
    return ranking(*rows)


def drawn(what, width: int) -> list[str]:
    file = StringIO()
    Console(file=file, width=width, highlight=False).print(what)
    return [line.rstrip() for line in file.getvalue().splitlines()]


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
@pytest.mark.parametrize("count", [3, 12, 100])
@pytest.mark.parametrize("name", ["bot", "a_rather_long_name_of_a_bot_"])
def test_a_table_fits_the_terminal_and_loses_no_number(width, count, name):
    lines = drawn(ranking_view(many(count, name), width=width), width)
    assert max(map(len, lines)) <= width
    rows = lines[4 : 4 + count]
    assert all(f"{1600 - 7 * place}" in row for place, row in enumerate(rows, 1))
    assert all("1,234,567" in row for row in rows)
    close = sum("not separated" in row or "≈" in row for row in rows)
    assert close == count - len(range(1, count + 1, 3))
    explained = any("the data cannot tell it from the line above" in line for line in lines)
    assert explained != any("not separated from" in row for row in rows)


@pytest.mark.parametrize("width", [80, 120])
def test_every_rating_has_its_interval_in_figures_and_drawn(width):
    lynx, anchor, puma = drawn(ranking_table(many(3, hands=50_000), width=width), width)[1:]
    assert lynx.split()[:5] == ["1", "bot1", "1593", "±", "21"]
    assert lynx.count("●") == lynx.count("├") == lynx.count("┤") == 1
    assert anchor.split()[:4] == ["2", "heuristic@1", "1586", "anchor"]
    assert anchor.count("●") == 1
    assert "├" not in anchor
    assert puma.split()[:5] == ["3", "bot3", "1579", "±", "23"]


def test_a_wide_terminal_shows_how_sure_the_points_are_and_from_whom_a_bot_is_not_separated():
    line = drawn(ranking_table(many(3), width=140), 140)[2]
    assert "1.03 ± 0.02" in line
    assert "172" in line
    assert "not separated from 1" in line


def test_the_head_says_how_far_it_is():
    head, progress, *_ = drawn(ranking_view(many(3), width=80), 80)
    assert head == " spring · round robin · 3 entries · 690 of 1,320 blocks · running"
    assert progress.endswith("52% · 41,400 hands · 41 games running · 12 min left")


def test_before_the_first_block_it_shows_who_plays():
    start = ranking(
        UNRATED,
        replace(UNRATED, name="puma", online=False, not_started=2),
        blocks_complete=0,
        remaining=None,
        hands=60,
    )
    lines = drawn(ranking_view(start, width=80), 80)
    assert lines[1].endswith("0% · 60 hands · 41 games running")
    assert lines[3].split() == ["#", "bot", "faults"]
    assert lines[4].split() == ["–", "lynx", "–", "connected"]
    assert lines[5].split() == ["–", "puma", "2N", "absent"]
    assert lines[7] == " No block is complete yet; only complete blocks are rated."


def test_forfeits_and_games_not_started_stand_beside_the_faults_and_are_explained():
    odd = replace(RATED, faults=3, forfeits=2, not_started=1, withdrawn=True)
    text = drawn(ranking_view(ranking(odd), width=80), 80)
    assert "3 2F 1N" in text[4]
    assert text[4].endswith("withdrawn")
    assert text[-1] == " F: games forfeited; N: games it was not ready for."


def test_nobody_is_called_absent_when_it_is_over():
    gone = ranking(replace(RATED, online=False), state=TournamentState.FINISHED, games_running=0)
    text = "\n".join(drawn(ranking_view(gone, width=80), 80))
    assert "absent" not in text
    assert "running" not in text
    assert "left" not in text


@pytest.mark.parametrize(
    ("absent", "told"),
    [
        (("puma",), "waits for puma"),
        (("puma", "lion"), "waits for puma and lion"),
        (("puma", "lion", "cat", "dog"), "waits for puma, lion and 2 more"),
    ],
)
def test_while_nothing_runs_it_says_for_whom_it_waits_instead_of_a_time(absent, told):
    away = [replace(RATED, name=name, online=False) for name in absent]
    gone = replace(RATED, name="gone", online=False, withdrawn=True)
    waiting = ranking(RATED, *away, gone, games_running=0)
    progress = drawn(ranking_view(waiting, width=100), 100)[1]
    assert progress.endswith(f"0 games running · {told}")
    assert f" · {told} · " in ranking_line(waiting)
    assert "left" not in ranking_line(waiting)


def test_who_is_absent_is_not_waited_for_while_others_play():
    playing = ranking(RATED, replace(RATED, name="puma", online=False))
    assert "waits" not in ranking_line(playing)
    assert "12 min left" in ranking_line(playing)
    paused = replace(playing, games_running=0, state=TournamentState.PAUSED)
    assert "waits" not in ranking_line(paused)


@pytest.mark.parametrize("height", [15, 24, 50])
def test_a_hundred_bots_leave_room_for_the_prompt(height):
    lines = drawn(ranking_view(many(100), width=80, height=height), 80)
    assert len(lines) == height - 1
    more = next(line for line in lines if "more" in line)
    assert int(more.split()[1]) == 100 - sum("1,234,567" in line for line in lines)


def test_a_line_says_where_a_tournament_stands():
    assert ranking_line(many(2)) == (
        "spring running · 690/1,320 blocks · 41,400 hands · 41 games running · 12 min left"
        " · 1. bot1 1593 ± 21 · 2. heuristic@1 1586"
    )


def test_without_a_terminal_there_is_a_line_now_and_then_and_the_table_at_the_end():
    file = StringIO()
    out = Console(file=file, width=100, highlight=False)
    clock = 0.0
    with RankingScreen(out, now=lambda: clock) as screen:
        for hands in range(4):
            screen.show(replace(many(3), hands=hands))
            clock += LINE_EVERY / 2
        screen.show(replace(many(3), hands=9))
    lines = file.getvalue().splitlines()
    said = [line.split(" · ")[2] for line in lines if line.startswith("spring running")]
    assert said == ["0 hands", "2 hands", "9 hands"]
    assert "9 hands" in lines[4]
    assert sum("1,234,567" in line for line in lines) == 3


@pytest.mark.parametrize("width", [80, 120])
def test_a_terminal_shows_the_newest_table_in_its_place_and_keeps_the_whole_last_one(width):
    file = StringIO()
    out = Console(file=file, force_terminal=True, width=width, height=24, color_system=None)
    screen = pyte.HistoryScreen(width, 24, history=1000)
    stream = pyte.Stream(screen)

    def seen() -> list[str]:
        stream.feed(file.getvalue().replace("\n", "\r\n"))
        file.truncate(0)
        file.seek(0)
        return [line.rstrip() for line in screen.display]

    with RankingScreen(out) as showing:
        for hands in (1, 2, 3):
            showing.show(replace(many(100), hands=hands))
            lines = seen()
            assert sum("entries" in line for line in lines) == 1
            assert f"{hands} hands" in lines[1]
            assert not screen.history.top
    end = seen()
    assert "is held at 1500" in "\n".join(end)
    above = ["".join(cell.data for _, cell in sorted(row.items())) for row in screen.history.top]
    assert sum("1,234,567" in line for line in (*above, *end)) == 100
