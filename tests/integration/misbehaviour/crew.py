"""Processes of misbehaving bots, and what they saw and said."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import trio

from euchre.v1 import play_pb2

COMMAND = (sys.executable, "-m", "euchre_sdk.testing.misbehave")


class BotProcess:
    """A process with one bot or several; `lines` is what it has printed."""

    def __init__(self, process: trio.Process, heard: Callable[[str], None]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._heard = heard
        self._more = trio.Event()

    async def listen(self) -> None:
        """Read what it prints until its end, which comes with that of the nursery at the latest."""
        try:
            await self._read()
        finally:
            with trio.CancelScope(shield=True):
                self.signal(signal.SIGKILL)
                await self.process.wait()

    async def _read(self) -> None:
        rest = ""
        assert self.process.stdout is not None
        async for chunk in self.process.stdout:
            *lines, rest = (rest + chunk.decode()).split("\n")
            for line in lines:
                self.lines.append(line)
                self._heard(line)
                self._more.set()
                self._more = trio.Event()

    async def says(self, line: str) -> None:
        """Wait until it has printed a line that begins so."""
        while not any(each.startswith(line) for each in self.lines):
            await self._more.wait()

    async def stopped(self) -> None:
        """Wait until it is stopped, as by SIGSTOP, or has ended."""
        wait = partial(os.waitid, os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        with suppress(ChildProcessError):
            await trio.to_thread.run_sync(wait, abandon_on_cancel=True)

    def signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        if self.process.returncode is None:
            os.kill(self.process.pid, number)


async def start(
    nursery: trio.Nursery,
    address: str,
    options: Iterable[str],
    heard: Callable[[str], None] = lambda _: None,
) -> BotProcess:
    """Start a process; what it prints is read in the nursery."""
    process = await trio.lowlevel.open_process(
        [*COMMAND, address, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "GRPC_VERBOSITY": "NONE"},
    )
    made = BotProcess(process, heard)
    nursery.start_soon(made.listen)
    return made


async def start_many(
    nursery: trio.Nursery,
    address: str,
    file: Path,
    bots: Iterable[Iterable[str]],
    heard: Callable[[str], None] = lambda _: None,
) -> BotProcess:
    """Start one process of many bots, by a file of their options."""
    await trio.Path(file).write_text("".join(f"{shlex.join(options)}\n" for options in bots))
    return await start(nursery, address, ["--bots", str(file)], heard)


def read_transcript(file: Path) -> list[play_pb2.PlayResponse]:
    """Return the responses that a bot kept; one that was cut off by its end is left out."""
    return list(_messages(file.read_bytes())) if file.exists() else []


def _messages(data: bytes) -> Iterator[play_pb2.PlayResponse]:
    at = 0
    while at < len(data):
        size = shift = 0
        while True:
            byte = data[at]
            at += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if at + size > len(data):
            return
        yield play_pb2.PlayResponse.FromString(data[at : at + size])
        at += size
