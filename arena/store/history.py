"""Queries about what ratings were while tournaments were played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select

from arena.store.states import BlockState
from arena.store.tables import blocks, entries, rating_moments, rating_points, tournaments
from arena.store.times import from_stored, to_stored
from arena.store.tournaments import StoredTournament, tournament_with_id

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPoint:
    """The rating of one entry at one moment. Errors are half-widths of 95 % intervals."""

    entry_id: str
    rank: int
    elo: float
    elo_error: float | None
    """None for the anchor, and where it could not be told."""
    points_per_hand: float | None
    points_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When something is known of a tournament's ratings."""

    blocks: int
    """Blocks of the tournament that were complete."""
    time: datetime
    anchored: bool
    """Whether somebody was held at 1500; else the mean was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotHistory:
    """What a bot's ratings were in one tournament."""

    tournament: StoredTournament
    entry_id: str
    version: str | None
    entries: int
    """How many were entered."""
    points: tuple[tuple[Moment, RatingPoint], ...]
    """Oldest first."""


def blocks_complete(c: Connection, tournament_id: str) -> int:
    """Return how many blocks of a tournament are complete."""
    query = select(func.count()).select_from(blocks)
    mine = (blocks.c.tournament_id == tournament_id) & (blocks.c.state == BlockState.COMPLETE.value)
    return c.scalar(query.where(mine)) or 0


def moments_of(c: Connection, tournament_id: str) -> tuple[int, ...]:
    """Return the moments that are kept of a tournament, by blocks, in order."""
    query = select(rating_moments.c.blocks).where(rating_moments.c.tournament_id == tournament_id)
    return tuple(c.scalars(query.order_by(rating_moments.c.blocks)))


def keep_moment(
    c: Connection,
    tournament_id: str,
    moment: Moment,
    points: Iterable[RatingPoint],
    *,
    dropped: Iterable[int] = (),
) -> None:
    """Keep the ratings of a moment in place of what was kept of it, and forget the `dropped`."""
    old = select(rating_moments.c.id).where(
        rating_moments.c.tournament_id == tournament_id,
        rating_moments.c.blocks.in_([moment.blocks, *dropped]),
    )
    ids = list(c.scalars(old))
    c.execute(delete(rating_points).where(rating_points.c.moment_id.in_(ids)))
    c.execute(delete(rating_moments).where(rating_moments.c.id.in_(ids)))
    made = c.execute(
        insert(rating_moments).values(
            tournament_id=tournament_id,
            blocks=moment.blocks,
            time=to_stored(moment.time),
            anchored=moment.anchored,
        )
    )
    (number,) = made.inserted_primary_key or (None,)
    rows = [
        {
            "moment_id": number,
            "entry_id": point.entry_id,
            "rank": point.rank,
            "elo": point.elo,
            "elo_error": point.elo_error,
            "points": point.points_per_hand,
            "points_error": point.points_error,
        }
        for point in points
    ]
    if rows:
        c.execute(insert(rating_points), rows)


def history_of_bot(c: Connection, bot_id: str, *, skip: int, limit: int) -> tuple[BotHistory, ...]:
    """Return the tournaments of a bot, newest first, with its ratings in each."""
    mine = (
        select(entries.c.tournament_id, entries.c.id, entries.c.version)
        .join(tournaments)
        .where(entries.c.bot_id == bot_id)
        .order_by(tournaments.c.created.desc(), tournaments.c.name)
        .offset(skip)
        .limit(limit)
    )
    return tuple(
        BotHistory(
            tournament=tournament_with_id(c, row.tournament_id),
            entry_id=row.id,
            version=row.version,
            entries=_count(c, row.tournament_id),
            points=_points(c, row.tournament_id, row.id),
        )
        for row in c.execute(mine).all()
    )


def _count(c: Connection, tournament_id: str) -> int:
    query = select(func.count()).select_from(entries)
    return c.scalar(query.where(entries.c.tournament_id == tournament_id)) or 0


def _points(
    c: Connection, tournament_id: str, entry_id: str
) -> tuple[tuple[Moment, RatingPoint], ...]:
    query = (
        select(rating_moments, rating_points)
        .join_from(rating_moments, rating_points)
        .where(
            rating_moments.c.tournament_id == tournament_id, rating_points.c.entry_id == entry_id
        )
        .order_by(rating_moments.c.blocks)
    )
    return tuple(
        (
            Moment(blocks=row.blocks, time=from_stored(row.time), anchored=row.anchored),
            RatingPoint(
                entry_id=row.entry_id,
                rank=row.rank,
                elo=row.elo,
                elo_error=row.elo_error,
                points_per_hand=row.points,
                points_error=row.points_error,
            ),
        )
        for row in c.execute(query)
    )
