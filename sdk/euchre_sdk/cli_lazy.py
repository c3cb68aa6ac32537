"""Groups of commands of which each is loaded when it is called: help and errors stay quick."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Where a command is, and its line in the list."""

    home: str
    """`module:name`."""
    help: str

    def load(self) -> click.Command:
        """Import the command; one that cannot be imported becomes one that says why."""
        module, _, name = self.home.partition(":")
        try:
            command: click.Command = getattr(importlib.import_module(module), name)
        except ImportError as error:
            return _unavailable(name, self.help, error)
        return command


class LazyCommands(MutableMapping[str, click.Command]):
    """Commands by name, loaded on first use: one that cannot be loaded disturbs no other."""

    def __init__(self, commands: Mapping[str, LazyCommand]) -> None:
        self._commands = commands
        self._loaded: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._loaded:
            self._loaded[name] = self._commands[name].load()
        return self._loaded[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._commands, **self._loaded})

    def __len__(self) -> int:
        return len({**self._commands, **self._loaded})


class LazyGroup(click.Group):
    """Lists its commands without loading them, in the order in which one meets them."""

    def __init__(self, *, lazily: Mapping[str, LazyCommand], **settings: Any) -> None:
        super().__init__(commands=LazyCommands(lazily), **settings)
        self._lazily = lazily

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.help) for name, each in self._lazily.items()])


def _unavailable(name: str, line: str, error: ImportError) -> click.Command:
    """Return a command that says why it cannot be loaded."""

    @click.command(
        name,
        help=line,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    @click.pass_context
    def refuse(ctx: click.Context) -> None:
        raise click.ClickException(f"{ctx.command_path} cannot be loaded: {error}")

    return refuse
