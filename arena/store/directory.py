"""The data directory: who holds it, and what lies where in it."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from arena.store.errors import StoreError, StoreReason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DATABASE = "arena.sqlite3"
LOCK = "arena.lock"
BACKUPS = "backups"


@contextmanager
def hold(directory: Path) -> Iterator[Path]:
    """Make the directory if need be and hold it for this process; give the database's path.

    Raises `StoreError` (IN_USE, NO_ACCESS). The operating system frees it if the process dies.
    """
    with _usable(directory):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(lock, 32, 0).decode("ascii", "replace").strip() or "unknown"
            msg = (
                f"another arena (process {holder}) uses the data directory {directory}. "
                "Stop it, or choose another one with --data."
            )
            raise StoreError(StoreReason.IN_USE, msg) from error
        with _usable(directory):
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
            make_private(directory / DATABASE)
        yield directory / DATABASE
    finally:
        os.close(lock)


def make_private(path: Path) -> None:
    """Make an empty file that only its owner may read, unless there is one already.

    SQLite would make it as the umask says, for everybody in most places; what it makes beside a
    database has the permissions of the database.
    """
    with suppress(FileExistsError):
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(path.resolve(), flags, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)


@contextmanager
def _usable(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        msg = f"the data directory {directory} cannot be used: {error.strerror}."
        raise StoreError(StoreReason.NO_ACCESS, msg) from error
