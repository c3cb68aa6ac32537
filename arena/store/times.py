"""Instants in the database: whole microseconds since 1970, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_stored(instant: datetime) -> int:
    """Return an aware instant as it is stored."""
    return (instant - EPOCH) // timedelta(microseconds=1)


def from_stored(stored: int) -> datetime:
    """Return a stored instant, in UTC."""
    return EPOCH + timedelta(microseconds=stored)


def from_stored_or_none(stored: int | None) -> datetime | None:
    """Return a stored instant, or None if it has not come."""
    return None if stored is None else from_stored(stored)
