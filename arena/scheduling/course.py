"""A course: the row of blocks of one tournament, of which some may hang on results.

Whoever plays it asks for the next block, and tells it what became of those before. A course is
pure: the same entries, the same seed and the same facts give the same next block, in whatever order
the blocks ended, so a restart goes on where the arena stopped.

`FixedCourse` knows all its blocks from the start, but for entries that come late. `LiveCourse` asks
a chooser which looks at results: a Swiss system, a ladder, a duel.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from arena.scheduling.block import Block, BlockId, Entry, EntryId, Sitting
from euchre_sdk.game import Format


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockResult:
    """What a complete block showed."""

    block_id: BlockId
    points: Mapping[EntryId, int]
    """Points of its three entries in all hands that count."""
    hands: int
    """Hands that count, of all its games or sessions; 0 if all were forfeited before the first."""

    def lead(self, one: EntryId, other: EntryId) -> float:
        """Return by how many points a hand one was ahead of the other; 0 without any hand."""
        return (self.points[one] - self.points[other]) / self.hands if self.hands else 0.0


class Course(Protocol):
    """What a tournament plays, block after block."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everybody who takes part, those who were withdrawn included."""

    @property
    def format(self) -> Format:
        """Sessions or games."""

    @property
    def total(self) -> int:
        """Blocks in all as things stand, those that are over included."""

    @property
    def learns(self) -> bool:
        """Whether it wants to be told results."""

    def next(self) -> Block | None:
        """Return the next block; None if there is none, or none before results are in."""

    def block(self, block_id: BlockId) -> Block:
        """Return a block that `next` gave before, as its first attempt."""

    def sittings(self, block: Block) -> tuple[Sitting, ...]:
        """Expand a block into the games or sessions that are played for it."""

    def recall(self, blocks: Iterable[Block], gone: Iterable[BlockId]) -> None:
        """Take up what was given out before a restart, before `next` is asked.

        `blocks`: those that were begun; `gone`: those that were dropped before that.
        """

    def learn(self, result: BlockResult) -> None:
        """Take note of what a complete block showed, or shows now."""

    def lose(self, block_id: BlockId) -> None:
        """Take note that a block will never count, or counts no more."""

    def reopen(self, block_id: BlockId) -> None:
        """Take note that a block is played again, whatever it showed before."""

    def withdraw(self, entry: EntryId) -> None:
        """Take note that an entry plays no more."""

    def attend(self, here: Collection[EntryId]) -> None:
        """Take note of who is here. Until it is told, and of those withdrawn, nobody is away.

        A block may still be given out that has to wait for somebody.
        """

    def late_faults(self, entry: Entry) -> list[str]:
        """List why somebody cannot enter after the start; nothing if it can."""

    def enter(self, entry: Entry) -> None:
        """Let one more take part. Raises `ScheduleError` if it cannot."""


def cycles_over(course: Course, begun: Iterable[Block], over: Collection[BlockId]) -> int:
    """Return how many cycles of a course are over with all those before.

    `begun`: blocks that were given out before; the course, which has taken them up, is used up.
    """
    last = 0
    for block in chain(begun, iter(course.next, None)):
        if block.id not in over:
            return block.cycle - 1
        last = max(last, block.cycle)
    return last
