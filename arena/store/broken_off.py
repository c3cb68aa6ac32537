"""What an arena that stopped has left begun: what games go on from, and which are given up."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from sqlalchemy import Connection, exists, or_, select, update

from arena.referee import Forfeit, GameOutcome, HandRecord, Resumed, Termination, Triple
from arena.store.games import StoredGame
from arena.store.hand_records import hands_of_game
from arena.store.interruptions import interrupted_in, last_incarnation
from arena.store.states import BlockState, GameState
from arena.store.tables import blocks, faults, forfeits, games
from arena.store.times import to_stored
from euchre_sdk.game import Seat
from euchre_sdk.game.record import ENGINE_VERSION


def give_up_broken_off(c: Connection, tournament_id: str, *, now: datetime) -> int:
    """End the games that nobody goes on with after the arena stopped; return how many.

    They were offered and never begun, or their attempt of a block was already over, or they were
    begun under another version of the rules engine, which could play their decisions otherwise.
    """
    goes_on = exists().where(
        blocks.c.tournament_id == games.c.tournament_id,
        blocks.c.block_id == games.c.block_id,
        blocks.c.attempt == games.c.attempt,
        blocks.c.state == BlockState.RUNNING.value,
    )
    broken_off = (games.c.tournament_id == tournament_id) & or_(
        games.c.state == GameState.OFFERED.value,
        (games.c.state == GameState.RUNNING.value)
        & or_(~goes_on, games.c.engine_version != ENGINE_VERSION),
    )
    values = {"state": GameState.VOID.value, "ended": to_stored(now)}
    return c.execute(update(games).where(broken_off).values(values)).rowcount


def give_up_all(c: Connection, tournament_id: str, *, now: datetime) -> int:
    """End whatever a cancelled tournament left begun when the arena stopped; return how much."""
    begun = (games.c.tournament_id == tournament_id) & games.c.state.in_(
        [GameState.OFFERED.value, GameState.RUNNING.value]
    )
    running = (blocks.c.tournament_id == tournament_id) & (
        blocks.c.state == BlockState.RUNNING.value
    )
    ended = c.execute(
        update(games).where(begun).values(state=GameState.VOID.value, ended=to_stored(now))
    ).rowcount
    return ended + (
        c.execute(
            update(blocks)
            .where(running)
            .values(
                state=BlockState.INCOMPLETE.value,
                reason="the tournament was cancelled",
                ended=to_stored(now),
            )
        ).rowcount
    )


def resumed(c: Connection, game: StoredGame) -> Resumed:
    """Return what a game that was begun is continued from."""
    records = hands_of_game(c, game.game_id)
    charged = Counter(int(fault.seat) for record in records for fault in record.faults)
    pending = select(faults.c.seat).where(faults.c.game_id == game.game_id)
    charged.update(row.seat for row in c.execute(pending))
    counts = (charged[0], charged[1], charged[2])
    given = select(forfeits).where(forfeits.c.game_id == game.game_id).order_by(forfeits.c.seat)
    return Resumed(
        nonces=game.nonces,
        hands=records,
        faults=counts,
        forfeits=tuple(Forfeit(Seat(row.seat), Termination(row.how)) for row in c.execute(given)),
        interrupted=interrupted_in(c, game.game_id, records),
        outcome=_outcome(game, records, counts),
        incarnation=last_incarnation(c, game.game_id),
    )


def _outcome(game: StoredGame, hands: tuple[HandRecord, ...], faults: Triple) -> GameOutcome | None:
    """Return how a game ended, if that was stored."""
    if game.terminations is None or game.points is None or game.places is None:
        return None
    return GameOutcome(
        terminations=game.terminations,
        points=game.points,
        places=game.places,
        hands=hands,
        nonces=game.nonces,
        unfinished=game.unfinished,
        faults=faults,
        not_ready=game.not_ready,
    )
