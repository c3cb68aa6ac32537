"""The data directory: who holds it, and what lies where in it."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
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
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        msg = f"the data directory {directory} cannot be used: {error.strerror}."
        raise StoreError(StoreReason.NO_ACCESS, msg) from error
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
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        yield directory / DATABASE
    finally:
        os.close(lock)
