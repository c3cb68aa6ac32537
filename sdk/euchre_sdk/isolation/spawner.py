"""The process from which instances are started: shut in first, and never running a bot's code.

`python -P -m euchre_sdk.isolation.spawner` answers lines of JSON on its standard input, one each:
`launch` starts a process and says what that could keep, `ask` gives it a job and returns its
answer, `end` ends it. Each instance is a copy of this process as it was before it met any bot.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from euchre_sdk.isolation import linux, seccomp, trial
from euchre_sdk.isolation.fresh import NotIsolatedError

MOST_BYTES = 1 << 20
"""Of an instance's answer: what comes from it may be anything."""


class Instance:
    """A process started here, and the pipes to it."""

    def __init__(self) -> None:
        jobs_read, self._jobs = os.pipe()
        self._answers, answers_write = os.pipe()
        spawner = os.getpid()
        self._holder = os.fork()
        if self._holder == 0:
            _in_child(lambda: _hold(jobs_read, answers_write, spawner))
        os.close(jobs_read)
        os.close(answers_write)
        self._buffer = b""

    def line(self) -> str | None:
        """Return its next line; None if it ends without one."""
        while b"\n" not in self._buffer and len(self._buffer) < MOST_BYTES:
            some = os.read(self._answers, 65536)
            if not some:
                return None
            self._buffer += some
        line, found, self._buffer = self._buffer.partition(b"\n")
        return line.decode(errors="replace") if found else None

    def ask(self, job: str) -> None:
        """Give it a line."""
        os.write(self._jobs, job.encode() + b"\n")

    def end(self) -> None:
        """Kill it and what it has started, and wait for that."""
        os.close(self._jobs)
        os.close(self._answers)
        os.kill(self._holder, signal.SIGTERM)
        os.waitpid(self._holder, 0)


def _in_child(run: Callable[[], object]) -> None:
    """Run something as all that a process forked from this one does."""
    code = 1
    try:
        run()
        code = 0
    finally:
        os._exit(code)


def _hold(jobs: int, answers: int, spawner: int) -> None:
    """Start the instance as the first process of a namespace, and kill it when told to end."""
    linux.die_with_parent()
    if os.getppid() != spawner:  # it was killed before this process could know
        return
    _close_all_but(jobs, answers)
    linux.among_themselves()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGCHLD})
    first = os.fork()
    if first == 0:
        _in_child(lambda: _be_instance(jobs, answers))
    os.close(jobs)
    os.close(answers)
    signal.sigwait({signal.SIGTERM, signal.SIGCHLD})
    os.kill(first, signal.SIGKILL)  # with it goes whatever it has started
    os.waitpid(first, 0)


def _be_instance(jobs: int, answers: int) -> None:
    """Shut this process in, say what it could keep, and play what is asked for."""
    linux.die_with_parent()
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    linux.drop_rights()
    linux.die_with_parent()  # the change of rights may have cleared it
    seccomp.refuse_calls()
    _write(answers, json.dumps(trial.everything()))
    from euchre_sdk.isolation import seated  # noqa: PLC0415 - loaded before, by `main`

    with os.fdopen(jobs, encoding="utf-8") as lines:
        job = lines.readline()
    if job:
        _write(answers, seated.answer(job))


def _close_all_but(*kept: int) -> None:
    """Let go of everything else that was open, above all of the pipes of the spawner."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    low = 3
    for each in sorted(kept):
        os.closerange(low, each)
        low = each + 1
    os.closerange(low, os.sysconf("SC_OPEN_MAX"))


def _write(pipe: int, line: str) -> None:
    data = line.encode() + b"\n"
    while data:
        data = data[os.write(pipe, data) :]


def _obey(command: dict[str, Any], instance: Instance | None) -> tuple[Instance | None, Any]:
    """Do what a line asks for; return the instance there is then, and what to answer."""
    match command["do"], instance:
        case "launch", None:
            made = Instance()
            tried = made.line()
            return made, None if tried is None else json.loads(tried)
        case "ask", Instance() as there:
            there.ask(command["job"])
            return there, there.line()
        case "end", Instance() as there:
            there.end()
            return None, ""
        case what:
            raise ValueError(f"nothing can be done with {what}")


def main() -> None:
    """Shut this process in, then serve until the standard input ends."""
    from euchre_sdk import bots  # noqa: F401, PLC0415 - loaded once, for all instances
    from euchre_sdk.isolation import seated  # noqa: F401, PLC0415 - the same

    linux.die_with_parent()
    try:
        linux.shut_in()
    except NotIsolatedError as error:
        print(json.dumps({"refused": str(error)}), flush=True)  # noqa: T201 - its answers
        return
    gc.collect()
    gc.freeze()
    print(json.dumps({"refused": None}), flush=True)  # noqa: T201
    instance: Instance | None = None
    for line in sys.stdin:
        instance, answer = _obey(json.loads(line), instance)
        print(json.dumps({"answer": answer}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
