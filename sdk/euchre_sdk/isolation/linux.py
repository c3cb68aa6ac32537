"""What Linux offers to shut a process in, called directly: no helper program, no rights needed.

Everything here changes the calling process and cannot be undone by it. `man 7 namespaces`,
`man 7 user_namespaces`, `man 2 mount_setattr`, `man 7 capabilities`.
"""

from __future__ import annotations

import ctypes
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from euchre_sdk.isolation.fresh import NotIsolatedError

_CLONE_NEWNS = 0x00020000
_CLONE_NEWCGROUP = 0x02000000
_CLONE_NEWUTS = 0x04000000
_CLONE_NEWIPC = 0x08000000
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWPID = 0x20000000
_CLONE_NEWNET = 0x40000000

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 1, 2, 4, 8
_MS_BIND, _MS_REC, _MS_PRIVATE = 4096, 16384, 1 << 18
_MOUNT_SETATTR = 442
"""Number of the system call on every kind of machine; there since Linux 5.12."""
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_ATTR_RDONLY = 1

_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 24, 38
_SIGKILL = 9
_CAPABILITY_VERSION = 0x20080522
_MOST_CAPABILITIES = 64

_DEVICES = ("null", "zero", "full", "random", "urandom")
"""What is left of /dev: devices that take in everything and keep nothing."""


class _MountAttributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("user_namespace", ctypes.c_uint64),
    )


def libc() -> ctypes.CDLL:
    """Return the C library."""
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> None:
    """Raise `OSError` if a call of the C library failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


@contextmanager
def step(what: str) -> Iterator[None]:
    """Say in our words what the kernel refuses."""
    try:
        yield
    except OSError as error:
        raise NotIsolatedError(f"this system does not allow {what} ({error.strerror})") from error


def shut_in() -> None:
    """Leave the machine's namespaces: no network, all files read-only, no devices, no /proc.

    For a process with one thread. What is started from it can be shut in further.
    """
    user, group = os.getuid(), os.getgid()
    with step("user namespaces"):
        checked(libc().unshare(_CLONE_NEWUSER))
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    rest = _CLONE_NEWNS | _CLONE_NEWIPC | _CLONE_NEWUTS | _CLONE_NEWNET | _CLONE_NEWCGROUP
    with step("further namespaces"):
        checked(libc().unshare(rest))
    with step("mounts in a namespace"):
        _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
        _cover_devices()
        for where in ("/proc", "/sys"):
            _cover(where)
    with step("files to be made read-only"):
        attributes = _MountAttributes(set=_ATTR_RDONLY)
        size = ctypes.sizeof(attributes)
        checked(
            libc().syscall(
                _MOUNT_SETATTR, _AT_FDCWD, b"/", _AT_RECURSIVE, ctypes.byref(attributes), size
            )
        )


def among_themselves() -> None:
    """Put what is started next into namespaces of its own for processes and shared memory."""
    with step("namespaces of processes"):
        checked(libc().unshare(_CLONE_NEWPID | _CLONE_NEWIPC))


def drop_rights() -> None:
    """Give up every capability for good, and core files."""
    with step("rights to be given up"):
        for capability in range(_MOST_CAPABILITIES):
            if libc().prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
                break  # beyond the last one there is
        header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
        checked(libc().capset(header, (ctypes.c_uint32 * 6)()))
        checked(libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def die_with_parent() -> None:
    """Be killed when the thread that started this process ends."""
    checked(libc().prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0))


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    checked(
        libc().mount(
            None if source is None else os.fsencode(source),
            os.fsencode(target),
            None if kind is None else kind.encode(),
            ctypes.c_ulong(flags),
            data.encode() or None,
        )
    )


def _cover(where: str) -> None:
    """Lay an empty directory over one."""
    if Path(where).is_dir():
        _mount("none", where, "tmpfs", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, "size=64k,mode=0755")


def _cover_devices() -> None:
    """Lay a directory with a few harmless devices over /dev. /proc serves as the workbench."""
    _cover("/proc")
    made = Path("/proc/dev")
    made.mkdir()
    for name in _DEVICES:
        (made / name).touch()
        _mount(f"/dev/{name}", str(made / name), None, _MS_BIND)
    (made / "shm").mkdir()
    _mount(str(made), "/dev", None, _MS_BIND | _MS_REC)
