"""The tokens of authors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, update

from arena.store.tables import tokens
from arena.store.times import to_stored

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection


def add_author_token(c: Connection, author_id: str, hashed: bytes, *, now: datetime) -> None:
    """Keep an author's new token by its hash; his others stop being good."""
    others = (tokens.c.author_id == author_id) & tokens.c.revoked.is_(None)
    c.execute(update(tokens).where(others).values(revoked=to_stored(now)))
    c.execute(insert(tokens).values(hash=hashed, author_id=author_id, created=to_stored(now)))
