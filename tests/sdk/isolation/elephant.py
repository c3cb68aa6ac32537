"""A bot that never forgets, if it can: it leaves a note by every way, and looks for one.

When it finds one it raises, so that the session says by which way it remembered.
"""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

NOTE = "euchre-elephant"
KEY = 0x0E1E
"""Of shared memory and of a queue of messages."""
LIBC = ctypes.CDLL(None, use_errno=True)
CHILD = """
import os, signal, socket, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.setsid()
try:
    heard = socket.socket(socket.AF_UNIX); heard.bind("\\0" + sys.argv[1]); heard.listen()
except OSError:
    pass
time.sleep(3)
"""


class RemembersError(Exception):
    """It has seen this before."""


def _places() -> list[Path]:
    wanted = (Path.home(), Path.cwd(), Path("/tmp"), Path("/dev/shm"), Path("/var/tmp"))
    return [Path(__file__).parent, *wanted, Path("/run"), Path("/dev/mqueue")]


def file() -> bool:
    found = any((place / NOTE).exists() for place in _places())
    for place in _places():
        with suppress(OSError):
            (place / NOTE).touch()
    return found


def folder() -> bool:
    found = any((place / f"{NOTE}.d").exists() for place in _places())
    for place in _places():
        with suppress(OSError):
            (place / f"{NOTE}.d").mkdir()
    return found


def times_of_a_file() -> bool:
    """A file that is read, or touched, would show it."""
    mine = Path(__file__).parent / "__init__.py"
    mine = mine if mine.exists() else Path(__file__)
    known = 86_400 * 365
    found = mine.stat().st_atime == known
    with suppress(OSError):
        os.utime(mine, (known, mine.stat().st_mtime))
    return found


def shared_memory() -> bool:
    found = bool(LIBC.shmget(KEY, ctypes.c_size_t(64), 0o600) >= 0)
    LIBC.shmget(KEY, ctypes.c_size_t(64), 0o1600)
    return found


def queue() -> bool:
    found = bool(LIBC.msgget(KEY, 0o600) >= 0)
    LIBC.msgget(KEY, 0o1600)
    return found


def environment() -> bool:
    found = NOTE in os.environ
    os.environ[NOTE] = "seen"
    LIBC.setenv(NOTE.encode(), b"seen", 1)
    with suppress(OSError):
        parent = Path(f"/proc/{os.getppid()}/environ")
        found = found or NOTE in parent.read_text(errors="replace")
    return found


def module() -> bool:
    found = hasattr(sys, "euchre_elephant")
    setattr(sys, "euchre_elephant", True)  # noqa: B010 - it is no name of the module
    return found


def socket_of_a_child() -> bool:
    """A child that outlives the session and answers."""
    name = f"{NOTE} of {Path(__file__).parent}"[-100:]
    with suppress(OSError), socket.socket(socket.AF_UNIX) as asked:
        asked.connect(f"\0{name}")
        return True
    with suppress(OSError):
        subprocess.Popen(  # one that lives on
            [sys.executable, "-c", CHILD, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    return False


def limits_of_others() -> bool:
    """What can be told about, and done to, the process that started it."""
    with suppress(OSError):
        parent = os.getppid()
        if not parent:
            return False
        found = os.getpriority(os.PRIO_PROCESS, parent) == 7
        os.setpriority(os.PRIO_PROCESS, parent, 7)
        return found
    return False


KEYCTL, ADD_KEY = 250, 248
"""System calls of x86-64; the test that needs them to work runs there only."""
USER_KEYS, SEARCH, UNLINK = -4, 10, 9


def keys() -> bool:
    """The keys of its user, which the kernel holds."""
    found = bool(LIBC.syscall(KEYCTL, SEARCH, USER_KEYS, b"user", NOTE.encode(), 0) >= 0)
    LIBC.syscall(ADD_KEY, b"user", NOTE.encode(), b"seen", 4, USER_KEYS)
    return found


def drop_key() -> None:
    key = LIBC.syscall(KEYCTL, SEARCH, USER_KEYS, b"user", NOTE.encode(), 0)
    LIBC.syscall(KEYCTL, UNLINK, key, USER_KEYS)


WAYS: list[Callable[[], bool]] = [
    file,
    folder,
    times_of_a_file,
    shared_memory,
    queue,
    environment,
    module,
    socket_of_a_child,
    limits_of_others,
    keys,
]


class Elephant:
    def act(self, view):
        return view.legal[0]

    def game_ended(self, end):
        if found := [way.__name__ for way in WAYS if way()]:
            raise RemembersError(", ".join(found))
