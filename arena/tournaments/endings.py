"""How games end that nobody played, and how ends are stored: all of one end at once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from arena.referee import GameOutcome, Termination
from arena.store import bots, games, tournaments
from arena.store.games import StoredBlock, StoredGame
from arena.store.states import GameState
from arena.store.tournaments import StoredEntry
from euchre_sdk.game import SEATS, Seat


def forfeited(offenders: tuple[Seat, ...]) -> GameOutcome:
    """Return the outcome of a game that was forfeited without having been played.

    The others share the first place; two offenders share the last one.
    """
    ahead = 3 - len(offenders)
    how = tuple(Termination.FORFEIT if seat in offenders else Termination.NORMAL for seat in SEATS)
    places = tuple(ahead + 1 if seat in offenders else 1 for seat in SEATS)
    return GameOutcome(
        terminations=(how[0], how[1], how[2]), places=(places[0], places[1], places[2])
    )


VOID = GameOutcome(terminations=(Termination.VOID,) * 3)
"""A game the arena ended without a result."""


def keep_version(
    c: Connection, tournament_id: str, entry: StoredEntry, label: str, *, now: datetime
) -> None:
    """Keep which version an entry is, and that its bot stated it."""
    tournaments.fix_version(c, tournament_id, entry.entry_id, label)
    bots.see_version(c, entry.bot_id, label, now=now)


def keep_end(
    c: Connection,
    *,
    game: StoredGame,
    state: GameState,
    outcome: GameOutcome,
    block: StoredBlock | None,
    now: datetime,
) -> None:
    """Keep the end of a game and, if it ends with it, of its block."""
    games.end_game(c, game.game_id, state, outcome, now=now)
    if block is not None:
        games.end_block(c, game.tournament_id, block, now=now)
