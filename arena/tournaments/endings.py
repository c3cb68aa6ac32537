"""How games end that nobody played, and how ends are stored: all of one end at once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection

from arena.referee import GameOutcome, HandRecord, Termination
from arena.referee.ending import forfeit_places, session_points
from arena.scheduling import Block
from arena.store import block_attempts, bots, games, tournaments
from arena.store.block_attempts import StoredBlock
from arena.store.games import StoredGame
from arena.store.states import BlockState, EntryState, GameState, TournamentState
from arena.store.tournaments import StoredEntry
from euchre_sdk.game import SEATS, Format, Seat, Session


def forfeited(
    offenders: tuple[Seat, ...], hands: tuple[HandRecord, ...] = (), *, format: Format
) -> GameOutcome:
    """Return the outcome of a game that is forfeited while nobody is playing it.

    `hands`: what was played of it before, which stands for the others.
    """
    first, second, third = (seat in offenders for seat in SEATS)
    offended = (first, second, third)
    if isinstance(format, Session):
        points = session_points(hands, offended)
    else:
        counted = [hand.score for hand in hands if hand.void is None]
        points = counted[-1] if counted else (0, 0, 0)
    how = tuple(Termination.FORFEIT if gone else Termination.NORMAL for gone in offended)
    return GameOutcome(
        terminations=(how[0], how[1], how[2]),
        points=points,
        places=forfeit_places(points, offended),
        hands=hands,
    )


VOID = GameOutcome(terminations=(Termination.VOID,) * 3)
"""A game the arena ended without a result."""


def incomplete(block: Block, reason: str | None, entries: Mapping[str, StoredEntry]) -> StoredBlock:
    """Return the end of a block that is not played to its end: for a reason, or by who left."""
    three = (entries[entry_id] for entry_id in block.trio)
    gone = [f"{entry.name} {_GONE[entry.state]}" for entry in three if entry.state.is_out]
    return StoredBlock(
        block_id=block.id,
        attempt=block.attempt,
        state=BlockState.INCOMPLETE,
        reason=reason or " and ".join(gone),
    )


_GONE = {
    EntryState.WITHDRAWN: "was withdrawn",
    EntryState.QUARANTINED: "was put into quarantine",
}


def keep_version(
    c: Connection, tournament_id: str, entry: StoredEntry, label: str, *, now: datetime
) -> None:
    """Keep which version an entry is, and that its bot stated it."""
    tournaments.fix_version(c, tournament_id, entry.entry_id, label)
    bots.see_version(c, entry.bot_id, label, now=now)


def keep_finished(c: Connection, tournament_id: str, *, now: datetime) -> TournamentState:
    """Keep that a tournament is finished, unless it was cancelled first; return how it ended."""
    state = tournaments.tournament_state(c, tournament_id)
    if state.over:
        return state
    tournaments.set_tournament_state(c, tournament_id, TournamentState.FINISHED, now=now)
    return TournamentState.FINISHED


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
        block_attempts.end_block(c, game.tournament_id, block, now=now)
