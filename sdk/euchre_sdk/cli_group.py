"""The commands of `euchre`, each loaded when it is called, and what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from euchre_sdk.cli_lazy import LazyCommand, LazyGroup
from euchre_sdk.cli_sentences import run_in_sentences
from euchre_sdk.text import cut

COMMANDS = {
    name: LazyCommand(f"euchre_sdk.cli_{name}:{name}", line)
    for name, line in {
        "play": "Play bots against each other on this machine.",
        "duel": "Find out whether one bot is stronger than another.",
        "replay": "Show a recorded game as a story.",
        "verify": "Check that records are true: decks, actions, scores.",
        "rules": "Show rule sets, or write one as a file to start from.",
        "connect": "Enter a bot into an arena.",
        "record": "Fetch records of finished games from an arena.",
        "flight": "Show why an arena refused a bot's answers, or moved for it.",
        "watch": "Watch a tournament's ranking as it changes.",
        "history": "Show what the ratings of a bot were.",
    }.items()
}

_MOST_DIGITS = 15

if TYPE_CHECKING:
    _IntType = click.ParamType[int]
else:
    _IntType = click.ParamType  # generic only in newer releases


class Whole(_IntType):
    """A whole number from a smallest one on, refused in a sentence that says so."""

    name = "N"

    def __init__(self, smallest: int, largest: int | None = None) -> None:
        self.smallest = smallest
        self.largest = largest

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the number."""
        text = str(value)
        if self.largest is not None and not (
            text.isdecimal() and self.smallest <= int(text[:_MOST_DIGITS]) <= self.largest
        ):
            bounds = f"from {self.smallest} to {self.largest:,}"
            self.fail(f"expected a whole number {bounds}, not {cut(text, 40)!r}", param, ctx)
        if text.isdecimal() and len(text) > _MOST_DIGITS:
            self.fail(f"expected a whole number of at most {_MOST_DIGITS} digits", param, ctx)
        if not text.isdecimal() or int(text) < self.smallest:
            self.fail(f"expected a whole number from {self.smallest} on, not {text!r}", param, ctx)
        return int(text)


class Directory(click.Path):
    """A directory, which the empty text does not name: it would be where one happens to be."""

    name = "DIR"

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return its path."""
        if value == "":
            self.fail(
                'expected a directory, such as "games"; "." is the one you are in', param, ctx
            )
        return super().convert(value, param, ctx)


@click.group(
    cls=LazyGroup,
    lazily=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(version("euchre-sdk"), prog_name="euchre", message="%(prog)s %(version)s")
@click.pass_context
def euchre(ctx: click.Context) -> None:
    """Write, try and enter bots for three-handed (Cutthroat) Euchre.

    \b
    euchre play my_bot.py heuristic random     try a bot against two built-in ones
    euchre replay RECORD --hand 3              look at a hand
    euchre connect ADDRESS my_bot.py           enter an arena
    """  # noqa: D301 - click's mark for lines to leave as they are
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code. Only a bug of ours leaves a traceback."""
    return run_in_sentences(euchre, arguments, name="euchre")
