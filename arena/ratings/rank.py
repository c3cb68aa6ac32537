"""From columns to a ranking: the two batch fits.

`fit_sessions` and `fit_games` fit once; what they return makes rankings with forfeits counted or
left out, as forfeits are no part of the fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique
from functools import partial
from typing import assert_never

import numpy as np

from arena.ratings import forfeits as forfeited
from arena.ratings import linear
from arena.ratings.columns import GameColumns, SessionColumns
from arena.ratings.elo import ELO_PER_LOGIT, ELO_PER_POINT
from arena.ratings.field import with_field_prior
from arena.ratings.groups import groups, joined_by_forfeits, outside_main_part
from arena.ratings.linear import HAND_VARIANCE, SessionBlocks
from arena.ratings.newton import Bools, Fit, fit
from arena.ratings.plackett_luce import GameBlocks, GamePrior
from arena.ratings.ranking import Forfeits, Model, Ranking
from arena.ratings.sandwich import FieldPrior, Uncertainty, dispersion_of, uncertainty
from arena.ratings.square import Floats, Ints
from arena.ratings.table import Rated, ranking
from arena.ratings.tally import tally

USUAL_POINTS = 0.8
"""Mean points of a seat in a hand, three equal bots, rule set `standard`; while no hand counts."""
_ENOUGH = 32
"""So many games for each entry join nearly every field."""


@unique
class Meetings(Enum):
    """What decides who meets whom; see `field` for why the fit must know."""

    FIXED = "fixed"
    """The schedule alone."""
    BY_RESULTS = "by-results"
    """The results so far, as in a ladder or a Swiss."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedSessions:
    """Sessions with their fit."""

    columns: SessionColumns
    meetings: Meetings
    blocks: SessionBlocks
    fit: Fit
    spread: Uncertainty
    met: Ints

    def ranking(
        self,
        *,
        anchor: str | None = None,
        forfeits: Forfeits = Forfeits.COUNTED,
        not_started: Mapping[str, int] | None = None,
    ) -> Ranking:
        """Return the table.

        `anchor`: the entry held at 1500 if it has met the others. One that is not entered is no
        fault: the ranking then says that nobody is anchored.
        `not_started`: another count than that of the columns.
        """
        columns, n = self.columns, len(self.columns.entries)
        strength, group = self.fit.parameters[:n], self.met
        points = columns.points.sum(axis=2)
        hands = columns.hands.sum(axis=1)
        played = np.broadcast_to(hands[:, None], (len(hands), 3))
        counted = played
        match forfeits:
            case Forfeits.COUNTED:
                total = int(hands.sum())
                mean_points = float(points.sum()) / (3 * total) if total else USUAL_POINTS
                penalised = forfeited.in_sessions(
                    strength, columns.seats, columns.scheduled, columns.offenders, mean_points
                )
                if columns.offenders.any():
                    group = joined_by_forfeits(self.met, columns.seats, columns.offenders)
                    points = np.where(columns.offenders, 0, points)
                    counted = np.where(columns.offenders, columns.scheduled[:, None], played)
            case Forfeits.LEFT_OUT:
                penalised = forfeited.unpenalised(strength)
            case _:
                assert_never(forfeits)
        rated = Rated(
            elo_per_unit=ELO_PER_POINT,
            strength=strength,
            penalised=penalised,
            uncertainty=self.spread,
            met=self.met,
            group=group,
            one_sided=np.zeros(n, dtype=bool),
            unfinished=np.zeros(n, dtype=np.int64),
            tally=tally(
                n=n,
                seats=columns.seats,
                block=columns.block,
                hands=played,
                points=points,
                counted=counted,
                places=columns.places,
                offenders=columns.offenders,
            ),
        )
        missed = columns.not_started if not_started is None else not_started
        return ranking(Model.SESSIONS, columns.entries, rated, missed, anchor)


def fit_sessions(columns: SessionColumns, *, meetings: Meetings = Meetings.FIXED) -> FittedSessions:
    """Rate sessions by the linear model of points in a hand."""
    n = len(columns.entries)
    blocks = SessionBlocks.of(columns)
    found = linear.fit_sessions(blocks, n)
    field: FieldPrior | None = None
    if meetings is Meetings.BY_RESULTS and n:
        found, field = with_field_prior(
            found,
            partial(linear.fit_sessions, blocks, n),
            entries=n,
            dispersion=dispersion_of(blocks, found, HAND_VARIANCE),
            elo_per_unit=ELO_PER_POINT,
        )
    spread = uncertainty(blocks, found, blocks.hands, np.zeros(n, dtype=bool), HAND_VARIANCE, field)
    met = groups(n, columns.seats[columns.hands.any(axis=1)])
    return FittedSessions(
        columns=columns, meetings=meetings, blocks=blocks, fit=found, spread=spread, met=met
    )


def rank_sessions(
    columns: SessionColumns,
    *,
    anchor: str | None = None,
    forfeits: Forfeits = Forfeits.COUNTED,
    meetings: Meetings = Meetings.FIXED,
) -> Ranking:
    """Fit sessions and return the table."""
    return fit_sessions(columns, meetings=meetings).ranking(anchor=anchor, forfeits=forfeits)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedGames:
    """Games to the target with their fit."""

    columns: GameColumns
    blocks: GameBlocks
    prior: GamePrior
    fit: Fit
    spread: Uncertainty
    met: Ints
    one_sided: Bools

    def ranking(
        self,
        *,
        anchor: str | None = None,
        forfeits: Forfeits = Forfeits.COUNTED,
        not_started: Mapping[str, int] | None = None,
    ) -> Ranking:
        """Return the table; `anchor` as in `FittedSessions.ranking`."""
        columns, n = self.columns, len(self.columns.entries)
        strength: Floats = self.fit.parameters[:n]
        group, one_sided, points = self.met, self.one_sided, columns.points
        penalised = forfeited.unpenalised(strength)
        match forfeits:
            case Forfeits.COUNTED:
                if columns.offenders.any():
                    penalised = forfeited.in_games(
                        self.fit.parameters,
                        self.blocks,
                        self.prior,
                        n,
                        columns.seats,
                        columns.offenders,
                    )
                    group = joined_by_forfeits(self.met, columns.seats, columns.offenders)
                    one_sided = one_sided | (group != self.met)
                    points = np.where(columns.offenders, 0, points)
            case Forfeits.LEFT_OUT:
                pass
            case _:
                assert_never(forfeits)
        hands = np.broadcast_to(columns.hands[:, None], (len(columns.hands), 3))
        unfinished = (columns.places == 0).all(axis=1)
        rated = Rated(
            elo_per_unit=ELO_PER_LOGIT,
            strength=strength,
            penalised=penalised,
            uncertainty=self.spread,
            met=self.met,
            group=group,
            one_sided=one_sided,
            unfinished=np.bincount(columns.seats[unfinished].ravel(), minlength=n),
            tally=tally(
                n=n,
                seats=columns.seats,
                block=columns.block,
                hands=hands,
                points=points,
                counted=hands,
                places=columns.places,
                offenders=columns.offenders,
            ),
        )
        missed = columns.not_started if not_started is None else not_started
        return ranking(Model.GAMES, columns.entries, rated, missed, anchor)


def fit_games(columns: GameColumns, *, meetings: Meetings = Meetings.FIXED) -> FittedGames:
    """Rate games to the target by Plackett-Luce on places."""
    n = len(columns.entries)
    blocks = GameBlocks.of(columns)
    prior = GamePrior(n)
    found = fit(blocks, prior, blocks.start(n), common=blocks.ties)
    field: FieldPrior | None = None
    if meetings is Meetings.BY_RESULTS and n:
        first = found

        def refit(precision: float) -> Fit:
            return fit(blocks, GamePrior(n, precision), first.parameters, common=blocks.ties)

        found, field = with_field_prior(
            first,
            refit,
            entries=n,
            dispersion=dispersion_of(blocks, first, 1.0),
            elo_per_unit=ELO_PER_LOGIT,
        )
        prior = GamePrior(n, field.precision)
    decided = ~columns.offenders.any(axis=1) & (columns.places > 0).any(axis=1)
    met = groups(n, columns.seats[decided])
    one_sided = _one_sided(n, columns, np.flatnonzero(decided), met)
    return FittedGames(
        columns=columns,
        blocks=blocks,
        prior=prior,
        fit=found,
        spread=uncertainty(blocks, found, blocks.games, one_sided, 1.0, field),
        met=met,
        one_sided=one_sided,
    )


def rank_games(
    columns: GameColumns,
    *,
    anchor: str | None = None,
    forfeits: Forfeits = Forfeits.COUNTED,
    meetings: Meetings = Meetings.FIXED,
) -> Ranking:
    """Fit games to the target and return the table."""
    return fit_games(columns, meetings=meetings).ranking(anchor=anchor, forfeits=forfeits)


def _one_sided(n: int, columns: GameColumns, decided: Ints, met: Ints) -> Bools:
    """Tell who is outside the main part of its group.

    More games join more: where nobody is outside after some of them, nobody is.
    """
    outside = np.zeros(n, dtype=bool)
    for rows in (decided[: _ENOUGH * n], decided):
        outside = outside_main_part(n, _who_was_ahead(columns, rows), met)
        if not outside.any():
            break
    return outside


def _who_was_ahead(columns: GameColumns, decided: Ints) -> Ints:
    """Return rows (better, worse) of entry numbers; a tie counts both ways.

    Of first and third nothing is said: the first was ahead of the second, and that of the third.
    """
    order = np.argsort(columns.places[decided], axis=1, kind="stable")
    seats = np.take_along_axis(columns.seats[decided], order, axis=1)
    places = np.take_along_axis(columns.places[decided], order, axis=1)
    rows = []
    for better, worse in ((0, 1), (1, 2)):
        rows.append(seats[:, [better, worse]])
        tied = places[:, better] == places[:, worse]
        rows.append(seats[tied][:, [worse, better]])
    return np.concatenate(rows)
