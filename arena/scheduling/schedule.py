"""The schedule: a pure, resumable row of blocks.

A function of (entries, format, policy, public seed, cycles) and of nothing else: the order in which
the entries are listed does not matter, and who knows the seed can compute it again in any language.
Each cycle relabels the entries by sorting them on SHA-256 of "seed/cycle/entry".

What follows a schedule (the even-up pass, entries that come late) and schedules that look at
results are courses (`course`), rows of blocks of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice

from arena.scheduling.block import (
    Block,
    BlockId,
    Entry,
    EntryId,
    Sitting,
    Trio,
    format_faults,
    sittings,
)
from arena.scheduling.errors import ScheduleError
from arena.scheduling.even_up import are_apart, owners_of
from arena.scheduling.policy import Policy
from arena.scheduling.round_robin import RoundRobin
from euchre_sdk.game import Format

MAX_CYCLES = 10_000
MAX_BLOCKS = 200_000
"""Blocks of a whole schedule: days of play for any arena, and still counted in a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Who meets whom. The constructor raises `ScheduleError` with everything that is wrong.

    Two schedules are equal if all their fields are.
    """

    entries: tuple[Entry, ...]
    format: Format
    seed: str
    """Public: announced with the tournament, so that nobody can have chosen the pairings."""
    cycles: int = 1
    """Passes of the policy; each is balanced by itself and relabels the entries."""
    policy: Policy = field(default_factory=RoundRobin)
    owners_apart: bool = False
    """Remove trios with two entries of one owner. The counts are then no longer balanced."""

    def __post_init__(self) -> None:
        faults = [*self._entry_faults(), *format_faults(self.format)]
        if type(self.cycles) is not int or not 1 <= self.cycles <= MAX_CYCLES:
            faults.append(f"{self.cycles!r} cycles; accepted are 1 to {MAX_CYCLES}")
        if not faults:
            faults += self.policy.faults([entry.id for entry in self.entries])
        if not faults:
            faults += self._length_faults()
        if not faults and self.owners_apart and next(self.blocks(), None) is None:
            faults.append(
                "keeping owners apart leaves no trio; accepted are entries of at least three "
                "owners, house bots counting as one each"
            )
        if faults:
            raise ScheduleError(faults)

    def _entry_faults(self) -> list[str]:
        """List what is wrong with the entries."""
        faults = []
        if len(self.entries) < 3:
            faults.append(f"{len(self.entries)} entries; accepted are three or more")
        counts = Counter(entry.id for entry in self.entries)
        twice = sorted(entry for entry, count in counts.items() if count > 1)
        if twice:
            faults.append(f"entered more than once: {', '.join(twice)}; accepted is once each")
        if "" in counts:
            faults.append("an entry without an id; accepted is any other text")
        return faults

    def _length_faults(self) -> list[str]:
        """List that the schedule is too long, if it is, owners not yet kept apart."""
        trios = self.policy.trios(self.order(1))
        most = MAX_BLOCKS // self.cycles
        if sum(1 for _ in islice(trios, most + 1)) <= most:
            return []
        long = f"{len(self.entries)} entries and {self.cycles} cycles give more than {MAX_BLOCKS}"
        return [f"{long} blocks; accepted are fewer"]

    def blocks(
        self,
        *,
        completed: Collection[BlockId] = frozenset(),
        attempts: Mapping[BlockId, int] | None = None,
    ) -> Iterator[Block]:
        """Yield the blocks still to be played, in order.

        `completed`: ids of blocks that are done; they are left out. `attempts`: the attempt to play
        now of blocks that failed before (1 for all others). Leaving out what is done and going on
        is the same as never having stopped.
        """
        for cycle in range(1, self.cycles + 1):
            for block in self._cycle(cycle, attempts or {}):
                if block.id not in completed:
                    yield block

    def __len__(self) -> int:
        """Count the blocks of all cycles, those already played included.

        Every cycle has as many, unless owners are kept apart: then each has to be counted.
        """
        cycles = range(1, self.cycles + 1)
        if not self.owners_apart:
            return len(cycles) * sum(1 for _ in self._trios(1))
        return sum(1 for cycle in cycles for _ in self._trios(cycle))

    def sittings(self, block: Block) -> tuple[Sitting, ...]:
        """Expand a block of this schedule into the games or sessions that are played for it."""
        return sittings(block, self.format)

    def _cycle(self, cycle: int, attempts: Mapping[BlockId, int]) -> Iterator[Block]:
        """Yield the blocks of one cycle."""
        for number, trio in self._trios(cycle):
            block_id = BlockId(f"c{cycle}b{number}")
            attempt = attempts.get(block_id, 1)
            yield Block(id=block_id, trio=trio, cycle=cycle, attempt=attempt)

    def _trios(self, cycle: int) -> Iterator[tuple[int, Trio]]:
        """Yield the trios of one cycle with their numbers from 1.

        Numbers count removed trios too, so an id always means one trio.
        """
        trios = enumerate(self.policy.trios(self.order(cycle)), start=1)
        if not self.owners_apart:
            yield from trios
            return
        owner = owners_of(self.entries)
        for number, trio in trios:
            if are_apart(trio, owner):
                yield number, trio

    def order(self, cycle: int, entries: Iterable[EntryId] | None = None) -> list[EntryId]:
        """Return the entries, or those given, in the order of one cycle."""
        ids = (entry.id for entry in self.entries) if entries is None else entries
        return relabelled(ids, self.seed, cycle)


def relabelled(entries: Iterable[EntryId], seed: str, cycle: int) -> list[EntryId]:
    """Return entries in the order of one cycle: by SHA-256 of "seed/cycle/entry"."""

    def key(entry: EntryId) -> bytes:
        return sha256(f"{seed}/{cycle}/{entry}".encode()).digest()

    return sorted(entries, key=key)
