"""What a new instance tries before it is believed: to keep something for the one after it.

Nothing is asked of the kernel's good word: each way is tried. What can be left behind is left
behind, so that an instance that shares anything with the one before it finds its mark.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from euchre_sdk.isolation.linux import libc

MARK = 0x45554348
"""Key of the shared memory and of the queue that each instance leaves behind."""
_IPC_NEW = 0o3600
"""Flags of shmget and msgget: make it, for its owner; refuse if it is there."""
_CLONE_NEWUSER = 0x10000000
_KEYCTL = {"x86_64": 250, "aarch64": 219}
_SESSION_KEYS = -3


def everything() -> dict[str, str]:
    """Return for each of `fresh.WAYS` what it gave; nothing where it was refused."""
    ways: dict[str, Callable[[], str]] = {
        "a file": _file,
        "a directory": _directory,
        "memory that processes share": _shared_memory,
        "a socket": _socket,
        "another process": _process,
        "a new namespace": _namespace,
        "the keys of the kernel": _keys,
        "the files of the kernel": _kernel_files,
    }
    return {name: way() for name, way in ways.items()}


def _refused() -> suppress:
    return suppress(OSError, RuntimeError)


def _places() -> list[Path]:
    wanted = [Path.cwd(), Path("/tmp"), Path("/dev/shm"), Path("/var/tmp"), Path("/dev")]  # noqa: S108
    with _refused():
        wanted.append(Path.home())
    return [place for place in wanted if place.is_dir()]


def _file() -> str:
    for place in _places():
        for flags in (os.O_WRONLY | os.O_CREAT, os.O_RDWR | os.O_TMPFILE | os.O_DIRECTORY):
            with _refused():
                path = place if flags & os.O_DIRECTORY else place / f".euchre-{os.urandom(4).hex()}"
                os.close(os.open(path, flags, 0o600))
                return str(path)
    return ""


def _directory() -> str:
    for place in _places():
        made = place / f".euchre-{os.urandom(4).hex()}"
        with _refused():
            made.mkdir()
            return str(made)
    with _refused():
        here = Path.cwd()
        os.utime(here, (0, 0))
        return f"the times of {here}"
    return ""


def _shared_memory() -> str:
    if libc().shmget(MARK, ctypes.c_size_t(4096), _IPC_NEW) < 0 and _is_there():
        return "shared memory of an earlier instance"
    if libc().msgget(MARK, _IPC_NEW) < 0 and _is_there():
        return "a queue of messages of an earlier instance"
    return ""


def _is_there() -> bool:
    return ctypes.get_errno() == errno.EEXIST


def _socket() -> str:
    for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6):
        with _refused():
            socket.socket(family).close()
            return family.name
    return ""


def _process() -> str:
    if os.getpid() != 1:
        return "it sees the processes of the machine"
    with _refused():
        os.kill(-1, 0)
        return "there are other processes"
    with _refused():
        os.sched_setaffinity(2, {0})
        return "there is a second process"
    return ""


def _namespace() -> str:
    if libc().unshare(_CLONE_NEWUSER) == 0:
        return "a namespace of users"
    if libc().mount(b"none", b"/", b"tmpfs", ctypes.c_ulong(0), None) == 0:
        return "a mount"
    return ""


def _keys() -> str:
    number = _KEYCTL.get(platform.machine())
    if number is None:
        return "how to ask for them is not known"
    join = 1
    if libc().syscall(number, join, None) >= 0 or libc().syscall(number, 0, _SESSION_KEYS, 0) >= 0:
        return "a set of keys"
    return ""


def _kernel_files() -> str:
    for place in ("/proc/self", "/sys/kernel"):
        if Path(place).exists():
            return place
    return ""
