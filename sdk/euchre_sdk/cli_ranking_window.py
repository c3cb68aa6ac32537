"""Which lines of a long table are shown where there is no room for all."""

from __future__ import annotations

from collections.abc import Collection

_TOP = 3
"""Lines from the top that come before those somebody asked for."""


def visible(count: int, room: int | None, wanted: Collection[int] = ()) -> list[int]:
    """Return the positions that are shown of `count` lines where `room` fit, in order.

    A line in place of those left out between two that are shown counts; one after the last does
    not. First come the best three, then the wanted ones, then those beside the wanted, then the
    others from the top.

    >>> visible(100, 8, [41])
    [0, 1, 2, 3, 40, 41, 42]
    """
    if room is None or count <= room:
        return list(range(count))
    beside = [near for each in sorted(wanted) for near in (each - 1, each + 1)]
    shown: set[int] = set()
    for position in (*range(_TOP), *sorted(wanted), *beside, *range(_TOP, count)):
        if 0 <= position < count and _lines(shown | {position}) <= room:
            shown.add(position)
    return sorted(shown)


def _lines(shown: Collection[int]) -> int:
    """Return how many lines they take, with one in each gap."""
    ordered = sorted(shown)
    gaps = sum(after - before > 1 for before, after in zip([-1, *ordered], ordered, strict=False))
    return len(ordered) + gaps
