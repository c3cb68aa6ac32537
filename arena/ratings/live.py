"""Point estimates after a few more blocks, from a fit that was made before.

One step of Newton's method with the derivatives of that fit and of the new blocks: exact for the
linear model of sessions, and for Plackett-Luce as near as the step is small. The inverse
information is brought up to date by the identity of Sherman, Morrison and Woodbury (Hager, Updating
the inverse of a matrix, SIAM Review 31 (1989) 221-239), so that it costs n^2 and not n^3.

For live views only: intervals come from the next full fit, and so does whatever is final.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

import numpy as np

from arena.ratings.newton import Blocks, Fit, Floats, gather, gather_square


@unique
class Change(Enum):
    """What becomes of blocks."""

    ADDED = 1.0
    TAKEN_AWAY = -1.0


@dataclass(frozen=True, slots=True, eq=False)
class LiveFit:
    """Estimates of all parameters, and the inverse information that goes on from there."""

    parameters: Floats
    """(p,)"""
    inverse: Floats
    """(p, p)"""

    @classmethod
    def of(cls, fit: Fit) -> LiveFit:
        """Go on from a full fit."""
        return cls(fit.parameters, fit.inverse)

    def after(self, blocks: Blocks, change: Change = Change.ADDED) -> LiveFit:
        """Return it with some blocks more, or less. The entries must be those of the fit."""
        _, score = blocks.slope(self.parameters)
        information = change.value * blocks.information(self.parameters)
        touched, place = np.unique(blocks.index, return_inverse=True)
        index = place.reshape(blocks.index.shape)
        gained = change.value * gather(index, score, len(touched))
        more = gather_square(index, information, len(touched))
        columns = self.inverse[:, touched]
        core = np.linalg.solve(
            np.eye(len(touched)) + more @ columns[touched], np.column_stack([gained, more])
        )
        return LiveFit(
            self.parameters + columns @ core[:, 0],
            self.inverse - columns @ core[:, 1:] @ columns.T,
        )
