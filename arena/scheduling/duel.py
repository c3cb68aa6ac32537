"""A duel: two entries meet, with the others as third by turns, until a test knows who is stronger.

Blocks end in any order, and how soon one ends may hang on how it went. So the test reads blocks by
their numbers only: it knows of a block once all those before it are over. What was played beyond
the block that ends it counts for nothing. Blocks that are lost through the arena are left out.
Where a duel stands is thus a function of what is stored, whatever happened in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.scheduling.block import Block, BlockId, EntryId, Trio, mirror
from arena.scheduling.course import BlockResult
from arena.scheduling.errors import ScheduleError
from euchre_sdk.duel.gsprt import SequentialTest, SprtState


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Who meets whom, and what is asked. Raises `ScheduleError` with all that is wrong."""

    first: EntryId
    """Of whom is asked whether it is stronger."""
    second: EntryId
    thirds: tuple[EntryId, ...]
    """Who else sits at the table, by turns of blocks."""
    test: SequentialTest

    def __post_init__(self) -> None:
        faults = []
        if not self.thirds:
            faults.append("a duel needs a third entry at the table; accepted are one or more")
        everybody = (self.first, self.second, *self.thirds)
        if len(set(everybody)) < len(everybody):
            faults.append("an entry takes part in a duel twice; accepted is once each")
        if faults:
            raise ScheduleError(faults)

    def block(self, number: int) -> Block:
        """Return the block of a number, from 1."""
        return Block(id=BlockId(f"c1b{number}"), trio=self._trio(number), cycle=1)

    def _trio(self, number: int) -> Trio:
        """Return who plays a block: each third in turn, and both orders of the two by turns."""
        turn, place = divmod(number - 1, len(self.thirds))
        trio = (self.first, self.second, self.thirds[place])
        return mirror(trio) if turn % 2 else trio

    def number(self, block_id: BlockId) -> int:
        """Return the number of one of its blocks."""
        return int(block_id.removeprefix("c1b"))

    def value(self, result: BlockResult) -> float:
        """Return what the test reads of a block: the lead of the first, in points a hand.

        Hands that a forfeit left unplayed count as level, so a block with few of them says little.
        """
        lead = result.points.get(self.first, 0) - result.points.get(self.second, 0)
        return lead / self.test.block_hands

    def after(self, results: Iterable[BlockResult], lost: Iterable[BlockId] = ()) -> SprtState:
        """Return where the test stands once these blocks are over, in whatever order they come."""
        reading = Reading(self)
        for block_id in lost:
            reading.lose(block_id)
        for result in results:
            reading.learn(result)
        return reading.state


class Reading:
    """Reads a duel's blocks by their numbers, as they become known."""

    def __init__(self, duel: Duel) -> None:
        self.duel = duel
        self.state: SprtState = duel.test.start()
        """Where the test stands with all blocks before the first one that is not over."""
        self._known: dict[int, BlockResult | None] = {}
        self._next = 1

    def learn(self, result: BlockResult) -> None:
        """Take note of what a block showed, or shows now."""
        self._note(self.duel.number(result.block_id), result)

    def lose(self, block_id: BlockId) -> None:
        """Take note that a block will never count, or counts no more."""
        self._note(self.duel.number(block_id), None)

    def forget(self, block_id: BlockId) -> None:
        """Take note that a block is played again."""
        if self.duel.number(block_id) in self._known:
            del self._known[self.duel.number(block_id)]
            self._read_again()

    @property
    def lost(self) -> int:
        """Blocks that will never count."""
        return sum(result is None for result in self._known.values())

    @property
    def counted(self) -> Sequence[BlockResult]:
        """The blocks that the test has read, in order."""
        read = (self._known[number] for number in range(1, self._next))
        return [result for result in read if result is not None]

    def _note(self, number: int, result: BlockResult | None) -> None:
        known = number in self._known
        self._known[number] = result
        if known and number < self._next:
            self._read_again()
        else:
            self._read_on()

    def _read_again(self) -> None:
        self.state, self._next = self.duel.test.start(), 1
        self._read_on()

    def _read_on(self) -> None:
        while self._next in self._known and not self.state.decision.is_over:
            result = self._known[self._next]
            if result is not None:
                self.state = self.state.plus(self.duel.value(result))
            self._next += 1
