"""Queries about attempts of blocks: which are played, and how they ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, exists, func, select
from sqlalchemy.dialects.sqlite import insert as upsert

from arena.store.annulments import annulments_of
from arena.store.states import BlockState
from arena.store.tables import annulments, blocks
from arena.store.times import to_stored


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBlock:
    """One attempt of a block."""

    block_id: str
    attempt: int
    state: BlockState
    reason: str = ""
    """Why it is incomplete, for people."""


def begin_block(c: Connection, tournament_id: str, block_id: str, attempt: int) -> None:
    """Keep that a block is being played."""
    row = {
        "tournament_id": tournament_id,
        "block_id": block_id,
        "attempt": attempt,
        "state": BlockState.RUNNING.value,
        "reason": "",
    }
    c.execute(upsert(blocks).values(row).on_conflict_do_nothing())


def end_block(c: Connection, tournament_id: str, block: StoredBlock, *, now: datetime) -> None:
    """Keep how an attempt of a block ended."""
    row = {
        "tournament_id": tournament_id,
        "block_id": block.block_id,
        "attempt": block.attempt,
        "state": block.state.value,
        "reason": block.reason,
        "ended": to_stored(now),
    }
    c.execute(
        upsert(blocks)
        .values(row)
        .on_conflict_do_update(
            index_elements=["tournament_id", "block_id", "attempt"],
            set_={key: row[key] for key in ("state", "reason", "ended")},
        )
    )


def end_blocks(
    c: Connection, tournament_id: str, ended: Iterable[StoredBlock], *, now: datetime
) -> None:
    """Keep how attempts of many blocks ended."""
    for block in ended:
        end_block(c, tournament_id, block, now=now)


def blocks_of(c: Connection, tournament_id: str) -> tuple[StoredBlock, ...]:
    """Return the blocks of a tournament that were begun or given up, annulled ones as such."""
    annulled = {
        (each.block_id, each.attempt): each
        for each in annulments_of(c, tournament_id)
        if each.game_id is None
    }
    query = select(blocks).where(blocks.c.tournament_id == tournament_id)
    found = []
    for row in c.execute(query.order_by(blocks.c.block_id, blocks.c.attempt)):
        state, reason = BlockState(row.state), row.reason
        if (annulment := annulled.get((row.block_id, row.attempt))) is not None:
            state = BlockState.REPLAYED if annulment.replayed else BlockState.ANNULLED
            reason = annulment.reason
        found.append(
            StoredBlock(block_id=row.block_id, attempt=row.attempt, state=state, reason=reason)
        )
    return tuple(found)


def complete_blocks(c: Connection, tournament_id: str) -> int:
    """Return how many blocks of a tournament are complete and were not struck as a whole."""
    struck = exists().where(
        annulments.c.tournament_id == blocks.c.tournament_id,
        annulments.c.block_id == blocks.c.block_id,
        annulments.c.attempt == blocks.c.attempt,
        annulments.c.game_id.is_(None),
    )
    query = (
        select(func.count())
        .select_from(blocks)
        .where(
            blocks.c.tournament_id == tournament_id,
            blocks.c.state == BlockState.COMPLETE.value,
            ~struck,
        )
    )
    return c.scalar(query) or 0
