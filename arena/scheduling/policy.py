"""What a policy is: one rule for which trios meet in one cycle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from arena.scheduling.block import EntryId, Trio


class Policy(Protocol):
    """Which trios meet in one cycle, in playing order. A pure function of the entries' order."""

    @property
    def name(self) -> str:
        """What organisers call it."""

    @property
    def is_even(self) -> bool:
        """Whether everybody plays equally often, while nobody is kept apart."""

    def faults(self, entries: Sequence[EntryId]) -> list[str]:
        """List why these entries cannot be scheduled by this policy; nothing if they can."""

    def trios(self, entries: Sequence[EntryId]) -> Iterator[Trio]:
        """Yield the trios of one cycle, each in clockwise order.

        The order of the entries decides who plays which part of the construction; the schedule
        relabels them for every cycle.
        """
