"""Gauntlet: one newcomer meets every pair of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.scheduling.block import EntryId, Trio


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """All blocks that contain the newcomer: C(n-1, 2) a cycle. Unbalanced by design."""

    newcomer: EntryId

    @property
    def name(self) -> str:
        """What organisers call it."""
        return "gauntlet"

    @property
    def is_even(self) -> bool:
        """The newcomer plays every block."""
        return False

    def faults(self, entries: Sequence[EntryId]) -> list[str]:
        """Refuse a newcomer who is not entered."""
        if self.newcomer in entries:
            return []
        return [f"the newcomer {self.newcomer!r} is not among the entries"]

    def trios(self, entries: Sequence[EntryId]) -> Iterator[Trio]:
        """Yield every pair of the others with the newcomer, who takes the three places in turn.

        Pairs come by their distance on a circle, so that everybody else is met at an even pace.
        """
        others = [entry for entry in entries if entry != self.newcomer]
        count = 0
        for distance in range(1, len(others) // 2 + 1):
            length = len(others) // 2 if 2 * distance == len(others) else len(others)
            for x in range(length):
                left, right = others[x], others[(x + distance) % len(others)]
                yield (
                    (self.newcomer, left, right),
                    (left, self.newcomer, right),
                    (left, right, self.newcomer),
                )[count % 3]
                count += 1
