"""Steiner triple systems: every pair meets exactly once, the short cycle for large fields.

They exist for n = 1 or 3 modulo 6 and make n(n-1)/6 blocks, a third of the balanced round robin.

n = 6t + 3: R. C. Bose, On the construction of balanced incomplete block designs, Annals of Eugenics
9 (1939) 353-399. n = 6t + 1: T. Skolem, Some remarks on the triple systems of Steiner, Mathematica
Scandinavica 6 (1958) 273-280. Points are pairs of an element of a commutative quasigroup and one of
three levels; that every pair meets once is counted in the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.scheduling.block import EntryId, Trio

_TURNS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@dataclass(frozen=True, slots=True)
class Steiner:
    """Every pair meets once a cycle; everybody plays (n-1)/2 blocks."""

    @property
    def name(self) -> str:
        """What organisers call it."""
        return "steiner"

    @property
    def is_even(self) -> bool:
        """Everybody plays equally often."""
        return True

    def faults(self, entries: Sequence[EntryId]) -> list[str]:
        """Refuse a field of which there is no such system."""
        n = len(entries)
        if n % 6 in {1, 3}:
            return []
        below = next(m for m in range(n, 0, -1) if m % 6 in {1, 3})
        above = next(m for m in range(n, n + 6) if m % 6 in {1, 3})
        near = f"{below} or {above}" if below >= 3 else str(above)
        accepted = f"3, 7, 9, 13, 15 and so on (here {near}), or the schedule round-robin"
        return [f"no Steiner system has {n} entries; accepted are {accepted}"]

    def trios(self, entries: Sequence[EntryId]) -> Iterator[Trio]:
        """Yield one cycle; everybody has each place of a trio about equally often."""
        n = len(entries)
        triples = _bose(n) if n % 6 == 3 else _skolem(n)
        held = [[0, 0, 0] for _ in range(n)]
        for triple in triples:
            turn = min(
                _TURNS, key=lambda t: sum(held[triple[t[place]]][place] for place in range(3))
            )
            for place in range(3):
                held[triple[turn[place]]][place] += 1
            first, second, third = (entries[triple[position]] for position in turn)
            yield first, second, third


def _bose(n: int) -> Iterator[tuple[int, int, int]]:
    """Yield the triples of 6t + 3 points, point (x, level) as x + level (2t + 1)."""
    size = n // 3
    half = (size + 1) // 2  # of 1: x * y = (x + y) / 2 is idempotent and commutative
    for x in range(size):
        yield x, x + size, x + 2 * size
    for distance in range(1, size // 2 + 1):
        for x in range(size):
            y = (x + distance) % size
            for level in range(3):
                at = (half * (x + y)) % size
                yield x + level * size, y + level * size, at + (level + 1) % 3 * size


def _skolem(n: int) -> Iterator[tuple[int, int, int]]:
    """Yield the triples of 6t + 1 points; the last one is infinity."""
    size = (n - 1) // 3  # 2t, a half-idempotent commutative quasigroup: x * x = x mod t
    t, infinity = size // 2, n - 1

    def product(x: int, y: int) -> int:
        total = (x + y) % size
        return total // 2 if total % 2 == 0 else (total + size - 1) // 2

    for x in range(t):
        yield x, x + size, x + 2 * size
        for level in range(3):
            yield infinity, x + t + level * size, x + (level + 1) % 3 * size
    for x in range(size):
        for y in range(x + 1, size):
            for level in range(3):
                yield (
                    x + level * size,
                    y + level * size,
                    product(x, y) + (level + 1) % 3 * size,
                )
