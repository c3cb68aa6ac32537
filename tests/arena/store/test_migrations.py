"""Migrations that are cut short: a revision is rolled back, and the next start goes on."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
import trio
from alembic.config import Config

import arena.store.migrations as shipped
from arena.store import StoreError, audit, open_store
from arena.store.directory import BACKUPS, DATABASE

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LINE = audit.AuditLine(time=NOW, actor="organiser", action="created", subject="spring")
REVISION = """
from alembic import op
revision, down_revision, branch_labels, depends_on = {revision!r}, {down!r}, None, None
def upgrade():
    op.execute("CREATE TABLE made_by_{revision} (id INTEGER PRIMARY KEY)")
    op.execute("UPDATE audit SET reason = reason || '{revision} '")
    {then}
"""

TORN = 'op.execute("UPDATE nothing SET x = 1")'

opened = partial(open_store, now=NOW, patience=timedelta(milliseconds=20))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A data directory with a database as this arena makes it, and a line in it."""

    async def fill() -> None:
        async with opened(tmp_path / "data") as store:
            await store.write(audit.add_line, LINE)

    trio.run(fill)
    return tmp_path / "data"


@pytest.fixture
def newer(old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An arena with two more revisions of its database; give where they are."""
    directory = tmp_path / "revisions"
    shutil.copytree(shipped.__path__[0], directory)
    versions = directory / "versions"
    head = max(versions.glob("0*.py")).name[:4]
    (versions / "9001.py").write_text(REVISION.format(revision="9001", down=head, then="pass"))
    (versions / "9002.py").write_text(REVISION.format(revision="9002", down="9001", then="pass"))

    def config() -> Config:
        made = Config()
        made.set_main_option("script_location", str(directory))
        return made

    monkeypatch.setattr("arena.store.schema._config", config)
    return versions


def look(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


async def test_each_revision_is_done_wholly_or_not_at_all_and_the_next_start_goes_on(
    old: Path, newer: Path
) -> None:
    whole = (newer / "9002.py").read_text()
    (newer / "9002.py").write_text(whole.replace("pass", TORN))
    with pytest.raises(StoreError, match="while it was migrated"):
        async with opened(old):
            pass
    database = old / DATABASE
    assert look(database, "SELECT version_num FROM alembic_version") == [("9001",)]
    assert look(database, "SELECT reason FROM audit") == [("9001 ",)]
    assert look(database, "SELECT name FROM sqlite_master WHERE name = 'made_by_9002'") == []
    (newer / "9002.py").write_text(whole)
    async with opened(old) as store:
        (line,) = await store.read(audit.lines)
        assert line.reason == "9001 9002 ", "no revision is done twice"
        assert store.incarnation == 2, "a start that failed is none"


async def test_a_database_is_copied_before_each_try_and_the_copy_is_as_it_was(
    old: Path, newer: Path
) -> None:
    torn = (newer / "9001.py").read_text().replace("pass", TORN)
    (newer / "9001.py").write_text(torn)
    with pytest.raises(StoreError):
        async with opened(old):
            pass
    (backup,) = (old / BACKUPS).iterdir()
    assert look(backup, "SELECT reason FROM audit") == [("",)]
    assert look(backup, "PRAGMA integrity_check") == [("ok",)]


async def test_nothing_is_migrated_where_no_copy_can_be_made(old: Path, newer: Path) -> None:
    (old / BACKUPS).write_text("in the way")
    with pytest.raises(StoreError, match="nothing was migrated"):
        async with opened(old):
            pass
    assert look(old / DATABASE, "SELECT reason FROM audit") == [("",)]


async def test_a_half_made_copy_is_not_in_the_way_of_the_next_one(old: Path, newer: Path) -> None:
    head = look(old / DATABASE, "SELECT version_num FROM alembic_version")[0][0]
    (old / BACKUPS).mkdir()
    left = old / BACKUPS / f"{Path(DATABASE).stem}-{head}-{NOW:%Y%m%dT%H%M%SZ}.sqlite3"
    left.write_bytes(b"")  # made by an arena that died before the copy was in it
    async with opened(old) as store:
        assert store.backup == left
    assert look(left, "SELECT count(*) FROM audit") == [(1,)]
