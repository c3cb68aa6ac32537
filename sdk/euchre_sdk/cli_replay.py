"""`euchre replay`: a recorded game as a story."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme

from euchre_sdk.cli_group import Whole
from euchre_sdk.errors import EuchreError
from euchre_sdk.game.record import RecordError
from euchre_sdk.game.story import tell_record
from euchre_sdk.record_files import load_record


class CardHighlighter(RegexHighlighter):
    """Colours cards by their suit, and lets the heads of hands and tricks stand out."""

    base_style = "euchre."
    highlights = (
        r"\b(?P<red>[789TJQKA][DH])\b",
        r"\b(?P<black>[789TJQKA][CS])\b",
        r"\b(?P<joker>XX)\b",
        r"(?m)^(?P<head>hand \d+|result)\b",
        r"(?m)^ +(?P<trick>trick \d+:)",
        r"\b(?P<points>points \d+-\d+-\d+)",
        r"(?P<fault>\[forced: [^]]*\]|fault of .*)",
    )


THEME = Theme(
    {
        "euchre.red": "red",
        "euchre.black": "bold",
        "euchre.joker": "magenta",
        "euchre.head": "bold cyan",
        "euchre.trick": "dim",
        "euchre.points": "green",
        "euchre.fault": "yellow",
    }
)


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--hand", type=Whole(1), help="Show this hand only.")
def replay(*, record: Path, hand: int | None) -> None:
    """Show a recorded game as a story: cards, bids, tricks, who won what and why.

    RECORD is a file as `euchre play --record DIR` writes it, one for each game.
    """
    try:
        story = tell_record(load_record(record), hand)
    except RecordError as error:
        raise EuchreError(f"{record.name} does not replay: {error}.") from error
    except ValueError as error:
        raise EuchreError(f"{record.name}: {error}.") from error
    Console(theme=THEME, highlighter=CardHighlighter()).print(story, soft_wrap=True, markup=False)
