"""Queries about hands: what was played in them, the faults, and how games stand by them."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select

from arena.referee import Fault, HandRecord, Triple
from arena.store.hand_json import decode_hand, encode_hand
from arena.store.tables import faults, games, hands
from euchre_sdk.game import Seat
from euchre_sdk.game.record import OpenFault


def keep_fault(c: Connection, game_id: str, *, hand_number: int, fault: Fault) -> None:
    """Keep a fault in a hand that is not stored yet."""
    incarnation = select(games.c.incarnation).where(games.c.id == game_id).scalar_subquery()
    c.execute(
        insert(faults).values(
            game_id=game_id,
            hand=hand_number,
            incarnation=incarnation,
            seat=int(fault.seat),
            kind=fault.kind.value,
            decision=fault.decision,
            reason=fault.reason,
        )
    )


def keep_hand(c: Connection, game_id: str, record: HandRecord) -> None:
    """Keep a hand; the faults kept for it before are in its record from now on."""
    first, second, third = record.points
    c.execute(
        insert(hands).values(
            game_id=game_id,
            hand=record.hand_number,
            incarnation=record.attempt.incarnation,
            retry=record.attempt.retry,
            dealer=int(record.dealer),
            points0=first,
            points1=second,
            points2=third,
            void=None if record.void is None else record.void.value,
            in_forfeit=record.in_forfeit,
            faulty=bool(record.faults),
            record=encode_hand(record),
        )
    )
    same = (
        (faults.c.game_id == game_id)
        & (faults.c.hand == record.hand_number)
        & (faults.c.incarnation == record.attempt.incarnation)
    )
    c.execute(delete(faults).where(same))


def hands_of_game(
    c: Connection, game_id: str, *, skip: int = 0, limit: int | None = None
) -> tuple[HandRecord, ...]:
    """Return the hands of a game as they were played, void ones too."""
    query = (
        select(hands.c.record)
        .where(hands.c.game_id == game_id)
        .order_by(hands.c.hand, hands.c.incarnation, hands.c.retry)
        .offset(skip)
        .limit(limit)
    )
    return tuple(decode_hand(row.record) for row in c.execute(query))


def open_faults(c: Connection, game_id: str) -> tuple[OpenFault, ...]:
    """Return the faults in hands of a game that were not stored: the arena stopped in them."""
    query = select(faults).where(faults.c.game_id == game_id).order_by(faults.c.id)
    return tuple(
        OpenFault(row.hand, Seat(row.seat), row.kind, row.reason) for row in c.execute(query)
    )


def scores(c: Connection, game_ids: tuple[str, ...]) -> dict[str, tuple[int, Triple]]:
    """Return hands that count and points so far of games, by id; nothing for those without."""
    query = (
        select(
            hands.c.game_id,
            func.count().label("hands"),
            *(func.sum(hands.c[f"points{seat}"]).label(f"sum{seat}") for seat in range(3)),
        )
        .where(hands.c.game_id.in_(game_ids), hands.c.void.is_(None))
        .group_by(hands.c.game_id)
    )
    return {row.game_id: (row.hands, (row.sum0, row.sum1, row.sum2)) for row in c.execute(query)}


def score_after(c: Connection, game_id: str, stored: int) -> tuple[int, Triple]:
    """Return hands that count and points of a game after the first so many stored hands."""
    first = (
        select(hands)
        .where(hands.c.game_id == game_id)
        .order_by(hands.c.hand, hands.c.incarnation, hands.c.retry)
        .limit(stored)
        .subquery()
    )
    sums = (func.coalesce(func.sum(first.c[f"points{seat}"]), 0) for seat in range(3))
    query = select(func.count(), *sums).where(first.c.void.is_(None))
    count, *points = c.execute(query).one()
    return count, (points[0], points[1], points[2])
