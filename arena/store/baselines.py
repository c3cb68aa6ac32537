"""Queries about the luck of the cards: what finished games hold, and what was made of it.

Only games of complete blocks are told of, and those that were not annulled: the deal sets of all of
them are open (docs/fair-dealing.md). Nothing here reads a hand of a game that can still be played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert as upsert

from arena.luck import BaselineKind, PlayedSession
from arena.luck.baselines import from_bytes
from arena.store.results import MOST_AT_ONCE, rated_games
from arena.store.tables import hands, luck_baselines

if TYPE_CHECKING:
    from sqlalchemy import Connection

_COUNTS = hands.c.void.is_(None) & hands.c.in_forfeit.is_(False)
"""The hands that count, as in `session_results`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBaselines:
    """The baselines of one kind of one game."""

    game_id: str
    kind: BaselineKind
    version: int
    """Of the value model."""
    hands: int
    terms: bytes
    """See `arena.luck.baselines.to_bytes`."""


def keep_baselines(c: Connection, made: Iterable[StoredBaselines]) -> None:
    """Keep baselines, in place of older ones of the same game and kind."""
    for each in made:
        row = {
            "game_id": each.game_id,
            "kind": each.kind.value,
            "version": each.version,
            "hands": each.hands,
            "terms": each.terms,
        }
        c.execute(
            upsert(luck_baselines)
            .values(row)
            .on_conflict_do_update(
                index_elements=["game_id", "kind"],
                set_={key: row[key] for key in ("version", "hands", "terms")},
            )
        )


def kinds_known(
    c: Connection, tournament_id: str, *, version: int, rounds: int | None = None
) -> dict[str, frozenset[BaselineKind]]:
    """Return for each rated game, in the order of its result, which baselines are kept of it."""
    rated = rated_games(c, tournament_id, rounds=rounds)
    known: defaultdict[str, set[BaselineKind]] = defaultdict(set)
    for some in _parts(rated):
        query = select(luck_baselines.c.game_id, luck_baselines.c.kind).where(
            luck_baselines.c.game_id.in_(some), luck_baselines.c.version == version
        )
        for row in c.execute(query):
            known[row.game_id].add(BaselineKind(row.kind))
    return {game: frozenset(known[game]) for game in rated}


def hands_dealt(c: Connection, tournament_id: str, game_id: str) -> tuple[str, ...] | None:
    """Return the records of the hands of a rated game that count, as JSON; None of any other."""
    if not rated_games(c, tournament_id, only=[game_id]):
        return None
    query = select(hands.c.record).where(hands.c.game_id == game_id, _COUNTS)
    return tuple(c.scalars(query.order_by(hands.c.hand)))


def played_sessions(
    c: Connection, known: Mapping[str, Collection[BaselineKind]], *, version: int
) -> dict[str, PlayedSession]:
    """Return the hands that count of games, with their baselines, by game.

    Raises `LuckError` for baselines that do not fit the hands.
    """
    found: dict[str, PlayedSession] = {}
    for some in _parts(tuple(known)):
        dealt: defaultdict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
        query = select(
            hands.c.game_id, hands.c.dealer, hands.c.points0, hands.c.points1, hands.c.points2
        ).where(hands.c.game_id.in_(some), _COUNTS)
        for row in c.execute(query.order_by(hands.c.game_id, hands.c.hand)):
            dealt[row.game_id].append((row.dealer, row.points0, row.points1, row.points2))
        kept: defaultdict[str, dict[BaselineKind, bytes]] = defaultdict(dict)
        made = select(luck_baselines).where(
            luck_baselines.c.game_id.in_(some), luck_baselines.c.version == version
        )
        for row in c.execute(made):
            kept[row.game_id][BaselineKind(row.kind)] = row.terms
        for game in some:
            rows = np.array(dealt[game], dtype=np.int64).reshape(-1, 4)
            found[game] = PlayedSession(
                dealers=rows[:, 0],
                points=rows[:, 1:],
                baselines={
                    kind: from_bytes(kind, len(rows), terms) for kind, terms in kept[game].items()
                },
            )
    return found


def _parts(ids: Sequence[str]) -> Iterable[Sequence[str]]:
    return (ids[first : first + MOST_AT_ONCE] for first in range(0, len(ids), MOST_AT_ONCE))
