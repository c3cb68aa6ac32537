"""The organiser's commands against a served arena: what they say, in text and in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import click
import pytest
import trio
from click.testing import CliRunner, Result
from rich.console import Console

from arena.cli import main
from arena.cli_watch import line_of, table_of, view_of
from arena.settings import Settings
from euchre.v1 import tournaments_pb2 as pb
from tests.integration.served import ORGANISER, Served, create, served

Arena = Callable[..., Any]


def run(address: str, *arguments: str, token: str | None = ORGANISER, text: str = "") -> Result:
    env = {"ARENA_SERVER": address, "ARENA_TOKEN": token, "COLUMNS": "80"}
    return CliRunner().invoke(main, arguments, env=env, input=text)


async def said(arena: Served, *arguments: str, **how: Any) -> Result:
    return await trio.to_thread.run_sync(partial(run, arena.address, *arguments, **how))


async def test_from_the_first_bot_to_the_final_table(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        for name in ("lynx", "puma", "ocelot"):
            file = tmp_path / f"{name}.token"
            result = await said(arena, "bot", "register", name, "--token-to", str(file))
            assert result.exit_code == 0, result.output
            assert file.stat().st_mode & 0o077 == 0
        bots = json.loads((await said(arena, "bot", "list", "--json")).output)
        for bot in bots:
            arena.playroom.come(bot["bot_id"])
        made = await said(
            arena,
            *("tournament", "create", "spring", "--hands", "3", "--rules", "pub", "--seed", "5"),
            *("--bot", "lynx", "--bot", "puma"),
        )
        assert "Next: arena tournament enter spring" in made.output
        assert (await said(arena, "tournament", "enter", "spring", "ocelot")).exit_code == 0
        started = await said(arena, "tournament", "start", "spring")
        assert "Next: arena watch spring" in started.output
        watched = await said(arena, "watch", "spring")
        assert watched.exit_code == 0, watched.output
        assert "finished" in watched.output
        for name in ("lynx", "puma", "ocelot"):
            assert name in watched.output
        shown = json.loads((await said(arena, "tournament", "show", "spring", "--json")).output)
        assert shown["tournament"]["plan"]["rules"]["stick_the_dealer"] is True
        assert shown["rankings"]["progress"]["hands"] == 18
        assert len(shown["rankings"]["rows"]) == 3
        listed = json.loads((await said(arena, "tournament", "list", "--json")).output)
        assert [each["state"] for each in listed] == ["finished"]
        assert "3 bots registered" in (await said(arena, "status")).output.replace("\n", " ")


async def test_what_is_refused_is_one_sentence_and_no_traceback(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        await arena.ask(create)
        for arguments, how, sentence in (
            (("watch", "nowhere"), {}, "no tournament named 'nowhere'"),
            (("tournament", "show", "nowhere"), {}, "no tournament named 'nowhere'"),
            (("tournament", "start", "spring"), {}, "three or more"),
            (("tournament", "start", "spring"), {"token": "wrong"}, "token is not known"),
            (("tournament", "create", "a b"), {}, "letters, digits"),
            (("tournament", "create", "x", "--hands", "10"), {}, "multiple of 3"),
            (("bot", "register", "x", "--token-file", "/none"), {}, "cannot be read"),
            (("bot", "register", "x"), {"token": None}, "a token is needed"),
            (("bot", "token", "rotate", "nobody"), {}, "no bot named"),
            (("bot", "register", "x", "--token-to", "/none/x"), {}, "cannot be written to /none/x"),
            (("bot", "register", "<", "--token-to", f"{tmp_path}/x"), {}, "letters, digits"),
        ):
            result = await said(arena, *arguments, **how)
            assert result.exit_code == 1, (arguments, result.output)
            assert sentence in result.output, arguments
            assert result.output.count("\n") == 1, arguments
            assert result.exception is None or isinstance(result.exception, SystemExit)
        assert not (tmp_path / "x").exists()
        assert await arena.ask(lambda client: client.list_bots()) == []


def test_no_arena_there_is_said_with_what_to_do() -> None:
    result = run("127.0.0.1:9", "bot", "list")
    assert result.exit_code == 1
    assert "no arena answers at 127.0.0.1:9 (connection refused)" in result.output
    assert "Is `arena serve` running? Another address: --arena HOST:PORT." in result.output


def test_an_address_that_is_none_is_said() -> None:
    assert "HOST:PORT" in run("nonsense", "bot", "list").output


def test_the_help_of_serve_explains_every_setting() -> None:
    output = " ".join(run("", "serve", "--help").output.split())
    for name, setting in Settings.model_fields.items():
        assert f"--{name.replace('_', '-')}" in output
        assert setting.description is not None
        assert setting.description in output


def commands(command: click.Command, path: str = "arena") -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from commands(below, f"{path} {name}")


@pytest.mark.parametrize(("path", "command"), list(commands(main)))
def test_every_command_has_help_and_none_takes_a_token_on_its_line(
    path: str, command: click.Command
) -> None:
    assert command.help, path
    options = {opt for param in command.params for opt in param.opts}
    assert "--token" not in options
    assert "--password" not in options


def rankings(rows: int, *, name: str = "bot") -> pb.Rankings:
    """A running tournament with so many entries; the last one has no result."""
    table = pb.Rankings(
        tournament="spring",
        state=pb.TOURNAMENT_STATE_RUNNING,
        schedule=pb.SCHEDULE_ROUND_ROBIN,
        anchor=f"{name}0",
        progress=pb.Progress(blocks_complete=5, blocks_total=10, games_running=7, hands=12345),
    )
    table.progress.remaining_duration.FromSeconds(3723)
    for number in range(rows):
        row = table.rows.add(separated=number % 3 == 0, online=True)
        row.entry.name = f"{name}{number}"
        if number == rows - 1 and rows > 1:
            continue
        row.rank = number + 1
        row.elo = 1500 - 7 * number
        row.elo_error = 20 + number
        row.points_per_hand = 1.0
        row.blocks = row.hands = 1234567
        row.faults = number
    return table


def drawn(what: Any, width: int) -> list[str]:
    out = Console(file=StringIO(), width=width, force_terminal=False, highlight=False)
    out.print(what)
    assert isinstance(out.file, StringIO)
    return out.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [60, 80, 100, 160])
@pytest.mark.parametrize("name", ["bot", "a_rather_long_name_of_a_bot_"])
def test_the_table_fits_the_terminal(width: int, name: str) -> None:
    lines = drawn(view_of(rankings(12, name=name), width=width), width)
    assert all(len(line) <= width for line in lines)
    assert sum("1,234,567" in line or "–" in line for line in lines) >= (12 if width > 60 else 0)


def test_at_80_columns_numbers_and_marks_are_whole() -> None:
    text = "\n".join(drawn(table_of(rankings(4), width=80), 80))
    for word in ("bot0", "anchor", "1493", "± 21", "1.00", "1,234,567", "not separated"):
        assert word in text
    assert "…" not in text


def test_a_hundred_bots_leave_room_for_the_prompt() -> None:
    lines = drawn(view_of(rankings(100), width=100, height=24), 100)
    assert len(lines) <= 24
    assert "84 more" in "\n".join(lines)


def test_a_line_says_where_a_tournament_stands() -> None:
    assert line_of(rankings(2)) == (
        "spring running · 5/10 blocks · 12,345 hands · 7 games running · 1. bot0 1500 ± 20"
    )
