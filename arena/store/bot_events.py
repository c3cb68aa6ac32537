"""Queries about what was decided about bots: for their owners, and to know when to decide again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import TYPE_CHECKING

from sqlalchemy import and_, func, insert, or_, select, update

from arena.referee import Termination
from arena.store.annulments import struck
from arena.store.states import BotState, EntryState, GameState
from arena.store.tables import bot_events, bots, entries, games, tournaments
from arena.store.times import from_stored, to_stored

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection


@unique
class BotEventKind(Enum):
    """What was decided."""

    TAKEN_OVER = "taken_over"
    """Its owner ended its links; running games wait for the next one."""
    QUARANTINED = "quarantined"
    CHECK_FAILED = "check_failed"
    """It did not pass the check that would have lifted its quarantine."""
    LIFTED = "lifted"
    """Its quarantine was lifted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotEvent:
    """One decision about a bot."""

    number: int = 0
    """Counts all events; 0 for one that is not kept yet."""
    bot_id: str
    time: datetime
    kind: BotEventKind
    actor: str
    """Who decided: `arena`, `owner` or `organiser`."""
    message: str


def add_event(c: Connection, event: BotEvent) -> None:
    """Keep an event."""
    c.execute(
        insert(bot_events).values(
            bot_id=event.bot_id,
            time=to_stored(event.time),
            kind=event.kind.value,
            actor=event.actor,
            message=event.message,
        )
    )


def page_of_events(
    c: Connection, bot_id: str, *, before: int | None, limit: int
) -> tuple[BotEvent, ...]:
    """Return a bot's events, newest first, from those numbered below `before`."""
    query = select(bot_events).where(bot_events.c.bot_id == bot_id)
    if before is not None:
        query = query.where(bot_events.c.id < before)
    return tuple(
        BotEvent(
            number=row.id,
            bot_id=row.bot_id,
            time=from_stored(row.time),
            kind=BotEventKind(row.kind),
            actor=row.actor,
            message=row.message,
        )
        for row in c.execute(query.order_by(bot_events.c.id.desc()).limit(limit))
    )


def quarantine(c: Connection, event: BotEvent) -> bool:
    """Put a bot into quarantine, if it is active; return whether it was."""
    return _change(c, event, BotState.ACTIVE, BotState.QUARANTINED)


def lift_quarantine(c: Connection, event: BotEvent) -> bool:
    """Lift a bot's quarantine, if it is in one; return whether it was."""
    return _change(c, event, BotState.QUARANTINED, BotState.ACTIVE)


def times_lifted(c: Connection, bot_id: str, *, actor: str) -> int:
    """Return how often somebody has lifted a bot's quarantine."""
    lifted = (
        (bot_events.c.bot_id == bot_id)
        & (bot_events.c.kind == BotEventKind.LIFTED.value)
        & (bot_events.c.actor == actor)
    )
    return c.scalar(select(func.count()).select_from(bot_events).where(lifted)) or 0


def forfeits_in_a_row(c: Connection, bot_id: str, *, most: int) -> int:
    """Return how many of its latest games a bot has forfeited one after the other, up to `most`.

    Counted are games since its last quarantine was lifted that it played, or was not ready for;
    those that it lost only by being withdrawn say nothing about it.
    """
    since = c.scalar(
        select(func.max(bot_events.c.time)).where(
            bot_events.c.bot_id == bot_id, bot_events.c.kind == BotEventKind.LIFTED.value
        )
    )
    seated = or_(*(games.c[f"entry{seat}"] == entries.c.id for seat in range(3)))
    mine = and_(games.c.tournament_id == entries.c.tournament_id, seated)
    query = (
        select(games, entries.c.id.label("entry"))
        .select_from(entries.join(games, mine))
        .where(
            entries.c.bot_id == bot_id,
            entries.c.state == EntryState.PLAYING.value,
            games.c.state == GameState.FINISHED.value,
            games.c.ended > (since or 0),
            ~struck,
        )
        .order_by(games.c.ended.desc(), games.c.created.desc())
        .limit(most)
    )
    row_of_forfeits = 0
    for row in c.execute(query):
        seat = (row.entry0, row.entry1, row.entry2).index(row.entry)
        if not Termination(getattr(row, f"termination{seat}")).is_forfeit:
            break
        row_of_forfeits += 1
    return row_of_forfeits


def last_played(c: Connection, bot_id: str) -> str | None:
    """Return the spec of the tournament in which a bot last ended a game; None if it never did."""
    seated = or_(*(games.c[f"entry{seat}"] == entries.c.id for seat in range(3)))
    mine = and_(games.c.tournament_id == entries.c.tournament_id, seated)
    query = (
        select(tournaments.c.spec)
        .select_from(
            entries.join(games, mine).join(tournaments, tournaments.c.id == entries.c.tournament_id)
        )
        .where(entries.c.bot_id == bot_id, games.c.state == GameState.FINISHED.value)
        .order_by(games.c.ended.desc())
        .limit(1)
    )
    spec: str | None = c.scalar(query)
    return spec


def _change(c: Connection, event: BotEvent, before: BotState, after: BotState) -> bool:
    this = (bots.c.id == event.bot_id) & (bots.c.state == before.value)
    changed = c.execute(update(bots).where(this).values(state=after.value)).rowcount == 1
    if changed:
        add_event(c, event)
    return changed
