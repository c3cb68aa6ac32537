"""A process that may open no more files still stores and reads: others could use them all up."""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import trio
from sqlalchemy import Connection, text

from arena.store import open_store
from arena.store.engine import READERS

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@contextmanager
def no_files_left() -> Iterator[None]:
    """Let this process open no more files while the block runs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.open(os.devnull, os.O_RDONLY)  # all below are taken
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + 1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        os.close(lowest)


def fill(c: Connection) -> None:
    c.execute(text("CREATE TABLE filled (x BLOB)"))
    for _ in range(100):
        c.execute(text("INSERT INTO filled VALUES (zeroblob(3000))"))


def change_much(c: Connection) -> int:
    """Change more than a savepoint holds in memory by itself."""
    return c.execute(text("UPDATE filled SET x = zeroblob(3001)")).rowcount


async def test_nothing_that_is_stored_or_read_needs_another_file(tmp_path: Path) -> None:
    together = threading.Barrier(READERS)
    counts: list[int | None] = []

    def count(c: Connection) -> int | None:
        together.wait(timeout=10)  # no connection serves two of them
        found: int | None = c.scalar(text("SELECT count(*) FROM filled WHERE length(x) = 3001"))
        return found

    async with open_store(tmp_path, now=NOW) as store:
        await store.write(fill)
        with no_files_left():
            assert await store.write(change_much) == 100

            async def read() -> None:
                counts.append(await store.read(count))

            async with trio.open_nursery() as nursery:
                for _ in range(READERS):
                    nursery.start_soon(read)
    assert counts == [100] * READERS
