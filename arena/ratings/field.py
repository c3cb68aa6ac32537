"""How wide a field is, for tournaments in which results choose who meets.

A schedule that looks at results leaves alone whoever luck has set apart and plays on with whoever
luck has brought together: estimates come out too far apart, and no interval by itself knows it. The
likelihood does not care how blocks were chosen, though, so the posterior under a true prior is
right whatever the schedule did. That prior is estimated: strengths are normal about the field's
mean, their variance what makes the results most probable (empirical Bayes), the width's own error
counted in. Source: MacKay, Bayesian interpolation, Neural Computation 4 (1992) 415-447, section 4.4
(the iteration); Kass and Steffey, Journal of the American Statistical Association 84 (1989) 717-726
(the variance for an estimated width). Scores vary `dispersion` times as much as the model says.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arena.ratings.newton import Fit
from arena.ratings.sandwich import FieldPrior

USUAL_ELO = 90.0
"""Standard deviation of a usual field, in Elo."""
USUAL_ENTRIES = 2.0
"""For how many entries of a known strength that counts beside the field itself."""
_MOST_STEPS = 25
_SETTLED = 1e-3
"""Relative change of the width's square at which it is left."""

Refit = Callable[[float], Fit]
"""Fits again, with this precision of strengths under the prior."""


def with_field_prior(
    first: Fit, refit: Refit, *, entries: int, dispersion: float, elo_per_unit: float
) -> tuple[Fit, FieldPrior]:
    """Return the fit under the prior that suits the field, and that prior.

    `first`: a fit under a weak prior.
    """
    usual = (USUAL_ELO / elo_per_unit) ** 2
    found = first
    # The weak prior says next to nothing: begin with what the first fit looks like.
    square = (float((first.parameters[:entries] ** 2).sum()) + USUAL_ENTRIES * usual) / (
        entries + USUAL_ENTRIES
    )
    known, precision = 0.0, 0.0
    for _ in range(_MOST_STEPS):
        precision = dispersion / square
        found = refit(precision)
        known = entries - precision * float(np.trace(found.inverse[:entries, :entries]))
        total = float((found.parameters[:entries] ** 2).sum()) + USUAL_ENTRIES * usual
        before, square = square, total / (known + USUAL_ENTRIES)
        if abs(square - before) < _SETTLED * before:
            break
    return found, FieldPrior(precision=precision, width_variance=2.0 / (known + USUAL_ENTRIES))
