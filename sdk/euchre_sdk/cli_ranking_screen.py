"""A ranking as it changes: a live table in a terminal, a line now and then elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live

from euchre_sdk.cli_ranking import ranking_line, ranking_view
from euchre_sdk.cli_ranking_matrix import matrix_view
from euchre_sdk.rankings import Ranking

LINE_EVERY = 5.0
"""Seconds between two lines where there is no terminal, at least."""
WIDTH_ELSEWHERE = 100
"""Columns of a table that is not written to a terminal."""


def table_console() -> Console:
    """Return where tables go: as wide as the terminal, 100 columns elsewhere.

    What others have written is shown as it is: `[/]` or `:smile:` in a version label is no markup.
    """
    out = Console(highlight=False, markup=False, emoji=False)
    if not out.is_terminal:
        out.width = WIDTH_ELSEWHERE
    return out


def print_ranking(ranking: Ranking, out: Console, wanted: Collection[str] = ()) -> None:
    """Write the whole of a ranking, with every pair if they are compared.

    `wanted`: bots that stand out.
    """
    out.print(ranking_view(ranking, width=out.width, wanted=wanted))
    if ranking.pairs:
        out.print()
        out.print(matrix_view(ranking, width=out.width))


class RankingScreen:
    """Shows rankings while its block runs, and the whole of the last one when it is left.

    In a terminal the table is drawn anew in its place and cut to what the terminal can hold.
    """

    def __init__(
        self,
        out: Console,
        *,
        wanted: Collection[str] = (),
        now: Callable[[], float] = monotonic,
    ) -> None:
        """`wanted`: bots that are shown wherever they stand."""
        self._out = out
        self._wanted = wanted
        self._now = now
        self._live = Live(console=out, auto_refresh=False, transient=True)
        self._last: Ranking | None = None
        self._line = ""
        self._line_at = now() - LINE_EVERY

    def __enter__(self) -> Self:
        """Take the terminal, if there is one."""
        if self._out.is_terminal:
            self._live.start()
        return self

    def show(self, ranking: Ranking) -> None:
        """Show a ranking instead of the one before."""
        self._last = ranking
        if self._out.is_terminal:
            size = self._out.size
            view = ranking_view(ranking, width=size.width, height=size.height, wanted=self._wanted)
            self._live.update(view, refresh=True)
            return
        line = ranking_line(ranking)
        if line != self._line and self._now() - self._line_at >= LINE_EVERY:
            self._out.print(line, soft_wrap=True, markup=False)
            self._line, self._line_at = line, self._now()

    def say(self, line: str) -> None:
        """Show a line that stays, above the ranking."""
        self._out.print(line, soft_wrap=True, markup=False)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the terminal with the last ranking, all of it."""
        self._live.stop()
        if self._last is not None:
            print_ranking(self._last, self._out, self._wanted)
