"""The arena and its bots as real processes: stopped in any way, it goes on where it was."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
import trio

from arena.rpc.client import ArenaClient, connect
from euchre_sdk.client_dial import Address, Dial
from tests.integration.served import create

pytestmark = [pytest.mark.slow, pytest.mark.cli]

BOT = """
import random

class Quick:
    def act(self, view):
        return random.choice(view.legal)
"""


class Process:
    """A started arena."""

    def __init__(self, process: trio.Process, directory: Path) -> None:
        self.process = process
        self.directory = directory
        self.address = ""
        self.output = ""

    async def ask(self, question: Callable[[ArenaClient], Any]) -> Any:
        """Ask as the organiser."""

        def in_thread() -> Any:
            token = (self.directory / "data" / "organiser-token").read_text().strip()
            with connect(Dial(address=Address(self.address)), token=token) as client:
                return question(client)

        return await trio.to_thread.run_sync(in_thread)


@asynccontextmanager
async def started(directory: Path, address: str = "127.0.0.1:0") -> AsyncIterator[Process]:
    """Run `arena serve` and wait until it answers; end it if the test has not."""
    async with trio.open_nursery() as nursery:
        process = await nursery.start(
            partial(
                trio.run_process,
                (
                    *(sys.executable, "-m", "arena", "serve"),
                    *("--address", address, "--data", str(directory / "data")),
                ),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
        )
        it = Process(process, directory)
        answering = trio.Event()

        async def read() -> None:
            async for chunk in process.stdout:
                it.output += chunk.decode()
                if found := re.search(r"answers at (\S+)\. ", it.output):
                    it.address = found[1]
                    answering.set()

        nursery.start_soon(read)
        with trio.fail_after(60):
            await answering.wait()
        yield it
        if process.returncode is None:
            process.kill()
        await process.wait()


async def play(directory: Path, token: str, address: str) -> None:
    """Run a bot until it is cancelled."""
    await trio.run_process(
        (
            *(sys.executable, "-m", "euchre_sdk", "connect", address, str(directory / "bot.py")),
            *("--games", "4", "--wait"),
        ),
        env=os.environ | {"EUCHRE_TOKEN": token},
        capture_stderr=True,
        capture_stdout=True,
        check=False,
    )


async def until(arena: Process, blocks: int, name: str = "spring") -> Any:
    """Return the ranking as soon as so many blocks are complete."""

    def watched(client: ArenaClient) -> Any:
        for rankings in client.watch_rankings(name):
            if rankings.progress.blocks_complete >= blocks:
                return rankings
        pytest.fail("it was over before that")

    return await arena.ask(watched)


@pytest.mark.parametrize(
    "how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda s: s.name
)
async def test_a_stopped_arena_goes_on_where_it_was(tmp_path: Path, how: signal.Signals) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    names = ("lynx", "puma", "ocelot")
    async with trio.open_nursery() as bots:
        async with started(tmp_path) as arena:
            address = arena.address
            for name in names:
                made = await arena.ask(lambda client, name=name: client.register_bot(name, None))
                bots.start_soon(play, tmp_path, made.token, address)
            await arena.ask(lambda client: create(client, "spring", *names, cycles=20))
            await arena.ask(lambda client: client.start_tournament("spring"))
            before = await until(arena, 3)
            began = monotonic()
            arena.process.send_signal(how)
            await arena.process.wait()
            took = monotonic() - began
        assert "Traceback" not in arena.output
        if how is not signal.SIGKILL:
            assert arena.process.returncode == 0
            assert took < 2
        assert before.progress.blocks_complete < 60, "it was over before it was stopped"
        async with started(tmp_path, address) as arena:
            after = await until(arena, 60)
            arena.process.terminate()
            await arena.process.wait()
        assert after.progress.blocks_total == 60
        assert after.progress.hands == 60 * 6
        assert [row.faults for row in after.rows] == [0, 0, 0]
        assert [row.forfeits for row in after.rows] == [0, 0, 0]
        assert "Traceback" not in arena.output
        bots.cancel_scope.cancel()


async def test_a_second_arena_on_the_same_data_is_told_so(tmp_path: Path) -> None:
    async with started(tmp_path):
        done = await trio.run_process(
            (
                *(sys.executable, "-m", "arena", "serve", "--address", "127.0.0.1:0"),
                *("--data", str(tmp_path / "data")),
            ),
            capture_stderr=True,
            check=False,
        )
    assert done.returncode == 1
    said = done.stderr.decode()
    assert "another arena (process" in said
    assert "Traceback" not in said


async def test_house_bots_play_where_they_are_entered_and_leave_with_the_arena(
    tmp_path: Path,
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    async with started(tmp_path) as arena, trio.open_nursery() as guests:
        made = await arena.ask(lambda client: client.register_bot("lynx", None))
        guests.start_soon(play, tmp_path, made.token, arena.address)
        field = ("lynx", "heuristic@1", "random@1")
        await arena.ask(lambda client: create(client, "spring", *field, cycles=2))
        await arena.ask(lambda client: client.start_tournament("spring"))
        over = await until(arena, 6)
        assert over.anchor == "heuristic@1"
        assert {row.entry.house for row in over.rows} == {True, False}
        await arena.ask(lambda client: create(client, "summer", *field, cycles=50))
        await arena.ask(lambda client: client.start_tournament("summer"))
        await until(arena, 1, "summer")
        assert sorted(running(arena.address, "@1")) == ["heuristic@1", "random@1"]
        arena.process.terminate()
        await arena.process.wait()
        assert running(arena.address, "@1") == []
        assert "Traceback" not in arena.output
        guests.cancel_scope.cancel()


def running(address: str, ends_in: str) -> list[str]:
    """Return the bots whose programs connect to an address, by how their names end."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_text().split("\0")
        except OSError:
            continue
        if "connect" in words and address in words:
            found += [words[words.index(address) + 1]]
    return [name for name in found if name.endswith(ends_in)]
