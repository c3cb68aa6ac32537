"""The one thread that changes the database, and how changes reach it in groups.

A job runs inside the transaction of its group, in a savepoint of its own, so that a refused job
takes no other with it. It may run again if the group could not be committed.
"""

from __future__ import annotations

import math
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from arena.metrics import DELAYS, Histogram
from arena.store.errors import StoreError, StoreReason, reason_of, store_errors, text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from sqlalchemy import Connection, Engine

log = structlog.get_logger(__name__)

GROUP_ROWS = 100
"""Most jobs in one commit."""
WAITING_ROWS = 1000
"""Most jobs that may wait; whoever brings another one waits too."""
FIRST_RETRY = 0.05
"""Seconds to the second try while the database is locked or the disk is full; then doubled."""
BUSY_MS = 100
"""Milliseconds for which SQLite itself waits for a lock: that cannot be interrupted."""
LAST_RETRY = 2.0
"""Seconds between two tries at most."""


@dataclass(slots=True, eq=False)
class Job:
    """One change, and what became of it once `done` is set."""

    call: Callable[[Connection], Any]
    done: trio.Event = field(default_factory=trio.Event)
    value: Any = None
    error: BaseException | None = None


class Writer:
    """Takes jobs from tasks, commits them in groups in its thread, and acknowledges.

    A group holds what has come within `group` since the last one, 100 jobs at most; a job that
    comes after a pause is committed at once. A group that cannot be stored now is tried again and
    again; a lock counts as trouble when it has lasted for `patience`, a full disk at once.
    """

    def __init__(self, *, group: timedelta, patience: timedelta) -> None:
        self._group_seconds = group.total_seconds()
        self._patience = patience.total_seconds()
        self._send, self._receive = trio.open_memory_channel[Job](WAITING_ROWS)
        self._last = -math.inf
        self._in_hand = 0
        self._stopping = trio.Event()
        self._listeners: list[Callable[[], None]] = []
        self.commits = Histogram(DELAYS)
        """Seconds each stored group took in the database."""
        self.failures: Counter[str] = Counter()
        """Tries that stored nothing, by reason."""
        self.trouble: StoreReason | None = None
        """Why nothing can be stored at the moment; None while all is well."""

    @property
    def waiting(self) -> int:
        """How many jobs are not stored yet, those that wait for room included."""
        channel = self._receive.statistics()
        return self._in_hand + channel.current_buffer_used + channel.tasks_waiting_send

    def listen(self, told: Callable[[], None]) -> None:
        """Have `told()` called whenever `trouble` has changed; it must not wait."""
        self._listeners.append(told)

    async def submit(self, job: Job) -> None:
        """Bring one job and return when it is stored; its error is raised, if it has one."""
        try:
            await self._send.send(job)
        except (trio.ClosedResourceError, trio.BrokenResourceError) as error:
            raise StoreError(StoreReason.CLOSED, "the database is closed.") from error
        await job.done.wait()
        if job.error is not None:
            raise job.error

    def stop(self) -> None:
        """Take no more jobs; those that were brought are still committed, if that can be done."""
        self._stopping.set()
        self._send.close()

    def work(self, engine: Engine) -> None:
        """Commit groups until stopped. Runs in the writer's thread."""
        with store_errors("while it was opened"), engine.connect() as connection:
            while True:
                try:
                    group = trio.from_thread.run(self._next_group)
                except trio.EndOfChannel:
                    return
                self._in_hand = len(group)
                self._store(connection, group)
                self._in_hand = 0
                trio.from_thread.run_sync(self._acknowledge, group)

    async def _next_group(self) -> list[Job]:
        group = [await self._receive.receive()]
        with suppress(trio.EndOfChannel), trio.move_on_at(self._last + self._group_seconds):
            while len(group) < GROUP_ROWS:
                group.append(await self._receive.receive())
        while len(group) < GROUP_ROWS:
            try:
                group.append(self._receive.receive_nowait())
            except (trio.WouldBlock, trio.EndOfChannel):
                break
        self._last = trio.current_time()
        return group

    def _acknowledge(self, group: list[Job]) -> None:
        for job in group:
            job.done.set()

    def _store(self, connection: Connection, group: list[Job]) -> None:
        """Commit a group, however long that takes; its jobs get an error if it cannot be."""
        brought = monotonic()
        pause = FIRST_RETRY
        while True:
            began = monotonic()
            try:
                with connection.begin():
                    for job in group:
                        _run(connection, job)
            except SQLAlchemyError as error:
                reason = reason_of(error)
                self.failures[reason.value] += 1
                if not reason.passes or self._stopping.is_set():
                    failure = StoreError(reason, f"the database stored nothing: {text_of(error)}.")
                    failure.__cause__ = error
                    for job in group:
                        job.error = failure
                    return
                if reason is StoreReason.FULL or monotonic() - brought >= self._patience:
                    trio.from_thread.run_sync(self._tell, reason, text_of(error))
                trio.from_thread.run(self._pause, pause)
                pause = min(2 * pause, LAST_RETRY)
            else:
                self.commits.add(monotonic() - began)
                if self.trouble is not None:
                    trio.from_thread.run_sync(self._tell, None, "")
                return

    async def _pause(self, seconds: float) -> None:
        """Wait before the next try, but not when the store is to be closed."""
        with trio.move_on_after(seconds):
            await self._stopping.wait()

    def _tell(self, trouble: StoreReason | None, said: str) -> None:
        """Take note of trouble, or that it is over, and tell whoever listens of a change."""
        if trouble is self.trouble:
            return
        self.trouble = trouble
        if trouble is None:
            log.info("store_recovered")
        else:
            log.error("store_failed", reason=trouble.value, said=said)
        for told in self._listeners:
            told()


def _run(connection: Connection, job: Job) -> None:
    """Run one job in its savepoint. Trouble of the whole database is raised, for the group."""
    job.value = job.error = None
    savepoint = connection.begin_nested()
    try:
        job.value = job.call(connection)
        savepoint.commit()
    except SQLAlchemyError as error:
        reason = reason_of(error)
        if reason is not StoreReason.FAILED:
            raise  # SQLite may have rolled back everything, the savepoint too
        savepoint.rollback()
        job.error = StoreError(reason, f"the database refused it: {text_of(error)}.")
        job.error.__cause__ = error
    except Exception as error:  # noqa: BLE001 - a job's own refusal is its bringer's
        savepoint.rollback()
        job.error = error
