"""From columns to a ranking: the two batch fits."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from arena.ratings import forfeits as forfeited
from arena.ratings.columns import GameColumns, SessionColumns
from arena.ratings.elo import ELO_PER_LOGIT, ELO_PER_POINT
from arena.ratings.groups import groups, joined_by_forfeits, outside_main_part
from arena.ratings.linear import HAND_VARIANCE, SessionBlocks, SessionPrior
from arena.ratings.newton import Bools, Ints, fit
from arena.ratings.plackett_luce import GameBlocks, GamePrior
from arena.ratings.ranking import Forfeits, Model, Ranking
from arena.ratings.sandwich import uncertainty
from arena.ratings.table import Rated, ranking
from arena.ratings.tally import tally

USUAL_POINTS = 0.8
"""Mean points of a seat in a hand, three equal bots, rule set `standard`; while no hand counts."""


def rank_sessions(
    columns: SessionColumns,
    *,
    anchor: str | None = None,
    forfeits: Forfeits = Forfeits.COUNTED,
) -> Ranking:
    """Rate sessions by the linear model of points in a hand.

    `anchor`: the entry held at 1500 if it has met the others. One that is not entered is no fault:
    the ranking then says that nobody is anchored.
    """
    n = len(columns.entries)
    blocks = SessionBlocks.of(columns)
    found = fit(blocks, SessionPrior(n), np.zeros(2 * n + 3))
    hands = columns.hands.sum(axis=1)
    met = group = groups(n, columns.seats[hands > 0])
    spread = uncertainty(
        blocks.index,
        found,
        weight=blocks.hands,
        one_sided=np.zeros(n, dtype=bool),
        usual_dispersion=HAND_VARIANCE,
    )
    strength = found.parameters[:n]
    points = columns.points.sum(axis=2)
    counted = np.repeat(hands[:, None], 3, axis=1)
    match forfeits:
        case Forfeits.COUNTED:
            total = int(hands.sum())
            mean_points = float(points.sum()) / (3 * total) if total else USUAL_POINTS
            penalised = forfeited.in_sessions(
                strength, columns.seats, columns.scheduled, columns.offenders, mean_points
            )
            group = joined_by_forfeits(met, columns.seats, columns.offenders)
            points = np.where(columns.offenders, 0, points)
            counted = np.where(columns.offenders, columns.scheduled[:, None], counted)
        case Forfeits.LEFT_OUT:
            penalised = forfeited.unpenalised(strength)
        case _:
            assert_never(forfeits)
    rated = Rated(
        elo_per_unit=ELO_PER_POINT,
        strength=strength,
        penalised=penalised,
        uncertainty=spread,
        met=met,
        group=group,
        one_sided=np.zeros(n, dtype=bool),
        unfinished=np.zeros(n, dtype=np.int64),
        tally=tally(
            n=n,
            seats=columns.seats,
            block=columns.block,
            hands=np.repeat(hands[:, None], 3, axis=1),
            points=points,
            counted=counted,
            places=columns.places,
            offenders=columns.offenders,
        ),
    )
    return ranking(Model.SESSIONS, columns.entries, rated, columns.not_started, anchor)


def rank_games(
    columns: GameColumns,
    *,
    anchor: str | None = None,
    forfeits: Forfeits = Forfeits.COUNTED,
) -> Ranking:
    """Rate games to the target by Plackett-Luce on places.

    `anchor`: the entry held at 1500 if it has met the others. One that is not entered is no fault:
    the ranking then says that nobody is anchored.
    """
    n = len(columns.entries)
    blocks = GameBlocks.of(columns)
    found = fit(blocks, GamePrior(n), blocks.start(n))
    unfinished = (columns.places == 0).all(axis=1)
    decided = ~columns.offenders.any(axis=1) & ~unfinished
    met = group = groups(n, columns.seats[decided])
    one_sided = outside_main_part(n, _who_was_ahead(columns, decided), met)
    spread = uncertainty(
        blocks.index, found, weight=blocks.games, one_sided=one_sided, usual_dispersion=1.0
    )
    points = columns.points
    match forfeits:
        case Forfeits.COUNTED:
            penalised = forfeited.in_games(
                found.parameters, blocks, n, columns.seats, columns.offenders
            )
            group = joined_by_forfeits(met, columns.seats, columns.offenders)
            one_sided = one_sided | (group != met)
            points = np.where(columns.offenders, 0, points)
        case Forfeits.LEFT_OUT:
            penalised = forfeited.unpenalised(found.parameters[:n])
        case _:
            assert_never(forfeits)
    hands = np.repeat(columns.hands[:, None], 3, axis=1)
    rated = Rated(
        elo_per_unit=ELO_PER_LOGIT,
        strength=found.parameters[:n],
        penalised=penalised,
        uncertainty=spread,
        met=met,
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
    return ranking(Model.GAMES, columns.entries, rated, columns.not_started, anchor)


def _who_was_ahead(columns: GameColumns, decided: Bools) -> Ints:
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
