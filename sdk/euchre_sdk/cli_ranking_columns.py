"""The columns of a ranking in the terminal: which there are room for, and what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from euchre_sdk.rankings import Corrected, Ranking, RankingRow

SHORTEST_NAME = 8
"""Names are cut to no less."""
WIDEST_BAR = 28
MOST_MISSING = 99_999
"""Blocks to separate two lines: more are not told."""
PADDING = 2
"""Columns of the terminal between two columns of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of the table, cell by cell."""

    head: str
    cells: Sequence[str]
    is_text: bool = False
    """Text stands on the left, numbers on the right."""
    style: str = ""
    between: Sequence[str] = ()
    """What stands in it between the lines."""

    @property
    def width(self) -> int:
        """Columns of the terminal that it takes."""
        return PADDING + max(map(cell_len, (self.head, *self.cells, *self.between)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What is shown."""

    bar: int = 0
    """Columns of the terminal for an interval, at least; 0 for none."""
    precise: bool = False
    """Whether points have their interval."""
    blocks: bool = False
    """Whether blocks are told beside hands, and a ladder's online Elo beside the rating."""
    corrected: bool = False
    """Whether ratings without the luck of the cards have a column, if there are any."""
    close: str = "not separated"
    """Marks a bot that the data do not separate from the one above, whose place is filled in."""
    missing: str = ""
    """Tells how many blocks are missing to separate them; nothing is told if empty."""
    likely: bool = False
    """Whether it is told how likely the one above is the stronger."""
    one_sided: str = "one-sided"
    longest_name: int = 24
    """Longer names of bots are cut."""


_FULL = Layout(
    bar=16,
    precise=True,
    blocks=True,
    corrected=True,
    close="not separated from {}",
    missing="about {:,} blocks more",
    likely=True,
)
_SHORT = Layout(close="≈", missing="+{:,}", one_sided="*")
_LAYOUTS = (
    _FULL,
    replace(_SHORT, bar=16, precise=True, blocks=True, corrected=True),
    replace(_SHORT, bar=16, precise=True, corrected=True),
    replace(_SHORT, bar=12, corrected=True),
    replace(_SHORT, bar=12, corrected=True, longest_name=14),
    replace(_SHORT, bar=8),
    replace(_SHORT, bar=8, longest_name=14),
    replace(_SHORT, bar=8, longest_name=14, missing=""),
    _SHORT,
    replace(_SHORT, missing=""),
)
"""From the fullest to the narrowest: the first that fits is taken."""


def is_rated(ranking: Ranking) -> bool:
    """Return whether anybody has a rating."""
    return any(row.elo is not None for row in ranking.rows)


def group_heads(ranking: Ranking) -> dict[int, str]:
    """Return what stands above the first line of each group, by its position; none for one."""
    first: dict[int, int] = {}
    for at, row in enumerate(ranking.rows):
        if row.group is not None:
            first.setdefault(row.group, at)
    if len(first) < 2:
        return {}
    return {
        at: f"group {group}" + ("" if ranking.rows[at].anchored else ", mean 1500")
        for group, at in first.items()
    }


def is_close(row: RankingRow) -> bool:
    """Return whether the data do not separate it from the line above."""
    return row.elo is not None and not row.separated


def layout_for(ranking: Ranking, width: int) -> Layout:
    """Return the fullest layout that fits, the narrowest with names cut if none does."""
    needed = 0
    layout = _LAYOUTS[-1]
    for layout in _LAYOUTS:
        needed = sum(column.width for column in _undrawn(ranking, layout))
        if needed + layout.bar + (PADDING if layout.bar else 0) <= width:
            return layout
    names = max((cell_len(row.name) for row in ranking.rows), default=0)
    longest = min(names, layout.longest_name) - (needed - width)
    return replace(layout, longest_name=max(SHORTEST_NAME, longest))


def columns_for(ranking: Ranking, layout: Layout, width: int) -> list[Column]:
    """Return all columns, the drawn one as wide as there is room."""
    columns = _undrawn(ranking, layout)
    if layout.bar and is_rated(ranking):
        spare = width - PADDING - sum(column.width for column in columns)
        columns.insert(4, _bars(ranking, min(WIDEST_BAR, spare)))
    return columns


def _undrawn(ranking: Ranking, layout: Layout) -> list[Column]:
    """Return the columns but for the drawn one."""
    rows = ranking.rows
    places = Column(head="#", cells=[_or_dash(row.rank, "d") for row in rows])
    names = [cut_name(row.name, layout.longest_name) for row in rows]
    heads = tuple(group_heads(ranking).values())
    bots = Column(head="bot", cells=names, is_text=True, between=heads)
    faults = Column(head="faults", cells=[_faults(row) for row in rows])
    remarks = Column(head="", cells=_remarks(ranking, layout), is_text=True, style="dim")
    if not is_rated(ranking):
        return [places, bots, faults, remarks]
    points = [_points(row, precise=layout.precise) for row in rows]
    blocks = Column(head="blocks", cells=[_or_dash(row.blocks or None, ",d") for row in rows])
    online = Column(head="online", cells=[_or_dash(row.online_elo, ".0f") for row in rows])
    has_online = layout.blocks and any(row.online_elo is not None for row in rows)
    return [
        places,
        bots,
        Column(head="Elo", cells=[_or_dash(row.elo, ".0f") for row in rows]),
        Column(head="± 95 %", cells=[_interval(row, ranking) for row in rows]),
        *((_corrected(ranking),) if layout.corrected and ranking.is_corrected else ()),
        *((online,) if has_online else ()),
        Column(head="points/hand" if layout.precise else "points", cells=points),
        *((blocks,) if layout.blocks else ()),
        Column(head="hands", cells=[_or_dash(row.hands or None, ",d") for row in rows]),
        faults,
        remarks,
    ]


def cut_name(name: str, longest: int) -> str:
    """Cut out of the middle: names of one author's bots often differ at the end only."""
    if len(name) <= longest:
        return name
    end = longest // 3
    return f"{name[: longest - 1 - end]}…{name[-end:]}"


def _or_dash(value: float | None, how: str) -> str:
    return "–" if value is None else format(value, how)


def _interval(row: RankingRow, ranking: Ranking) -> str:
    if row.elo is not None and row.name == ranking.anchor:
        return "anchor"
    return "–" if row.elo_error is None else f"± {row.elo_error:.0f}"


def _corrected(ranking: Ranking) -> Column:
    def cell(corrected: Corrected | None) -> str:
        if corrected is None:
            return "–"
        error = corrected.elo_error
        return f"{corrected.elo:.0f}" + ("" if error is None else f" ± {error:.0f}")

    return Column(head="corrected", cells=[cell(row.corrected) for row in ranking.rows])


def _points(row: RankingRow, *, precise: bool) -> str:
    points = _or_dash(row.points_per_hand, ".2f")
    error = row.points_per_hand_error
    return points if error is None or not precise else f"{points} ± {error:.2f}"


def _faults(row: RankingRow) -> str:
    parts = [f"{row.faults:,}" if row.faults else ""]
    parts += [f"{row.forfeits:,}F" if row.forfeits else ""]
    parts += [f"{row.not_started:,}N" if row.not_started else ""]
    return " ".join(filter(None, parts)) or "–"


def _remarks(ranking: Ranking, layout: Layout) -> list[str]:
    """Return what is odd about each line."""
    remarks = []
    above: RankingRow | None = None
    for row in ranking.rows:
        parts = []
        if row.withdrawn:
            parts.append("withdrawn")
        elif not (row.online or row.house or ranking.state.is_over):
            parts.append("absent")
        elif row.online and not is_rated(ranking):
            parts.append("connected")
        if row.one_sided:
            parts.append(layout.one_sided)
        if above is not None and is_close(row):
            parts.append(_closeness(above, row, layout))
        remarks.append(", ".join(parts))
        above = row
    return remarks


def _closeness(above: RankingRow, row: RankingRow, layout: Layout) -> str:
    """Return that two lines are not separated, and what is known about it."""
    told = []
    if layout.likely and above.superiority is not None:
        told.append(f"{above.superiority:.0%}".replace("%", " %"))
    missing = about(row.blocks_to_separate)
    if layout.missing and missing is not None:
        told.append(layout.missing.format(missing))
    mark = layout.close.format(above.rank)
    if not told:
        return mark
    return f"{mark} ({', '.join(told)})" if layout.likely else f"{mark} {told[0]}"


def about(blocks: int | None) -> int | None:
    """Return a guess with the two digits that it is worth; None where it is as good as never.

    >>> about(7), about(1_234), about(123_456)
    (7, 1200, None)
    """
    if blocks is None or blocks > MOST_MISSING:
        return None
    return round(blocks, 2 - len(str(blocks))) if blocks >= 100 else blocks


def _bars(ranking: Ranking, width: int) -> Column:
    """Return the intervals, each on the scale of all of them."""
    cells = draw_intervals([(row.elo, row.elo_error) for row in ranking.rows], width)
    return Column(head="", cells=cells, is_text=True, style="cyan")


def draw_intervals(ratings: Sequence[tuple[float | None, float | None]], width: int) -> list[str]:
    """Return ratings with their errors, each as ├──●──┤ on the scale of all of them.

    >>> draw_intervals([(10.0, 5.0), (20.0, None), (None, None)], 11)
    ['├──●───┤   ', '          ●', '           ']
    """
    ends = [end for elo, error in ratings for end in _ends(elo, error)]
    low, high = (min(ends), max(ends)) if ends else (0.0, 0.0)

    def place(elo: float) -> int:
        return round((elo - low) / ((high - low) or 1.0) * (width - 1))

    bars = []
    for elo, error in ratings:
        cells = [" "] * width
        if elo is not None:
            left, right = map(place, _ends(elo, error))
            cells[left : right + 1] = "─" * (right - left + 1)
            if left < right:
                cells[left], cells[right] = "├", "┤"
            cells[place(elo)] = "●"
        bars.append("".join(cells))
    return bars


def _ends(elo: float | None, error: float | None) -> tuple[float, ...]:
    if elo is None:
        return ()
    return elo - (error or 0.0), elo + (error or 0.0)
