"""Queries about bots' links, which survive a restart of the arena."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert as upsert

from arena.store.tables import links

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLink:
    """One bot's connection, with or without a stream."""

    link_id: str
    bot_id: str
    secret_hash: bytes
    """SHA-256 of the secret with which it is taken up again."""
    version_label: str
    games_at_once: int


def keep_link(c: Connection, link: StoredLink) -> None:
    """Keep a link, or what has changed of it."""
    row = {
        "id": link.link_id,
        "bot_id": link.bot_id,
        "secret_hash": link.secret_hash,
        "version_label": link.version_label,
        "games_at_once": link.games_at_once,
    }
    changed = {key: row[key] for key in ("version_label", "games_at_once")}
    c.execute(upsert(links).values(row).on_conflict_do_update(index_elements=["id"], set_=changed))


def forget_link(c: Connection, link_id: str) -> None:
    """Forget a link that has ended."""
    c.execute(delete(links).where(links.c.id == link_id))


def forget_links_of(c: Connection, bot_id: str) -> None:
    """Forget all links of a bot: its token is no good any more."""
    c.execute(delete(links).where(links.c.bot_id == bot_id))


def all_links(c: Connection) -> tuple[StoredLink, ...]:
    """Return the links that had not ended when the arena stopped, oldest first."""
    return tuple(
        StoredLink(
            link_id=row.id,
            bot_id=row.bot_id,
            secret_hash=row.secret_hash,
            version_label=row.version_label,
            games_at_once=row.games_at_once,
        )
        for row in c.execute(select(links).order_by(links.c.id))
    )
