"""Ratings without the luck of the cards, beside the raw ones: of sessions only.

Places of games are never altered, so a tournament of games to the target has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from arena.luck import BaselineKind, PlayedSession, value_model, without_luck
from arena.ratings import Forfeits, Meetings, SessionColumns, Standing, rank_sessions
from arena.store.baselines import kinds_known, played_sessions
from arena.tournaments.standings import Corrected

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST_KEPT = 10_000
"""Sessions of a tournament whose hands are remembered, some 3 KB each; others are read anew."""
MOST_CORRECTED = 50_000
"""Sessions of a tournament that is corrected, at most: more are some 150 MB at once."""

Kinds = frozenset[BaselineKind]


class LuckRead:
    """Hands and baselines of one tournament that were read before."""

    def __init__(self) -> None:
        self._by_game: dict[str, tuple[Kinds, PlayedSession]] = {}

    def up_to_date(
        self, c: Connection, known: Mapping[str, Kinds], *, version: int
    ) -> list[PlayedSession]:
        """Return the hands of all these games, in their order; read those that have changed."""
        kept = {
            game: had
            for game, kinds in known.items()
            if (had := self._by_game.get(game)) is not None and had[0] == kinds
        }
        missing = {game: kinds for game, kinds in known.items() if game not in kept}
        for game, session in played_sessions(c, missing, version=version).items():
            kept[game] = known[game], session
        self._by_game = kept if len(kept) <= MOST_KEPT else {}
        return [kept[game][1] for game in known]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A tournament's ratings without luck."""

    saving_factor: float
    """Of all its hands."""
    standings: Mapping[str, Standing]
    """By entry."""
    factors: Mapping[str, float]
    """By entry."""

    def of(self, entry: str) -> Corrected | None:
        """Return what the table says of an entry; None if it played no hand that counts."""
        standing = self.standings[entry]
        if not standing.hands:
            return None
        return Corrected(
            elo=standing.elo,
            elo_error=standing.elo_error,
            points_per_hand=standing.points_per_hand,
            points_error=standing.points_error,
            saving_factor=self.factors[entry],
        )


def correction(
    c: Connection,
    tournament_id: str,
    sessions: SessionColumns,
    *,
    rounds: int | None,
    anchor: str | None,
    forfeits: Forfeits,
    meetings: Meetings,
    read: LuckRead,
) -> Correction | None:
    """Return the ratings without luck; None while nothing, or too little, is known of it.

    `sessions`: the results of the rated games, read in the same transaction.
    """
    version = value_model().version
    known = kinds_known(c, tournament_id, version=version, rounds=rounds)
    if not any(known.values()) or len(known) > MOST_CORRECTED:
        return None
    played = read.up_to_date(c, known, version=version)
    found = without_luck(played, sessions.block)
    if np.allclose(found.points, sessions.points):
        return None
    ranking = rank_sessions(
        replace(sessions, points=found.points),
        anchor=anchor,
        forfeits=forfeits,
        meetings=meetings,
    )
    each, whole = found.factors(sessions.seats, len(sessions.entries))
    return Correction(
        saving_factor=whole,
        standings={standing.entry: standing for standing in ranking.standings},
        factors=dict(zip(sessions.entries, each.tolist(), strict=True)),
    )
