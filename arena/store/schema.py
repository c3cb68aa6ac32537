"""Bringing a database to the schema of this arena: back up, then one revision at a time."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from arena.errors import ArenaBugError
from arena.store.directory import BACKUPS, make_private
from arena.store.errors import StoreError, StoreReason, store_errors

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Engine


def newest() -> str:
    """Return the revision this arena works with."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    if head is None:
        raise ArenaBugError("The package was built without its database revisions.")
    return head


def bring_up_to_date(engine: Engine, path: Path, *, now: datetime) -> Path | None:
    """Migrate the database if it is older; return the backup that was made before, if any.

    Raises `StoreError` (NEWER_SCHEMA, and whatever the database refuses).
    """
    config = _config()
    scripts = ScriptDirectory.from_config(config)
    with store_errors("while its schema was read"), engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
        connection.rollback()
    if current == newest():
        return None
    known = {script.revision for script in scripts.walk_revisions()}
    if current is not None and current not in known:
        msg = (
            f"the database {path} has schema {current}, which this arena does not know: "
            f"it was written by a newer one. This arena works with {newest()}; install the newer "
            f"arena again, or restore a backup from {path.parent / BACKUPS}."
        )
        raise StoreError(StoreReason.NEWER_SCHEMA, msg)
    backup = _back_up(path, current, now=now) if current is not None else None
    with store_errors("while it was migrated"), engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return backup


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    return config


def _back_up(path: Path, revision: str, *, now: datetime) -> Path:
    """Copy the database as it is, by SQLite's own backup, beside it."""
    target = path.parent / BACKUPS / f"{path.stem}-{revision}-{now:%Y%m%dT%H%M%SZ}.sqlite3"
    try:
        target.parent.mkdir(mode=0o700, exist_ok=True)
        make_private(target)
        with (
            closing(sqlite3.connect(path)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)
    except (OSError, sqlite3.Error) as error:
        msg = f"no backup could be made at {target}, so nothing was migrated: {error}."
        raise StoreError(StoreReason.NO_ACCESS, msg) from error
    return target
