"""`euchre play`: bots against each other on this machine."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from euchre_sdk.cli_group import Directory, Whole
from euchre_sdk.cli_play_options import jobs_option, processes, rules_option, seed_option
from euchre_sdk.cli_report import headline, show_report
from euchre_sdk.cli_sentences import INTERRUPTED
from euchre_sdk.faults import BotFaultError
from euchre_sdk.game import Session, ToTarget
from euchre_sdk.game.rules_file import find_rules
from euchre_sdk.series import SESSION_HANDS, Series, blocks_for
from euchre_sdk.series_run import Run
from euchre_sdk.text import one_line

HANDS = 1200
"""Hands to play if nothing is said: a second for quick bots, enough to see who is much better."""
_WIDE = 110
"""Columns from which the progress bar has what is played beside it."""
_TICK = 0.1
"""Seconds between two movements of the progress bar."""


@click.command()
@click.argument("bots", nargs=-1, metavar="A B C")
@click.option(
    "--hands",
    type=Whole(1),
    help=f"Play so many hands in sessions, rounded up to whole blocks of six (default {HANDS:,}).",
)
@click.option(
    "--games",
    type=Whole(1),
    help="Play so many games to the target instead, rounded up to a multiple of six.",
)
@click.option(
    "--session",
    type=Whole(1),
    default=SESSION_HANDS,
    show_default=True,
    help="Hands in a session.",
)
@rules_option
@seed_option
@jobs_option
@click.option(
    "--record",
    type=Directory(),
    metavar="DIR",
    help="Write a record of every game into this directory.",
)
@click.option("--strict", is_flag=True, help="Stop at the first fault of a bot, with exit code 1.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def play(
    *,
    bots: tuple[str, ...],
    hands: int | None,
    games: int | None,
    session: int,
    rules: str,
    seed: int,
    jobs: int,
    record: Path | None,
    strict: bool,
    as_json: bool,
) -> int:
    """Play bots against each other on this machine.

    A bot is a built-in name (random, heuristic, monte_carlo), a file such as my_bot.py or
    my_bot.py:Class, or module:Class. All six seatings are played equally often; the intervals are
    95 % over blocks of six games, one for each seating.
    """
    if len(bots) != 3:
        raise click.UsageError(f"three bots play, not {len(bots)}: euchre play A B C")
    if hands is not None and games is not None:
        raise click.UsageError("say --hands or --games, not both")
    kind = ToTarget() if games is not None else Session(session)
    series = Series(
        bots=bots,
        rules=find_rules(rules),
        format=kind,
        blocks=blocks_for(games or hands or HANDS, kind),
        seed=seed,
        strict=strict,
        record=record,
    )
    return _play(series, jobs=processes(jobs), rules=rules, as_json=as_json)


def _play(series: Series, *, jobs: int, rules: str, as_json: bool) -> int:
    """Play, show it, and return the exit code."""
    output = Console(highlight=False)
    title = one_line(headline(series, rules))
    started = time.monotonic()
    code, stopped = 0, ""
    with redirect_stdout(sys.stderr):  # what bots print is no result
        run = Run(series)
        try:
            with _progress(series, title) as advance:
                for played in run.play(jobs=jobs):
                    advance(played.result.hands)
        except BotFaultError:
            code, stopped = 1, "at a fault"
        except KeyboardInterrupt:
            code, stopped = INTERRUPTED, "by Ctrl-C"
    seconds = time.monotonic() - started
    report = run.report()
    if as_json:
        click.echo(json.dumps(report.to_json(), indent=2))
        return code
    output.print(Text.assemble(" ", (title, "bold"), f" · {seconds:.1f} s"), soft_wrap=True)
    show_report(output, report)
    if stopped:
        output.print(
            f"\n [yellow]Stopped {stopped}[/], with {report.blocks:,} of "
            f"{report.blocks_planned:,} blocks complete."
        )
    return code


@contextmanager
def _progress(series: Series, title: str) -> Iterator[Callable[[int], None]]:
    """Show a bar while playing, if somebody is looking; give what moves it by a game's hands."""
    errors = Console(stderr=True)
    if not errors.is_terminal:
        yield lambda _: None
        return
    in_sessions = isinstance(series.format, Session)
    total = series.games * (series.format.hands if isinstance(series.format, Session) else 1)
    title_column = (
        [TextColumn(" {task.description}", markup=False)] if errors.width >= _WIDE else []
    )
    columns = (
        *title_column,
        BarColumn(bar_width=None),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TextColumn("hands ·" if in_sessions else "games ·"),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    done, due = 0, 0.0
    with Progress(*columns, console=errors, transient=True, expand=True) as progress:
        task = progress.add_task(title, total=total)

        def advance(hands: int) -> None:
            nonlocal done, due
            done += hands if in_sessions else 1
            now = time.monotonic()
            if now >= due:
                due = now + _TICK
                progress.update(task, completed=done)

        yield advance
