"""What the ratings of a bot were, drawn for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TypeVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from euchre_sdk.cli_ranking_columns import draw_intervals
from euchre_sdk.history import RatingPoint, TournamentHistory

T = TypeVar("T")

MOST_LINES = 20
"""Moments of one tournament that are drawn."""
_STEPS = "▁▂▃▄▅▆▇█"
_NARROW, _WIDE = 12, 28
_WIDE_FROM = 100
"""Columns of a terminal that has room for more."""


def history_view(bot: str, histories: Sequence[TournamentHistory], *, width: int) -> RenderableType:
    """Return a bot's tournaments, newest first, a line each, with how the rating moved."""
    if not histories:
        return Text(f"{bot} has played in no tournament that may be told of.")
    wide = width >= _WIDE_FROM
    table = Table(box=None, header_style="dim", padding=(0, 1))
    table.add_column("tournament", no_wrap=True, overflow="ellipsis", max_width=28 if wide else 16)
    if wide:
        table.add_column("version", no_wrap=True, overflow="ellipsis", max_width=16)
    for head in ("place", "Elo", "± 95 %", "points/hand" if wide else "points", "blocks"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("how it moved", no_wrap=True, style="cyan")
    table.add_column("", style="dim", no_wrap=True)
    for each in histories:
        table.add_row(*map(Text, _line(each, wide=wide)))
    note = (
        "Elo is the rating at the end, or as it was last kept. Each tournament has a scale of its "
        "own: only those with the same anchor compare."
    )
    if any(not each.points[-1].anchored for each in histories if each.points):
        note += " *: not anchored, the mean was held at 1500."
    notes = wrap(note, width - 1)
    return Group(table, Text(), *(Text(f" {line}", style="dim") for line in notes))


def moments_view(bot: str, history: TournamentHistory, *, width: int) -> RenderableType:
    """Return the rating of a bot in one tournament, moment by moment, with its intervals."""
    head = Text(f" {bot} in {history.tournament} · {history.state.value}")
    if not history.points:
        return Group(head, Text(" No rating is kept of it yet."))
    points = thinned(history.points, MOST_LINES)
    bars = draw_intervals([(point.elo, point.elo_error) for point in points], max(12, width - 48))
    table = Table(box=None, header_style="dim", padding=(0, 1))
    for column in ("blocks", "place", "Elo", "± 95 %"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("", style="cyan", no_wrap=True)
    table.add_column("when", style="dim", no_wrap=True)
    for point, bar in zip(points, bars, strict=True):
        table.add_row(
            f"{point.blocks:,}",
            f"{point.rank}",
            f"{point.elo:.0f}",
            _error(point),
            Text(bar),
            f"{point.time.astimezone():%m-%d %H:%M}",
        )
    return Group(head, Text(), table)


def sparkline(values: Sequence[float], width: int) -> str:
    """Return values as steps between the lowest and the highest, the newest on the right.

    >>> sparkline([1, 2, 3, 8], 4), sparkline([5, 5], 4)
    ('▁▂▃█', '▄▄')
    """
    shown = thinned(values, width)
    low, high = min(shown, default=0.0), max(shown, default=0.0)
    if high == low:
        return _STEPS[3] * len(shown)
    top = len(_STEPS) - 1
    return "".join(_STEPS[round((value - low) / (high - low) * top)] for value in shown)


def thinned(values: Sequence[T], most: int) -> Sequence[T]:
    """Return at most so many values, evenly, with the first and the last."""
    if len(values) <= most:
        return values
    step = (len(values) - 1) / (most - 1)
    return [values[round(at * step)] for at in range(most)]


def _line(history: TournamentHistory, *, wide: bool) -> list[str]:
    names = [history.tournament, *([history.version or "–"] if wide else ())]
    doing = "" if history.state.is_over else history.state.value
    if not history.points:
        return [*names, "–", "–", "–", "–", "–", "", doing]
    last = history.points[-1]
    return [
        *names,
        f"{last.rank}/{history.entries}",
        f"{last.elo:.0f}",
        _error(last) + ("" if last.anchored else "*"),
        _points(last, wide=wide),
        f"{last.blocks:,}",
        # What counted from another zero would look like a jump.
        sparkline(
            [point.elo for point in history.points if point.anchored == last.anchored],
            _WIDE if wide else _NARROW,
        ),
        doing,
    ]


def _error(point: RatingPoint) -> str:
    if point.elo_error is None:
        return "anchor" if point.anchored else "–"
    return f"± {point.elo_error:.0f}"


def _points(point: RatingPoint, *, wide: bool) -> str:
    if point.points_per_hand is None:
        return "–"
    told = f"{point.points_per_hand:.2f}"
    error = point.points_per_hand_error
    return f"{told} ± {error:.2f}" if wide and error is not None else told
