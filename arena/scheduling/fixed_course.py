"""The course of a fixed schedule: its cycles, the even-up pass, and whoever comes late."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from arena.scheduling.block import Block, BlockId, Entry, EntryId, Sitting, Trio
from arena.scheduling.course import BlockResult
from arena.scheduling.errors import ScheduleError
from arena.scheduling.even_up import are_apart, catch_up, even_up, owners_of
from arena.scheduling.schedule import MAX_BLOCKS, Schedule
from euchre_sdk.game import Format


class FixedCourse:
    """All cycles of a schedule, and what follows.

    Where owners were kept apart that is the even-up pass; then, for each entry that came late, the
    blocks by which it catches up. The even-up pass counts as the cycle after the last, each late
    entry as one more. An id always means the same block, whoever comes afterwards.
    """

    learns = False

    def __init__(self, schedule: Schedule, *, late: Iterable[Entry] = ()) -> None:
        """Make it. `late`: those who entered after the start, in the order in which they came."""
        self._schedule = schedule
        self._entries = list(schedule.entries)
        self._cycle = schedule.cycles + 1
        self._blocks: Iterator[Block] = schedule.blocks()
        self.total = len(schedule)
        self._given: dict[BlockId, Block] = {}
        if schedule.owners_apart and schedule.policy.is_even:
            order = schedule.order(self._cycle)
            trios = [block.trio for block in schedule.blocks()]
            self._append(even_up(order, trios, owners_of(schedule.entries)))
        for entry in late:
            self.enter(entry)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everybody who takes part, those who were withdrawn included."""
        return tuple(self._entries)

    @property
    def format(self) -> Format:
        """Sessions or games."""
        return self._schedule.format

    def next(self) -> Block | None:
        """Return the next block; None after the last."""
        block = next(self._blocks, None)
        if block is not None:
            self._given[block.id] = block
        return block

    def block(self, block_id: BlockId) -> Block:
        """Return a block that `next` gave before, as its first attempt."""
        return self._given[block_id]

    def sittings(self, block: Block) -> tuple[Sitting, ...]:
        """Expand a block into the games or sessions that are played for it."""
        return self._schedule.sittings(block)

    def recall(self, blocks: Iterable[Block], gone: Iterable[BlockId]) -> None:
        """Do nothing: the schedule has them all."""

    def learn(self, result: BlockResult) -> None:
        """Do nothing: no result changes who meets whom."""

    def lose(self, block_id: BlockId) -> None:
        """Do nothing: what is lost is not made up for."""

    def reopen(self, block_id: BlockId) -> None:
        """Do nothing: what it showed is not known here."""

    def withdraw(self, entry: EntryId) -> None:
        """Do nothing: who plays the course drops its blocks."""

    def attend(self, here: Collection[EntryId]) -> None:
        """Do nothing: whoever is away finds its blocks when it comes."""

    def late_faults(self, entry: Entry) -> list[str]:
        """List why somebody cannot enter after the start; nothing if it can."""
        faults = late_faults(entry, self._entries, owners_apart=self._schedule.owners_apart)
        if self.total + self._share() > MAX_BLOCKS:
            faults.append(f"one more entry gives more than {MAX_BLOCKS} blocks")
        return faults

    def _share(self) -> int:
        """Return how many blocks an entry has in the mean."""
        return -(-3 * self.total // len(self._entries))

    def enter(self, entry: Entry) -> None:
        """Let one more take part, in about as many blocks as everybody before it has."""
        if faults := self.late_faults(entry):
            raise ScheduleError(faults)
        blocks = self._share()
        by_id = {each.id: each for each in self._entries}
        self._cycle += 1
        order = self._schedule.order(self._cycle, tuple(by_id))
        others = [by_id[each] for each in order]
        apart = self._schedule.owners_apart
        self._append(catch_up(entry, others, blocks, owners_apart=apart))
        self._entries.append(entry)

    def _append(self, trios: Iterable[Trio]) -> None:
        """Add a cycle of its own after everything else."""
        cycle = self._cycle
        more = [
            Block(id=BlockId(f"c{cycle}b{number}"), trio=trio, cycle=cycle)
            for number, trio in enumerate(trios, start=1)
        ]
        self.total += len(more)
        self._blocks = chain(self._blocks, more)


def late_faults(entry: Entry, entries: Iterable[Entry], *, owners_apart: bool) -> list[str]:
    """List why somebody cannot enter after the start; nothing if it can."""
    there = list(entries)
    if entry.id in {each.id for each in there}:
        return [f"{entry.id} is entered already"]
    if not owners_apart:
        return []
    owner = owners_of([*there, entry])
    others = {owner[each.id] for each in there if are_apart((each.id, entry.id), owner)}
    if len(others) >= 2:
        return []
    return ["owners are kept apart, and there are not two others whom it may meet"]
