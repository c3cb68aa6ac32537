"""Queries that give results as the ratings take them.

Only complete blocks count, and of them only what was not annulled.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, and_, cast, func, or_, select, true

from arena.ratings import GameResult, SessionResult
from arena.referee import Termination
from arena.scheduling import BlockId, BlockResult, EntryId
from arena.store.annulments import counting, games_struck
from arena.store.hand_json import decode_hand
from arena.store.states import BlockState, GameState
from arena.store.tables import blocks, faults, games, hands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from euchre_sdk.game import Session


MOST_AT_ONCE = 5_000
"""Games that may be named in one query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What is counted beside the rated results, by entry."""

    not_started: Counter[str]
    """How often an entry was not ready."""
    faults: Counter[str]
    """Faults an entry was charged with, but for those in a hand that is being played."""
    hands: int
    """Completed hands of the whole tournament, rated or not."""
    annulled: int
    """Finished games that were struck from the results: they count nowhere else here."""


def rated_games(
    c: Connection,
    tournament_id: str,
    *,
    rounds: int | None = None,
    only: Sequence[str] | None = None,
) -> tuple[str, ...]:
    """Return the ids of the games that the two below tell of, in their order."""
    query = _rated_query(c, tournament_id, rounds).where(_among(only))
    return tuple(c.scalars(query.with_only_columns(games.c.id)))


def session_results(
    c: Connection,
    tournament_id: str,
    format: Session,
    *,
    rounds: int | None = None,
    only: Sequence[str] | None = None,
) -> tuple[SessionResult, ...]:
    """Return the sessions of complete blocks: of all, or of the first `rounds` cycles.

    `only`: those of these games, up to `MOST_AT_ONCE`.
    """
    counts = (hands.c.void.is_(None)) & (hands.c.in_forfeit.is_(False))
    query = (
        select(
            hands.c.game_id,
            hands.c.dealer,
            func.count().label("dealt"),
            *(func.sum(hands.c[f"points{seat}"]).label(f"sum{seat}") for seat in range(3)),
        )
        .select_from(hands.join(games))
        .where(games.c.tournament_id == tournament_id, counts, _among(only))
        .group_by(hands.c.game_id, hands.c.dealer)
    )
    by_game: dict[str, list[Row[tuple[object, ...]]]] = {}
    for row in c.execute(query):
        by_game.setdefault(row.game_id, []).append(row)
    results = []
    for game in _rated(c, tournament_id, rounds, only=only):
        dealt = [0, 0, 0]
        points = [[0, 0, 0] for _ in range(3)]
        for row in by_game.get(game.id, ()):
            dealt[row.dealer] = row.dealt
            for seat in range(3):
                points[seat][row.dealer] = getattr(row, f"sum{seat}")
        results.append(
            SessionResult(
                block_id=game.block_id,
                seats=(game.entry0, game.entry1, game.entry2),
                scheduled=format.hands,
                hands=(dealt[0], dealt[1], dealt[2]),
                points=(
                    (points[0][0], points[0][1], points[0][2]),
                    (points[1][0], points[1][1], points[1][2]),
                    (points[2][0], points[2][1], points[2][2]),
                ),
                places=(game.place0, game.place1, game.place2),
                offenders=_offenders(game),
            )
        )
    return tuple(results)


def game_results(
    c: Connection,
    tournament_id: str,
    *,
    rounds: int | None = None,
    only: Sequence[str] | None = None,
) -> tuple[GameResult, ...]:
    """Return the games of complete blocks: of all, or of the first `rounds` cycles.

    `only`: of them these, up to `MOST_AT_ONCE`.
    """
    counted = (
        select(hands.c.game_id, func.count().label("hands"))
        .join(games)
        .where(games.c.tournament_id == tournament_id, hands.c.void.is_(None), _among(only))
        .group_by(hands.c.game_id)
    )
    by_game = {row.game_id: row.hands for row in c.execute(counted)}
    return tuple(
        GameResult(
            block_id=game.block_id,
            seats=(game.entry0, game.entry1, game.entry2),
            hands=by_game.get(game.id, 0),
            points=(game.points0, game.points1, game.points2),
            places=None if game.unfinished else (game.place0, game.place1, game.place2),
            offenders=_offenders(game),
        )
        for game in _rated(c, tournament_id, rounds, only=only)
    )


def block_results(
    c: Connection, tournament_id: str, *, block_id: str | None = None
) -> tuple[BlockResult, ...]:
    """Return what each complete block showed that counts, or that one only."""
    counted = hands.c.void.is_(None) & hands.c.in_forfeit.is_(False)
    query = (
        select(
            hands.c.game_id,
            func.count().label("hands"),
            *(func.sum(hands.c[f"points{seat}"]).label(f"sum{seat}") for seat in range(3)),
        )
        .select_from(hands.join(games))
        .where(games.c.tournament_id == tournament_id, counted)
        .group_by(hands.c.game_id)
    )
    if block_id is not None:
        query = query.where(games.c.block_id == block_id)
    by_game = {row.game_id: row for row in c.execute(query)}
    points: dict[str, Counter[EntryId]] = {}
    played: Counter[str] = Counter()
    for game in _rated(c, tournament_id, None, block_id):
        scored = points.setdefault(game.block_id, Counter())
        row = by_game.get(game.id)
        for seat in range(3):
            entry = EntryId(getattr(game, f"entry{seat}"))
            scored[entry] += 0 if row is None else getattr(row, f"sum{seat}")
        played[game.block_id] += 0 if row is None else row.hands
    return tuple(
        BlockResult(block_id=BlockId(name), points=scored, hands=played[name])
        for name, scored in points.items()
    )


def tally(c: Connection, tournament_id: str, *, rounds: int | None = None) -> Tally:
    """Return what is counted beside the rated results: in all, or in the first `rounds` cycles."""
    mine = (games.c.tournament_id == tournament_id) & _in_rounds(rounds)
    counts = counting(c, tournament_id)
    not_started: Counter[str] = Counter()
    missed = select(games).where(mine, games.c.not_ready != "", counts)
    for row in c.execute(missed):
        not_started.update(getattr(row, f"entry{seat}") for seat in row.not_ready)
    charged: Counter[str] = Counter()
    seats = (games.c.entry0, games.c.entry1, games.c.entry2)
    # Those of a hand that is being played are told with its result; others' strikes are not public.
    told = or_(
        faults.c.incarnation < games.c.incarnation,
        games.c.state != GameState.RUNNING.value,
    )
    pending = select(faults.c.seat, *seats).join(games).where(mine, told, counts)
    charged.update(row[1 + row.seat] for row in c.execute(pending))
    faulty = select(hands.c.record, *seats).join(games)
    for row in c.execute(faulty.where(mine, hands.c.faulty.is_(True), counts)):
        charged.update(row[1 + fault.seat] for fault in decode_hand(row.record).faults)
    return Tally(
        not_started=not_started,
        faults=charged,
        hands=hands_played(c, tournament_id, rounds=rounds),
        annulled=games_struck(c, tournament_id),
    )


def hands_played(c: Connection, tournament_id: str, *, rounds: int | None = None) -> int:
    """Return how many hands of a tournament, or of its first `rounds` cycles, are completed.

    Those of open blocks count, too.
    """
    played = select(func.count()).select_from(hands.join(games))
    mine = (games.c.tournament_id == tournament_id) & _in_rounds(rounds)
    counts = counting(c, tournament_id)
    return c.scalar(played.where(mine, hands.c.void.is_(None), counts)) or 0


def _in_rounds(rounds: int | None) -> ColumnElement[bool]:
    """Return the condition that a game belongs to the first so many cycles, or to any."""
    if rounds is None:
        return true()
    block = games.c.block_id  # c, the cycle, b, the number in it
    cycle = func.substr(block, 2, func.instr(block, "b") - 2)
    return cast(cycle, Integer) <= rounds


def _among(only: Sequence[str] | None) -> ColumnElement[bool]:
    return true() if only is None else games.c.id.in_(only)


def _rated(
    c: Connection,
    tournament_id: str,
    rounds: int | None,
    block_id: str | None = None,
    only: Sequence[str] | None = None,
) -> Iterator[Row[tuple[object, ...]]]:
    """Yield the finished games of complete blocks."""
    query = _rated_query(c, tournament_id, rounds).where(
        true() if block_id is None else games.c.block_id == block_id, _among(only)
    )
    yield from c.execute(query)


def _rated_query(c: Connection, tournament_id: str, rounds: int | None) -> Select[Any]:
    same_block = and_(
        games.c.tournament_id == blocks.c.tournament_id,
        games.c.block_id == blocks.c.block_id,
        games.c.attempt == blocks.c.attempt,
    )
    return (
        select(games)
        .select_from(games.join(blocks, same_block))
        .where(
            games.c.tournament_id == tournament_id,
            games.c.state == GameState.FINISHED.value,
            blocks.c.state == BlockState.COMPLETE.value,
            _in_rounds(rounds),
            counting(c, tournament_id),
        )
        .order_by(games.c.block_id, games.c.number)
    )


def _offenders(game: Row[tuple[object, ...]]) -> tuple[int, ...]:
    return tuple(
        seat for seat in range(3) if Termination(getattr(game, f"termination{seat}")).is_forfeit
    )
