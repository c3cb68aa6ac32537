"""`make demo`: an arena, example bots as processes over gRPC, a tournament, the ranking.

It does what an organiser and the authors of the bots would type, and shows the commands as it goes.
Everything lives in a directory that is removed at the end; no process outlives it.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from textwrap import wrap
from threading import Timer
from types import FrameType
from typing import TextIO

import click

from arena.errors import ArenaError
from arena.places import TOKEN_FILE
from arena.referee import TimeControl
from arena.rpc.client import ArenaClient, connect
from arena.tokens import bot_environment
from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import STANDARD, Session

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "example_bots"
NODE_BOT = EXAMPLES / "typescript" / "dist" / "src" / "main.js"
TOURNAMENT = "demo"
HANDS = 12
TIME = TimeControl(
    bank=timedelta(seconds=1),
    increment=timedelta(seconds=0.01),
    limit=timedelta(seconds=2),
)
"""Little time, so that the bot that thinks does not keep the others waiting."""
GAMES_AT_ONCE = 8
GAMES_OF_A_THINKER = 2
"""A bot that thinks for one game keeps its other games waiting, with their clocks running."""
START_TIMEOUT = 30.0
"""Seconds until the arena must answer."""
LINE = 72
"""Characters of a command in a line, so that it fits a terminal of 80 and can be copied."""
STOP_TIMEOUT = 5.0
"""Seconds a process has to end by itself before it is killed."""


class DemoError(ArenaError):
    """The demo cannot go on; its text says why."""


@dataclass(frozen=True, slots=True)
class Example:
    """A bot that takes part."""

    name: str
    command: Callable[[str], list[str]]
    """From the arena's address to what is started; the token is in the environment."""
    shown: str
    """The same as its author would type it."""


def python_bot(name: str, games: int = GAMES_AT_ONCE) -> Example:
    """Return an example bot in Python."""
    file = EXAMPLES / f"{name}_bot.py"
    return Example(
        name,
        lambda address: [
            *(sys.executable, "-m", "euchre_sdk", "connect", address, str(file)),
            *("--games", str(games), "--patience", "5", "--quiet"),
        ],
        f"euchre connect {{address}} {file.relative_to(ROOT)} --games {games}",
    )


def examples() -> list[Example]:
    """Return the bots that can be started here, and say which cannot."""
    found = [python_bot(name) for name in ("random", "careful", "heuristic")]
    found.append(python_bot("monte_carlo", GAMES_OF_A_THINKER))
    node = shutil.which("node")
    if node is None:
        click.echo("Node is not installed: the TypeScript bot stays away, the others play.")
    elif not NODE_BOT.exists():
        click.echo("The TypeScript bot is not built (npm is missing): the others play without it.")
    else:
        shown = f"node {NODE_BOT.relative_to(ROOT)} --arena {{address}} --games {GAMES_AT_ONCE}"
        found.append(
            Example(
                "typescript",
                lambda address: [
                    *(node, str(NODE_BOT)),
                    *("--arena", address, "--games", str(GAMES_AT_ONCE)),
                ],
                shown,
            )
        )
    return found


def play(directory: Path, stack: ExitStack, hands: int) -> None:
    """Run the whole demo in a directory; processes are ended by the stack."""
    logs = directory / "logs"
    logs.mkdir()
    data = directory / "arena-data"
    say("An arena on this machine, with a database of its own; both are gone at the end")
    address = start_arena(data, logs, stack)
    show(f"arena serve --data {data} --address {address} &")
    token = (data / TOKEN_FILE).read_text(encoding="utf-8").strip()

    say("Bots that dial in over gRPC, each with a token from `arena bot register NAME`")
    bots = examples()
    with connect(Dial(address=Address(address)), token=token) as arena:
        for bot in bots:
            show(f"EUCHRE_TOKEN=… {bot.shown.format(address=address)} &")
            given = str(arena.register_bot(bot.name, None).token)
            start_bot(bot, address, given, logs, stack)
        start_tournament(arena, [bot.name for bot in bots], hands, address)

    say("The ranking as it changes; ± is half of a 95 % interval")
    command = [sys.executable, "-m", "arena", "watch", TOURNAMENT, "--arena", address]
    watch = subprocess.Popen(command)  # noqa: S603 - our own command
    stack.callback(end, watch)
    show(f"arena watch {TOURNAMENT} --arena {address}")  # the last word: now it can be stopped
    if watch.wait():
        raise DemoError(f"the ranking could not be watched; logs are in {logs}.")


def start_tournament(arena: ArenaClient, names: Sequence[str], hands: int, address: str) -> None:
    """Create and start the tournament of all bots and the house bot that anchors the ranking."""
    entries = (*names, "heuristic@1")
    say("A round robin: every trio of a balanced schedule plays both ways round")
    listed = " ".join(f"--bot {name}" for name in entries)
    clock = f"{TIME.bank.total_seconds():g}+{TIME.increment.total_seconds():g}"
    show(
        f"arena tournament create {TOURNAMENT} {listed} --hands {hands}"
        f" --time {clock}/{TIME.limit.total_seconds():g} --arena {address}"
    )
    arena.create_tournament(
        TOURNAMENT,
        bots=entries,
        policy="round-robin",
        cycles=1,
        rules=STANDARD,
        format=Session(hands),
        owners_apart=True,
        time_control=TIME,
    )
    show(f"arena tournament start {TOURNAMENT} --arena {address}")
    arena.start_tournament(TOURNAMENT)


def start_arena(data: Path, logs: Path, stack: ExitStack) -> str:
    """Start the arena and return its address once it answers."""
    command = [sys.executable, "-m", "arena", "serve", "--data", str(data)]
    command += ["--address", "127.0.0.1:0", "--log-level", "warning"]
    log = stack.enter_context((logs / "arena.log").open("w+"))
    process = subprocess.Popen(  # noqa: S603 - our own command
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True
    )
    stack.callback(end, process)
    assert process.stdout is not None  # a pipe was asked for
    impatience = Timer(START_TIMEOUT, process.kill)
    impatience.start()
    try:
        for line in process.stdout:
            if found := re.search(r"answers at (\S+?)\.? ", line + " "):
                return found[1]
    finally:
        impatience.cancel()
    raise DemoError(f"the arena did not start: {last_line(logs / 'arena.log')}")


def start_bot(bot: Example, address: str, token: str, logs: Path, stack: ExitStack) -> None:
    """Start a bot."""
    log: TextIO = stack.enter_context((logs / f"{bot.name}.log").open("w"))
    process = subprocess.Popen(  # noqa: S603 - our own command
        bot.command(address),
        env=bot_environment(token),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    stack.callback(end, process)


def end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """End a process, kindly first."""
    process.terminate()
    try:
        process.wait(STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def last_line(log: Path) -> str:
    """Return what a process said last."""
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def say(what: str) -> None:
    """Say what happens next."""
    click.secho(f"\n{what}", bold=True)


def show(command: str) -> None:
    """Show what one would type."""
    lines = wrap(command, LINE, break_long_words=False, break_on_hyphens=False)
    click.echo(click.style("  $ ", dim=True) + " \\\n      ".join(lines))


NEXT = """
Try next
  source .venv/bin/activate    the commands euchre and arena
  euchre play example_bots/careful_bot.py heuristic random
                               bots against each other, here
  example_bots/README.md       how a bot thinks; copy one
  docs/bots.md                 write a bot of your own
  docs/organise.md             run an arena for others"""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and a closed terminal end the demo as Ctrl-C does, so that nothing is left."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    yield


@click.command()
@click.option(
    "--hands",
    type=click.IntRange(3),
    default=HANDS,
    show_default=True,
    help="Hands of a session, a multiple of 3.",
)
def main(hands: int) -> None:
    """Run an arena with example bots and a tournament, and show the ranking."""
    if hands % 3:
        raise click.BadParameter("a session has a multiple of 3 hands.", param_hint="--hands")
    sys.exit(run(hands))


def run(hands: int) -> int:
    """Run the demo; returns the exit code."""
    try:
        with (
            ended_by_signals(),
            tempfile.TemporaryDirectory(prefix="euchre-demo-") as directory,
            ExitStack() as stack,
        ):
            play(Path(directory), stack, hands)
    except KeyboardInterrupt:
        click.echo("\nstopped; nothing is left running")
        return 130
    except EuchreError as error:
        click.echo(f"\nthe demo stopped: {error}", err=True)
        return 1
    click.echo(NEXT)
    return 0


if __name__ == "__main__":
    main()
