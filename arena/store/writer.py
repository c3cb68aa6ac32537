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

import trio
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from arena.metrics import DELAYS, Histogram
from arena.store.errors import StoreError, StoreReason, reason_of, store_errors, text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from sqlalchemy import Connection, Engine

GROUP_ROWS = 100
"""Most jobs in one commit."""
WAITING_ROWS = 1000
"""Most jobs that may wait; whoever brings another one waits too."""
RETRY_SECONDS = 0.25
"""Between two tries while the database is locked or the disk is full."""


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
    comes after a pause is committed at once.
    """

    def __init__(self, *, group: timedelta) -> None:
        self._group_seconds = group.total_seconds()
        self._send, self._receive = trio.open_memory_channel[Job](WAITING_ROWS)
        self._last = -math.inf
        self._stopping = False
        self.commits = Histogram(DELAYS)
        """Seconds each stored group took in the database."""
        self.failures: Counter[str] = Counter()
        """Tries that stored nothing, by reason."""
        self.trouble: StoreReason | None = None
        """Why nothing can be stored at the moment; None while all is well."""

    @property
    def waiting(self) -> int:
        """How many jobs wait for a group, those that wait for room included."""
        channel = self._receive.statistics()
        return channel.current_buffer_used + channel.tasks_waiting_send

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
        self._stopping = True
        self._send.close()

    def work(self, engine: Engine) -> None:
        """Commit groups until stopped. Runs in the writer's thread."""
        with store_errors("while it was opened"), engine.connect() as connection:
            while True:
                try:
                    group = trio.from_thread.run(self._next_group)
                except trio.EndOfChannel:
                    return
                self._store(connection, group)
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
        while True:
            began = monotonic()
            try:
                with connection.begin():
                    for job in group:
                        _run(connection, job)
            except SQLAlchemyError as error:
                reason = reason_of(error)
                self.failures[reason.value] += 1
                if not reason.passes or self._stopping:
                    failure = StoreError(reason, f"the database stored nothing: {text_of(error)}.")
                    failure.__cause__ = error
                    for job in group:
                        job.error = failure
                    return
                self.trouble = reason
                trio.from_thread.run(trio.sleep, RETRY_SECONDS)
            else:
                self.trouble = None
                self.commits.add(monotonic() - began)
                return


def _run(connection: Connection, job: Job) -> None:
    """Run one job in its savepoint. Trouble of the whole database is raised, for the group."""
    job.value = job.error = None
    try:
        with connection.begin_nested():
            job.value = job.call(connection)
    except IntegrityError as error:
        job.error = StoreError(StoreReason.FAILED, f"the database refused it: {error.orig}.")
        job.error.__cause__ = error
    except SQLAlchemyError:
        raise
    except Exception as error:  # noqa: BLE001 - a job's own refusal is its bringer's
        job.error = error
