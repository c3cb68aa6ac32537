"""`arena watch NAME`: the ranking as it changes, in a terminal or line by line."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import click
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from arena.cli_common import arena_options, console, dialled, json_option, show_json
from arena.rpc.plain import plain

LINE_EVERY = 5.0
"""Seconds between two lines where there is no terminal, at least."""
LONGEST_NAME = 24
"""Longer names of bots are cut."""


@click.command()
@click.argument("name")
@json_option
@arena_options
def watch(name: str, *, as_json: bool, address: str, ca_file: Path | None, plaintext: bool) -> None:
    """Watch a tournament until it is over."""
    out = console()
    with dialled(address, ca_file, plaintext) as arena:
        tables = arena.watch_rankings(name)
        if as_json:
            for rankings in tables:
                show_json(rankings)
        elif out.is_terminal:
            _watch_live(tables, out)
        else:
            _watch_lines(tables, out)


def _watch_live(tables: Any, out: Console) -> None:
    rankings = None
    with Live(console=out, auto_refresh=False, transient=True) as live:
        for rankings in tables:
            live.update(view_of(rankings, width=out.width, height=out.height), refresh=True)
    if rankings is not None:
        out.print(view_of(rankings, width=out.width))


def _watch_lines(tables: Any, out: Console) -> None:
    rankings, said, last = None, "", -LINE_EVERY
    for rankings in tables:
        line = line_of(rankings)
        if line != said and monotonic() - last >= LINE_EVERY:
            click.echo(line)
            said, last = line, monotonic()
    if rankings is not None:
        out.print(view_of(rankings, width=out.width))


def line_of(rankings: Any) -> str:
    """Return where a tournament stands in one line."""
    progress = rankings.progress
    leaders = [
        f"{row.rank}. {row.entry.name} {row.elo:.0f}{_error_of(row)}"
        for row in rankings.rows[:3]
        if row.HasField("elo")
    ]
    return " · ".join(
        [
            f"{rankings.tournament} {plain(rankings)['state']}",
            f"{progress.blocks_complete:,}/{progress.blocks_total:,} blocks",
            f"{progress.hands:,} hands",
            f"{progress.games_running:,} games running",
            *leaders,
        ]
    )


def view_of(rankings: Any, *, width: int, height: int | None = None) -> RenderableType:
    """Return the head, the progress bar and the table."""
    return Group(
        _head(rankings, width),
        Text(),
        table_of(rankings, width=width, height=height),
        *_foot(rankings),
    )


def table_of(rankings: Any, *, width: int, height: int | None = None) -> Table:
    """Return the table of a ranking, for a terminal that is so wide and so high.

    The interval is drawn only where there is room; rows that do not fit are counted.
    """
    rows = list(rankings.rows)
    shown = rows if height is None else rows[: max(3, height - 8)]
    heads, cells = _grid(shown, rankings, left_out=len(rows) - len(shown), width=width)
    needed = _needed(heads, cells)
    table = Table(box=None, header_style="dim", padding=(0, 1))
    bar_width = min(28, width - needed - 2)
    if bar_width >= 9:
        low, high = _range(rows)
        bars = [_bar(row, low, high, bar_width) for row in shown]
        bars += [""] * (len(cells) - len(bars))
        cells = [[*each[:4], bar, *each[4:]] for each, bar in zip(cells, bars, strict=True)]
        heads.insert(4, " " * bar_width)
    for head in heads:
        table.add_column(
            head,
            justify="left" if head == "bot" or not head.strip() else "right",
            no_wrap=True,
            overflow="ellipsis",
        )
    for each in cells:
        table.add_row(*map(Text, each))
    return table


COLUMNS = ("#", "bot", "Elo", "± 95 %", "points/hand", "blocks", "faults", "")


def _grid(
    shown: list[Any], rankings: Any, *, left_out: int, width: int
) -> tuple[list[str], list[list[str]]]:
    """Return heads and cells, with shorter notes and names if they do not fit otherwise."""

    def cells(*, narrow: bool, longest: int) -> list[list[str]]:
        lines = [
            _cells(row, above, rankings, narrow=narrow, longest=longest)
            for above, row in zip([None, *shown], shown, strict=False)
        ]
        if left_out:
            lines.append(["", f"… {left_out} more", *[""] * (len(COLUMNS) - 2)])
        return lines

    heads = list(COLUMNS)
    grid = cells(narrow=False, longest=LONGEST_NAME)
    if _needed(heads, grid) > width:
        heads = ["points" if head == "points/hand" else head for head in COLUMNS]
        grid = cells(narrow=True, longest=LONGEST_NAME)
        over = _needed(heads, grid) - width
        if over > 0:
            widest = max((cell_len(each[1]) for each in grid), default=0)
            grid = cells(narrow=True, longest=max(8, widest - over))
    return heads, grid


def _needed(heads: list[str], cells: list[list[str]]) -> int:
    """Return how wide a table is."""
    return sum(2 + max(map(cell_len, column)) for column in zip(heads, *cells, strict=True))


def _cells(row: Any, above: Any, rankings: Any, *, narrow: bool, longest: int) -> list[str]:
    name = row.entry.name
    return [
        str(row.rank) if row.HasField("rank") else "–",
        name if len(name) <= longest else name[: longest - 1] + "…",
        f"{row.elo:.0f}" if row.HasField("elo") else "–",
        _interval(row, rankings),
        f"{row.points_per_hand:.2f}" if row.HasField("points_per_hand") else "–",
        f"{row.blocks:,}",
        _faults(row),
        _note(row, above, narrow=narrow),
    ]


def _head(rankings: Any, width: int) -> RenderableType:
    progress = rankings.progress
    values = plain(rankings)
    parts = [
        rankings.tournament,
        values["schedule"].replace("_", " "),
        f"{len(rankings.rows)} entries",
        f"{progress.blocks_total:,} blocks",
        values["state"],
    ]
    doing = f"{progress.games_running:,} games running"
    if progress.HasField("remaining_duration"):
        doing += f" · {_span(progress.remaining_duration.ToTimedelta())} left"
    done = progress.blocks_complete / progress.blocks_total if progress.blocks_total else 0.0
    line = Table.grid(padding=(0, 1))
    bar = ProgressBar(total=1.0, completed=done, width=max(8, min(30, width - 66)))
    line.add_row("", bar, f"{done:4.0%}", f"{progress.hands:,} hands", doing)
    return Group(Text(" " + " · ".join(parts), style="bold"), line)


def _foot(rankings: Any) -> list[RenderableType]:
    if not any(row.HasField("elo") for row in rankings.rows):
        return [Text("\n No block is complete yet; only complete blocks are rated.", style="dim")]
    held = (
        f"{rankings.anchor} is held at 1500"
        if rankings.HasField("anchor")
        else "not anchored: the mean is held at 1500"
    )
    note = f"\n {held}; ± is the half-width of the 95 % interval, by block."
    return [Text(note, style="dim")]


def _interval(row: Any, rankings: Any) -> str:
    if rankings.HasField("anchor") and row.entry.name == rankings.anchor and row.HasField("elo"):
        return "anchor"
    return f"± {row.elo_error:.0f}" if row.HasField("elo_error") else "–"


def _error_of(row: Any) -> str:
    return f" ± {row.elo_error:.0f}" if row.HasField("elo_error") else ""


def _faults(row: Any) -> str:
    parts = [f"{row.faults:,}" if row.faults else ""]
    parts += [f"{row.forfeits}F" if row.forfeits else ""]
    parts += [f"{row.not_started}N" if row.not_started else ""]
    return " ".join(part for part in parts if part) or "–"


def _note(row: Any, above: Any, *, narrow: bool) -> str:
    if row.entry.withdrawn:
        return "withdrawn"
    if not row.HasField("elo"):
        return "" if row.online else "absent"
    if above is not None and above.HasField("elo") and not row.separated:
        return "not separated" if narrow else f"not separated from {above.rank}"
    return "" if row.online or row.entry.house else "absent"


def _range(rows: list[Any]) -> tuple[float, float]:
    """Return the lowest and the highest end of all intervals."""
    ends = [end for row in rows if row.HasField("elo") for end in _ends(row)]
    return (min(ends), max(ends)) if ends else (0.0, 1.0)


def _ends(row: Any) -> tuple[float, float]:
    error = row.elo_error if row.HasField("elo_error") else 0.0
    return row.elo - error, row.elo + error


def _bar(row: Any, low: float, high: float, width: int) -> str:
    """Return an interval as ├──●──┤ on a scale from low to high."""
    if not row.HasField("elo"):
        return ""
    dash, dot, left, right = "─●├┤" if _can_draw() else "-o||"

    def place(elo: float) -> int:
        return round((elo - low) / ((high - low) or 1.0) * (width - 1))

    start, end = map(place, _ends(row))
    cells = [" "] * width
    for index in range(start, end + 1):
        cells[index] = dash
    if start < end:
        cells[start], cells[end] = left, right
    cells[place(row.elo)] = dot
    return "".join(cells)


def _can_draw() -> bool:
    return "utf" in (sys.stdout.encoding or "").lower()


def _span(left: timedelta) -> str:
    """Return a time span in its two largest units.

    >>> _span(timedelta(minutes=62)), _span(timedelta(seconds=9))
    ('1 h 2 min', '9 s')
    """
    minutes, seconds = divmod(int(left.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes else f"{seconds} s"
