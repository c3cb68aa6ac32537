"""Bots in a store without a network: each has its name for an id, and an author of its own."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from arena.store import Store, bots
from arena.store.bots import Author, RegisteredBot
from arena.store.states import BotState


async def register(store: Store, names: Iterable[str], *, created: datetime) -> None:
    """Register bots that have no version yet."""
    for name in names:
        bot = RegisteredBot(
            bot_id=name,
            name=name,
            author=Author(author_id=f"author of {name}", name=f"author-{name}"),
            state=BotState.ACTIVE,
            created=created,
            version=None,
        )
        await store.write(bots.add_bot, bot)
