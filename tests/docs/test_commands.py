"""Every command of `euchre` and `arena` has help and stands in the docs."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {"euchre": "euchre_sdk.cli", "arena": "arena.cli"}


def program(name: str) -> click.Group:
    """Return the group of commands that a program consists of."""
    module = importlib.import_module(PROGRAMS[name])
    groups = [value for value in vars(module).values() if isinstance(value, click.Group)]
    tops = [group for group in groups if not any(group in _children(g) for g in groups)]
    assert len(tops) == 1, f"{PROGRAMS[name]} must hold the group of all commands of `{name}`"
    return tops[0]


def _children(group: click.Group) -> list[click.Command]:
    return list(group.commands.values())


def walk(name: str, group: click.Group) -> Iterator[tuple[str, click.Command]]:
    """Yield every command with the words that call it."""
    for word, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from walk(f"{name} {word}", command)
        else:
            yield f"{name} {word}", command


def commands() -> list[object]:
    return [
        pytest.param(words, command, id=words)
        for name in PROGRAMS
        for words, command in walk(name, program(name))
        if not command.hidden
    ]


@pytest.fixture(scope="module")
def pages() -> str:
    """All documents in one."""
    return "\n".join(
        page.read_text() for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))
    )


@pytest.mark.parametrize(("words", "command"), commands())
def test_a_command_has_help(words: str, command: click.Command) -> None:
    assert command.help, f"{words} says nothing about itself"
    unexplained = [
        parameter.name
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden and not parameter.help
    ]
    assert unexplained == []


@pytest.mark.parametrize(("words", "command"), commands())
def test_a_command_stands_in_the_docs(words: str, command: click.Command, pages: str) -> None:
    del command
    assert words in pages
