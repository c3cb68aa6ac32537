"""The balance report: how often everybody met, sat and neighboured, as played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from arena.scheduling.block import EntryId, Sitting
from euchre_sdk.game import SEATS, Seat


@dataclass(frozen=True, slots=True)
class Spread:
    """The least and the greatest of a set of counts."""

    least: int
    most: int

    @property
    def even(self) -> bool:
        """Whether all counts are the same."""
        return self.least == self.most


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Counts over games or sessions. Every possible key is present, with 0 if it never occurred."""

    meetings: Mapping[tuple[EntryId, EntryId], int]
    """How often a pair sat at one table; the smaller id first."""
    seats: Mapping[tuple[EntryId, Seat], int]
    """How often an entry sat on a seat."""
    neighbours: Mapping[tuple[EntryId, EntryId], int]
    """How often the second of the pair sat at the first one's left."""

    @classmethod
    def of(cls, entries: Sequence[EntryId], sittings: Iterable[Sitting]) -> Balance:
        """Count what is played among these entries."""
        everybody = sorted(entries)
        meetings = Counter(dict.fromkeys(combinations(everybody, 2), 0))
        seats = Counter({(entry, seat): 0 for entry in everybody for seat in SEATS})
        neighbours = Counter(dict.fromkeys(permutations(everybody, 2), 0))
        for sitting in sittings:
            first, second, third = sitting.seats
            meetings.update(combinations(sorted(sitting.seats), 2))
            seats.update(zip(sitting.seats, SEATS, strict=True))
            neighbours.update([(first, second), (second, third), (third, first)])
        return cls(meetings=meetings, seats=seats, neighbours=neighbours)

    @property
    def meetings_spread(self) -> Spread:
        """Rarest and commonest pair."""
        return _spread(self.meetings)

    @property
    def seats_spread(self) -> Spread:
        """Rarest and commonest seat of an entry."""
        return _spread(self.seats)

    @property
    def neighbours_spread(self) -> Spread:
        """Rarest and commonest left neighbour."""
        return _spread(self.neighbours)

    @property
    def balanced(self) -> bool:
        """Whether everybody met, sat and neighboured equally often."""
        return self.meetings_spread.even and self.seats_spread.even and self.neighbours_spread.even


def _spread(
    counts: Mapping[tuple[EntryId, EntryId], int] | Mapping[tuple[EntryId, Seat], int],
) -> Spread:
    return Spread(min(counts.values(), default=0), max(counts.values(), default=0))
