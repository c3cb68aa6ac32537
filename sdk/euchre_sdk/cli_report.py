"""How a series of local games looks in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent, wrap

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from euchre_sdk.faults import Fault
from euchre_sdk.game import Session
from euchre_sdk.report import BotReport, Report, neighbours, separation
from euchre_sdk.series import Series

NOTHING = "–"
LEAST_BLOCKS = 4
"""Blocks from which an interval is shown: with fewer it is wider than what it is about."""


def headline(series: Series, rules: str) -> str:
    """Return in a line what is played."""
    if isinstance(series.format, Session):
        amount = f"{series.games * series.format.hands:,} hands"
    else:
        amount = f"{series.games:,} games to {series.rules.target}"
    return f"{rules} rules · {amount} · all six seatings · seed {series.seed}"


def show_report(console: Console, report: Report) -> None:
    """Print the table of the bots and what it says, then what went wrong."""
    if report.blocks:
        console.print()
        console.print(_fitting(console, report))
        console.print()
        for pair in neighbours(report.ranking):
            say(console, separation(report, *pair))
        for line in _legend(report):
            say(console, line, style="dim")
    shown = {bot.name: bot.faults for bot in report.bots if bot.faults}
    for fault in report.faults:
        console.print()
        show_fault(console, fault)
    described = {name: sum(f.name == name for f in report.faults) for name in shown}
    for name, count in shown.items():
        if count > described[name]:
            console.print()
            say(console, f"{name}: {count:,} faults in all, the first {described[name]} are shown.")


def show_fault(console: Console, fault: Fault) -> None:
    """Print one fault: where, the position, the author's traceback, what was wrong."""
    places = [f"hand {fault.hand_number}"] if fault.hand_number else []
    places += [f"game {fault.game}"] if fault.game else []
    where = [" of ".join(places)] if places else []
    where += [] if fault.seat is None else [f"seat {fault.seat}"]
    console.print(Text.assemble(" ", (fault.name, "bold red"), f" · {' · '.join(where)}"))
    for part in (fault.table, fault.traceback):
        if part:
            console.print(Text(indent(part, "   "), style="dim"), soft_wrap=True)
    played = f" {fault.forced} was played instead." if fault.forced else ""
    sentence = (
        fault.sentence if fault.sentence.endswith((".", ".)", "?)")) else f"{fault.sentence}."
    )
    say(console, sentence + played)


def say(console: Console, text: str, *, style: str = "") -> None:
    """Print a paragraph one blank in, wrapped to the console's width."""
    for line in wrap(text, max(console.width - 2, 20), break_on_hyphens=False):
        console.print(Text(f" {line}", style=style), soft_wrap=True)


def _fitting(console: Console, report: Report) -> Table:
    """Return the table with as much air as the console's width allows, then with fewer columns.

    A figure is never cut; of the columns the first ones say most.
    """
    unlimited = console.options.update(max_width=1000)
    for air, columns in ((3, 0), (2, 0), *((1, n) for n in range(_MOST_LEFT_OUT))):
        table = report_table(report, air=air, without=columns)
        narrowest = Measurement.get(console, unlimited, table)
        if (narrowest.maximum if air > 1 else narrowest.minimum) <= console.width:
            return table
    return report_table(report, air=1, without=_MOST_LEFT_OUT)


_MOST_LEFT_OUT = 6
"""Columns that may be left out where there is no room: what is left says who is better."""


def report_table(report: Report, *, air: int, without: int = 0) -> Table:
    """Return the bots as a table, best first, with so many blanks between its columns.

    `without` so many of the columns at its right.
    """
    table = Table(box=None, padding=(0, air, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(" bot", no_wrap=True, overflow="ellipsis", min_width=8)
    columns = list(_columns(report))
    columns = columns[: max(2, len(columns) - without)]
    for title, cells, style in columns:
        width = max(map(len, (title, *cells)))
        table.add_column(title, justify="right", no_wrap=True, style=style, min_width=width)
    for rank, number in enumerate(report.ranking):
        name = Text(f" {report.bots[number].name}", style="bold" if rank == 0 else "")
        table.add_row(name, *(cells[number] for _, cells, _ in columns))
    return table


def _columns(report: Report) -> Iterator[tuple[str, list[str], str]]:
    """Yield title, the three bots' cells and style of each column after the name."""
    bots = report.bots
    is_known = report.blocks >= LEAST_BLOCKS
    points = [_number(bot.points_per_hand) for bot in bots]
    if isinstance(report.format, Session):
        yield "points/hand", points, ""
        errors = [_number(bot.points_per_hand_error if is_known else None) for bot in bots]
        yield "± 95 %", errors, "dim"
    else:
        yield "won", [_share(bot.win_rate) for bot in bots], ""
        shares = [_share(bot.win_rate_error if is_known else None) for bot in bots]
        yield "± 95 %", [share.removesuffix(" %") for share in shares], "dim"
        yield "points/hand", points, ""
    yield "made", [_percent(bot.made, report.hands) for bot in bots], ""
    yield "march", [_percent(bot.marches, bot.made) for bot in bots], ""
    yield "euchred", [_percent(bot.euchred, bot.made) for bot in bots], ""
    yield "alone", [_percent(bot.alone, bot.made) for bot in bots], ""
    yield "1st/2nd/3rd", [_places(bot) for bot in bots], ""
    if any(bot.faults for bot in bots):
        yield "faults", [f"{bot.faults:,}" if bot.faults else NOTHING for bot in bots], "red"


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


def _share(value: float | None) -> str:
    return NOTHING if value is None else f"{100 * value:.1f} %"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else NOTHING


def _places(bot: BotReport) -> str:
    games = sum(bot.places)
    if not games:
        return NOTHING
    return "/".join(f"{100 * count / games:.0f}" for count in bot.places) + " %"


def _legend(report: Report) -> list[str]:
    unit = "sessions" if isinstance(report.format, Session) else "games"
    blocks = f"{report.blocks:,} block" + ("s" if report.blocks > 1 else "")
    lines = [
        f"made: of all hands; march, euchred, alone: of those; 1st/2nd/3rd: of {unit}",
        f"± 95 %: over {blocks} of six {unit}, one for each seating",
    ]
    if report.blocks < LEAST_BLOCKS:
        lines[-1] += f"; too few for an interval, which is shown from {LEAST_BLOCKS} blocks on"
    if report.unfinished:
        lines.append(
            f"{report.unfinished:,} games had no end: 100 hands passed out in a row, or 1,000 hands"
        )
    return lines
