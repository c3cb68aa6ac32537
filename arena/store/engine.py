"""SQLite as we use it: explicit transactions, write-ahead log, every commit on the disk.

Values never stand in errors: they may be cards, seeds and secrets.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlalchemy import URL, create_engine, event
from sqlalchemy.pool import QueuePool, StaticPool

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Engine

READERS = 4
"""How many reading threads there may be at once, each with its own connection."""


def writing_engine(path: Path, *, patience_ms: int) -> Engine:
    """Return the engine of the one writing connection; its transactions are immediate."""
    url = URL.create("sqlite", database=str(path))
    engine = create_engine(url, poolclass=StaticPool, hide_parameters=True)
    _explicit_transactions(engine, "BEGIN IMMEDIATE")

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {patience_ms}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA temp_store = MEMORY")  # a large savepoint opens no file
        cursor.close()

    return engine


def reading_engine(path: Path) -> Engine:
    """Return the engine of the readers: connections that cannot change anything.

    All are open from the start: whoever uses up the files of this process later takes none of them.
    """
    url = URL.create(
        "sqlite", database=f"file:{quote(str(path))}", query={"mode": "ro", "uri": "true"}
    )
    engine = create_engine(
        url,
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=READERS,
        max_overflow=0,
        connect_args={"check_same_thread": False},
    )
    _explicit_transactions(engine, "BEGIN")

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout = 5000")
        cursor.execute("PRAGMA query_only = ON")
        cursor.execute("PRAGMA schema_version")  # opens the write-ahead log and its index, too
        cursor.close()

    with ExitStack() as opened:
        for _ in range(READERS):
            opened.enter_context(engine.connect())
    return engine


def _explicit_transactions(engine: Engine, begin: str) -> None:
    """Let SQLAlchemy alone begin transactions: sqlite3's own habit breaks savepoints and DDL."""

    @event.listens_for(engine, "connect")
    def leave_it_to_us(connection: Any, _record: object) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)
