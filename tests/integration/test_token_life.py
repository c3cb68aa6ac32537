"""Tokens from their first day to their last: given once, changed, taken back, and never told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
import trio
from click.testing import CliRunner

import arena.tokens
from arena.cli import main
from arena.logs import configure_logs
from arena.rpc.client import ArenaClient, CallError, connect
from arena.rpc.limits import Allowance, CallLimits
from arena.server import Running, running_arena
from arena.settings import load_settings
from arena.store import audit, bots
from arena.tokens import TokenKind, hash_token, is_token
from euchre_sdk import BotBase
from euchre_sdk.client import run
from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.client_errors import ConnectError, NoEntry
from euchre_sdk.errors import EuchreError
from tests.integration.served import create, served


def settings_in(path: Path, **more: Any) -> Any:
    return load_settings({"address": "127.0.0.1:0", "data": path / "data", "grace": 0, **more})


async def ask(running: Running, question: Any, token: str | None = None) -> Any:
    """Ask by the client of the commands, as the organiser if no token is given."""
    token = token or running.token_file.read_text().strip()

    def in_thread() -> Any:
        with connect(Dial(address=Address(running.address)), token=token) as client:
            return question(client)

    return await trio.to_thread.run_sync(in_thread)


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(lambda client: client.rotate_token("lynx"), id="rotated"),
        pytest.param(lambda client: client.deactivate_bot("lynx"), id="deactivated"),
    ],
)
async def test_a_bot_whose_token_is_taken_back_is_told_and_stops(tmp_path: Path, end: Any) -> None:
    async with running_arena(settings_in(tmp_path)) as running:
        made = await ask(running, lambda client: client.register_bot("lynx", None))
        ended: list[ConnectError] = []

        def play() -> None:
            try:
                run(BotBase, arena=running.address, token=made.token)
            except ConnectError as error:
                ended.append(error)

        async with trio.open_nursery() as playing:
            playing.start_soon(trio.to_thread.run_sync, play)
            with trio.fail_after(20):
                while not (await ask(running, lambda c: c.list_bots(mine=True), made.token))[
                    0
                ].free_games:
                    await trio.lowlevel.checkpoint()
                await ask(running, end)
        assert [error.reason for error in ended] == [NoEntry.REVOKED]
        with pytest.raises(ConnectError) as caught:
            await trio.to_thread.run_sync(
                partial(run, BotBase, arena=running.address, token=made.token)
            )
        assert caught.value.reason is NoEntry.WRONG_TOKEN


async def test_an_author_changes_his_own_token_and_his_bots_keep_theirs(tmp_path: Path) -> None:
    async with served(tmp_path, is_open=True) as arena:
        first = (await arena.ask(lambda c: c.register_author("ada", None), None)).token
        bot = (await arena.ask(lambda c: c.register_bot("lynx", None), first)).token
        await arena.ask(lambda c: c.register_author("bob", None), None)
        second = await arena.ask(lambda c: c.rotate_author_token(None), first)
        third = await arena.ask(lambda c: c.rotate_author_token("ada"), second)
        for gone in (first, second):
            with pytest.raises(CallError) as caught:
                await arena.ask(lambda c: c.rotate_author_token(None), gone)
            assert caught.value.reason == "WRONG_TOKEN"
        with pytest.raises(CallError, match="for the author himself"):
            await arena.ask(lambda c: c.rotate_author_token("bob"), third)
        with pytest.raises(CallError, match="no author named 'eve'"):
            await arena.ask(lambda c: c.rotate_author_token("eve"))
        with pytest.raises(CallError, match="name is missing"):
            await arena.ask(lambda c: c.rotate_author_token(None))
        lost = await arena.ask(lambda c: c.rotate_author_token("ada"))
        for token in (lost, bot):
            assert [each.name for each in await arena.ask(lambda c: c.list_bots(mine=True), token)]
        lines = await arena.store.read(audit.lines, subject="ada")
        assert [line.actor for line in lines] == [
            "stranger",  # who became the author
            "author ada",
            "author ada",
            "organiser",
        ]


async def test_tokens_rotated_at_the_same_time_leave_one_that_is_good_after_a_restart(
    tmp_path: Path,
) -> None:
    good: list[str] = []
    async with served(tmp_path) as arena:
        await arena.ask(lambda c: c.register_bot("lynx", None))
        tokens: list[str] = []

        async def rotate() -> None:
            tokens.append(await arena.ask(lambda c: c.rotate_token("lynx")))

        async with trio.open_nursery() as rotating:
            for _ in range(6):
                rotating.start_soon(rotate)
        for token in tokens:
            with suppress(EuchreError):
                await arena.ask(lambda c: c.list_bots(mine=True), token)
                good.append(token)
        stored = await arena.store.read(bots.credentials)
    assert len(tokens) == 6
    assert [hash_token(token) for token in good] == [each.hash for each in stored]


async def test_a_deactivated_bot_gets_no_new_token(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        await arena.ask(lambda c: c.register_bot("lynx", None))
        await arena.ask(lambda c: c.deactivate_bot("lynx"))
        with pytest.raises(CallError, match="deactivated for good"):
            await arena.ask(lambda c: c.rotate_token("lynx"))


async def test_authors_list_their_own_bots(tmp_path: Path) -> None:
    async with served(tmp_path, is_open=True) as arena:
        tokens = {}
        for who, names in (("ada", ("a1", "a2")), ("bob", ("b1",))):
            tokens[who] = (await arena.ask(lambda c, w=who: c.register_author(w, None), None)).token
            for name in names:
                await arena.ask(lambda c, n=name: c.register_bot(n, None), tokens[who])

        async def names_of(token: str | None = None, **which: Any) -> list[str]:
            return [each.name for each in await arena.ask(lambda c: c.list_bots(**which), token)]

        assert await names_of(tokens["ada"], mine=True) == ["a1", "a2"]
        assert await names_of(tokens["bob"], mine=True) == ["b1"]
        assert await names_of(author="ada") == ["a1", "a2"]
        assert await names_of() == ["a1", "a2", "b1"]
        with pytest.raises(CallError, match="mine is for authors"):
            await names_of(None, mine=True)


async def test_an_author_registers_a_bounded_number_of_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.rpc.bots.BOTS_OF_AN_AUTHOR", 2)
    async with served(tmp_path, is_open=True) as arena:
        token = (await arena.ask(lambda c: c.register_author("ada", None), None)).token
        for name in ("a1", "a2"):
            await arena.ask(lambda c, n=name: c.register_bot(n, None), token)
        with pytest.raises(CallError, match="ada has 2 bots"):
            await arena.ask(lambda c: c.register_bot("a3", None), token)
        assert await arena.ask(lambda c: c.register_bot("a3", "ada"))


async def test_an_author_comes_in_by_commands_and_no_token_is_shown_where_a_file_is_given(
    tmp_path: Path,
) -> None:
    first, second, bots_own = (tmp_path / name for name in ("first", "second", "bot"))
    async with served(tmp_path / "data", is_open=True) as arena:

        def typed(*arguments: str, text: str = "") -> str:
            env = {"ARENA_SERVER": arena.address, "ARENA_TOKEN": ""}
            done = CliRunner().invoke(main, arguments, env=env, input=text)
            assert done.exit_code == 0, done.output
            return done.output

        async def says(*arguments: str, text: str = "") -> str:
            return await trio.to_thread.run_sync(partial(typed, *arguments, text=text))

        said = await says("author", "register", "ada", "--token-to", str(first), text="\n")
        said += await says(
            *("bot", "register", "lynx", "--token-file", str(first), "--token-to", str(bots_own))
        )
        said += await says(
            *("author", "token", "rotate", "--token-file", str(first), "--token-to", str(second))
        )
        await arena.ask(lambda client: client.register_bot("puma", None))
        listed = await says("bot", "list", "--mine", "--token-file", str(second))
        by_name = await says("bot", "list", "--author", "ada", "--json")
    assert "lynx" in listed
    assert "puma" not in listed
    assert '"lynx"' in by_name
    assert '"puma"' not in by_name
    for file in (first, second, bots_own):
        token = file.read_text().strip()
        assert is_token(token)
        assert token not in said
        assert file.stat().st_mode & 0o077 == 0


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every token that is made while the test runs."""
    made: list[str] = []

    def new_token(kind: TokenKind) -> str:
        made.append(arena.tokens.new_token(kind))
        return made[-1]

    for module in ("server", "house_bots", "rpc.bots", "rpc.token_desk"):
        monkeypatch.setattr(f"arena.{module}.new_token", new_token)
    return made


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What the arena logs, at every level."""
    before = structlog.get_config()
    written = StringIO()
    configure_logs("debug", stream=written)
    yield written
    structlog.configure(**before)


def command_lines() -> str:
    """Return the arguments of every process that this machine shows."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(process.read_bytes().decode(errors="replace"))
    return "\n".join(found)


@pytest.mark.slow
async def test_no_token_is_told_in_logs_errors_files_or_the_list_of_processes(
    tmp_path: Path, tokens: list[str], log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    revoked: list[str] = []
    house = ("random@1", "heuristic@1")

    def everything(client: ArenaClient) -> None:
        invitation = client.invite_author()
        author = client.register_author("ada", invitation).token
        made = client.register_bot("lynx", "ada").token
        client.rotate_token("lynx")
        client.rotate_author_token("ada")
        revoked.extend((author, made))
        for mistaken in (invitation, author, made, *tokens):
            attempts: tuple[Callable[[str], Any], ...] = (
                lambda text: client.register_author("eve", text),
                lambda text: client.register_bot(text, None),
                lambda text: client.register_bot("eve", text),
                client.rotate_token,
                client.get_tournament,
                lambda text: client.enter_tournament("spring", "lynx", text),
            )
            for attempt in attempts:
                with suppress(EuchreError):
                    told.append(str(attempt(mistaken)))

    def again(token: str, address: str) -> None:
        with connect(Dial(address=Address(address)), token=token) as client:
            try:
                client.rotate_token("lynx")
            except EuchreError as error:
                told.append(str(error))
        with suppress(grpc.RpcError, ConnectError):
            run(BotBase, arena=address, token=token)

    limits = CallLimits(wrong_burst=1000)
    monkeypatch.setattr("arena.rpc.auth.Allowance", lambda _: Allowance(limits))
    settings = settings_in(tmp_path, log_level="debug")
    async with running_arena(settings) as running:
        await ask(running, everything)
        lynx = await ask(running, lambda client: client.rotate_token("lynx"))
        for each in revoked:
            await trio.to_thread.run_sync(again, each, running.address)
        await ask(running, lambda client: create(client, "spring", "lynx", *house))
        await ask(running, lambda client: client.start_tournament("spring"))
        async with trio.open_nursery() as playing:
            playing.start_soon(
                trio.to_thread.run_sync,
                partial(quietly, BotBase, arena=running.address, token=lynx),
            )
            with trio.fail_after(30):
                while not (
                    await ask(running, lambda client: client.get_rankings("spring"))
                ).progress.hands:
                    await trio.lowlevel.checkpoint()
            processes = command_lines()
            await ask(running, lambda client: client.deactivate_bot("lynx"))
    assert all(is_token(each) for each in tokens)
    assert len(tokens) >= 9
    kept = {
        file.name: file.read_bytes()
        for file in (tmp_path / "data").rglob("*")
        if file.is_file() and file.name != "organiser-token"
    }
    assert "heuristic@1" in processes
    assert '"house_bot_started"' in log.getvalue()
    assert kept
    for token in tokens:
        assert token not in log.getvalue()
        assert token not in "\n".join(told)
        assert token not in processes
        assert not [name for name, content in kept.items() if token.encode() in content]


def quietly(*given: Any, **how: Any) -> None:
    with suppress(ConnectError):
        run(*given, **how)
