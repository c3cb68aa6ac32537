"""A ranking drawn for the terminal: ratings with their intervals, as much as there is room for."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from textwrap import wrap

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from euchre_sdk.cli_ranking_columns import (
    PADDING,
    WIDEST_BAR,
    Layout,
    about,
    columns_for,
    group_heads,
    is_close,
    is_rated,
    layout_for,
)
from euchre_sdk.cli_ranking_window import visible
from euchre_sdk.rankings import Ranking


def ranking_view(
    ranking: Ranking, *, width: int, height: int | None = None, wanted: Collection[str] = ()
) -> RenderableType:
    """Return head, progress, table and notes for a terminal of so many columns and lines.

    `wanted`: bots that are shown wherever they stand.
    """
    notes = [line for note in ranking_notes(ranking, width=width) for line in wrap(note, width - 1)]
    room = None if height is None else max(3, height - 7 - len(notes))
    return Group(
        _headline(ranking),
        _progress(ranking, width),
        Text(),
        ranking_table(ranking, width=width, rows=room, wanted=wanted),
        Text(),
        *(Text(f" {note}", style="dim") for note in notes),
    )


def ranking_table(
    ranking: Ranking, *, width: int, rows: int | None = None, wanted: Collection[str] = ()
) -> Table:
    """Return the table alone; if it may have so many lines only, the rest is counted.

    `wanted`: bots that are shown wherever they stand.
    """
    table = Table(box=None, header_style="dim", padding=(0, PADDING // 2))
    columns = columns_for(ranking, layout_for(ranking, width), width)
    for column in columns:
        table.add_column(
            column.head,
            justify="left" if column.is_text else "right",
            no_wrap=True,
            overflow="ellipsis",
            style=column.style,
        )
    lines = list(zip(*(column.cells for column in columns), strict=True))
    asked_for = {at for at, row in enumerate(ranking.rows) if row.name in wanted}
    heads = group_heads(ranking)
    room = None if rows is None else max(3, rows - len(heads))
    before = -1
    for at in visible(len(lines), room, asked_for):
        if at - before > 1:
            table.add_row("", Text(f"… {at - before - 1}", style="dim"))
        if at in heads:
            table.add_row("", Text(heads[at], style="dim"))
        style = "bold" if at in asked_for else ""
        table.add_row(*map(Text, lines[at]), style=style)
        before = at
    if left_out := len(lines) - before - 1:
        table.add_row("", Text(f"… {left_out} more", style="dim"))
    return table


def ranking_notes(ranking: Ranking, *, width: int) -> list[str]:
    """Return what explains the numbers of the table of this width."""
    layout = layout_for(ranking, width)
    if not is_rated(ranking):
        notes = ["No block is complete yet; only complete blocks are rated."]
    else:
        held = (
            f"{ranking.anchor} is held at 1500"
            if ranking.anchor is not None
            else "Not anchored: the mean is held at 1500"
        )
        notes = [f"{held}; ± is half of the 95 % interval, by block."]
    notes += _marks(ranking, layout)
    if group_heads(ranking):
        notes.append("Groups never met, not even through others: compare ratings within one only.")
    if ranking.is_corrected:
        notes.append(_about_luck(ranking, layout))
    if ranking.forfeits_left_out:
        notes.append("Forfeits are left out of the ratings.")
    if ranking.annulled:
        games = "1 game" if ranking.annulled == 1 else f"{ranking.annulled:,} games"
        notes.append(f"Without {games} that the organiser annulled.")
    return notes


def _marks(ranking: Ranking, layout: Layout) -> list[str]:
    """Return what the marks beside the lines stand for, in one sentence if there are any."""
    marks = []
    close = [row for row in ranking.rows if is_close(row)]
    if "{}" not in layout.close and close:
        marks.append(f"{layout.close}: the data cannot tell it from the line above")
        if layout.missing and any(about(row.blocks_to_separate) is not None for row in close):
            marks.append("+: about so many blocks more would, four times in five")
    if layout.likely and close:
        marks.append("%: how likely the line above is the stronger")
    if any(row.one_sided for row in ranking.rows):
        marks.append(f"{layout.one_sided}: ahead of, or behind, all others in each game")
    if any(row.forfeits for row in ranking.rows):
        marks.append("F: games forfeited")
    if any(row.not_started for row in ranking.rows):
        marks.append("N: games it was not ready for")
    return [f"{'; '.join(marks)}."] if marks else []


def _about_luck(ranking: Ranking, layout: Layout) -> str:
    factor = ranking.saving_factor
    worth = "" if factor is None else f" is worth {factor:.2f} times as many hands"
    if layout.corrected:
        return f"corrected: without the luck of the cards, which{worth or ' takes fewer hands'}."
    told = worth or " takes fewer hands"
    return f"Leaving out the luck of the cards{told}: a wider terminal and --json show it."


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
