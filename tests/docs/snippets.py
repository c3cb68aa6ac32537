"""Runs the snippets of a Markdown page as a reader would: in order, in one directory.

* A `python` block is executed; blocks of a page share their names.
* A block with `title="name"` is written to that file first, whatever its language.
* A `console` block holds `$ command` lines and what they print. Output is compared by lines and
  loosely: numbers may differ, spaces too, `…` stands for anything, and a line of `…` for any lines.
  A command that ends in `&` keeps running until the page ends, once it has printed what is shown.
* The ports 50051, the arena's default, and 9464 of the text are free ones when it runs.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SHOWN_PORTS = ("50051", "9464")
PATIENCE = 60.0
"""Seconds that a command may take."""
FENCE = re.compile(
    r"^```(?P<language>\w+)(?P<rest>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
TITLE = re.compile(r'title="(?P<title>[^"]+)"')
ELSEWHERE = ("make ", "git clone ", "pip install ", "cd ")
"""Commands about the checkout itself: `make` targets are what runs these very tests."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block."""

    language: str
    title: str
    code: str
    line: int


@dataclass(frozen=True, slots=True)
class Command:
    """One `$ command` and the lines shown beneath it."""

    text: str
    output: tuple[str, ...]


class SnippetError(AssertionError):
    """A snippet does not do what its page says."""


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page that name a language."""
    text = page.read_text()
    for match in FENCE.finditer(text):
        title = TITLE.search(match["rest"])
        yield Block(
            match["language"],
            title["title"] if title else "",
            match["code"],
            text.count("\n", 0, match.start()) + 1,
        )


def commands(block: Block) -> list[Command]:
    """Return the commands of a console block."""
    found: list[Command] = []
    for line in block.code.splitlines():
        if line.startswith("$ "):
            found.append(Command(line.removeprefix("$ "), ()))
        elif line.startswith("> "):
            last = found[-1]
            found[-1] = Command(last.text.removesuffix("\\") + line.removeprefix("> "), ())
        elif found:
            found[-1] = Command(found[-1].text, (*found[-1].output, line))
    return found


def matches(shown: tuple[str, ...], printed: str) -> bool:
    """Tell whether what was printed is what the page shows, numbers and spaces aside."""
    wanted = [_squeeze(line) for line in shown if line.strip()]
    lines = [_squeeze(line) for line in printed.splitlines() if line.strip()]
    return not wanted or _match(wanted, lines)


def _match(wanted: list[str], lines: list[str]) -> bool:
    if not wanted:
        return not lines
    if wanted[0] == "…":
        return any(_match(wanted[1:], lines[start:]) for start in range(len(lines) + 1))
    return bool(lines) and _same(wanted[0], lines[0]) and _match(wanted[1:], lines[1:])


def _squeeze(line: str) -> str:
    bare = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line)
    return " ".join(bare.split())


def _same(wanted: str, line: str) -> bool:
    pattern = ""
    for part in re.split(r"(…|\d[\d.,]*)", wanted):
        if part == "…":
            pattern += ".*"
        elif part[:1].isdigit():
            pattern += r"\d[\d.,]*"
        else:
            pattern += re.escape(part)
    return re.fullmatch(pattern, line) is not None


class Session:
    """One reader of one page: a directory, a Python session, and programs left running."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.names: dict[str, object] = {"__name__": "__main__"}
        self.running: list[subprocess.Popen[bytes]] = []
        self.ports = {shown: str(_free_port()) for shown in SHOWN_PORTS}
        address = f"127.0.0.1:{self.ports['50051']}"
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "120",
            "NO_COLOR": "1",
            "HOME": str(directory),
            "ARENA_ADDRESS": address,
            "ARENA_SERVER": address,
        }

    def run(self, block: Block) -> None:
        """Run one block."""
        if block.title:
            target = self.directory / block.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.code)
        if block.language == "python":
            code = self._here(block.code)
            exec(compile(code, block.title or f"line {block.line}", "exec"), self.names)
        elif block.language == "console":
            for command in commands(block):
                self._command(command)

    def close(self) -> None:
        """End what is still running, as a reader would with Ctrl-C; the last one first."""
        for process in reversed(self.running):
            if process.poll() is not None:
                continue
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(5)

    def _here(self, text: str) -> str:
        for shown, port in self.ports.items():
            text = text.replace(shown, port)
        return text

    def _command(self, command: Command) -> None:
        if command.text.startswith(ELSEWHERE):
            return
        background = command.text.endswith("&")
        text = self._here(command.text.removesuffix("&").strip())
        log = self.directory / f".output-{len(list(self.directory.glob('.output-*')))}"
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", text],
                cwd=self.directory,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        if background:
            self.running.append(process)
            self._await(process, command, log)
            return
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(5)
            raise SnippetError(f"$ {command.text}\nstill runs after {PATIENCE} s") from None
        printed = log.read_text()
        if process.returncode:
            raise SnippetError(f"$ {command.text}\nended with {process.returncode}:\n{printed}")
        if not matches(command.output, printed):
            raise SnippetError(
                f"$ {command.text}\nthe page shows:\n"
                + "\n".join(command.output)
                + f"\nit printed:\n{printed}"
            )

    def _await(self, process: subprocess.Popen[bytes], command: Command, log: Path) -> None:
        end = time.monotonic() + PATIENCE
        while not matches(command.output, log.read_text()):
            if process.poll() is not None or time.monotonic() > end:
                raise SnippetError(
                    f"$ {command.text}\nthe page shows:\n"
                    + "\n".join(command.output)
                    + f"\nit printed:\n{log.read_text()}"
                )
            time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
