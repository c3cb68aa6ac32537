"""A ranking drawn for the terminal: ratings with their intervals, as much as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from euchre_sdk.rankings import Ranking, RankingRow

SHORTEST_NAME = 8
"""Names are cut to no less."""
WIDEST_BAR = 28
PADDING = 2
"""Columns of the terminal between two columns of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column of the table, cell by cell."""

    head: str
    cells: Sequence[str]
    is_text: bool = False
    """Text stands on the left, numbers on the right."""
    style: str = ""

    @property
    def width(self) -> int:
        return PADDING + max(map(cell_len, (self.head, *self.cells)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """What is shown."""

    bar: int = 0
    """Columns of the terminal for an interval, at least; 0 for none."""
    precise: bool = False
    """Whether points have their interval."""
    blocks: bool = False
    """Whether blocks are told beside hands."""
    close: str = "not separated"
    """Marks a bot that the data do not separate from the one above, whose place is filled in."""
    longest_name: int = 24
    """Longer names of bots are cut."""


_LAYOUTS = (
    _Layout(bar=16, precise=True, blocks=True, close="not separated from {}"),
    _Layout(bar=16, precise=True),
    _Layout(bar=8),
    _Layout(bar=8, close="≈"),
    _Layout(close="≈"),
)
"""From the fullest to the narrowest: the first that fits is taken."""


def ranking_view(ranking: Ranking, *, width: int, height: int | None = None) -> RenderableType:
    """Return head, progress, table and notes for a terminal of so many columns and lines."""
    notes = _notes(ranking, _layout(ranking, width))
    room = None
    if height is not None:
        taken = 7 + sum(-(-(1 + cell_len(note)) // width) for note in notes)
        room = max(3, height - taken)
    return Group(
        _headline(ranking),
        _progress(ranking, width),
        Text(),
        ranking_table(ranking, width=width, rows=room),
        Text(),
        *(Text(f" {note}", style="dim") for note in notes),
    )


def ranking_table(ranking: Ranking, *, width: int, rows: int | None = None) -> Table:
    """Return the table alone; if it may have so many rows only, the rest is counted."""
    layout = _layout(ranking, width)
    table = Table(box=None, header_style="dim", padding=(0, PADDING // 2))
    columns = _columns(ranking, layout)
    if layout.bar and _is_rated(ranking):
        spare = width - PADDING - sum(column.width for column in columns)
        columns.insert(4, _bars(ranking, min(WIDEST_BAR, spare)))
    for column in columns:
        table.add_column(
            column.head,
            justify="left" if column.is_text else "right",
            no_wrap=True,
            overflow="ellipsis",
            style=column.style,
        )
    for cells in list(zip(*(column.cells for column in columns), strict=True))[:rows]:
        table.add_row(*map(Text, cells))
    if left_out := len(ranking.rows) - table.row_count:
        table.add_row("", Text(f"… {left_out} more", style="dim"))
    return table


def ranking_notes(ranking: Ranking, *, width: int) -> list[str]:
    """Return what explains the numbers of the table of this width."""
    return _notes(ranking, _layout(ranking, width))


def ranking_line(ranking: Ranking) -> str:
    """Return where a tournament stands, in one line."""
    leaders = [
        f"{row.rank}. {row.name} {row.elo:.0f}"
        + ("" if row.elo_error is None else f" ± {row.elo_error:.0f}")
        for row in ranking.rows[:3]
        if row.elo is not None
    ]
    blocks = f"{ranking.blocks_complete:,}/{ranking.blocks_total:,} blocks"
    return " · ".join(
        [f"{ranking.tournament} {ranking.state.value}", blocks, *_doing(ranking), *leaders]
    )


def show_span(time: timedelta) -> str:
    """Return a span of time in its two largest units.

    >>> show_span(timedelta(minutes=62)), show_span(timedelta(seconds=9))
    ('1 h 2 min', '9 s')
    """
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes else f"{seconds} s"


def _is_rated(ranking: Ranking) -> bool:
    return any(row.elo is not None for row in ranking.rows)


def _headline(ranking: Ranking) -> Text:
    told = [
        ranking.schedule,
        f"{len(ranking.rows):,} entries",
        f"{ranking.blocks_complete:,} of {ranking.blocks_total:,} blocks",
        ranking.state.value,
    ]
    name = (f" {ranking.tournament}", "bold")
    return Text.assemble(name, " · ", " · ".join(told), no_wrap=True, overflow="ellipsis")


def _progress(ranking: Ranking, width: int) -> RenderableType:
    total = ranking.blocks_total
    share = ranking.blocks_complete / total if total else 0.0
    told = " · ".join((f"{share:4.0%}", *_doing(ranking)))
    line = Table.grid(padding=(0, 1))
    bar = ProgressBar(
        total=1.0, completed=share, width=max(8, min(WIDEST_BAR, width - len(told) - 4))
    )
    line.add_row("", bar, Text(told, no_wrap=True, overflow="ellipsis"))
    return line


def _doing(ranking: Ranking) -> list[str]:
    """Return what has been played, what is being played, and how long it may take."""
    parts = [f"{ranking.hands:,} hands"]
    if not ranking.state.is_over or ranking.games_running:
        parts.append(f"{ranking.games_running:,} games running")
    if ranking.waits_for:
        parts.append(f"waits for {_some_names(ranking.waits_for)}")
    elif ranking.remaining is not None and not ranking.state.is_over:
        parts.append(f"{show_span(ranking.remaining)} left")
    return parts


def _some_names(names: tuple[str, ...]) -> str:
    """Return up to two names in full, and how many more there are."""
    if len(names) > 2:
        return f"{names[0]}, {names[1]} and {len(names) - 2:,} more"
    return " and ".join(names)


def _notes(ranking: Ranking, layout: _Layout) -> list[str]:
    """Return what explains the numbers."""
    notes = []
    if _is_rated(ranking):
        held = (
            f"{ranking.anchor} is held at 1500"
            if ranking.anchor is not None
            else "Not anchored: the mean is held at 1500"
        )
        notes.append(f"{held}; ± is half of the 95 % interval, by block.")
    else:
        notes.append("No block is complete yet; only complete blocks are rated.")
    marks = []
    if "{}" not in layout.close and any(_is_close(row) for row in ranking.rows):
        marks.append(f"{layout.close}: the data cannot tell it from the line above")
    if any(row.forfeits for row in ranking.rows):
        marks.append("F: games forfeited")
    if any(row.not_started for row in ranking.rows):
        marks.append("N: games it was not ready for")
    if marks:
        notes.append(f"{'; '.join(marks)}.")
    if ranking.annulled:
        games = "1 game" if ranking.annulled == 1 else f"{ranking.annulled:,} games"
        notes.append(f"Without {games} that the organiser annulled.")
    return notes


def _layout(ranking: Ranking, width: int) -> _Layout:
    """Return the fullest layout that fits, the narrowest with names cut if none does."""
    needed = 0
    layout = _LAYOUTS[-1]
    for layout in _LAYOUTS:
        needed = sum(column.width for column in _columns(ranking, layout))
        if needed + layout.bar + (PADDING if layout.bar else 0) <= width:
            return layout
    names = max((cell_len(row.name) for row in ranking.rows), default=0)
    longest = min(names, layout.longest_name) - (needed - width)
    return replace(layout, longest_name=max(SHORTEST_NAME, longest))


def _columns(ranking: Ranking, layout: _Layout) -> list[_Column]:
    """Return the columns but for the drawn one."""
    rows = ranking.rows
    places = _Column(head="#", cells=[_or_dash(row.rank, "d") for row in rows])
    names = [_cut(row.name, layout.longest_name) for row in rows]
    bots = _Column(head="bot", cells=names, is_text=True)
    faults = _Column(head="faults", cells=[_faults(row) for row in rows])
    remarks = _Column(head="", cells=_remarks(ranking, layout.close), is_text=True, style="dim")
    if not _is_rated(ranking):
        return [places, bots, faults, remarks]
    points = [_points(row, precise=layout.precise) for row in rows]
    blocks = _Column(head="blocks", cells=[_or_dash(row.blocks or None, ",d") for row in rows])
    return [
        places,
        bots,
        _Column(head="Elo", cells=[_or_dash(row.elo, ".0f") for row in rows]),
        _Column(head="± 95 %", cells=[_interval(row, ranking) for row in rows]),
        _Column(head="points/hand" if layout.precise else "points", cells=points),
        *((blocks,) if layout.blocks else ()),
        _Column(head="hands", cells=[_or_dash(row.hands or None, ",d") for row in rows]),
        faults,
        remarks,
    ]


def _cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _or_dash(value: float | None, how: str) -> str:
    return "–" if value is None else format(value, how)


def _interval(row: RankingRow, ranking: Ranking) -> str:
    if row.elo is not None and row.name == ranking.anchor:
        return "anchor"
    return "–" if row.elo_error is None else f"± {row.elo_error:.0f}"


def _points(row: RankingRow, *, precise: bool) -> str:
    points = _or_dash(row.points_per_hand, ".2f")
    error = row.points_per_hand_error
    return points if error is None or not precise else f"{points} ± {error:.2f}"


def _faults(row: RankingRow) -> str:
    parts = [f"{row.faults:,}" if row.faults else ""]
    parts += [f"{row.forfeits:,}F" if row.forfeits else ""]
    parts += [f"{row.not_started:,}N" if row.not_started else ""]
    return " ".join(filter(None, parts)) or "–"


def _is_close(row: RankingRow) -> bool:
    """Return whether the data do not separate it from the line above."""
    return row.elo is not None and not row.separated


def _remarks(ranking: Ranking, close: str) -> list[str]:
    """Return what is odd about each line."""
    remarks = []
    above: RankingRow | None = None
    for row in ranking.rows:
        parts = []
        if row.withdrawn:
            parts.append("withdrawn")
        elif not (row.online or row.house or ranking.state.is_over):
            parts.append("absent")
        elif row.online and not _is_rated(ranking):
            parts.append("connected")
        if above is not None and _is_close(row):
            parts.append(close.format(above.rank))
        remarks.append(", ".join(parts))
        above = row
    return remarks


def _bars(ranking: Ranking, width: int) -> _Column:
    """Return the intervals, each as ├──●──┤ on the scale of all of them."""
    ends = [end for row in ranking.rows for end in _ends(row)]
    low, high = min(ends), max(ends)

    def place(elo: float) -> int:
        return round((elo - low) / ((high - low) or 1.0) * (width - 1))

    bars = []
    for row in ranking.rows:
        cells = [" "] * width
        if row.elo is not None:
            left, right = map(place, _ends(row))
            cells[left : right + 1] = "─" * (right - left + 1)
            if left < right:
                cells[left], cells[right] = "├", "┤"
            cells[place(row.elo)] = "●"
        bars.append("".join(cells))
    return _Column(head="", cells=bars, is_text=True, style="cyan")


def _ends(row: RankingRow) -> tuple[float, ...]:
    if row.elo is None:
        return ()
    error = row.elo_error or 0.0
    return row.elo - error, row.elo + error
