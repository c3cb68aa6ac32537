"""Where a duel stands: a function of the stored results, in the order of their blocks' numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.ratings import SessionResult
from arena.scheduling import BlockId
from arena.scheduling.course import BlockResult
from arena.scheduling.duel import Duel, Reading
from arena.store.block_attempts import StoredBlock
from arena.store.states import BlockState
from arena.store.tournaments import StoredEntry
from euchre_sdk.duel import Effect, SprtState


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelStanding:
    """What watchers of a duel are shown."""

    first: StoredEntry
    second: StoredEntry
    thirds: tuple[StoredEntry, ...]
    state: SprtState
    """The test with the blocks that it has read."""
    hands: int
    """Hands of these blocks."""
    forfeits: tuple[int, int, int]
    """Sessions of these blocks forfeited by the first, the second, the thirds together."""

    @property
    def effect(self) -> Effect:
        """By how much the first is ahead."""
        return Effect.of(self.state.evidence)


def duel_standing(
    duel: Duel,
    entries: Sequence[StoredEntry],
    *,
    results: Iterable[BlockResult],
    blocks: Iterable[StoredBlock],
    sessions: Iterable[SessionResult],
) -> DuelStanding:
    """Return where a duel stands by its complete blocks, and by those that will never count.

    `sessions`: of the complete blocks, to count who forfeited them.
    """
    reading = Reading(duel)
    for lost in lost_blocks(blocks):
        reading.lose(lost)
    for result in results:
        reading.learn(result)
    counted = {result.block_id for result in reading.counted}
    forfeits = Counter(
        session.seats[seat]
        for session in sessions
        if session.block_id in counted
        for seat in session.offenders
    )
    of = {entry.entry_id: entry for entry in entries}
    return DuelStanding(
        first=of[duel.first],
        second=of[duel.second],
        thirds=tuple(of[third] for third in duel.thirds),
        state=reading.state,
        hands=sum(result.hands for result in reading.counted),
        forfeits=(
            forfeits[duel.first],
            forfeits[duel.second],
            sum(forfeits[third] for third in duel.thirds),
        ),
    )


def lost_blocks(blocks: Iterable[StoredBlock]) -> set[BlockId]:
    """Return the blocks that will never count: given up, dropped, or struck for good."""
    last: dict[str, StoredBlock] = {}
    for block in blocks:
        before = last.get(block.block_id)
        if before is None or before.attempt < block.attempt:
            last[block.block_id] = block
    gone = {BlockState.INCOMPLETE, BlockState.ANNULLED}
    return {BlockId(name) for name, block in last.items() if block.state in gone}
