"""The course of a schedule that looks at results, whatever chooses it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from arena.scheduling.block import (
    Block,
    BlockId,
    Entry,
    EntryId,
    Sitting,
    Trio,
    format_faults,
    place_of,
    sittings,
)
from arena.scheduling.course import BlockResult
from arena.scheduling.errors import ScheduleError
from arena.scheduling.even_up import are_apart, owners_of
from arena.scheduling.fixed_course import late_faults
from euchre_sdk.game import Format


@dataclass(slots=True, eq=False)
class Field:
    """What a chooser sees: who plays, what was given out, and what is known of it."""

    entries: list[Entry]
    """Everybody, in the order of their ids."""
    seed: str
    owners_apart: bool
    withdrawn: set[EntryId] = field(default_factory=set)
    away: frozenset[EntryId] = frozenset()
    """Those who are not here now; they may come back."""
    given: dict[BlockId, Block] = field(default_factory=dict)
    """Blocks that were given out, in the order of their cycles and numbers."""
    results: dict[BlockId, BlockResult] = field(default_factory=dict)
    """Of those that are complete and count."""
    lost: set[BlockId] = field(default_factory=set)
    """Those that will never count."""
    open: dict[BlockId, Block] = field(default_factory=dict)
    """Those that are given out and neither complete nor lost."""
    interrupted: bool = False
    """Whether the arena stopped since the last choice: what was not begun is forgotten."""

    @property
    def playing(self) -> list[EntryId]:
        """Return who can still be given blocks."""
        return [each.id for each in self.entries if each.id not in self.withdrawn]

    @property
    def here(self) -> list[EntryId]:
        """Return who of them is here now."""
        return [entry for entry in self.playing if entry not in self.away]

    @property
    def in_play(self) -> list[Block]:
        """Return the open blocks that wait for nobody who is away."""
        return [block for block in self.open.values() if self.away.isdisjoint(block.trio)]

    def may_meet(self, trio: Iterable[EntryId]) -> bool:
        """Return whether these may sit at one table."""
        return not self.owners_apart or are_apart(trio, self.owners)

    @property
    def owners(self) -> Mapping[EntryId, str]:
        """Return whom each entry answers to."""
        return owners_of(self.entries)


class Chooser(Protocol):
    """Which trios meet next, by what is known. A pure function of the field it is shown."""

    @property
    def name(self) -> str:
        """What organisers call it."""

    @property
    def takes_late(self) -> bool:
        """Whether somebody can enter after the start."""

    def faults(self, entries: Sequence[Entry]) -> list[str]:
        """List why these entries cannot be scheduled; nothing if they can."""

    def total(self, field: Field) -> int:
        """Return the number of blocks in all, as things stand."""

    def choose(self, field: Field) -> tuple[int, Sequence[Trio]] | None:
        """Return a cycle, 1-based, and trios to be added to it; None if there are none now.

        It is asked whenever a block can be begun. What it returned stands and is not asked for
        again, but for what was not begun when the arena stopped.
        """


class LiveCourse:
    """What a chooser chooses, with everything that was chosen before.

    Raises `ScheduleError` with everything that is wrong.
    """

    learns = True

    def __init__(
        self,
        chooser: Chooser,
        *,
        entries: Iterable[Entry],
        format: Format,
        seed: str,
        owners_apart: bool,
    ) -> None:
        everybody = sorted(entries, key=lambda entry: entry.id)
        faults = [*format_faults(format), *chooser.faults(everybody)]
        if len(everybody) < 3:
            faults.append(f"{len(everybody)} entries; accepted are three or more")
        owners = set(owners_of(everybody).values())
        if owners_apart and len(everybody) >= 3 and len(owners) < 3:
            faults.append(
                "keeping owners apart leaves no trio; accepted are entries of at least three "
                "owners, house bots counting as one each"
            )
        if faults:
            raise ScheduleError(faults)
        self.format = format
        self._chooser = chooser
        self._field = Field(entries=everybody, seed=seed, owners_apart=owners_apart)
        self._next: deque[Block] = deque()
        self._numbers: Counter[int] = Counter()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everybody who takes part, those who were withdrawn included."""
        return tuple(self._field.entries)

    @property
    def total(self) -> int:
        """Blocks in all as things stand, those that are over included."""
        return max(self._chooser.total(self._field), len(self._field.given))

    def next(self) -> Block | None:
        """Return the next block; None if there is none, or none before results are in."""
        while not self._next and (chosen := self._chooser.choose(self._field)) is not None:
            self._field.interrupted = False
            cycle, trios = chosen
            for trio in trios:
                self._numbers[cycle] += 1
                block_id = BlockId(f"c{cycle}b{self._numbers[cycle]}")
                block = Block(id=block_id, trio=trio, cycle=cycle)
                self._field.given[block.id] = self._field.open[block.id] = block
                self._next.append(block)
        self._field.interrupted = False
        return self._next.popleft() if self._next else None

    def block(self, block_id: BlockId) -> Block:
        """Return a block that `next` gave before, as its first attempt."""
        return self._field.given[block_id]

    def sittings(self, block: Block) -> tuple[Sitting, ...]:
        """Expand a block into the games or sessions that are played for it."""
        return sittings(block, self.format)

    def recall(self, blocks: Iterable[Block], gone: Iterable[BlockId]) -> None:
        """Take up what was given out before a restart, before `next` is asked."""
        begun = {block.id: block for block in blocks}
        for block_id in (*begun, *gone):
            cycle, number = place_of(block_id)
            self._numbers[cycle] = max(self._numbers[cycle], number)
        self._field.given = {name: begun[name] for name in sorted(begun, key=place_of)}
        self._field.open = dict(self._field.given)
        self._field.interrupted = bool(begun)

    def learn(self, result: BlockResult) -> None:
        """Take note of what a complete block showed, or shows now."""
        self._field.results[result.block_id] = result
        self._field.lost.discard(result.block_id)
        self._field.open.pop(result.block_id, None)

    def lose(self, block_id: BlockId) -> None:
        """Take note that a block will never count, or counts no more."""
        if block_id in self._field.given:
            self._field.results.pop(block_id, None)
            self._field.lost.add(block_id)
            self._field.open.pop(block_id, None)

    def reopen(self, block_id: BlockId) -> None:
        """Take note that a block is played again: it is open, whatever it showed before."""
        self._field.results.pop(block_id, None)
        self._field.lost.discard(block_id)
        self._field.open[block_id] = self._field.given[block_id]

    def withdraw(self, entry: EntryId) -> None:
        """Take note that an entry plays no more."""
        self._field.withdrawn.add(entry)

    def attend(self, here: Collection[EntryId]) -> None:
        """Take note of who is here."""
        self._field.away = frozenset(each.id for each in self._field.entries) - frozenset(here)

    def late_faults(self, entry: Entry) -> list[str]:
        """List why somebody cannot enter after the start; nothing if it can."""
        if not self._chooser.takes_late:
            return [f"a {self._chooser.name} takes nobody after its start"]
        return late_faults(entry, self._field.entries, owners_apart=self._field.owners_apart)

    def enter(self, entry: Entry) -> None:
        """Let one more take part. Raises `ScheduleError` if it cannot."""
        if faults := self.late_faults(entry):
            raise ScheduleError(faults)
        self._field.entries.append(entry)
        self._field.entries.sort(key=lambda each: each.id)
