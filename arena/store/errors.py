"""What can be wrong with the database, and how errors from below become ours."""

from __future__ import annotations

from contextlib import contextmanager
from enum import Enum, unique
from typing import TYPE_CHECKING

from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from arena.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Iterator


@unique
class StoreReason(Enum):
    """Why the store could not do what was asked."""

    IN_USE = "in_use"
    """Another arena holds the data directory."""
    NO_ACCESS = "no_access"
    """The data directory or the database file cannot be read or written."""
    NEWER_SCHEMA = "newer_schema"
    """The database was written by a newer arena."""
    LOCKED = "locked"
    """Another program holds the database."""
    FULL = "full"
    """The disk is full, or writing failed."""
    DAMAGED = "damaged"
    """The file is no database, or is not what we wrote."""
    CLOSED = "closed"
    """The store is closed, or the arena is stopping."""
    FAILED = "failed"
    """Anything else the database refused."""

    @property
    def passes(self) -> bool:
        """Whether it may go away by itself, so that trying again makes sense."""
        return self in {StoreReason.LOCKED, StoreReason.FULL}


class StoreError(ArenaError):
    """The database could not do what was asked. Nothing of it was stored."""

    def __init__(self, reason: StoreReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


_BY_CODE = {
    "SQLITE_BUSY": StoreReason.LOCKED,
    "SQLITE_LOCKED": StoreReason.LOCKED,
    "SQLITE_FULL": StoreReason.FULL,
    "SQLITE_IOERR": StoreReason.FULL,
    "SQLITE_NOTADB": StoreReason.DAMAGED,
    "SQLITE_CORRUPT": StoreReason.DAMAGED,
    "SQLITE_CANTOPEN": StoreReason.NO_ACCESS,
    "SQLITE_READONLY": StoreReason.NO_ACCESS,
    "SQLITE_PERM": StoreReason.NO_ACCESS,
}


def reason_of(error: SQLAlchemyError) -> StoreReason:
    """Return which kind of trouble a database error is, by SQLite's own code."""
    code = ""
    if isinstance(error, DBAPIError):
        code = getattr(error.orig, "sqlite_errorname", "")
    return next(
        (reason for prefix, reason in _BY_CODE.items() if code.startswith(prefix)),
        StoreReason.FAILED,
    )


def text_of(error: SQLAlchemyError) -> str:
    """Return what the database said, without the statement and its values."""
    return str(error.orig) if isinstance(error, DBAPIError) else str(error)


@contextmanager
def store_errors(doing: str) -> Iterator[None]:
    """Turn errors of the database libraries into `StoreError`, with their cause."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(
            reason_of(error), f"the database failed {doing}: {text_of(error)}."
        ) from error
    except CommandError as error:
        raise StoreError(StoreReason.FAILED, f"the database failed {doing}: {error}.") from error
