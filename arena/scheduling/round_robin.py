"""The balanced round robin: every pair meets equally often, for any number of entries.

Odd n: the trios (x, x+i, x+2i) mod n for x = 0 ... n-1 and i = 1 ... (n-1)/2. The differences i and
2i run through every class once each (2i is a permutation of the classes for odd n), i twice per
trio: every pair meets 3 times. Every x stands once in each place of a class: seats are equal.

Even n: m = n - 1 entries take the odd form twice, less one class i = 1, and the last entry (called
infinity) joins them in (inf, x, x+1), (x, inf, x+1), (x, x+2, inf). The class left out frees the
difference 1 twice and 2 once, which is just what those three use: every pair meets 6 times, and
infinity stands in each place m times.

These are the lambda = 3 and lambda = 6 triple designs of cyclic type: Colbourn and Dinitz (eds.),
Handbook of Combinatorial Designs, 2nd ed. 2007, II.2 (triple systems); that the counts are as
stated is proved by counting in the tests for every n from 3 to 60. The mirrors of a block make
ordered neighbours equal as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.scheduling.block import EntryId, Trio


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Every pair meets 3 times a cycle (n odd) or 6 times (n even).

    That makes n(n-1)/2 blocks for odd n and n(n-1) for even n; everybody plays 3(n-1)/2 or 3(n-1).
    """

    @property
    def name(self) -> str:
        """What organisers call it."""
        return "round-robin"

    @property
    def is_even(self) -> bool:
        """Everybody plays equally often."""
        return True

    def faults(self, entries: Sequence[EntryId]) -> list[str]:
        """Return nothing: every field of three or more can be scheduled."""
        del entries
        return []

    def trios(self, entries: Sequence[EntryId]) -> Iterator[Trio]:
        """Yield one cycle; at any moment everybody has played nearly the same number of blocks."""
        if len(entries) % 2:
            yield from _odd(entries, range(1, (len(entries) - 1) // 2 + 1))
        else:
            yield from _even(entries)


def _odd(entries: Sequence[EntryId], classes: Sequence[int]) -> Iterator[Trio]:
    """Yield the classes (x, x+i, x+2i) of an odd number of entries."""
    n = len(entries)
    for i in classes:
        for x in range(n):
            yield entries[x], entries[(x + i) % n], entries[(x + 2 * i) % n]


def _even(entries: Sequence[EntryId]) -> Iterator[Trio]:
    """Yield the even form, the blocks of infinity spread evenly among the others."""
    circle, infinity = entries[:-1], entries[-1]
    m = len(circle)
    classes = [*range(1, (m - 1) // 2 + 1), *range(2, (m - 1) // 2 + 1)]
    others = list(_odd(circle, classes))
    joined: list[Trio] = []
    for x in range(m):
        here, next_one, after_next = circle[x], circle[(x + 1) % m], circle[(x + 2) % m]
        joined += [
            (infinity, here, next_one),
            (here, infinity, next_one),
            (here, after_next, infinity),
        ]
    yield from _spread(joined, others)


def _spread(rare: Sequence[Trio], common: Sequence[Trio]) -> Iterator[Trio]:
    """Merge two rows so that each prefix holds both in proportion, as far as whole blocks can."""
    total = len(rare) + len(common)
    taken = 0
    for position in range(total):
        if (2 * taken + 1) * total <= (2 * position + 1) * len(rare) and taken < len(rare):
            yield rare[taken]
            taken += 1
        else:
            yield common[position - taken]
