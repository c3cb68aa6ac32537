"""`euchre connect`: a bot plays in an arena."""

from __future__ import annotations

import logging
import sys
from datetime import timedelta
from math import isnan
from pathlib import Path
from typing import Any

import click

from euchre_sdk.cli_arena import chosen_token, dial_options, token_options
from euchre_sdk.client import Counts, Security, run
from euchre_sdk.errors import EuchreError
from euchre_sdk.loading import BotLoadError, load_bot


class _Seconds(click.FloatRange):
    """Seconds within bounds, which "nan" is not."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        seconds: float = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(f"{value!r} is no number of seconds", param, ctx)
        return seconds


@click.command()
@click.argument("address")
@click.argument("bot")
@token_options
@click.option(
    "--games",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Games to play at once. Their clocks run independently.",
)
@click.option(
    "--version-label", default="dev", show_default=True, help="Your label for this version."
)
@click.option("--wait", is_flag=True, help="Keep dialling if no arena answers yet.")
@click.option(
    "--patience",
    type=_Seconds(0, 1e9),
    help="Give up when the arena has been gone for so many seconds. [default: never]",
)
@click.option(
    "--receipts",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write down what the bot is told of each game, for euchre verify --receipts.",
)
@click.option("--quiet", "-q", is_flag=True, help="Tell only of warnings and errors.")
@dial_options
def connect(
    *,
    address: str,
    bot: str,
    token: str | None,
    token_file: Path | None,
    games: int,
    version_label: str,
    wait: bool,
    patience: float | None,
    receipts: Path | None,
    quiet: bool,
    security: Security | None,
    ca_file: Path | None,
) -> None:
    """Play BOT in the arena at ADDRESS until it has nothing more to play.

    ADDRESS is HOST:PORT, such as localhost:50051, or unix:PATH. BOT is a built-in bot (heuristic),
    a file (my_bot.py) or module:Class. A lost connection is dialled again. Ctrl-C finishes the
    running games first; a second one ends at once. SIGTERM says goodbye and leaves them.

    The exit code is 0 when nothing more is to be played, 1 if the arena cannot be reached or does
    not want the bot, 2 for a wrong command line, 130 after a second Ctrl-C, 143 after SIGTERM.
    """
    logging.basicConfig(
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        level=logging.WARNING if quiet else logging.INFO,
    )
    found = chosen_token(token, token_file)
    if found is None and not sys.stdin.isatty():
        msg = "a token is needed: set the variable EUCHRE_TOKEN, or give --token-file FILE."
        raise click.UsageError(msg)
    if found is None:
        found = click.prompt("Token of the bot", hide_input=True, err=True)
    try:
        counts = run(
            load_bot(bot),
            arena=address,
            token=found,
            games=games,
            version=version_label,
            security=security or Security.AUTOMATIC,
            ca_file=ca_file,
            wait_for_arena=wait,
            patience=None if patience is None else timedelta(seconds=patience),
            receipts=receipts,
        )
    except BotLoadError as error:
        trace = f"{error.traceback}\n" if error.traceback else ""
        raise click.ClickException(f"{trace}{error}") from None
    except (EuchreError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
    if not quiet:
        click.echo(_summary(counts))


def _summary(counts: Counts) -> str:
    parts = [f"{counts.games:,} games", f"{counts.decisions:,} decisions"]
    for number, what in (
        (counts.bot_errors, "errors of the bot"),
        (counts.refused, "answers refused"),
        (counts.forced, "moves made by the arena"),
    ):
        if number:
            parts.append(f"{number:,} {what}")
    return "played " + ", ".join(parts)
