"""Every pair of a ranking compared, drawn for the terminal."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from euchre_sdk.cli_ranking_columns import cut_name
from euchre_sdk.rankings import Pair, Ranking

_LONGEST_NAME = 16
_CELL = 3
"""Columns of a percentage with the space before it."""


def matrix_view(ranking: Ranking, *, width: int) -> RenderableType:
    """Return how likely each bot is the stronger of each pair, in percent where there is room.

    Lines and columns are the table's, best first. In a small field a cell is the likelihood that
    the line's bot is the stronger; in a large one it is a sign.
    """
    rows = ranking.rows
    names = [cut_name(row.name, _LONGEST_NAME) for row in rows]
    longest = max(map(cell_len, names), default=0)
    numbers = max(2, len(str(len(rows))))
    margin = numbers + longest + 3
    in_percent = margin + _CELL * len(rows) <= width
    fit = len(rows) if in_percent else min(len(rows), width - margin - 1)
    likely = _cells(ranking.pairs)
    lines = [Text(" " * margin + _head(fit, in_percent=in_percent), style="dim")]
    for at, name in enumerate(names):
        line = Text(f" {at + 1:>{numbers}} {name}" + " " * (longest - cell_len(name) + 1))
        for other in range(fit):
            pair = likely.get((at, other))
            line.append(_percent(at, other, pair) if in_percent else _sign(at, other, pair))
        lines.append(line)
    return Group(
        *lines,
        Text(),
        *(
            Text(f" {note}", style="dim")
            for note in _notes(in_percent=in_percent, left_out=len(rows) - fit)
        ),
    )


def _cells(pairs: tuple[Pair, ...]) -> dict[tuple[int, int], Pair]:
    """Return every pair both ways round."""
    turned = [
        Pair(
            first=pair.second,
            second=pair.first,
            superiority=1.0 - pair.superiority,
            separated=pair.separated,
        )
        for pair in pairs
    ]
    return {(pair.first, pair.second): pair for pair in (*pairs, *turned)}


def _head(fit: int, *, in_percent: bool) -> str:
    """Return the numbers of the columns; of signs, the last digit of each."""
    if in_percent:
        return "".join(f"{at + 1:>{_CELL}}" for at in range(fit))
    return "".join(str((at + 1) % 10) for at in range(fit))


def _percent(at: int, other: int, pair: Pair | None) -> Text:
    if at == other:
        return Text("–".rjust(_CELL), style="dim")
    if pair is None:
        return Text("?".rjust(_CELL), style="dim")
    told = min(99, max(1, round(100 * pair.superiority)))
    return Text(f"{told:>{_CELL}}", style="bold" if pair.separated else "dim")


def _sign(at: int, other: int, pair: Pair | None) -> Text:
    if at == other:
        return Text("\\", style="dim")
    if pair is None:
        return Text("?", style="dim")
    if not pair.separated:
        return Text("·", style="dim")
    return Text("+" if pair.superiority > 0.5 else "-", style="bold")


def _notes(*, in_percent: bool, left_out: int) -> list[str]:
    if in_percent:
        return [
            "Likelihood in percent that the line's bot is stronger than the column's. From 98, or",
            "up to 2, the data separate them (bold); 99 and 1 stand for more and less, too.",
        ]
    notes = [
        "+ the bot of the line is stronger, - weaker, · not separated, ? they never met.",
    ]
    if left_out:
        notes.append(f"{left_out:,} columns have no room; a wider terminal and --json show them.")
    return notes
