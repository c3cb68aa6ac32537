"""The course of a duel: one block after the other until the test is over."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from arena.scheduling.block import Block, BlockId, Entry, EntryId, Sitting, format_faults, sittings
from arena.scheduling.course import BlockResult
from arena.scheduling.duel import Duel, Reading
from arena.scheduling.errors import ScheduleError
from euchre_sdk.game import Format, Session

AHEAD = 6
"""Blocks that are given out and not over, at most: so many may be played for nothing at the end."""


class DuelCourse:
    """Gives a duel's blocks by their numbers. Raises `ScheduleError` with all that is wrong."""

    learns = True

    def __init__(self, duel: Duel, *, entries: Iterable[Entry], format: Format) -> None:
        self.entries = tuple(sorted(entries, key=lambda entry: entry.id))
        self.format = format
        faults = format_faults(format)
        if not isinstance(format, Session):
            faults.append("a duel is decided by points a hand; accepted are sessions, not games")
        if faults:
            raise ScheduleError(faults)
        self._duel = duel
        self._reading = Reading(duel)
        self._given: dict[int, Block] = {}
        self._open: set[int] = set()
        self._withdrawn: set[EntryId] = set()

    @property
    def reading(self) -> Reading:
        """Where the test stands."""
        return self._reading

    @property
    def total(self) -> int:
        """Blocks in all as things stand: the cap, and once it is over those that were given."""
        if self._is_over:
            return len(self._given)
        return max(self._duel.test.cap + self._reading.lost, len(self._given))

    @property
    def _is_over(self) -> bool:
        two = (self._duel.first, self._duel.second)
        return (
            self._reading.state.decision.is_over
            or not self._withdrawn.isdisjoint(two)
            or self._withdrawn.issuperset(self._duel.thirds)
        )

    def next(self) -> Block | None:
        """Return the block with the smallest number that was not given; None if none is of use."""
        if self._is_over or len(self._open) >= AHEAD:
            return None
        if len(self._given) - self._reading.lost >= self._duel.test.cap:
            return None
        number = next(n for n in range(1, len(self._given) + 2) if n not in self._given)
        self._give(number)
        return self._given[number]

    def _give(self, number: int) -> None:
        self._given[number] = self._duel.block(number)
        self._open.add(number)

    def block(self, block_id: BlockId) -> Block:
        """Return a block that `next` gave before, as its first attempt."""
        return self._given[self._duel.number(block_id)]

    def sittings(self, block: Block) -> tuple[Sitting, ...]:
        """Expand a block into the sessions that are played for it."""
        return sittings(block, self.format)

    def recall(self, blocks: Iterable[Block], gone: Iterable[BlockId]) -> None:
        """Take up what was given out before a restart, before `next` is asked."""
        for block in blocks:
            self._give(self._duel.number(block.id))
        for block_id in gone:
            self._give(self._duel.number(block_id))
            self.lose(block_id)

    def learn(self, result: BlockResult) -> None:
        """Take note of what a complete block showed, or shows now."""
        self._open.discard(self._duel.number(result.block_id))
        self._reading.learn(result)

    def lose(self, block_id: BlockId) -> None:
        """Take note that a block will never count, or counts no more."""
        self._open.discard(self._duel.number(block_id))
        self._reading.lose(block_id)

    def reopen(self, block_id: BlockId) -> None:
        """Take note that a block is played again."""
        self._open.add(self._duel.number(block_id))
        self._reading.forget(block_id)

    def withdraw(self, entry: EntryId) -> None:
        """Take note that an entry plays no more: without one of the two, or any third, it ends."""
        self._withdrawn.add(entry)

    def attend(self, here: Collection[EntryId]) -> None:
        """Do nothing: a test reads its blocks in their order, so it waits for whoever is away."""

    def late_faults(self, entry: Entry) -> list[str]:
        """Refuse everybody: a duel's thirds take turns from its first block on."""
        return [f"a duel takes nobody after its start, so not {entry.id}"]

    def enter(self, entry: Entry) -> None:
        """Refuse it."""
        raise ScheduleError(self.late_faults(entry))
