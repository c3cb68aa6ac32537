"""All trios: everybody meets every pair of the others once a cycle. For small fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.scheduling.block import EntryId, Trio


@dataclass(frozen=True, slots=True)
class AllTrios:
    """Every trio once: C(n, 3) blocks, each pair n - 2 times.

    The trios come as orbits of the rotation x -> x + 1 (mod n). In a whole orbit everybody plays
    three blocks, once in each place of the trio; so the counts are level after every n blocks.
    Only for n divisible by 3 there is one short orbit, (x, x + n/3, x + 2n/3), of n/3 blocks, in
    which everybody plays once: there the seats of sessions cannot come out exactly equal.
    """

    @property
    def name(self) -> str:
        """What organisers call it."""
        return "all-trios"

    @property
    def is_even(self) -> bool:
        """Everybody plays equally often."""
        return True

    def faults(self, entries: Sequence[EntryId]) -> list[str]:
        """Return nothing: every field of three or more can be scheduled."""
        del entries
        return []

    def trios(self, entries: Sequence[EntryId]) -> Iterator[Trio]:
        """Yield every trio once, orbit by orbit."""
        n = len(entries)
        for first, second in _orbits(n):
            length = n // 3 if first == second == n - first - second else n
            for x in range(length):
                yield entries[x], entries[(x + first) % n], entries[(x + first + second) % n]


def _orbits(n: int) -> Iterator[tuple[int, int]]:
    """Yield the first two of the three gaps of each orbit of trios on a circle of n points.

    The gaps g1 + g2 + g3 = n of a trio are the same for its whole orbit up to rotation; the one
    yielded starts with a smallest gap, and with g1 < g3 unless all three are equal.
    """
    for first in range(1, n // 3 + 1):
        for second in range(first, n - 2 * first + 1):
            third = n - first - second
            if first < third or first == second == third:
                yield first, second
