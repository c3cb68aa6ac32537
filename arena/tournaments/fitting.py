"""The fit of a tournament: kept while its results stay, and gone on with for live views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

from arena.ratings import (
    FittedGames,
    FittedSessions,
    Forfeits,
    GameColumns,
    GameResult,
    Meetings,
    Ranking,
    SessionColumns,
    SessionResult,
    fit_games,
    fit_sessions,
)
from arena.ratings.live import ranking_after
from arena.store import results
from arena.tournaments.correcting import Correction, LuckRead, correction
from arena.tournaments.results_read import ResultsRead
from euchre_sdk.game import Format, Session, ToTarget

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST_NEW = 200
"""Games that one step goes on with; with more a full fit is due anyway."""
MOST_ENTRIES = 3_000
"""Of a tournament whose fit is kept; the matrices of larger ones are more than 150 MB."""
CHOSEN_BY_RESULTS = frozenset({"ladder", "swiss"})
"""Policies that look at results before they say who meets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A ranking and what stands beside it."""

    ranking: Ranking
    corrected: Correction | None
    is_live: bool
    """Whether it is one step from a fit, with that fit's errors."""


@dataclass(slots=True, kw_only=True, eq=False)
class _LastFit:
    """A fit and everything made of it."""

    rated: tuple[str, ...]
    """The games in it."""
    fitted: FittedSessions | FittedGames
    ranked: dict[Forfeits, Ranked] = field(default_factory=dict)


class ReadBefore:
    """What was read and fitted of one tournament. Used by one thread at a time."""

    def __init__(self) -> None:
        self.sessions: ResultsRead[SessionResult] = ResultsRead()
        self.games: ResultsRead[GameResult] = ResultsRead()
        self.luck = LuckRead()
        self.last: _LastFit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which ranking is asked for."""

    tournament_id: str
    format: Format
    policy: str
    entries: tuple[str, ...]
    anchor: str | None
    rounds: int | None
    forfeits: Forfeits
    not_started: dict[str, int]
    live: bool
    """Whether one step from the last fit will do."""


def rank(c: Connection, asked: Asked, read: ReadBefore) -> Ranked:
    """Return the ranking of all results, or of those of the first `rounds` cycles."""
    rated = results.rated_games(c, asked.tournament_id, rounds=asked.rounds)
    last = read.last
    if last is not None and last.rated == rated and last.fitted.columns.entries == asked.entries:
        fitted = last.fitted
    else:
        if asked.live and last is not None:
            stepped = _stepped(c, asked, last, rated)
            if stepped is not None:
                return stepped
        fitted = _fitted(c, asked, read, rated)
        last = _LastFit(rated=rated, fitted=fitted)
        read.last = last if len(asked.entries) <= MOST_ENTRIES else None
    ranking = fitted.ranking(
        anchor=asked.anchor, forfeits=asked.forfeits, not_started=asked.not_started
    )
    corrected = None
    if isinstance(fitted, FittedSessions):
        corrected = correction(
            c,
            asked.tournament_id,
            fitted.columns,
            rounds=asked.rounds,
            anchor=asked.anchor,
            forfeits=asked.forfeits,
            meetings=fitted.meetings,
            read=read.luck,
        )
    ranked = Ranked(ranking=ranking, corrected=corrected, is_live=False)
    last.ranked[asked.forfeits] = ranked
    return ranked


def _stepped(c: Connection, asked: Asked, last: _LastFit, rated: tuple[str, ...]) -> Ranked | None:
    """Return the last ranking with the games that are new; None where only a full fit will do."""
    before = last.ranked.get(asked.forfeits)
    known = set(last.rated)
    new = [game for game in rated if game not in known]
    if before is None or len(new) > MOST_NEW or len(known) + len(new) != len(rated):
        return None
    more = _columns_of(c, asked, new)
    ranking = ranking_after(last.fitted, before.ranking, more)
    if ranking is None:
        return None
    lines = [
        replace(line, not_started=asked.not_started.get(line.entry, 0))
        for line in ranking.standings
    ]
    return replace(before, ranking=replace(ranking, standings=tuple(lines)), is_live=True)


def _fitted(
    c: Connection, asked: Asked, read: ReadBefore, rated: tuple[str, ...]
) -> FittedSessions | FittedGames:
    """Fit all results."""
    tid, rounds = asked.tournament_id, asked.rounds
    meetings = Meetings.BY_RESULTS if asked.policy in CHOSEN_BY_RESULTS else Meetings.FIXED
    match asked.format:
        case Session() as length:
            sessions = read.sessions.up_to_date(
                rated,
                lambda only: results.session_results(c, tid, length, rounds=rounds, only=only),
            )
            return fit_sessions(_session_columns(asked, sessions), meetings=meetings)
        case ToTarget():
            games = read.games.up_to_date(
                rated, lambda only: results.game_results(c, tid, rounds=rounds, only=only)
            )
            return fit_games(_game_columns(asked, games), meetings=meetings)
        case _:
            assert_never(asked.format)


def _columns_of(c: Connection, asked: Asked, only: Sequence[str]) -> SessionColumns | GameColumns:
    """Read the results of some games."""
    tid, rounds = asked.tournament_id, asked.rounds
    match asked.format:
        case Session() as length:
            sessions = results.session_results(c, tid, length, rounds=rounds, only=only)
            return _session_columns(asked, sessions)
        case ToTarget():
            return _game_columns(asked, results.game_results(c, tid, rounds=rounds, only=only))
        case _:
            assert_never(asked.format)


def _session_columns(asked: Asked, rows: Sequence[SessionResult]) -> SessionColumns:
    return SessionColumns.of(rows, entries=asked.entries)


def _game_columns(asked: Asked, rows: Sequence[GameResult]) -> GameColumns:
    return GameColumns.of(rows, entries=asked.entries)
