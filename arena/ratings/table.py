"""From strengths to the published table: the Elo scale, errors, groups and order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arena.errors import ArenaBugError
from arena.ratings.elo import ANCHOR_ELO
from arena.ratings.forfeits import Penalised
from arena.ratings.newton import Bools
from arena.ratings.ranking import Model, Ranking, Standing, welch_degrees
from arena.ratings.rating_covariance import RatingCovariance
from arena.ratings.sandwich import Uncertainty
from arena.ratings.square import Floats, Ints
from arena.ratings.student import reach_95
from arena.ratings.tally import Tally


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rated:
    """Everything known of the entries, (n,) each, in the order of their numbers."""

    elo_per_unit: float
    strength: Floats
    """Of the fit, without forfeits: what the scale is held at."""
    penalised: Penalised
    uncertainty: Uncertainty
    met: Ints
    """Groups of those who met, in which strengths have a common scale."""
    group: Ints
    """Groups of the table: `met`, or who joined one by forfeits only."""
    one_sided: Bools
    unfinished: Ints
    tally: Tally


def ranking(
    model: Model,
    entries: tuple[str, ...],
    rated: Rated,
    not_started: Mapping[str, int],
    anchor: str | None,
) -> Ranking:
    """Put the table together."""
    held = entries.index(anchor) if anchor in entries else None
    base = _base(rated, held)
    elo = ANCHOR_ELO + rated.elo_per_unit * (rated.penalised.strength - base)
    everybody = np.arange(len(entries))
    scale = np.full(len(entries), rated.elo_per_unit)
    fitted = RatingCovariance.of(rated.uncertainty.covariance, rated.met, everybody, scale)
    error = _errors(rated, fitted, held)
    place_of_group = _group_order(rated.group, held)
    order = np.lexsort((everybody, -elo, place_of_group[rated.group]))
    standings: list[Standing] = []
    rank = 0
    for number in order:
        group = int(place_of_group[rated.group[number]])
        rank = rank + 1 if standings and standings[-1].group == group else 1
        standings.append(
            Standing(
                rank=rank,
                entry=entries[number],
                elo=float(elo[number]),
                elo_error=float(error[number]),
                points_per_hand=float(rated.tally.points_per_hand[number]),
                points_error=float(rated.tally.points_error[number]),
                hands=int(rated.tally.hands[number]),
                blocks=int(rated.tally.blocks[number]),
                places=_triple(rated.tally.places[number]),
                forfeits=int(rated.tally.forfeits[number]),
                unfinished=int(rated.unfinished[number]),
                not_started=not_started.get(entries[number], 0),
                group=group,
                anchored=held is not None and bool(rated.group[number] == rated.group[held]),
                one_sided=bool(rated.one_sided[number]),
            )
        )
    result = Ranking(
        model=model,
        standings=tuple(standings),
        anchor=None if held is None else anchor,
        covariance=fitted.of_lines(order, rated.penalised.factor),
        degrees=rated.uncertainty.degrees[order],
    )
    if not np.isfinite(elo).all():
        msg = "The fit of the ratings gave a rating that is not finite."
        raise ArenaBugError(msg)
    return result


def _base(rated: Rated, held: int | None) -> Floats:
    """Return the strength that stands at 1500 for each entry: the anchor's, or its group's mean."""
    total = np.bincount(rated.met, weights=rated.strength)
    size = np.bincount(rated.met)
    mean = np.divide(total, size, out=np.zeros(len(size)), where=size > 0)
    if held is not None:
        mean[rated.group[held]] = rated.strength[held]
    base: Floats = mean[rated.group]
    return base


def _errors(rated: Rated, fitted: RatingCovariance, held: int | None) -> Floats:
    """Return half-widths of 95 % intervals, in Elo, of the difference to what is held at 1500."""
    factor, degrees = rated.penalised.factor, rated.uncertainty.degrees
    own = fitted.variances
    variance, free = factor**2 * own, degrees.copy()
    alone = np.bincount(rated.group)[rated.group] == 1
    variance[alone] = np.inf
    if held is not None:
        anchored = np.flatnonzero(rated.group == rated.group[held])
        with_held = fitted.between(anchored, np.full(len(anchored), held))
        part = factor[anchored]
        difference = part**2 * own[anchored] + own[held] - 2.0 * part * with_held
        variance[anchored] = np.maximum(0.0, difference)
        free[anchored] = welch_degrees(own[anchored], own[held], degrees[anchored], degrees[held])
        variance[held] = (1.0 - factor[held]) ** 2 * own[held]
    errors: Floats = reach_95(free) * np.sqrt(variance)
    return errors


def _group_order(group: Ints, held: int | None) -> Ints:
    """Return each group's place in the table: the anchored first, then by size and first id."""
    label, first, size = np.unique(group, return_index=True, return_counts=True)
    anchored = np.zeros(len(label), dtype=bool) if held is None else label == group[held]
    place = np.zeros(int(label.max(initial=0)) + 1, dtype=np.int64)
    place[label[np.lexsort((first, -size, ~anchored))]] = np.arange(len(label))
    return place


def _triple(values: Ints) -> tuple[int, int, int]:
    first, second, third = values.tolist()
    return first, second, third
