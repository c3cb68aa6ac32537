"""Queries about games: what was offered, begun, and came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlalchemy import ColumnElement, Connection, Row, Select, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from arena.referee import Forfeit, GameOutcome, Nonces, Termination, Triple
from arena.store.annulments import struck_among
from arena.store.block_attempts import begin_block
from arena.store.interruptions import last_incarnation
from arena.store.states import GameState
from arena.store.tables import forfeits, games
from arena.store.times import from_stored, from_stored_or_none, to_stored
from euchre_sdk.game import Seat
from euchre_sdk.game.record import ENGINE_VERSION
from euchre_sdk.revision import REVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame:
    """One offered game, and what came of it. Triples are in seat order."""

    game_id: str
    tournament_id: str
    block_id: str
    attempt: int
    number: int
    """1-based, within the block."""
    offer: int
    """1-based, within the number."""
    deal_set: str
    entries: tuple[str, str, str]
    state: GameState = GameState.OFFERED
    nonces: Nonces | None = None
    terminations: tuple[Termination, Termination, Termination] | None = None
    points: Triple | None = None
    places: Triple | None = None
    unfinished: bool = False
    not_ready: tuple[Seat, ...] = ()
    created: datetime
    ended: datetime | None = None
    engine_version: str = ENGINE_VERSION
    """Of the rules engine that it is played with, from its offer to its end."""
    protocol_revision: int = REVISION
    """Of the protocol, as the arena speaks it."""
    annulled: bool = False
    """Whether it was struck from the results; all else here is as it was played."""


def offer_game(c: Connection, game: StoredGame) -> None:
    """Keep a game that is about to be offered, and that its block is being played."""
    begin_block(c, game.tournament_id, game.block_id, game.attempt)
    first, second, third = game.entries
    c.execute(
        insert(games).values(
            id=game.game_id,
            tournament_id=game.tournament_id,
            block_id=game.block_id,
            attempt=game.attempt,
            number=game.number,
            offer=game.offer,
            deal_set=game.deal_set,
            state=game.state.value,
            entry0=first,
            entry1=second,
            entry2=third,
            unfinished=False,
            not_ready="",
            created=to_stored(game.created),
            engine_version=game.engine_version,
            protocol_revision=game.protocol_revision,
        )
    )


def keep_ready(c: Connection, game_id: str, nonces: Nonces) -> None:
    """Keep the nonces with which a game begins or goes on: its next incarnation begins."""
    incarnation = 1 + last_incarnation(c, game_id)
    first, second, third = nonces
    c.execute(
        update(games)
        .where(games.c.id == game_id)
        .values(
            state=GameState.RUNNING.value,
            nonce0=first,
            nonce1=second,
            nonce2=third,
            incarnation=incarnation,
        )
    )


def keep_forfeit(c: Connection, game_id: str, forfeit: Forfeit) -> None:
    """Keep that a seat has forfeited a game; how it did so first stands."""
    row = {"game_id": game_id, "seat": int(forfeit.seat), "how": forfeit.how.value}
    c.execute(upsert(forfeits).values(row).on_conflict_do_nothing())


def keep_outcome(c: Connection, game_id: str, outcome: GameOutcome) -> None:
    """Keep how a running game ended; it is running until `end_game` says what came of its block."""
    c.execute(update(games).where(games.c.id == game_id).values(_ending(outcome)))


def end_game(
    c: Connection, game_id: str, state: GameState, outcome: GameOutcome, *, now: datetime
) -> None:
    """Keep how a game ended, and that it is over."""
    values = _ending(outcome) | {"state": state.value, "ended": to_stored(now)}
    c.execute(update(games).where(games.c.id == game_id).values(values))


def _ending(outcome: GameOutcome) -> dict[str, object]:
    values: dict[str, object] = {
        "unfinished": outcome.unfinished,
        "not_ready": "".join(str(int(seat)) for seat in outcome.not_ready),
    }
    for seat in range(3):
        values[f"termination{seat}"] = outcome.terminations[seat].value
        values[f"points{seat}"] = outcome.points[seat]
        values[f"place{seat}"] = outcome.places[seat]
    return values


def games_of(c: Connection, tournament_id: str) -> tuple[StoredGame, ...]:
    """Return every game offered in a tournament, oldest first."""
    mine = games.c.tournament_id == tournament_id
    return tuple(_games(c, mine))


def game_with_id(c: Connection, game_id: str) -> StoredGame | None:
    """Return one game."""
    return next(_games(c, games.c.id == game_id), None)


def page_of_games(
    c: Connection, tournament_id: str, *, entries: frozenset[str] | None, skip: int, limit: int
) -> tuple[StoredGame, ...]:
    """Return begun games, newest first, of these entries only if given."""
    query = (
        select(games)
        .where(games.c.tournament_id == tournament_id, games.c.nonce0.is_not(None))
        .order_by(games.c.created.desc(), games.c.id)
        .offset(skip)
        .limit(limit)
    )
    if entries is not None:
        query = query.where(or_(*(games.c[f"entry{seat}"].in_(entries) for seat in range(3))))
    return tuple(_games_in(c, query))


def _games(c: Connection, which: ColumnElement[bool]) -> Iterator[StoredGame]:
    query = select(games).where(which)
    yield from _games_in(c, query.order_by(games.c.created, games.c.number, games.c.offer))


def _games_in(c: Connection, query: Select[tuple[object, ...]]) -> Iterator[StoredGame]:
    rows = c.execute(query).all()
    struck = struck_among(c, rows)
    for row in rows:
        yield _game(row, annulled=row.id in struck)


def _game(row: Row[tuple[object, ...]], *, annulled: bool) -> StoredGame:
    begun, ended = row.nonce0 is not None, row.termination0 is not None
    terminations = (row.termination0, row.termination1, row.termination2)
    return StoredGame(
        game_id=row.id,
        tournament_id=row.tournament_id,
        block_id=row.block_id,
        attempt=row.attempt,
        number=row.number,
        offer=row.offer,
        deal_set=row.deal_set,
        entries=(row.entry0, row.entry1, row.entry2),
        state=GameState(row.state),
        nonces=(row.nonce0, row.nonce1, row.nonce2) if begun else None,
        terminations=cast(
            "tuple[Termination, Termination, Termination] | None",
            tuple(map(Termination, terminations)) if ended else None,
        ),
        points=(row.points0, row.points1, row.points2) if ended else None,
        places=(row.place0, row.place1, row.place2) if ended else None,
        unfinished=row.unfinished,
        not_ready=tuple(Seat(int(seat)) for seat in row.not_ready),
        created=from_stored(row.created),
        ended=from_stored_or_none(row.ended),
        engine_version=row.engine_version,
        protocol_revision=row.protocol_revision,
        annulled=annulled,
    )
