"""Covariances of ratings: of strengths about the mean of their group, in Elo."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arena.ratings.covariance import Covariance
from arena.ratings.square import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatingCovariance:
    """Of the lines of a table, n of them."""

    strengths: Covariance
    entries: Ints
    """(n,): the number of each line's entry."""
    group: Ints
    """(n,): by entry; across groups every covariance is 0."""
    with_mean: Floats
    """(n,): by entry, the covariance of its strength with the mean of its group."""
    of_mean: Floats
    """(n,): by entry, the variance of that mean."""
    elo_per_unit: Floats
    """(n,): by entry."""
    variances: Floats
    """(n,): of each line, Elo squared."""

    @classmethod
    def of(
        cls, strengths: Covariance, group: Ints, entries: Ints, elo_per_unit: Floats
    ) -> RatingCovariance:
        """Centre the strengths. Who met nobody keeps the variance of the prior."""
        n = len(group)
        with_mean, of_mean = np.zeros(n), np.zeros(n)
        order = np.argsort(group, kind="stable")
        for members in np.split(order, np.cumsum(np.bincount(group))[:-1]) if n else ():
            if len(members) > 1:
                with_mean[members] = strengths.row_sums(members) / len(members)
                of_mean[members] = with_mean[members].mean()
        own = strengths.between(np.arange(n), np.arange(n)) - 2.0 * with_mean + of_mean
        return cls(
            strengths=strengths,
            entries=entries,
            group=group,
            with_mean=with_mean,
            of_mean=of_mean,
            elo_per_unit=elo_per_unit,
            variances=(np.maximum(0.0, own) * elo_per_unit**2)[entries],
        )

    def of_lines(self, entries: Ints, factor: Floats) -> RatingCovariance:
        """Return those of a table with these entries, (n,), each deviation times its factor."""
        return replace(
            self,
            entries=entries,
            elo_per_unit=self.elo_per_unit * factor,
            variances=(self.variances * factor**2)[entries],
        )

    def reordered(self, lines: Ints) -> RatingCovariance:
        """Return those of a table whose lines are these of this one, (n,)."""
        return replace(self, entries=self.entries[lines], variances=self.variances[lines])

    def between(self, first: Ints, second: Ints) -> Floats:
        """Return the covariances of pairs of lines, (m,), Elo squared."""
        i, j = self.entries[first], self.entries[second]
        raw = self.strengths.between(i, j)
        centred = raw - self.with_mean[i] - self.with_mean[j] + self.of_mean[i]
        scaled = centred * self.elo_per_unit[i] * self.elo_per_unit[j]
        return np.where(self.group[i] == self.group[j], scaled, 0.0)

    def dense(self) -> Floats:
        """Return all of them, (n, n)."""
        every = np.arange(len(self.entries))
        first, second = np.meshgrid(every, every, indexing="ij")
        return self.between(first.ravel(), second.ravel()).reshape(first.shape)
