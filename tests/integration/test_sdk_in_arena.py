"""Bots that authors would start, as processes of their own, in the arena's play service."""

import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
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


def typescript(address: str, *options: str) -> list[str]:
    program = ROOT / "example_bots" / "typescript" / "dist" / "src" / "main.js"
    if shutil.which("node") is None or not program.exists():
        pytest.skip("the TypeScript bot is not built: npm ci && npm run build")
    return ["node", str(program), "--arena", address, *options]


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


class Proxy:
    """Passes bytes between bots and an arena until it is told to cut every connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: set[trio.SocketStream] = set()
        self.address = ""

    async def run(self, *, task_status: trio.TaskStatus[None]) -> None:
        async with trio.open_nursery() as nursery:
            serve = partial(trio.serve_tcp, self._pass_on, 0, host="127.0.0.1")
            (listener,) = await nursery.start(serve)
            self.address = f"127.0.0.1:{listener.socket.getsockname()[1]}"
            task_status.started()

    async def cut(self) -> None:
        for stream in tuple(self._open):
            await trio.aclose_forcefully(stream)

    async def _pass_on(self, near: trio.SocketStream) -> None:
        far = await trio.open_tcp_stream("127.0.0.1", self._port)
        self._open |= {near, far}
        async with near, far, trio.open_nursery() as nursery:
            nursery.start_soon(self._copy, near, far, nursery.cancel_scope)
            nursery.start_soon(self._copy, far, near, nursery.cancel_scope)
        self._open -= {near, far}

    @staticmethod
    async def _copy(
        source: trio.SocketStream, target: trio.SocketStream, scope: trio.CancelScope
    ) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while data := await source.receive_some():
                await target.send_all(data)
        scope.cancel()


@pytest.mark.parametrize("language", ["python", "typescript"])
async def test_a_bot_whose_connection_is_cut_again_and_again_plays_on(anything, language):
    async with arena() as a:
        proxy = Proxy(a.edge.ports[0])
        await a.nursery.start(proxy.run)
        cut_off = connect(proxy.address, anything)
        if language == "typescript":
            cut_off = typescript(proxy.address)
        steady = connect(a.address, anything)
        async with bots(a, cut_off, steady, steady, games=1):
            playing = a.start(a.order(format=Session(30)))
            for cuts in range(1, 6):
                with trio.fail_after(20):
                    while len(playing.journal.hands) < 4 * cuts:
                        await trio.lowlevel.checkpoint()
                await proxy.cut()
            outcome = await playing.ended(60)
            assert set(outcome.terminations) == {Termination.NORMAL}
            assert len(outcome.hands) == 30


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


@pytest.mark.parametrize("playing", [True, False], ids=["in a game", "idle"])
async def test_sigterm_says_goodbye_and_leaves_at_once(anything, *, playing):
    async with arena() as a, trio.open_nursery() as nursery:
        command, token = connect(a.address, anything), os.environ | {"EUCHRE_TOKEN": "a"}
        start = partial(trio.run_process, command, env=token, check=False, capture_stderr=True)
        process = await nursery.start(start)
        with trio.fail_after(20):
            while not a.play.presence("a"):
                await a.play.wait_change()
            if playing:
                for name in "bc":
                    nursery.start_soon((await a.greeted(name)).play)
                game = a.start(a.order(format=Session(300)))
                while not game.journal.hands:
                    await trio.lowlevel.checkpoint()
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 128 + signal.SIGTERM
            while any(link.stream is not None for link in a.play._links.of("a")):
                await trio.lowlevel.checkpoint()
        assert all(link.leaving for link in a.play._links.of("a")), "it was told"
        nursery.cancel_scope.cancel()


async def test_the_typescript_bot_plays_beside_bots_of_the_sdk_without_a_fault(anything):
    async with arena() as a:
        own_stubs = typescript(a.address, "--games", "4")
        python = connect(a.address, anything, "--games", "4")
        async with bots(a, own_stubs, python, python, games=4):
            await play_all(a, 4)
