"""What is kept of links, so that a bot takes its own up again after a restart of the arena."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import trio

from arena.store import links

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.links import StoredLink


class LinkKeeper(Protocol):
    """Where links are put down."""

    async def keep(self, link: StoredLink) -> None:
        """Keep a link, or what has changed of it, durably."""

    async def forget(self, link_id: str) -> None:
        """Forget a link that has ended."""


class StoreKeeper:
    """Keeps links in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def keep(self, link: StoredLink) -> None:
        """Keep a link, or what has changed of it, durably."""
        await self._store.write(links.keep_link, link)

    async def forget(self, link_id: str) -> None:
        """Forget a link that has ended."""
        await self._store.write(links.forget_link, link_id)


class NoKeeper:
    """Keeps nothing: a restart ends all links."""

    async def keep(self, _link: StoredLink) -> None:
        """Keep nothing."""
        await trio.lowlevel.checkpoint()

    async def forget(self, _link_id: str) -> None:
        """Forget nothing."""
        await trio.lowlevel.checkpoint()
