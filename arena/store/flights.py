"""Queries about flight records: what went in and out of one seat of one game.

There is a row for each run of the arena in which the game was played. What is kept in all is
bounded: by age, and by bytes, ordinary play going first and refusals never before their age.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from arena.referee.flight import FlightRecord, Weight
from arena.store.flight_json import decode_flight, encode_flight
from arena.store.tables import flights, games, tournaments
from arena.store.times import from_stored, to_stored
from euchre_sdk.game import Seat

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightSummary:
    """What there is of one seat of one game."""

    game_id: str
    tournament: str
    """Its name."""
    seat: Seat
    refused: int
    forced: int
    stored: datetime
    """When it was last added to."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """What was given up so that the rest fits: records, and parts of records."""

    removed: int
    thinned: int
    size: int
    """Bytes that are left."""


def keep_flight(
    c: Connection,
    game_id: str,
    seat: Seat,
    record: FlightRecord,
    *,
    bot_id: str,
    incarnation: int,
    now: datetime,
) -> None:
    """Keep what is known of a seat in this run of the arena, in place of what was known before."""
    content = encode_flight(record)
    row = {
        "game_id": game_id,
        "seat": int(seat),
        "incarnation": incarnation,
        "bot_id": bot_id,
        "refused": sum(entry.is_refusal for entry in record.entries),
        "forced": sum(entry.is_forced_move for entry in record.entries),
        "remarkable": any(entry.weight is not Weight.ORDINARY for entry in record.entries),
        "thinned": False,
        "stored": to_stored(now),
        "size": len(content),
        "record": content,
    }
    c.execute(
        upsert(flights)
        .values(row)
        .on_conflict_do_update(index_elements=["game_id", "seat", "incarnation"], set_=row)
    )


def flight_of(c: Connection, game_id: str, seat: Seat) -> tuple[tuple[int, FlightRecord], ...]:
    """Return what is kept of a seat of a game: runs of the arena with their numbers, in order."""
    query = (
        select(flights.c.incarnation, flights.c.record)
        .where(flights.c.game_id == game_id, flights.c.seat == int(seat))
        .order_by(flights.c.incarnation)
    )
    return tuple((row.incarnation, decode_flight(row.record)) for row in c.execute(query))


def page_of_flights(
    c: Connection, bot_id: str, *, skip: int, limit: int
) -> tuple[FlightSummary, ...]:
    """Return the games of a bot of which there are records, newest first."""
    newest = func.max(flights.c.stored)
    query = (
        select(
            flights.c.game_id,
            flights.c.seat,
            tournaments.c.name.label("tournament"),
            func.sum(flights.c.refused).label("refused"),
            func.sum(flights.c.forced).label("forced"),
            newest.label("newest"),
        )
        .select_from(flights.join(games).join(tournaments))
        .where(flights.c.bot_id == bot_id)
        .group_by(flights.c.game_id, flights.c.seat)
        .order_by(newest.desc(), flights.c.game_id)
        .offset(skip)
        .limit(limit)
    )
    return tuple(
        FlightSummary(
            game_id=row.game_id,
            tournament=row.tournament,
            seat=Seat(row.seat),
            refused=row.refused,
            forced=row.forced,
            stored=from_stored(row.newest),
        )
        for row in c.execute(query)
    )


def sweep_flights(c: Connection, *, before: datetime, most_bytes: int) -> Sweep:
    """Remove what is older, then as much of the rest as is over: the least useful first."""
    removed = c.execute(delete(flights).where(flights.c.stored < to_stored(before))).rowcount
    over = (size_now := _size(c)) - most_bytes
    if over <= 0:
        return Sweep(removed, 0, size_now)
    for key, size in _oldest(c, flights.c.remarkable.is_(False)):
        if over <= 0:
            break
        c.execute(delete(flights).where(key))
        removed += 1
        over -= size
    thinned = 0
    for key, size in _oldest(c, flights.c.thinned.is_(False)):
        if over <= 0:
            break
        content = c.execute(select(flights.c.record).where(key)).scalar_one()
        record = decode_flight(content).only_always()
        if not record.entries:
            c.execute(delete(flights).where(key))
            removed += 1
            over -= size
            continue
        rest = encode_flight(record)
        c.execute(update(flights).where(key).values(record=rest, size=len(rest), thinned=True))
        thinned += 1
        over -= size - len(rest)
    return Sweep(removed, thinned, _size(c))


def _size(c: Connection) -> int:
    return c.scalar(select(func.coalesce(func.sum(flights.c.size), 0))) or 0


def _oldest(
    c: Connection, which: ColumnElement[bool]
) -> tuple[tuple[ColumnElement[bool], int], ...]:
    """Return records, oldest first, each as its key and its bytes."""
    columns = (flights.c.game_id, flights.c.seat, flights.c.incarnation, flights.c.size)
    rows = c.execute(select(*columns).where(which).order_by(flights.c.stored)).all()
    return tuple(
        (
            (flights.c.game_id == row.game_id)
            & (flights.c.seat == row.seat)
            & (flights.c.incarnation == row.incarnation),
            row.size,
        )
        for row in rows
    )
