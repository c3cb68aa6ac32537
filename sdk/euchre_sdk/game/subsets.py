"""Tables of subsets, so that a set kept as bits becomes its members by one look-up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def subsets(members: Sequence[T], largest: int) -> list[tuple[T, ...]]:
    """Return the sets of up to `largest` of these members, each at the index of its bits.

    >>> subsets("abc", 2)
    [(), ('a',), ('b',), ('a', 'b'), ('c',), ('a', 'c'), ('b', 'c'), ()]
    """
    table: list[tuple[T, ...]] = [()] * (1 << len(members))
    layer: list[tuple[int, tuple[T, ...]]] = [(0, ())]
    for _ in range(largest):
        layer = [
            (mask | 1 << n, (*chosen, members[n]))
            for mask, chosen in layer
            for n in range(mask.bit_length(), len(members))
        ]
        for mask, chosen in layer:
            table[mask] = chosen
    return table
