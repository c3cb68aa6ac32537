"""Queries about blocks, games and hands: what was offered, played, and came of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from sqlalchemy import delete, exists, func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from arena.referee import Forfeit, GameOutcome, Resumed, Termination
from arena.store.annulments import annulments_of, struck_among
from arena.store.hand_json import decode_hand, encode_hand
from arena.store.interruptions import interrupted_in
from arena.store.states import BlockState, GameState
from arena.store.tables import blocks, faults, forfeits, games, hands
from arena.store.times import from_stored, from_stored_or_none, to_stored
from euchre_sdk.game import Seat
from euchre_sdk.game.record import ENGINE_VERSION, OpenFault
from euchre_sdk.revision import REVISION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from arena.referee import Fault, HandRecord, Nonces, Triple


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBlock:
    """One attempt of a block."""

    block_id: str
    attempt: int
    state: BlockState
    reason: str = ""
    """Why it is incomplete, for people."""


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


def keep_ready(c: Connection, game_id: str, nonces: Nonces, *, incarnation: int) -> None:
    """Keep the nonces with which a game begins or goes on, and since which start of the arena."""
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


def keep_fault(
    c: Connection, game_id: str, *, incarnation: int, hand_number: int, fault: Fault
) -> None:
    """Keep a fault in a hand that is not stored yet."""
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
