"""What a game was in the middle of when the arena stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from arena.referee import Attempt, Fault, FaultKind, Interrupted, VoidCause
from arena.store.tables import arena, faults, games
from euchre_sdk.game import Seat

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from arena.referee import HandRecord


def last_incarnation(c: Connection, game_id: str) -> int:
    """Return the last incarnation in which hands of a game may have been dealt; 0 for none.

    A game that was begun before this was kept had the starts of the arena as its own.
    """
    row = c.execute(select(games.c.incarnation, games.c.nonce0).where(games.c.id == game_id)).one()
    if row.incarnation is not None:
        return int(row.incarnation)
    return 0 if row.nonce0 is None else int(c.scalar(select(arena.c.incarnation)) or 0)


def interrupted_in(
    c: Connection, game_id: str, records: tuple[HandRecord, ...]
) -> Interrupted | None:
    """Return the deal that was going on when the arena stopped, unless its record is stored."""
    incarnation = c.scalar(select(games.c.incarnation).where(games.c.id == game_id))
    number = 1 + sum(record.void is None for record in records)
    dealt = [
        record
        for record in records
        if record.hand_number == number and record.attempt.incarnation == incarnation
    ]
    if incarnation is None or any(record.void is VoidCause.ARENA_STOPPED for record in dealt):
        return None
    charged = select(faults).where(
        faults.c.game_id == game_id,
        faults.c.hand == number,
        faults.c.incarnation == incarnation,
    )
    return Interrupted(
        attempt=Attempt(incarnation, len(dealt)),
        faults=tuple(
            Fault(
                seat=Seat(row.seat),
                kind=FaultKind(row.kind),
                decision=row.decision,
                reason=row.reason,
            )
            for row in c.execute(charged.order_by(faults.c.id))
        ),
    )
