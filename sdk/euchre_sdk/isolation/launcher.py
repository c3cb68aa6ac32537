"""Starts instances that can keep nothing on this machine: the side that asks for them.

Linux only. The kernel must give namespaces to those who have no rights; where it does not, the
launcher says so and nothing is ever played on the same deals.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from euchre_sdk.errors import EuchreError
from euchre_sdk.isolation.fresh import IsolatedProcess, Launcher, NotIsolatedError

_PATIENCE = 5.0
"""Seconds for the process that starts instances to end once its input has ended."""


_PASSED_ON = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LD_LIBRARY_PATH",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "PATH",
    "PYTHONHASHSEED",
    "PYTHONHOME",
    "PYTHONPATH",
    "TZ",
    "VIRTUAL_ENV",
)
"""Variables that Python and its libraries need. No other one arrives: it may hold a secret."""


class InstanceEndedError(EuchreError):
    """An instance ended before it had answered: a bot crashed it, or memory ran out."""


class LocalLauncher(Launcher):
    """Starts instances on this machine, one at a time. A context: it ends them all.

    To be made in a thread that lives as long as it does: the processes end with that thread.
    """

    def __init__(self) -> None:
        """Start the process that starts them. Raises `NotIsolatedError` with the reason."""
        self.is_killed = False
        """Whether it was ended while something may have been played."""
        if sys.platform != "linux":
            raise NotIsolatedError(f"bots can be shut in on Linux only, not on {sys.platform}")
        self._spawner = subprocess.Popen(
            [sys.executable, "-P", "-m", "euchre_sdk.isolation.spawner"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # no terminal of ours, and no Ctrl-C from it
            env=_environment(),
        )
        try:
            refused = self._read()["refused"]
        except InstanceEndedError:
            refused = "the process that is to start instances does not start"
        if refused is not None:
            self.close()
            raise NotIsolatedError(refused)

    def _start(self) -> IsolatedProcess:
        tried = self._do("launch")
        if not isinstance(tried, dict):
            self._do("end")
            raise NotIsolatedError("a new process ended before it could be tried")
        return _Process(self, {str(way): str(kept) for way, kept in tried.items()})

    def _do(self, what: str, **more: str) -> Any:
        """Ask the process that starts them for something."""
        assert self._spawner.stdin is not None  # it was given a pipe
        try:
            self._spawner.stdin.write(json.dumps({"do": what, **more}) + "\n")
            self._spawner.stdin.flush()
            return self._read()["answer"]
        except OSError as error:
            raise InstanceEndedError("the process that starts instances has ended.") from error
        except BaseException:  # such as Ctrl-C: what is asked next would wait for this answer
            self.kill()
            raise

    def _read(self) -> dict[str, Any]:
        assert self._spawner.stdout is not None  # it was given a pipe
        line = self._spawner.stdout.readline()
        if not line:
            raise InstanceEndedError("the process that starts instances has ended.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process that starts instances, and all of them with it."""
        assert self._spawner.stdin is not None  # both were given pipes
        assert self._spawner.stdout is not None
        with suppress(BrokenPipeError):
            self._spawner.stdin.close()
        try:
            self._spawner.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._spawner.kill()
            self._spawner.wait()
        self._spawner.stdout.close()

    def kill(self) -> None:
        """End it all now, whatever is being played."""
        self.is_killed = True
        self._spawner.kill()

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it all; at once if something went wrong."""
        if error is not None:
            self.kill()
        self.close()


def _environment() -> dict[str, str]:
    """Return all that a process in which bots are shut in learns of the environment."""
    known = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {**known, "PYTHONDONTWRITEBYTECODE": "1"}


class _Process:
    """An instance, as its launcher knows it."""

    def __init__(self, launcher: LocalLauncher, tried: Mapping[str, str]) -> None:
        self._launcher = launcher
        self._tried = tried

    def tried(self) -> Mapping[str, str]:
        """Return what it tried, and what of it was not refused."""
        return self._tried

    def ask(self, job: str) -> str:
        """Give it its job. Raises `InstanceEndedError` if it ends without an answer."""
        answer = self._launcher._do("ask", job=job)  # noqa: SLF001 - its other half
        if not isinstance(answer, str):
            raise InstanceEndedError(
                "a process ended by itself in the middle of a session: a bot crashed it, or memory "
                "ran out."
            )
        return answer

    def end(self) -> None:
        """End it."""
        if not self._launcher.is_killed:
            self._launcher._do("end")  # noqa: SLF001 - its other half
