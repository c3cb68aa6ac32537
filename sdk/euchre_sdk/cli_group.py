"""The commands of `euchre`, each loaded when it is called, and what they have in common."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, MutableMapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING

import click

from euchre_sdk.errors import EuchreError
from euchre_sdk.loading import BotLoadError

COMMANDS = {
    "play": "Play bots against each other on this machine.",
    "replay": "Show a recorded game as a story.",
    "rules": "Show rule sets, or write one as a file to start from.",
    "connect": "Enter a bot into an arena.",
    "watch": "Watch a tournament's ranking as it changes.",
}
"""Every command with its one line of help; its code is in `euchre_sdk.cli_NAME`."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


class LazyCommands(MutableMapping[str, click.Command]):
    """The commands by name, imported on first use: one that cannot be loaded disturbs no other."""

    def __init__(self) -> None:
        self._loaded: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._loaded:
            if name not in COMMANDS:
                raise KeyError(name)
            self._loaded[name] = _load(name)
        return self._loaded[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**COMMANDS, **self._loaded})

    def __len__(self) -> int:
        return len({**COMMANDS, **self._loaded})


def _load(name: str) -> click.Command:
    try:
        module = importlib.import_module(f"euchre_sdk.cli_{name}")
    except ImportError as error:
        return _unavailable(name, error)
    command: click.Command = getattr(module, name)
    return command


def _unavailable(name: str, error: ImportError) -> click.Command:
    """Return a command that says why it cannot be loaded."""

    @click.command(
        name,
        help=COMMANDS[name],
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    def refuse() -> None:
        raise EuchreError(f"euchre {name} cannot be loaded: {error}")

    return refuse


if TYPE_CHECKING:
    _IntType = click.ParamType[int]
else:
    _IntType = click.ParamType  # generic only in newer releases


class Whole(_IntType):
    """A whole number from a smallest one on, refused in a sentence that says so."""

    name = "N"

    def __init__(self, smallest: int) -> None:
        self.smallest = smallest

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the number."""
        text = str(value)
        if not text.isdecimal() or int(text) < self.smallest:
            self.fail(f"expected a whole number from {self.smallest} on, not {text!r}", param, ctx)
        return int(text)


class EuchreGroup(click.Group):
    """Lists its commands without loading them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which one meets them."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=EuchreGroup,
    commands=LazyCommands(),
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
    try:
        code = euchre.main(list(arguments), prog_name="euchre", standalone_mode=False)
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "euchre"
        _say(f"{_sentence(error.format_message())} Help: {path} --help")
        return error.exit_code
    except click.ClickException as error:
        _say(_sentence(error.format_message()))
        return error.exit_code
    except BotLoadError as error:
        _say(f"{error.traceback}\n{error}".lstrip())
        return 1
    except EuchreError as error:
        _say(str(error))
        return 1
    except (click.Abort, KeyboardInterrupt):
        _say("")
        return INTERRUPTED
    except BrokenPipeError:  # as in `euchre rules | head`
        sys.stderr.close()
        return 0
    return code if isinstance(code, int) else 0


def _sentence(text: str) -> str:
    text = text[:1].lower() + text[1:] if text[:2] != text[:2].upper() else text
    return text if text.endswith((".", "?", "!", ")")) else f"{text}."


def _say(text: str) -> None:
    click.echo(text, err=True)
