"""Tournaments, bots and entries by their names; what is not there is refused in a sentence."""

from __future__ import annotations

from difflib import get_close_matches

from arena.store import Store, bots, tournaments
from arena.store.bots import RegisteredBot
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.names import LONGEST, shown


async def tournament_named(store: Store, name: str) -> StoredTournament:
    """Return the tournament of that name. Raises `RefusedRequestError` (NOT_FOUND)."""
    tournament = await store.read(tournaments.tournament_named, name)
    if tournament is None:
        fault = f"there is no tournament named {shown(name)}"
        raise RefusedRequestError(Refusal.NOT_FOUND, [fault])
    return tournament


async def bot_named(store: Store, name: str) -> RegisteredBot:
    """Return the bot of that name. Raises `RefusedRequestError` (NOT_FOUND)."""
    bot = await store.read(bots.bot_named, name)
    if bot is None:
        known = [each.name for each in await store.read(bots.all_bots)]
        near = get_close_matches(name[:LONGEST], known, n=3)
        meant = (
            f": did you mean {' or '.join(near)}?" if near else "; `arena bot list` shows them all"
        )
        fault = f"there is no bot named {shown(name)}{meant}"
        raise RefusedRequestError(Refusal.NOT_FOUND, [fault])
    return bot


async def entry_named(store: Store, tournament: StoredTournament, bot_name: str) -> StoredEntry:
    """Return a bot's entry in a tournament. Raises `RefusedRequestError` (NOT_FOUND)."""
    for entry in await store.read(tournaments.entries_of, tournament.tournament_id):
        if entry.bot_name == bot_name:
            return entry
    fault = f"{shown(bot_name)} is not entered in {tournament.name}"
    raise RefusedRequestError(Refusal.NOT_FOUND, [fault])
