"""How a duel looks in a terminal: the ratio between its bounds, the lead, the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from euchre_sdk.cli_report import say
from euchre_sdk.duel.gsprt import Decision
from euchre_sdk.duel.view import DuelView, lead, verdict
from euchre_sdk.text import one_line

_GAUGE = 32
"""Columns of the bar from one bound to the other."""
_TICK = 0.1
"""Seconds between two pictures, at least."""
LINE_EVERY = 5.0
"""Seconds between two lines where there is no terminal, at least."""


def gauge(view: DuelView, *, width: int = _GAUGE) -> str:
    """Return where the ratio stands between its bounds, as a bar.

    `┼` is 0, where the data favour neither; the bounds are its ends.
    """
    lower, upper = view.test.lower, view.test.upper

    def place(llr: float) -> int:
        share = (min(max(llr, lower), upper) - lower) / (upper - lower)
        return round(share * (width - 1))

    bar = ["─"] * width
    bar[0], bar[-1] = "├", "┤"
    bar[place(0.0)] = "┼"
    bar[place(view.llr)] = "●"
    return "".join(bar)


def picture(view: DuelView) -> Group:
    """Return a duel as it stands, in three lines."""
    test = view.test
    bar = Text.assemble(
        (" not stronger ", "dim"),
        f"{test.lower:.2f} ",
        (gauge(view), "bold"),
        f" {test.upper:.2f}",
        (" stronger", "dim"),
        f"   LLR {view.llr:+.2f}",
    )
    counted = f" block {view.effect.blocks:,} of at most {test.cap:,} · {view.hands:,} hands"
    return Group(bar, Text(counted), Text(f" {lead(view)}"))


def headline(view: DuelView) -> str:
    """Return in a line who plays whom and what is asked."""
    test = view.test
    thirds = ", ".join(view.thirds)
    asked = (
        f"{test.points1:g}" if not test.points0 else f"{test.points1:g} and not {test.points0:g}"
    )
    return one_line(
        f"Is {view.first} stronger than {view.second}, by {asked} points a hand? "
        f"Third: {thirds}. α {test.alpha:g}, β {test.beta:g}."
    )


def show_duel(console: Console, view: DuelView) -> None:
    """Print a duel that is over or not played on: picture, verdict, and what it rests on."""
    if view.effect.blocks:
        console.print(picture(view), soft_wrap=True)
        console.print()
    for text in (verdict(view), *notes(view)):
        say(console, text)


def notes(view: DuelView) -> Iterator[str]:
    """Yield what else is to be known about the numbers."""
    if view.deals:
        yield f"Played on {view.deals}."
    if view.effect.blocks > 1 and view.effect.deviations is None:
        yield "All blocks came out the same."
    if view.decision is Decision.STRONGER:
        yield "A duel ends when the data look clear: on average its lead is a little overstated."
    if told := _by_bot(view, view.faults):
        yield f"Faults, each replaced by the referee's move: {told}."
    if told := _by_bot(view, view.forfeits):
        yield f"Forfeits, whose unplayed hands count as level: {told}."


def _by_bot(view: DuelView, counts: tuple[int, int, int]) -> str:
    names = (view.first, view.second, "others")
    return ", ".join(f"{name} {n:,}" for name, n in zip(names, counts, strict=True) if n)


class DuelScreen:
    """Shows a duel while its block runs: redrawn in a terminal, a line now and then elsewhere."""

    def __init__(self, out: Console, *, lines: bool = False) -> None:
        """Draw on `out`; with `lines` also where that is no terminal."""
        self._out = out
        self._lines = lines
        self._live = Live(console=out, auto_refresh=False, transient=True)
        self._due = 0.0
        self._told = 0

    def __enter__(self) -> Self:
        """Take the terminal, if there is one."""
        if self._out.is_terminal:
            self._live.start()
        return self

    def show(self, view: DuelView) -> None:
        """Show a duel as it stands, if it is time."""
        now = monotonic()
        if now < self._due:
            return
        if self._out.is_terminal:
            self._due = now + _TICK
            self._live.update(picture(view), refresh=True)
        elif self._lines and view.effect.blocks != self._told:
            self._told = view.effect.blocks
            self._due = now + LINE_EVERY
            blocks = f"block {view.effect.blocks:,} of at most {view.test.cap:,}"
            self._out.print(f"{blocks}, LLR {view.llr:+.2f}, {lead(view)}", soft_wrap=True)

    def say(self, line: str) -> None:
        """Show a line that stays."""
        self._out.print(line, soft_wrap=True, markup=False)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the terminal back."""
        self._live.stop()
