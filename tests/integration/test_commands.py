"""The organiser's commands against a served arena: what they say, in text and in JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
import trio
from click.testing import CliRunner, Result

from arena.cli import COMMANDS, main
from arena.settings import Settings
from arena.store.bots import see_version
from tests.integration.served import ORGANISER, START, Served, create, served

Arena = Callable[..., Any]


def run(address: str, *arguments: str, token: str | None = ORGANISER, text: str = "") -> Result:
    env = {"ARENA_SERVER": address, "ARENA_TOKEN": token, "COLUMNS": "80"}
    return CliRunner().invoke(main, arguments, env=env, input=text)


async def said(arena: Served, *arguments: str, **how: Any) -> Result:
    return await trio.to_thread.run_sync(partial(run, arena.address, *arguments, **how))


def commands(command: click.Command, path: str = "arena") -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from commands(below, f"{path} {name}")


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
        told = (await said(arena, "tournament", "show", "spring")).output
        assert told.startswith("spring · finished · 3 entries (")
        for line in (
            "round robin, 1 cycle, seed 5; bots of one author never meet",
            "sessions of 3 hands; pub rules",
            "clock: 30 s and 0.1 s more for each decision, 5 s for a decision at most",
            "± is half of the 95 % interval, by block.",
        ):
            assert line in told
        listed = json.loads((await said(arena, "tournament", "list", "--json")).output)
        assert [each["state"] for each in listed] == ["finished"]
        status = (await said(arena, "status")).output.replace("\n", " ")
        assert "answers: 0 tournaments and 0 games running, 3 bots registered" in status


async def test_a_plan_of_games_and_own_rules_is_shown_with_what_differs(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("target = 5\nstick_the_dealer = true\n", encoding="utf-8")
    async with served(tmp_path) as arena:
        for name in ("lynx", "puma"):
            await said(arena, "bot", "register", name)
        made = await said(
            arena,
            *("tournament", "create", "autumn", "--bot", "lynx", "--bot", "puma"),
            *("--games", "--rules", str(rules)),
            *("--cycles", "2", "--time", "10+0/1.5", "--owners-together"),
        )
        assert made.exit_code == 0, made.output
        told = (await said(arena, "tournament", "show", "autumn")).output
    assert "round robin, 2 cycles, seed" in told
    assert "bots of one author may meet" in told
    assert "games to 5; standard rules but stick_the_dealer true, target 5" in told
    assert "clock: 10 s and 0 s more for each decision, 1.5 s for a decision at most" in told


@pytest.mark.parametrize(
    "group", [path.split()[1:] for path, each in commands(main) if isinstance(each, click.Group)]
)
def test_a_list_of_commands_cuts_no_help_off(group: list[str]) -> None:
    listed = run("", *group, "--help").output
    assert "\n  " in listed
    assert "..." not in listed.replace("[ARGS]...", "")


@pytest.mark.parametrize("label", ["[/]", "[red]x[/red]", ":smile:"])
async def test_what_a_bot_says_of_itself_is_listed_as_it_is(tmp_path: Path, label: str) -> None:
    async with served(tmp_path) as arena:
        made = await arena.ask(lambda client: client.register_bot("lynx", None))
        await arena.store.write(see_version, made.bot.bot_id, label, now=START)
        listed = await said(arena, "bot", "list")
        assert listed.exit_code == 0, listed.output
        assert label in listed.output


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
            (("bot", "register", "x", "--token-file", "/none"), {}, "cannot read a token"),
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


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing"], "no such command 'nothing'. Help: arena --help"),
        (["tournament", "create"], "missing argument 'NAME'. Help: arena tournament create --help"),
        (["tournament", "show", "x", "--all"], "no such option"),
        (
            ["tournament", "create", "x", "--deadline", "soon"],
            "invalid value for '--deadline': 'soon' is no span of time; accepted are 90s, 30m",
        ),
        (
            ["tournament", "create", "x", "--cycles", "0"],
            "invalid value for '--cycles' / '--rounds': 0 is not",
        ),
    ],
)
def test_what_is_mistyped_is_said_in_a_sentence(arguments: list[str], sentence: str) -> None:
    result = run("127.0.0.1:9", *arguments)
    assert result.exit_code == 2
    assert result.output.startswith(sentence)
    assert result.output.endswith(" --help\n")
    assert result.output.count("\n") == 1


def test_a_group_without_a_command_shows_its_commands() -> None:
    shown = run("127.0.0.1:9", "tournament").output
    assert shown.startswith("Usage: arena tournament")
    assert "\n  create " in shown


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


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_it_says_itself(name: str) -> None:
    assert (main.commands[name].help or "").startswith(COMMANDS[name].help)


def test_the_commands_are_listed_without_being_loaded() -> None:
    code = (
        "import sys; from arena.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "heavy = ('rich', 'grpc', 'pydantic', 'trio', 'numpy')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(("path", "command"), list(commands(main)))
def test_every_command_has_help_and_none_takes_a_token_on_its_line(
    path: str, command: click.Command
) -> None:
    assert command.help, path
    options = {opt for param in command.params for opt in param.opts}
    assert "--token" not in options
    assert "--password" not in options
