"""Student's t distribution, for intervals of 95 % and likelihoods of superiority.

These are the functions that `scipy.stats.t` calls; importing that costs half a second more.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from arena.ratings.square import Floats


def reach_95(degrees: Floats | float) -> Floats:
    """Return how many standard errors a two-sided interval of 95 % reaches to either side."""
    return np.asarray(special.stdtrit(degrees, 0.975), dtype=np.float64)


def probability_below(standard_errors: Floats | float, degrees: Floats | float) -> Floats:
    """Return the probability of a smaller value, for one given in standard errors."""
    return np.asarray(special.stdtr(degrees, standard_errors), dtype=np.float64)
