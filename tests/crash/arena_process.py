"""An arena and its bots as real processes, started again and again on the same data."""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from arena.rpc.client import ArenaClient, connect
from euchre_sdk.client_dial import Address, Dial

PATIENCE = 180.0
"""Seconds after which whatever is waited for has not happened."""
_LOOK = 0.005


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until(holds: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """Return what `holds` gives as soon as it is true."""
    until = monotonic() + patience
    while not (value := holds()):
        if monotonic() > until:
            raise AssertionError(f"in vain: {what}")
        sleep(_LOOK)
    return value


class ArenaProcess:
    """One life of an arena."""

    def __init__(self, directory: Path, address: str, life: int, env: Mapping[str, str]) -> None:
        self.directory = directory
        self.address = address
        self.log = directory / "logs" / f"{life:03}.log"
        self.log.parent.mkdir(exist_ok=True)
        self.began = monotonic()
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                (
                    *(sys.executable, "-m", "tests.crash.doomed_arena", "serve"),
                    *("--address", address, "--data", str(directory / "data")),
                ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | dict(env),
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def output(self) -> str:
        return self.log.read_text(errors="replace")

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while it lives."""
        return self._process.poll()

    @property
    def answers(self) -> bool:
        return re.search(r"answers at \S+\. ", self.output) is not None

    def wait_for_answer(self) -> None:
        wait_until(lambda: self.answers or self.status is not None, "the arena answers")
        assert self.status is None, self.output

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self.status is None:
            self._process.send_signal(how)

    def wait(self, patience: float = PATIENCE) -> int:
        """Return the exit status once there is one."""
        return self._process.wait(patience)

    def fill_disk(self, *, full: bool) -> None:
        """Let no file of this process grow beyond a page, or let them grow again.

        That is the disk being full as the process sees it: writes fail in the middle of a commit,
        in the log and everywhere else. A file system of its own would take privileges.
        """
        soft = 4096 if full else resource.RLIM_INFINITY
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (soft, resource.RLIM_INFINITY))

    def ask(self, question: Callable[[ArenaClient], Any]) -> Any:
        """Ask as the organiser."""
        token = (self.directory / "data" / "organiser-token").read_text().strip()
        with connect(Dial(address=Address(self.address)), token=token) as client:
            return question(client)


class BotProcess:
    """One bot that plays as long as the arena wants it."""

    def __init__(
        self, directory: Path, address: str, name: str, token: str, *, malformed: float = 0.0
    ) -> None:
        self.name = name
        self.told = directory / f"{name}.jsonl"
        self._output = (directory / f"{name}.log").open("wb")
        self._process = subprocess.Popen(
            (
                *(sys.executable, "-m", "tests.crash.recording_bot", address, str(self.told)),
                *(str(directory / "slow"), "--malformed", str(malformed)),
            ),
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            env=os.environ | {"EUCHRE_TOKEN": token},
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._output.close()


def dialling(address: str) -> list[int]:
    """Return the processes of this machine that were started to dial an address."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"connect" in words and address.encode() in words:
            found.append(int(process.name))
    return found
