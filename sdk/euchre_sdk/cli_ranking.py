"""A ranking as a table for the terminal: ratings with their intervals as small bars."""

from __future__ import annotations

from datetime import timedelta

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from euchre_sdk.rankings import Ranking, RankingRow

_BAR_WIDTH = 24


def ranking_table(ranking: Ranking, *, width: int = 80) -> RenderableType:
    """Return the whole picture for a terminal of so many columns."""
    return Group(_headline(ranking), _progress(ranking), Text(), _table(ranking, width))


_WIDTH_FOR_BARS = 100
_LONGEST_NAME = 22


def _headline(ranking: Ranking) -> Text:
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(f" {ranking.tournament}", style="bold")
    text.append(f" · {ranking.schedule} · {len(ranking.rows)} entries · {ranking.state.value}")
    return text


def _progress(ranking: Ranking) -> RenderableType:
    done, total = ranking.blocks_complete, ranking.blocks_total
    parts = [f"{done:,}/{total:,} blocks", f"{ranking.hands:,} hands"]
    if not ranking.state.is_over:
        parts.append(f"{ranking.games_running} games running")
        if ranking.remaining is not None:
            parts.append(f"{_rough(ranking.remaining)} left")
    line = Table.grid(padding=(0, 1))
    told = Text(" · ".join(parts), no_wrap=True, overflow="ellipsis")
    line.add_row("", ProgressBar(total=max(total, 1), completed=done, width=10), told)
    return line


def _table(ranking: Ranking, width: int) -> Table:
    bars = width >= _WIDTH_FOR_BARS
    table = Table(box=None, pad_edge=True, header_style="bold")
    rank_width = max([len(str(row.rank)) for row in ranking.rows if row.rank], default=1)
    hands_width = max([len(f"{row.hands:,}") for row in ranking.rows], default=5)
    table.add_column("#", justify="right", min_width=rank_width)
    table.add_column("bot", max_width=_LONGEST_NAME, overflow="ellipsis", no_wrap=True)
    table.add_column("Elo", justify="right", min_width=4, no_wrap=True)
    table.add_column("± 95 %", justify="right", min_width=6, no_wrap=True)
    if bars:
        table.add_column("", width=_BAR_WIDTH, no_wrap=True)
    table.add_column("points/hand", justify="right", min_width=11, no_wrap=True)
    table.add_column("hands", justify="right", min_width=max(hands_width, 5), no_wrap=True)
    table.add_column("faults", justify="right", min_width=6, no_wrap=True)
    table.add_column("", no_wrap=True, overflow="ellipsis")
    scale = _scale(ranking.rows)
    for row in ranking.rows:
        cells: list[RenderableType] = [
            "" if row.rank is None else str(row.rank),
            Text(row.name, style="" if row.online or ranking.state.is_over else "dim"),
            "–" if row.elo is None else f"{row.elo:.0f}",
            "anchor" if row.name == ranking.anchor else _plus_minus(row.elo_error),
        ]
        if bars:
            cells.append(_bar(row, scale))
        cells += [
            _points(row),
            f"{row.hands:,}",
            f"{row.faults:,}" if row.faults else "–",
            Text(_remarks(row), style="dim"),
        ]
        table.add_row(*cells)
    return table


def _plus_minus(error: float | None) -> str:
    return "" if error is None else f"± {error:.0f}"


def _points(row: RankingRow) -> str:
    if row.points_per_hand is None:
        return "–"
    error = row.points_per_hand_error
    return f"{row.points_per_hand:.2f}" + ("" if error is None else f" ± {error:.2f}")


def _remarks(row: RankingRow) -> str:
    """Say what is odd about a line; "not separated" is meant from the line above."""
    remarks = []
    if row.withdrawn:
        remarks.append("withdrawn")
    if row.forfeits:
        remarks.append(f"{row.forfeits} forfeits")
    if row.not_started:
        remarks.append(f"{row.not_started} not started")
    if not row.separated and row.rank is not None and row.rank > 1:
        remarks.append("not separated")
    return ", ".join(remarks)


def _scale(rows: tuple[RankingRow, ...]) -> tuple[float, float]:
    """Return the lowest and highest end of any interval."""
    rated = [(row.elo, row.elo_error or 0.0) for row in rows if row.elo is not None]
    if not rated:
        return 0.0, 1.0
    low = min(elo - error for elo, error in rated)
    high = max(elo + error for elo, error in rated)
    return (low, high) if high > low else (low - 1, high + 1)


def _bar(row: RankingRow, scale: tuple[float, float]) -> str:
    if row.elo is None:
        return ""
    low, high = scale

    def at(elo: float) -> int:
        return round((elo - low) / (high - low) * (_BAR_WIDTH - 1))

    error = row.elo_error or 0.0
    left, middle, right = at(row.elo - error), at(row.elo), at(row.elo + error)
    marks = [" "] * _BAR_WIDTH
    marks[left : right + 1] = "─" * (right - left + 1)
    marks[left], marks[right] = "├", "┤"
    marks[middle] = "●"
    return "".join(marks)


def _rough(time: timedelta) -> str:
    seconds = round(time.total_seconds())
    if seconds < 90:
        return f"{seconds} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{round(minutes / 60)} h"
