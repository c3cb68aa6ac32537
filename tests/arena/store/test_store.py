"""The store: durable before it answers, one arena at a time, and every refusal has a reason."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
import trio
import trio.testing
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, insert, select
from structlog.testing import capture_logs

from arena.store import Store, StoreError, StoreReason, audit, open_store
from arena.store.directory import BACKUPS, DATABASE
from arena.store.schema import newest
from arena.store.tables import arena, metadata

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


opened = partial(open_store, now=NOW, patience=timedelta(milliseconds=20))


def line(action: str) -> audit.AuditLine:
    return audit.AuditLine(time=NOW, actor="organiser", action=action, subject="spring")


def edit(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


async def test_what_was_acknowledged_is_there_after_opening_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.write(audit.add_line, line("created"))
    async with opened(tmp_path) as store:
        assert await store.read(audit.lines) == (line("created"),)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
async def test_nobody_else_can_read_a_new_database(tmp_path: Path, umask: int) -> None:
    directory = tmp_path / "open to all"
    directory.mkdir()
    directory.chmod(0o777)
    before = os.umask(umask)
    try:
        async with opened(directory) as store:
            await store.write(audit.add_line, line("created"))
            made = {
                path.name: path.stat().st_mode & 0o777 for path in directory.glob(f"{DATABASE}*")
            }
    finally:
        os.umask(before)
    assert made == {DATABASE: 0o600, f"{DATABASE}-wal": 0o600, f"{DATABASE}-shm": 0o600}


async def test_each_start_is_counted_durably(tmp_path: Path) -> None:
    counted = []
    for _ in range(3):
        async with opened(tmp_path) as store:
            counted.append(store.incarnation)
    assert counted == [1, 2, 3]


async def test_commits_wait_for_the_disk_and_readers_need_not_wait(tmp_path: Path) -> None:
    def pragmas(connection: Connection) -> list[object]:
        return [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]

    async with opened(tmp_path) as store:
        assert await store.write(pragmas) == ["wal", 2, 1]


async def test_many_writers_share_commits_and_each_gets_its_own_answer(tmp_path: Path) -> None:
    answers = {}

    def numbered(connection: Connection, number: int) -> int:
        audit.add_line(connection, line(str(number)))
        return number * 2

    async def bring(store: Store, number: int) -> None:
        answers[number] = await store.write(numbered, number)

    async with opened(tmp_path) as store:
        async with trio.open_nursery() as nursery:
            for number in range(250):
                nursery.start_soon(bring, store, number)
        assert answers == {number: number * 2 for number in range(250)}
        assert len(await store.read(audit.lines)) == 250


async def test_a_refused_change_takes_no_other_with_it(tmp_path: Path) -> None:
    class RefusedError(Exception):
        pass

    def refuse(connection: Connection) -> None:
        audit.add_line(connection, line("refused"))
        raise RefusedError

    refused = []

    async def bring_refused(store: Store) -> None:
        with pytest.raises(RefusedError):
            await store.write(refuse)
        refused.append(True)

    async with opened(tmp_path) as store:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(store.write, audit.add_line, line("before"))
            nursery.start_soon(bring_refused, store)
            nursery.start_soon(store.write, audit.add_line, line("after"))
        kept = {entry.action for entry in await store.read(audit.lines)}
    assert refused
    assert kept == {"before", "after"}


async def test_a_broken_rule_of_the_schema_is_a_store_error_with_its_cause(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        with pytest.raises(StoreError) as caught:
            await store.write(lambda c: c.execute(insert(arena).values(id=1, incarnation=9)))
    assert caught.value.reason is StoreReason.FAILED
    assert caught.value.__cause__ is not None


async def test_a_reader_cannot_change_anything(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        with pytest.raises(StoreError):
            await store.read(audit.add_line, line("sneaked in"))
        assert await store.read(audit.lines) == ()


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        pass
    with pytest.raises(StoreError) as caught:
        await store.write(audit.add_line, line("late"))
    assert caught.value.reason is StoreReason.CLOSED


async def test_a_second_arena_on_the_same_data_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path):
        with pytest.raises(StoreError) as caught:
            async with opened(tmp_path):
                pass
    assert caught.value.reason is StoreReason.IN_USE
    assert str(tmp_path) in str(caught.value)


async def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError) as caught:
        async with opened(tmp_path / "file" / "data"):
            pass
    assert caught.value.reason is StoreReason.NO_ACCESS


async def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    edit(tmp_path / DATABASE, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError) as caught:
        async with opened(tmp_path):
            pass
    assert caught.value.reason is StoreReason.NEWER_SCHEMA
    with closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        assert connection.execute("SELECT incarnation FROM arena").fetchone() == (1,)


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError) as caught:
        async with opened(tmp_path):
            pass
    assert caught.value.reason is StoreReason.DAMAGED


async def test_an_older_database_is_copied_before_it_is_migrated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as store:
        assert store.backup is None
        await store.write(audit.add_line, line("created"))
    scripts = tmp_path / "scripts"
    import arena.store.migrations as shipped  # noqa: PLC0415 - copied, as a newer arena would have it

    source = shipped.__path__[0]
    shutil.copytree(source, scripts, dirs_exist_ok=True)
    (scripts / "versions" / "9998_more.py").write_text(
        "from alembic import op\n"
        f"revision, down_revision = '9998', {newest()!r}\n"
        "branch_labels = depends_on = None\n"
        "def upgrade():\n    op.execute(\"INSERT INTO audit VALUES (99, 0, 'x', 'y', 'z', '')\")\n"
    )
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(scripts))
    monkeypatch.setattr("arena.store.schema._config", lambda: config)
    async with opened(tmp_path) as store:
        assert len(await store.read(audit.lines)) == 2
        backup = store.backup
    assert backup is not None
    assert backup.parent == tmp_path / BACKUPS
    assert backup.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("SELECT count(*) FROM audit").fetchone() == (1,)


async def test_changes_wait_while_the_database_is_locked_and_then_go_through(
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with open_store(
        tmp_path, now=NOW, group=timedelta(0), patience=timedelta(milliseconds=1)
    ) as store:
        other = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        done = trio.Event()

        async def write() -> None:
            await store.write(audit.add_line, line("patient"))
            done.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(write)
            while store.trouble is None:  # noqa: ASYNC110 - it is seen, not told
                await trio.sleep(0.1)
            assert store.trouble is StoreReason.LOCKED
            assert not done.is_set()
            other.execute("ROLLBACK")
            await done.wait()
        assert store.trouble is None
        other.close()


async def test_changes_wait_while_there_is_no_room_and_then_go_through(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    troubles: list[StoreReason | None] = []
    tries: list[float] = []

    def no_room(c: Connection) -> None:
        tries.append(trio.from_thread.run_sync(trio.current_time))
        most = c.exec_driver_sql("PRAGMA page_count").scalar_one() if len(tries) < 10 else 1 << 30
        c.exec_driver_sql(f"PRAGMA max_page_count = {most}")
        audit.add_line(c, line("x" * 100_000))

    async with opened(tmp_path, group=timedelta(0)) as store:
        store.listen(lambda: troubles.append(store.trouble))
        with capture_logs() as logs:
            await store.write(no_room)
        assert len(await store.read(audit.lines)) == 1
    assert troubles == [StoreReason.FULL, None]
    assert [(each["event"], each.get("reason")) for each in logs] == [
        ("store_failed", "full"),
        ("store_recovered", None),
    ]
    pauses = [after - before for before, after in pairwise(tries)]
    assert pauses == sorted(pauses)
    assert pauses[0] < 0.1
    assert 1 < pauses[-1] <= 2


async def test_closing_does_not_wait_for_room(tmp_path: Path) -> None:
    def no_room(c: Connection) -> None:
        c.exec_driver_sql("PRAGMA max_page_count = 1")
        audit.add_line(c, line("x" * 100_000))

    async def write(store: Store) -> None:
        with pytest.raises(StoreError) as caught:
            await store.write(no_room)
        assert caught.value.reason is StoreReason.FULL

    with trio.fail_after(1):
        async with trio.open_nursery() as nursery, opened(tmp_path, group=timedelta(0)) as store:
            nursery.start_soon(write, store)
            while store.trouble is None:
                await trio.lowlevel.checkpoint()


async def test_closing_does_not_wait_for_a_locked_database(tmp_path: Path) -> None:
    other = None
    results = []

    async def write(store: Store) -> None:
        with pytest.raises(StoreError) as caught:
            await store.write(audit.add_line, line("too late"))
        results.append(caught.value.reason)

    async with trio.open_nursery() as nursery, opened(tmp_path, group=timedelta(0)) as store:
        other = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        nursery.start_soon(write, store)
        while store.trouble is None:
            await trio.lowlevel.checkpoint()
    other.close()
    assert results == [StoreReason.LOCKED]


async def test_the_revisions_make_exactly_the_tables_the_code_uses(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    engine = create_engine(f"sqlite:///{tmp_path / DATABASE}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
        assert connection.scalar(select(arena.c.incarnation)) == 1
    engine.dispose()


async def test_what_waits_for_company_when_the_store_is_closed_is_still_stored(
    tmp_path: Path,
) -> None:
    with trio.fail_after(5):
        async with (
            trio.open_nursery() as nursery,
            opened(tmp_path, group=timedelta(hours=1)) as store,
        ):
            await store.write(audit.add_line, line("created"))
            nursery.start_soon(partial(store.write, audit.add_line, line("started")))
            await trio.testing.wait_all_tasks_blocked(0.05)
        async with opened(tmp_path) as store:
            assert await store.read(audit.lines) == (line("created"), line("started"))


async def test_values_never_stand_in_an_error(tmp_path: Path) -> None:
    def broken(connection: Connection) -> None:
        connection.exec_driver_sql("INSERT INTO nowhere VALUES (?)", ("the secret",))

    async with opened(tmp_path) as store:
        for ask in (store.write, store.read):
            with pytest.raises(StoreError) as caught:
                await ask(broken)
            assert "nowhere" in str(caught.value)
            assert "the secret" not in str(caught.value) + str(caught.value.__cause__)


async def test_the_data_directory_may_have_any_name(tmp_path: Path) -> None:
    async with opened(tmp_path / "50%41 of #1? yes") as store:
        await store.write(audit.add_line, line("created"))
        assert await store.read(audit.lines) == (line("created"),)
