"""System calls that a shut-in process may not make, as a filter of the kernel's own.

Files are read-only by their mounts already; the filter is for what mounts do not cover: opening
anything for writing (pipes with names), sockets, keys, what tells or decides which files are in
memory, and ways to new rights. Calls newer than the list are refused as unknown. `man 2 seccomp`;
numbers from asm/unistd_64.h and asm-generic/unistd.h of Linux 6.1.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass

from euchre_sdk.isolation.fresh import NotIsolatedError
from euchre_sdk.isolation.linux import checked, libc, step

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _MACHINE = 0, 4
"""Where a system call's number and kind of machine stand in what a filter is shown."""
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_NEW_NAMESPACES = 0x7E020000
"""Flags of clone: all CLONE_NEW… that it takes."""
_NEWEST = 450
"""The last number that the list was made from."""
_RARE_ADVICE = 0x10
"""A bit of advice on memory that could put files out of it; advice in everyday use lacks it."""
_ANYTHING = 0xFFFFFFFF
_ANY_POINTER = 0xFFFFFFFF_FFFFFFFF
_FOR_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

_EVERYWHERE = {
    "pidfd_getfd": 438,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "process_madvise": 440,
    "quotactl_fd": 443,
}
_CLONE3, _OPENAT2 = 435, 437


@dataclass(frozen=True, slots=True, kw_only=True)
class _Machine:
    """One kind of machine: its mark, and its numbers of system calls."""

    mark: int
    refused: dict[str, int]
    open: int | None
    openat: int
    clone: int
    preadv2: int
    madvise: int
    wait4: int
    waitid: int


_MACHINES = {
    "x86_64": _Machine(
        mark=0xC000003E,
        refused={
            "mincore": 27,
            "socket": 41,
            "creat": 85,
            "getrusage": 98,
            "ptrace": 101,
            "syslog": 103,
            "personality": 135,
            "pivot_root": 155,
            "chroot": 161,
            "mount": 165,
            "umount2": 166,
            "quotactl": 179,
            "readahead": 187,
            "fadvise64": 221,
            "mq_open": 240,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "fanotify_init": 300,
            "open_by_handle_at": 304,
            "setns": 308,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "bpf": 321,
            "userfaultfd": 323,
        },
        open=2,
        openat=257,
        clone=56,
        preadv2=327,
        madvise=28,
        wait4=61,
        waitid=247,
    ),
    "aarch64": _Machine(
        mark=0xC00000B7,
        refused={
            "mincore": 232,
            "getrusage": 165,
            "readahead": 213,
            "fadvise64": 223,
            "socket": 198,
            "ptrace": 117,
            "syslog": 116,
            "personality": 92,
            "pivot_root": 41,
            "chroot": 51,
            "mount": 40,
            "umount2": 39,
            "quotactl": 60,
            "mq_open": 180,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "unshare": 97,
            "perf_event_open": 241,
            "fanotify_init": 262,
            "open_by_handle_at": 265,
            "setns": 268,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "bpf": 280,
            "userfaultfd": 282,
        },
        open=None,
        openat=56,
        clone=220,
        preadv2=286,
        madvise=233,
        wait4=260,
        waitid=95,
    ),
}


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("filter", ctypes.POINTER(_Instruction)))


def refuse_calls() -> None:
    """Put the filter on this process and on all that it will start."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        raise NotIsolatedError(f"there is no list of system calls for {platform.machine()}")
    program = [_Instruction(*parts) for parts in _program(machine)]
    instructions = (_Instruction * len(program))(*program)
    with step("filters of system calls"):
        checked(
            libc().prctl(
                _PR_SET_SECCOMP,
                _MODE_FILTER,
                ctypes.byref(_Program(len(program), instructions)),
                0,
                0,
            )
        )


def _program(machine: _Machine) -> Sequence[tuple[int, int, int, int]]:
    """Return the filter: each test that holds answers at once, what passes them all is allowed."""
    load, answer = (_LOAD, 0, 0), (_RETURN, 0, 0)
    program = [
        (*load, _MACHINE),
        (_EQUAL, 1, 0, machine.mark),
        (*answer, _KILL),
        (*load, _NUMBER),
    ]
    for number in sorted({*machine.refused.values(), *_EVERYWHERE.values()}):
        program += [(_EQUAL, 0, 1, number), (*answer, _ERROR | errno.EPERM)]
    for number in (_CLONE3, _OPENAT2):  # callers fall back on clone and openat
        program += [(_EQUAL, 0, 1, number), (*answer, _ERROR | errno.ENOSYS)]
    program += [(_AT_LEAST, 0, 1, _NEWEST + 1), (*answer, _ERROR | errno.ENOSYS)]
    if machine.open is not None:
        program += _refuse_bits(machine.open, 1, _FOR_WRITING, errno.EROFS)
    program += _refuse_bits(machine.openat, 2, _FOR_WRITING, errno.EROFS)
    program += _refuse_bits(machine.clone, 0, _NEW_NAMESPACES, errno.EPERM)
    program += _refuse_bits(machine.preadv2, 5, _ANYTHING, errno.EOPNOTSUPP)
    program += _refuse_bits(machine.madvise, 2, _RARE_ADVICE, errno.EINVAL)
    program += _refuse_bits(machine.wait4, 3, _ANY_POINTER, errno.EPERM)  # to what it used
    program += _refuse_bits(machine.waitid, 4, _ANY_POINTER, errno.EPERM)
    return [*program, (*answer, _ALLOW)]


def _refuse_bits(
    number: int, argument: int, bits: int, error: int
) -> list[tuple[int, int, int, int]]:
    """Refuse a call with any of some bits in one of its arguments."""
    tests = []
    for half in (0, 1):
        if some := bits >> 32 * half & _ANYTHING:
            tests += [
                (_LOAD, 0, 0, 16 + 8 * argument + 4 * half),
                (_ANY_BIT, 0, 1, some),
                (_RETURN, 0, 0, _ERROR | error),
            ]
    return [(_EQUAL, 0, len(tests) + 1, number), *tests, (_RETURN, 0, 0, _ALLOW)]
