"""The command of the bots that misbehave; `misbehave` is its door."""

from __future__ import annotations

import asyncio
import os
import shlex
from contextlib import ExitStack
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO

import click

from euchre_sdk.cli_arena import chosen_token, dial_options, token_options
from euchre_sdk.client_dial import Address, Dial, Security
from euchre_sdk.errors import EuchreError
from euchre_sdk.testing.misbehaving_bot import MisbehavingBot
from euchre_sdk.testing.misdeeds import Deed, Misdeed, Moment, read_misdeed
from euchre_sdk.testing.orders import Orders
from euchre_sdk.testing.wrong_answers import Style

_FILE = click.Path(dir_okay=False, path_type=Path)


def _times(_context: click.Context, _option: click.Parameter, said: str) -> int | None:
    """Return a number from 1, None for always."""
    if said == "always":
        return None
    if not (said.isascii() and said.isdigit() and int(said)):
        raise click.BadParameter(f"{said!r} is neither a number from 1 nor always.")
    return int(said)


def _names(kind: type[Enum]) -> str:
    return ", ".join(each.value for each in kind)


@click.command(
    epilog=f"Moments: {_names(Moment)}. Misdeeds: {_names(Deed)}. What each of them is "
    "stands in docs/misbehave.md of the repository."
)
@click.argument("address")
@token_options
@click.option("--token-env", help="Read the token from this variable of the environment.")
@click.option("--when", "moment", default="any", show_default=True, help="When to misbehave.")
@click.option("--do", "deed", help="What to do then. Without it the bot behaves.")
@click.option(
    "--times",
    metavar="N|always",
    callback=_times,
    default="1",
    show_default=True,
    help="How many such moments to use.",
)
@click.option(
    "--from-hand", type=click.IntRange(1), default=1, show_default=True, help="Behave before it."
)
@click.option("--stay-away", is_flag=True, help="Never come back once it has misbehaved.")
@click.option(
    "--play",
    "style",
    type=click.Choice([style.value for style in Style]),
    default=Style.BOLD.value,
    show_default=True,
    help="How to play otherwise: bold orders up at once, waiting leaves that to the others.",
)
@click.option(
    "--games", type=click.IntRange(1, 1024), default=1, show_default=True, help="Games at once."
)
@click.option("--leave-after", type=click.IntRange(1), help="Leave after so many games.")
@click.option("--seed", type=int, help="Derive nonces from this number instead of chance.")
@click.option("--label", default="misbehave", show_default=True, help="Label of the version.")
@click.option("--transcript", type=_FILE, help="Keep every response in this file.")
@click.option(
    "--bots",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Run a bot for each line of this file, which holds its options.",
)
@dial_options
def misbehave(*, address: str, bots: Path | None, **options: Any) -> None:
    """Play in the arena at ADDRESS by the rules until a moment comes, and misbehave then.

    For authors of arenas, and of bots who wonder what becomes of one that fails. Prints a line for
    each misdeed. The exit code is 1 if its moment never came.
    """
    try:
        with ExitStack() as files:
            if bots is None:
                crew = [_bot(address, options, files)]
            else:
                crew = [_bot(address, line, files) for line in _lines(bots)]
                _refuse_lone(crew)
            asyncio.run(_run(crew))
    except EuchreError as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
    idle = [bot.orders.label for bot in crew if bot.orders.misdeed and not bot.done]
    if idle:
        raise click.ClickException(f"the moment to misbehave never came for {', '.join(idle)}.")


async def _run(crew: list[MisbehavingBot]) -> None:
    await asyncio.gather(*(bot.run() for bot in crew))


def _lines(file: Path) -> list[dict[str, Any]]:
    """Return the options of each line of a file. Raises `click.UsageError`."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
            if words:
                found.append(misbehave.make_context("--bots", ["-", *words]).params)
        except (ValueError, click.UsageError) as error:
            said = error.format_message() if isinstance(error, click.UsageError) else error
            raise click.UsageError(f"line {number} of {file}: {said}") from None
    return found


def _bot(address: str, options: dict[str, Any], files: ExitStack) -> MisbehavingBot:
    """Return the bot of some options. Raises `click.UsageError`, `EuchreError`."""
    label: str = options["label"]
    transcript: BinaryIO | None = None
    if options["transcript"] is not None:
        transcript = files.enter_context(options["transcript"].open("wb"))
    orders = Orders(
        dial=Dial(
            address=Address(address),
            security=options["security"] or Security.AUTOMATIC,
            ca_file=options["ca_file"],
        ),
        token=_token(options),
        label=label,
        misdeed=_misdeed(options),
        stay_away=options["stay_away"],
        style=Style(options["style"]),
        games=options["games"],
        leave_after=options["leave_after"],
        seed=options["seed"],
        transcript=transcript,
    )
    return MisbehavingBot(orders, lambda line: click.echo(f"{label}: {line}"))


def _token(options: dict[str, Any]) -> str:
    variable = options["token_env"]
    if variable is not None:
        token = os.environ.get(variable)
        if not token:
            raise click.UsageError(f"the environment has no variable {variable}.")
        return token
    found = chosen_token(options["token"], options["token_file"])
    if found is None:
        raise click.UsageError(
            "a token is needed: set the variable EUCHRE_TOKEN, name another one by --token-env, or "
            "give --token-file FILE."
        )
    return found


def _misdeed(options: dict[str, Any]) -> Misdeed | None:
    if options["deed"] is None:
        return None
    return read_misdeed(
        options["moment"],
        options["deed"],
        times=options["times"],
        from_hand=options["from_hand"],
    )


def _refuse_lone(crew: list[MisbehavingBot]) -> None:
    """Refuse what would end or stop the process of the other bots. Raises `click.UsageError`."""
    for bot in crew:
        misdeed = bot.orders.misdeed
        if misdeed is not None and misdeed.deed.ends_process:
            raise click.UsageError(
                f"{misdeed.deed.value} is done to a process, which the bots of --bots share: "
                f"start {bot.orders.label} by itself."
            )
