"""A ranking after a few more blocks, from a fit that was made before.

One step of Newton's method with the derivatives of that fit and of the new blocks: exact for the
linear model of sessions, and for Plackett-Luce as near as the step is small. As few entries have
new blocks, the identity of Sherman, Morrison and Woodbury (Hager, Updating the inverse of a matrix,
SIAM Review 31 (1989) 221-239) makes it a small system and a few columns of the inverse. All blocks
since the fit are counted at once, so that their order does not matter.

For live views only: intervals come from the next full fit, and so does whatever is final.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arena.ratings.columns import GameColumns, SessionColumns
from arena.ratings.elo import ELO_PER_LOGIT, ELO_PER_POINT
from arena.ratings.linear import POSITIONS, SessionBlocks
from arena.ratings.newton import Blocks, Fit, gather
from arena.ratings.plackett_luce import GameBlocks
from arena.ratings.rank import FittedGames, FittedSessions
from arena.ratings.ranking import Ranking, Standing
from arena.ratings.square import Floats, Ints, gather_square

_LONGEST_STEP = 6.0
"""In games, so many Elo from the fit one step is right to a tenth; its error grows as a square."""


def parameters_after(fit: Fit, blocks: Blocks, entries: int, *, common: int) -> Floats:
    """Return the parameters of a fit, (p,), with some blocks of the same entries more."""
    size = entries + common
    parameters = fit.parameters[:size]
    _, score = blocks.slope(parameters)
    several = np.broadcast_to(entries + np.arange(common)[:, None], (common, score.shape[1]))
    touched, place = np.unique(np.vstack([blocks.trio, several]), return_inverse=True)
    index = place.reshape(3 + common, -1)
    gained = gather(index, score, len(touched))
    more = gather_square(index, blocks.information(parameters), len(touched))
    columns = fit.inverse[:, touched]
    core = np.linalg.solve(np.eye(len(touched)) + more @ columns[touched], gained)
    after: Floats = parameters + columns @ core
    return after


def ranking_after(
    fitted: FittedSessions | FittedGames, ranking: Ranking, more: SessionColumns | GameColumns
) -> Ranking | None:
    """Return a ranking of this fit with whole new blocks more; errors stay as they were.

    None where only a full fit will do: if somebody is new, forfeited, or may come to stand with
    another group, if a game is unfinished or a session has no mirror, if a new kind of tie came up,
    or if somebody has moved too far.
    """
    entries, met = fitted.columns.entries, fitted.met
    together = met[more.seats] == met[more.seats[:, :1]]
    usual = np.bincount(met)[met[more.seats]] > 1
    if more.entries != entries or more.offenders.any() or not (together & usual).all():
        return None
    n = len(entries)
    match fitted, more:
        case FittedSessions(), SessionColumns():
            sessions = SessionBlocks.of(more)
            if sessions.entangled:
                return None
            after = parameters_after(fitted.fit, sessions, n, common=POSITIONS)
            scale = ELO_PER_POINT
            hands, points = more.hands.sum(axis=1), more.points.sum(axis=2)
        case FittedGames(), GameColumns():
            if fitted.one_sided.any() or (more.places == 0).any():
                return None
            try:
                games = GameBlocks.of(more, kinds=fitted.blocks.kinds)
            except ValueError:
                return None
            after = parameters_after(fitted.fit, games, n, common=games.ties)
            scale = ELO_PER_LOGIT
            if scale * np.abs(after - fitted.fit.parameters)[:n].max() > _LONGEST_STEP:
                return None
            hands, points = more.hands, more.points
        case _:
            msg = "A fit of one format goes on with results of the same."
            raise TypeError(msg)
    moved = after[:n] - fitted.fit.parameters[:n]
    held = entries.index(ranking.anchor) if ranking.anchor is not None else None
    base = np.bincount(met, moved) / np.maximum(1, np.bincount(met))
    lines = []
    for line, number in zip(ranking.standings, ranking.covariance.entries.tolist(), strict=True):
        shift = moved[held] if held is not None and line.anchored else base[met[number]]
        # The scale of an entry includes what its forfeits do to it.
        own = ranking.covariance.elo_per_unit[number] * moved[number]
        lines.append(replace(line, elo=line.elo + float(own - scale * shift)))
    lines = _counted(lines, more, hands, points)
    return _in_order(ranking, lines)


def _counted(
    lines: Sequence[Standing],
    more: SessionColumns | GameColumns,
    hands: Ints,
    points: Ints | Floats,
) -> list[Standing]:
    """Count new results into the lines of those who played them."""
    at = {line.entry: place for place, line in enumerate(lines)}
    counted = list(lines)
    blocks: set[tuple[int, int]] = set()
    for row in range(len(more.block)):
        for seat in range(3):
            entry, place = int(more.seats[row, seat]), int(more.places[row, seat])
            line = counted[at[more.entries[entry]]]
            block = (entry, int(more.block[row]))
            both = line.hands + int(hands[row])
            # Hands a forfeit left unplayed are known to the full fit alone.
            usual = line.points_per_hand
            if both and not line.forfeits:
                usual = (usual * line.hands + float(points[row, seat])) / both
            first, second, third = (line.places[k] + (place == k + 1) for k in range(3))
            counted[at[line.entry]] = replace(
                line,
                hands=both,
                blocks=line.blocks + (block not in blocks),
                points_per_hand=usual,
                places=(first, second, third),
            )
            blocks.add(block)
    return counted


def _in_order(ranking: Ranking, lines: Sequence[Standing]) -> Ranking:
    """Return the ranking with other values in its lines, these in order again."""
    order = sorted(range(len(lines)), key=lambda at: _place(lines[at]))
    ranked: list[Standing] = []
    rank = 0
    for at in order:
        rank = rank + 1 if ranked and ranked[-1].group == lines[at].group else 1
        ranked.append(replace(lines[at], rank=rank))
    at_last = np.array(order, dtype=np.int64)
    return replace(
        ranking,
        standings=tuple(ranked),
        covariance=ranking.covariance.reordered(at_last),
        degrees=ranking.degrees[at_last],
    )


def _place(line: Standing) -> tuple[int, float, str]:
    return line.group, -line.elo, line.entry
