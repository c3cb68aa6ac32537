"""Queries about annulments: what the organiser struck from the results. They are only ever added.

The games stay as they were; that they do not count is told by the annulment alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, exists, func, insert, or_, select, true

from arena.store.states import GameState
from arena.store.tables import annulments, games
from arena.store.times import from_stored, to_stored

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Annulment:
    """One game, or one attempt of a block, that does not count."""

    block_id: str
    attempt: int
    game_id: str | None
    """None if it is the whole attempt."""
    reason: str
    actor: str
    time: datetime
    replayed: bool
    """Whether the block is played again, as a new attempt."""
    games: int = 0
    """Finished games that do not count because of it; those of earlier annulments too."""


_about_game = and_(
    annulments.c.tournament_id == games.c.tournament_id,
    annulments.c.block_id == games.c.block_id,
    annulments.c.attempt == games.c.attempt,
    or_(annulments.c.game_id.is_(None), annulments.c.game_id == games.c.id),
)
"""Which annulments are about which games."""
struck = exists().where(_about_game).correlate(games)
"""Whether a game does not count: a condition for queries about few games."""


def counting(c: Connection, tournament_id: str) -> ColumnElement[bool]:
    """Return which games of a tournament count: a condition for queries about games.

    It costs nothing where nothing was struck, as in most tournaments.
    """
    mine = annulments.c.tournament_id == tournament_id
    return ~struck if c.scalar(select(exists().where(mine))) else true()


def struck_among(c: Connection, rows: Sequence[Row[tuple[object, ...]]]) -> frozenset[str]:
    """Return the ids of those of some games, given as their rows, that do not count."""
    of = {row.tournament_id for row in rows}
    found = c.execute(select(annulments).where(annulments.c.tournament_id.in_(of))).all()
    whole = {(a.tournament_id, a.block_id, a.attempt) for a in found if a.game_id is None}
    single = {a.game_id for a in found}
    return frozenset(
        row.id
        for row in rows
        if row.id in single or (row.tournament_id, row.block_id, row.attempt) in whole
    )


def add_annulment(c: Connection, tournament_id: str, annulment: Annulment) -> None:
    """Keep that a game, or an attempt of a block, does not count."""
    c.execute(
        insert(annulments).values(
            tournament_id=tournament_id,
            block_id=annulment.block_id,
            attempt=annulment.attempt,
            game_id=annulment.game_id,
            reason=annulment.reason,
            actor=annulment.actor,
            time=to_stored(annulment.time),
            replayed=annulment.replayed,
        )
    )


def annulments_of(c: Connection, tournament_id: str) -> tuple[Annulment, ...]:
    """Return the annulments of a tournament, oldest first."""
    about = (
        select(func.count())
        .select_from(games)
        .where(_about_game, games.c.state == GameState.FINISHED.value)
        .correlate(annulments)
        .scalar_subquery()
    )
    mine = annulments.c.tournament_id == tournament_id
    query = select(annulments, about.label("about")).where(mine).order_by(annulments.c.id)
    return tuple(
        Annulment(
            block_id=row.block_id,
            attempt=row.attempt,
            game_id=row.game_id,
            reason=row.reason,
            actor=row.actor,
            time=from_stored(row.time),
            replayed=row.replayed,
            games=row.about,
        )
        for row in c.execute(query)
    )


def games_struck(c: Connection, tournament_id: str) -> int:
    """Return how many finished games of a tournament do not count."""
    mine = (games.c.tournament_id == tournament_id) & (games.c.state == GameState.FINISHED.value)
    gone = ~counting(c, tournament_id)
    return c.scalar(select(func.count()).select_from(games).where(mine, gone)) or 0
