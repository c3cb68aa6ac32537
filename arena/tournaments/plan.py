"""What remains to be played: pure bookkeeping of blocks and their sittings.

The plan is made from the course and from what is stored, and is told what begins and ends. The
same facts give the same plan, so a restart goes on where the arena stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from arena.scheduling import (
    Block,
    BlockId,
    BlockResult,
    Course,
    Entry,
    EntryId,
    Sitting,
    place_of,
    unseated,
)
from arena.store.block_attempts import StoredBlock
from arena.store.games import StoredGame
from arena.store.states import BlockState, GameState
from euchre_sdk.game import SEATS

ATTEMPTS = 3
"""So often a block that fails through the arena is tried."""
LOOKAHEAD = 1000
"""So many blocks are taken from the course before the first of them are over.

While bots are absent the others play on, but never so far ahead that the arena has to remember,
and to look through, a schedule of any length.
"""


@dataclass(slots=True, eq=False)
class OpenBlock:
    """One attempt of a block that is not over."""

    block: Block
    left: set[int]
    """Numbers of the sittings that are not over."""
    begun: bool = False
    """Whether anything of it was offered."""
    offers: Counter[int] = field(default_factory=Counter)
    """Offers made so far, by number of the sitting."""
    misses: Counter[str] = field(default_factory=Counter)
    """How often each entry was not ready."""


@dataclass(frozen=True, slots=True)
class Step:
    """One sitting to be played now, and the offer with which it will be."""

    sitting: Sitting
    offer: int


class Plan:
    """The rest of one tournament."""

    def __init__(
        self,
        course: Course,
        *,
        blocks: tuple[StoredBlock, ...] = (),
        games: tuple[StoredGame, ...] = (),
        results: Iterable[BlockResult] = (),
        misses: int = 2,
    ) -> None:
        """Make it; `misses` times not ready in one block is a forfeit of the game offered.

        `results`: of the blocks that count, where the course wants to know.
        """
        over = {each.block_id for each in blocks if each.state in _OVER}
        attempts = Counter(each.block_id for each in blocks if each.state in _PLAYED_AGAIN)
        self._failures = Counter(
            each.block_id for each in blocks if each.state is BlockState.FAILED
        )
        self._misses = misses
        self._course = course
        self._over = over
        self._attempts = {name: failed + 1 for name, failed in attempts.items()}
        self._open: dict[str, OpenBlock] = {}
        self._queue: list[Sitting] = []
        self._playing: set[Sitting] = set()
        self._withdrawn: set[str] = set()
        self._skipped: list[Block] = []
        self._given_up = False
        self.complete = sum(each.state is BlockState.COMPLETE for each in blocks)
        """Blocks that count."""
        self.given_up = len(over) - self.complete
        """Blocks that will never count."""
        self._remember(blocks, games, results)

    @property
    def total(self) -> int:
        """Blocks in all, as things stand."""
        return self._course.total

    @property
    def learns(self) -> bool:
        """Whether it wants to be told what complete blocks showed."""
        return self._course.learns

    @property
    def is_given_up(self) -> bool:
        """Whether nothing more is begun."""
        return self._given_up

    @property
    def over(self) -> bool:
        """Whether nothing is left to play and nothing is being played, whoever may come back."""
        if self._playing or self._queue:
            return False
        self.attend(entry.id for entry in self._course.entries)
        return not self._pull()

    def attend(self, here: Iterable[str]) -> None:
        """Note who is here, before it is asked what can be started."""
        self._course.attend(frozenset(map(EntryId, here)))

    def startable(self, free: Callable[[str], int], *, begun_only: bool = False) -> Iterator[Step]:
        """Yield sittings whose three entries are all free, in order, as long as there are any.

        `free` tells how many more games an entry takes now; it is asked anew for each sitting, and
        whoever takes a step calls `took` before asking for the next. With `begun_only` no new block
        is begun.
        """
        index = 0
        here = self._free_of_all(free)
        while len(here) >= len(SEATS) and (
            index < len(self._queue) or (not begun_only and self._look_ahead())
        ):
            sitting = self._queue[index]
            begun = self._open[sitting.block_id].begun
            if (begun or not begun_only) and here.issuperset(sitting.seats):
                yield Step(sitting, self._next_offer(sitting))
                here = self._free_of_all(free)
                if sitting in self._playing:
                    continue  # it was taken out of the queue
            index += 1

    def took(self, step: Step) -> None:
        """Note that a sitting is being offered."""
        sitting = step.sitting
        self._queue.remove(sitting)
        self._playing.add(sitting)
        block = self._open[sitting.block_id]
        block.begun = True
        block.offers[sitting.number] = step.offer

    def resumes(self, game: StoredGame) -> Sitting:
        """Note that a stored game is played on, and return its sitting."""
        sitting = self.sitting_of(game)
        if sitting in self._queue:
            self._queue.remove(sitting)
        self._playing.add(sitting)
        return sitting

    def counts(self, sitting: Sitting) -> bool:
        """Tell whether a sitting's attempt of its block is still being played."""
        return self._attempt_of(sitting) is not None

    def missed(self, sitting: Sitting, absent: tuple[str, ...]) -> tuple[str, ...]:
        """Note who was not ready; return those for whom it was too often: they forfeit.

        Without any the sitting is offered once more, after everything else that waits, unless
        nothing is begun any more. Whoever was withdrawn meanwhile is not waited for again.
        """
        block = self._attempt_of(sitting)
        if block is None:
            self._playing.discard(sitting)
            return ()
        block.misses.update(absent)
        forfeits = tuple(
            entry
            for entry in sitting.seats
            if entry in self._withdrawn or (entry in absent and block.misses[entry] >= self._misses)
        )
        if not forfeits:
            self._playing.discard(sitting)
            if not self._given_up:
                self._queue.append(sitting)
        return forfeits

    def done(self, sitting: Sitting) -> bool:
        """Note that a sitting is over; return whether its block is complete now."""
        self._playing.discard(sitting)
        block = self._attempt_of(sitting)
        if block is None:
            return False
        block.left.discard(sitting.number)
        if block.left:
            return False
        del self._open[sitting.block_id]
        self.complete += 1
        return True

    def failed(self, sitting: Sitting) -> BlockState | None:
        """Note that a block failed through the arena; return where that leaves the attempt.

        FAILED if the block is tried again, INCOMPLETE if it is not, None if another sitting had
        ended the attempt before. What else of it is being played is of no use any more.
        """
        self._playing.discard(sitting)
        block = self._attempt_of(sitting)
        if block is None:
            return None
        del self._open[sitting.block_id]
        self._queue = [each for each in self._queue if each.block_id != sitting.block_id]
        hopeless = not self._withdrawn.isdisjoint(sitting.seats)
        self._failures[sitting.block_id] += 1
        if self._failures[sitting.block_id] >= ATTEMPTS or self._given_up or hopeless:
            self.given_up += 1
            self._course.lose(block.block.id)
            return BlockState.INCOMPLETE
        self._admit(block.block.again())
        return BlockState.FAILED

    def annulled(self, block_id: str, *, attempt: int, replay: bool) -> None:
        """Note that a complete attempt of a block counts no more; it may be played again."""
        self.complete -= 1
        if not replay or self._given_up:
            self.given_up += 1
            self._course.lose(BlockId(block_id))
            return
        self._course.reopen(BlockId(block_id))
        self._admit(replace(self._course.block(BlockId(block_id)), attempt=attempt + 1))

    def learn(self, result: BlockResult) -> None:
        """Note what a complete block showed, or shows now that a game of it was struck."""
        self._course.learn(result)

    def late_faults(self, entry: Entry) -> list[str]:
        """List why somebody cannot enter any more; nothing if it can."""
        return self._course.late_faults(entry)

    def enter(self, entry: Entry) -> None:
        """Note that one more takes part. Raises `ScheduleError` if it cannot."""
        self._course.enter(entry)

    def withdraw(self, entry: str) -> tuple[tuple[Step, ...], tuple[Block, ...]]:
        """Note that an entry plays no more.

        Returns the sittings of begun blocks that it forfeits, each as the offer it would have been,
        and the blocks that are dropped as far as the schedule was looked at; `skipped` gives the
        others.
        """
        self._withdrawn.add(entry)
        self._course.withdraw(EntryId(entry))
        while self._look_ahead():
            pass
        mine = [each for each in self._queue if entry in each.seats]
        forfeits = tuple(each for each in mine if self._open[each.block_id].begun)
        dropped = {each.block_id for each in mine} - {each.block_id for each in forfeits}
        dropped = {name for name in dropped if not self._open[name].begun}
        blocks = tuple(self._open[name].block for name in self._open if name in dropped)
        self._queue = [
            each for each in self._queue if each.block_id not in dropped and each not in forfeits
        ]
        for block in blocks:
            del self._open[block.id]
            self._course.lose(block.id)
        self.given_up += len(blocks)
        self._playing.update(forfeits)
        steps = tuple(Step(each, self._next_offer(each)) for each in forfeits)
        return steps, blocks + self.skipped()

    def skipped(self) -> tuple[Block, ...]:
        """Return, once, the blocks that were reached and dropped: somebody of them is withdrawn."""
        skipped = tuple(self._skipped)
        self._skipped.clear()
        return skipped

    def give_up(self) -> None:
        """Drop everything that waits: nothing more is begun."""
        self._given_up = True
        self._open = {name: each for name, each in self._open.items() if each.begun}
        self.given_up = self.total - self.complete - len(self._open)
        self._queue.clear()

    def drop_begun(self) -> tuple[Block, ...]:
        """Drop what was begun too, once nothing is being played; return it."""
        begun = tuple(each.block for each in self._open.values())
        self._open.clear()
        self.given_up = self.total - self.complete
        return begun

    def sitting_of(self, game: StoredGame) -> Sitting:
        """Return the sitting that a stored game is an offer of."""
        block = self._open[game.block_id].block
        return self._course.sittings(block)[game.number - 1]

    def _attempt_of(self, sitting: Sitting) -> OpenBlock | None:
        """Return the open block of a sitting; None if that attempt of it is over."""
        block = self._open.get(sitting.block_id)
        return block if block is not None and block.block.attempt == sitting.attempt else None

    def _next_offer(self, sitting: Sitting) -> int:
        return self._open[sitting.block_id].offers[sitting.number] + 1

    def _free_of_all(self, free: Callable[[str], int]) -> set[str]:
        """Return the entries that take a game now."""
        return {entry.id for entry in self._course.entries if free(entry.id) > 0}

    def _look_ahead(self) -> bool:
        """Take one more block of the course, unless enough are open."""
        return len(self._open) < LOOKAHEAD and self._pull()

    def _pull(self) -> bool:
        """Take one more block of the course that can be played; return whether there was one."""
        while not self._given_up and (block := self._course.next()) is not None:
            if block.id in self._over:
                continue
            if self._withdrawn.isdisjoint(block.trio):
                self._admit(replace(block, attempt=self._attempts.get(block.id, 1)))
                return True
            self._skipped.append(block)
            self._course.lose(block.id)
            self.given_up += 1
        return False

    def _admit(self, block: Block) -> None:
        sittings = self._course.sittings(block)
        self._open[block.id] = OpenBlock(block, {sitting.number for sitting in sittings})
        self._queue += sittings

    def _remember(
        self,
        blocks: tuple[StoredBlock, ...],
        games: tuple[StoredGame, ...],
        results: Iterable[BlockResult],
    ) -> None:
        """Take up the blocks that were begun, where they stand."""
        begun = {each.block_id: each.attempt for each in blocks if each.state is BlockState.RUNNING}
        given: dict[str, Block] = {block.id: block for block in blocks_begun(games)}
        gone = [BlockId(each.block_id) for each in blocks if each.block_id not in given]
        self._course.recall(given.values(), gone)
        for result in results:
            self._course.learn(result)
        for each in blocks:
            if each.state in _LOST and each.block_id in given:
                self._course.lose(BlockId(each.block_id))
        again = self._attempts.keys() - self._over - begun.keys()
        for name in sorted(again & given.keys()):
            self._admit(replace(given[name], attempt=self._attempts[name]))
        for name, attempt in begun.items():
            self._admit(replace(given[name], attempt=attempt))
            self._open[name].begun = True
        self._over |= self._open.keys()
        for game in games:
            if begun.get(game.block_id) != game.attempt:
                continue
            block = self._open[game.block_id]
            block.offers[game.number] = max(block.offers[game.number], game.offer)
            block.misses.update(game.entries[seat] for seat in game.not_ready)
            if game.state is GameState.FINISHED:
                self._queue.remove(self.sitting_of(game))
                block.left.discard(game.number)


_OVER = frozenset({BlockState.COMPLETE, BlockState.INCOMPLETE, BlockState.ANNULLED})
_LOST = frozenset({BlockState.INCOMPLETE, BlockState.ANNULLED})
_PLAYED_AGAIN = frozenset({BlockState.FAILED, BlockState.REPLAYED})


def blocks_begun(games: Iterable[StoredGame]) -> tuple[Block, ...]:
    """Return the blocks that stored games are of, as their first attempts, by cycle and number."""
    found: dict[tuple[int, int], Block] = {}
    for game in games:
        cycle, number = place_of(BlockId(game.block_id))
        first, second, third = map(EntryId, game.entries)
        trio = unseated((first, second, third), game.number)
        found[cycle, number] = Block(id=BlockId(game.block_id), trio=trio, cycle=cycle)
    return tuple(found[place] for place in sorted(found))
