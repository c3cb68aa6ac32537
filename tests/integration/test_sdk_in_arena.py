"""Bots that authors would start, as processes of their own, in the arena's play service."""

import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.lowlevel

from arena.referee import Termination
from euchre_sdk.game import Session
from tests.integration.raw_bot import Arena, arena

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TYPESCRIPT = ROOT / "example_bots" / "typescript"
BOT = """
import random

class Anything:
    def act(self, view):
        assert view.legal, str(view)
        return random.choice(view.legal)
"""


@pytest.fixture
def anything(tmp_path):
    file = tmp_path / "anything.py"
    file.write_text(BOT, encoding="utf-8")
    return str(file)


def connect(address: str, bot: str, *options: str) -> list[str]:
    main = "from euchre_sdk.cli import main; main()"
    return [sys.executable, "-c", main, "connect", address, bot, *options]


@asynccontextmanager
async def bots(a: Arena, *commands: list[str], games: int) -> AsyncIterator[list[trio.Process]]:
    """Start a process for each of a, b, c and wait until the arena has all three."""
    async with trio.open_nursery() as nursery:
        started = [
            await nursery.start(
                partial(
                    trio.run_process,
                    command,
                    env=os.environ | {"EUCHRE_TOKEN": name},
                    check=False,
                    capture_stdout=True,
                    capture_stderr=True,
                )
            )
            for name, command in zip("abc", commands, strict=True)
        ]
        with trio.fail_after(20):
            while any(a.play.presence(name) < games for name in "abc"):
                await a.play.wait_change()
        yield started
        nursery.cancel_scope.cancel()


async def play_all(a: Arena, games: int, **order) -> None:
    playing = [
        a.start(a.order(game_id=f"g{n}", seed=n, format=Session(6), **order)) for n in range(games)
    ]
    for game in playing:
        outcome = await game.ended(30)
        assert outcome.started
        assert set(outcome.terminations) == {Termination.NORMAL}
        assert len(outcome.hands) == 6
        assert all(hand.faults == () for hand in outcome.hands)


async def test_three_bots_of_the_sdk_play_many_games_at_once_without_a_fault(anything):
    async with arena() as a:
        command = connect(a.address, anything, "--games", "8")
        async with bots(a, command, command, command, games=8):
            await play_all(a, 8)


async def test_ctrl_c_lets_the_running_game_end_first(anything):
    async with arena() as a:
        command = connect(a.address, anything)
        async with bots(a, command, command, command, games=1) as started:
            playing = a.start(a.order(format=Session(60)))
            with trio.fail_after(10):
                while not playing.journal.hands:
                    await trio.lowlevel.checkpoint()
            for process in started:
                process.send_signal(signal.SIGINT)
            outcome = await playing.ended(30)
            assert set(outcome.terminations) == {Termination.NORMAL}
            with trio.fail_after(10):
                assert [await process.wait() for process in started] == [0, 0, 0]


async def test_ctrl_c_ends_an_idle_bot_at_once(anything):
    async with arena() as a:
        command = connect(a.address, anything)
        async with bots(a, command, command, command, games=1) as started:
            for process in started:
                process.send_signal(signal.SIGINT)
            with trio.fail_after(10):
                assert [await process.wait() for process in started] == [0, 0, 0]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
async def test_the_typescript_bot_plays_beside_bots_of_the_sdk_without_a_fault(anything):
    program = TYPESCRIPT / "dist" / "src" / "main.js"
    if not program.exists():
        pytest.skip("the TypeScript bot is not built: npm ci && npm run build")
    async with arena() as a:
        typescript = ["node", str(program), "--arena", a.address, "--games", "4"]
        python = connect(a.address, anything, "--games", "4")
        async with bots(a, typescript, python, python, games=4):
            await play_all(a, 4)
