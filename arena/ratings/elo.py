"""The Elo scale, and how strengths of both models come to stand on it.

A difference of 400 is odds of 10 : 1 for finishing ahead. Source: Elo, The Rating of Chessplayers,
Past and Present, 2nd ed. 1986 (the logistic form).
"""

from __future__ import annotations

import math

ANCHOR_ELO = 1500.0
"""The anchor's rating; without an anchor, the mean of a group."""

ELO_PER_LOGIT = 400.0 / math.log(10.0)
"""Elo per unit of a natural log odds: the strengths of Plackett-Luce. Exact, by definition."""

ELO_PER_POINT = 795.0
"""Elo per point a hand: the strengths of the model of sessions.

Makes a rating from sessions predict who finishes ahead in a game to 10 (rule set `standard`).
Fitted by benchmarks/fit_elo_scale.py on `heuristic@1` graded by random decisions: 795 from 240,000
hands and 12,000 games; over a range of 487 Elo no difference was off by more than 7.
Stated valid for differences of up to `VALID_ELO`.
"""

VALID_ELO = 600.0
"""Differences beyond this are an extrapolation of ELO_PER_POINT, right in order only."""


def expected_score(elo_diff: float) -> float:
    """Return the probability, in (0, 1), of finishing ahead of one who is weaker by `elo_diff`.

    Ties apart. Symmetric: f(d) + f(-d) == 1.

    >>> round(expected_score(400.0), 3)
    0.909
    """
    return 1.0 / (1.0 + math.exp(-elo_diff / ELO_PER_LOGIT))
