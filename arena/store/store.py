"""Opening the store, changing it through its writer, and reading it in threads."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import trio
from sqlalchemy import insert, select, update

from arena.metrics import Histogram
from arena.store.directory import hold
from arena.store.engine import READERS, reading_engine, writing_engine
from arena.store.errors import StoreError, StoreReason, store_errors
from arena.store.schema import bring_up_to_date
from arena.store.tables import arena
from arena.store.writer import BUSY_MS, Job, Writer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection, Engine

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Store:
    """An open database. Queries are functions that take a connection first (`bots`, `games`, …)."""

    incarnation: int
    """Which start of the arena this is, from 1; stored before anything else happens."""
    backup: Path | None
    """The copy that was made because the schema was older, if it was."""
    _writer: Writer
    _readers: Engine
    _limiter: trio.CapacityLimiter

    async def write(
        self,
        query: Callable[Concatenate[Connection, P], T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a changing query in the writer and return its value once that is durable.

        Raises `StoreError`, and whatever the query itself raises. While the database is locked or
        the disk is full this waits.
        """
        job = Job(lambda connection: query(connection, *args, **kwargs))
        await self._writer.submit(job)
        value: T = job.value
        return value

    async def read(
        self,
        query: Callable[Concatenate[Connection, P], T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a reading query in a thread, on a snapshot, and return its value."""

        def in_thread() -> T:
            with (
                store_errors("while it was read"),
                self._readers.connect() as connection,
            ):
                return query(connection, *args, **kwargs)

        return await trio.to_thread.run_sync(in_thread, limiter=self._limiter)

    @property
    def trouble(self) -> StoreReason | None:
        """Why nothing can be stored at the moment; None while all is well."""
        return self._writer.trouble

    def listen(self, told: Callable[[], None]) -> None:
        """Have `told()` called, in the main thread, whenever `trouble` has changed."""
        self._writer.listen(told)

    @property
    def queue(self) -> int:
        """How many changes wait to be stored."""
        return self._writer.waiting

    @property
    def commits(self) -> Histogram:
        """Seconds each stored group of changes took."""
        return self._writer.commits

    @property
    def failures(self) -> Mapping[str, int]:
        """Tries that stored nothing, by reason."""
        return self._writer.failures


@asynccontextmanager
async def open_store(
    directory: Path,
    *,
    now: datetime,
    group: timedelta = timedelta(milliseconds=10),
    patience: timedelta = timedelta(seconds=1),
) -> AsyncIterator[Store]:
    """Hold the data directory, bring its database up to date, count this start, and open it.

    `group` is how long changes may wait for company; `patience` how long a locked database is
    waited for before it counts as trouble. Raises `StoreError`.
    """
    with hold(directory) as path:
        writer = Writer(group=group, patience=patience)
        async with trio.open_nursery() as nursery:
            opened = await nursery.start(partial(_write, writer, path, now=now, patience=patience))
            if not isinstance(opened, StoreError):
                incarnation, backup = opened
                try:
                    with store_errors("while it was opened"):
                        readers = reading_engine(path)
                except StoreError as error:
                    writer.stop()
                    opened = error
                else:
                    limiter = trio.CapacityLimiter(READERS)
                    try:
                        yield Store(incarnation, backup, writer, readers, limiter)
                    finally:
                        writer.stop()
                        readers.dispose()
        if isinstance(opened, StoreError):
            raise opened


async def _write(
    writer: Writer,
    path: Path,
    *,
    now: datetime,
    patience: timedelta,
    task_status: trio.TaskStatus[tuple[int, Path | None] | StoreError],
) -> None:
    """Run the writer's thread until the writer is stopped; what was brought is then stored."""

    def in_thread() -> None:
        engine = writing_engine(path, patience_ms=int(patience.total_seconds() * 1000))
        try:
            try:
                backup = bring_up_to_date(engine, path, now=now)
                with (
                    store_errors("while this start was counted"),
                    engine.begin() as connection,
                ):
                    incarnation = _count_start(connection)
                    connection.exec_driver_sql(f"PRAGMA busy_timeout = {BUSY_MS}")
            except StoreError as error:
                trio.from_thread.run_sync(task_status.started, error)
                return
            trio.from_thread.run_sync(task_status.started, (incarnation, backup))
            writer.work(engine)
        finally:
            engine.dispose()

    with trio.CancelScope(shield=True):
        await trio.to_thread.run_sync(in_thread)


def _count_start(connection: Connection) -> int:
    incarnation: int | None = connection.scalar(select(arena.c.incarnation))
    if incarnation is None:
        connection.execute(insert(arena).values(id=1, incarnation=1))
        return 1
    connection.execute(update(arena).values(incarnation=incarnation + 1))
    return incarnation + 1
