"""The ladder: runs for ever, and plays next what tells most about the ranking.

From all results follows what is known of the strengths (`belief`), and from that which block is
expected to gain most for the order of neighbours. Nobody is left behind: whoever has fewer than
`FLOOR` blocks, or less than `SHARE` of the mean, comes first. It decides who meets whom and never a
rating: that comes from the batch fit, which does not mind how its blocks were chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import TypeAlias

import numpy as np

from arena.scheduling.belief import Belief, Ints, expected_gain
from arena.scheduling.block import Entry, EntryId, Trio
from arena.scheduling.live_course import Field
from arena.scheduling.schedule import relabelled
from euchre_sdk.game import Format, Session

FLOOR = 6
"""Blocks that everybody plays before anything else is decided."""
SHARE = 0.5
"""Of the mean number of blocks, what everybody has."""
GAME_HANDS = 18
"""About so many hands has a game to 10."""
REACH = 3
"""So many places further up or down than its nearest one a third entry may stand."""
AT_ONCE = 64
"""One more block is chosen at a time for each so many entries: deciding is dear in large fields."""


Three: TypeAlias = tuple[int, int, int]
"""Three entries by their numbers."""


@dataclass(slots=True, eq=False)
class Ladder:
    """An endless schedule, or one of so many blocks.

    What it keeps of a field is only what it would compute again from it.
    """

    block_hands: float
    """Hands of one block, as its format has them."""
    blocks: int | None = None
    """After so many it ends; None for never."""
    takes_late: bool = field(default=True, init=False)
    _belief: Belief | None = field(default=None, init=False)

    @classmethod
    def of(cls, format: Format, blocks: int | None = None) -> Ladder:
        """Make the ladder of a format."""
        hands = 2 * format.hands if isinstance(format, Session) else 6 * GAME_HANDS
        return cls(block_hands=hands, blocks=blocks)

    @property
    def name(self) -> str:
        """What organisers call it."""
        return "ladder"

    def faults(self, entries: Sequence[Entry]) -> list[str]:
        """Refuse a number of blocks that cannot be."""
        del entries
        if self.blocks is None or self.blocks >= 1:
            return []
        return [f"{self.blocks} blocks; accepted are 1 or more"]

    def total(self, field: Field) -> int:
        """Return the number of blocks: those that were given out, if it never ends."""
        return len(field.given) if self.blocks is None else self.blocks

    def choose(self, field: Field) -> tuple[int, Sequence[Trio]] | None:
        """Return the next blocks; None while enough are open, or at the end.

        As many may be open as there are entries. A cycle has as many blocks as there are entries.
        """
        given, size = len(field.given), len(field.playing)
        left = size if self.blocks is None else self.blocks - given
        if size < 3 or left < 1 or field.open >= size:
            return None
        trios = self._next_trios(field, min(left, 1 + size // AT_ONCE))
        return (given // len(field.entries) + 1, trios) if trios else None

    def _next_trios(self, field: Field, most: int) -> list[Trio]:
        """Return who meets next: the most telling trios of which no two share an entry."""
        order = relabelled((entry.id for entry in field.entries), field.seed, 1)
        belief = self._up_to_date(field, order)
        number = {entry: place for place, entry in enumerate(order)}
        mean = belief.mean()
        playing = [number[entry] for entry in field.playing]
        ranked = np.array(sorted(playing, key=lambda entry: (-mean[entry], entry)))
        played = _played(field, order)
        owner: list[str] | None = None
        if field.owners_apart:
            owners = field.owners
            owner = [owners[entry] for entry in order]
        behind = _left_behind(played, playing)[:most]
        covariance = belief.covariance()

        def best_first(trios: list[Three], must: int | None = None) -> list[Three]:
            allowed = _allowed(trios, playing, owner, must)
            if not allowed:
                return []
            rows = np.array(allowed)
            gain = expected_gain(ranked, mean, covariance, rows, hands=self.block_hands)
            # Rounded, so that the last bits of a sum never decide between equals.
            order = np.lexsort((np.arange(len(rows)), -np.round(gain, 12)))
            return [allowed[index] for index in order]

        # One block for each of those left behind; else the most telling ones of all.
        wanted = [best_first(_with(entry, ranked), entry) for entry in behind]
        chosen: list[Trio] = []
        seated: set[int] = set()
        for trios in wanted or [best_first(_near(ranked))] * most:
            best = next((trio for trio in trios if seated.isdisjoint(trio)), None)
            if best is not None:
                turn = len(field.given) + len(chosen)
                first, second, third = (order[best[(place + turn) % 3]] for place in range(3))
                chosen.append((first, second, third))
                seated.update(best)
        return chosen

    def _up_to_date(self, field: Field, order: Sequence[EntryId]) -> Belief:
        """Return what is known of these entries, counting in only what is new."""
        if self._belief is None or self._belief.entries != tuple(order):
            self._belief = Belief(order, block_hands=self.block_hands)
        belief = self._belief
        for block_id, block in field.given.items():
            result = field.results.get(block_id)
            if block_id in field.lost:
                belief.forget(block_id, block.trio)
            elif not belief.knows(block_id, result):
                belief.count(block_id, block.trio, result)
        return belief


def _played(field: Field, order: Sequence[EntryId]) -> list[int]:
    """Return the blocks of each entry, open ones included."""
    played: Counter[EntryId] = Counter()
    for block_id, block in field.given.items():
        if block_id not in field.lost:
            played.update(block.trio)
    return [played[entry] for entry in order]


def _left_behind(played: Sequence[int], playing: Sequence[int]) -> list[int]:
    """Return who has played too little, least first."""
    mean = sum(played[entry] for entry in playing) / len(playing)
    few = max(FLOOR, SHARE * mean)
    return sorted((entry for entry in playing if played[entry] < few), key=played.__getitem__)


def _allowed(
    trios: list[Three], playing: Sequence[int], owner: Sequence[str] | None, must: int | None
) -> list[Three]:
    """Return the trios that may meet; where none of them may, others that may."""
    if owner is None:
        return trios
    apart = [trio for trio in trios if len({owner[each] for each in trio}) == 3]
    return apart or _any_apart(playing, owner, must)


def _near(ranked: Ints) -> list[Three]:
    """Return the trios of two neighbours in the ranking and somebody near them."""
    found = set()
    for upper in range(len(ranked) - 1):
        for third in range(upper - REACH, upper + 2 + REACH):
            if 0 <= third < len(ranked) and third not in {upper, upper + 1}:
                found.add(tuple(sorted((upper, upper + 1, third))))
    return [(int(ranked[a]), int(ranked[b]), int(ranked[c])) for a, b, c in sorted(found)]


def _with(entry: int, ranked: Ints) -> list[Three]:
    """Return the trios of one entry with two others that are neighbours but for itself."""
    others = [int(each) for each in ranked if each != entry]
    return [(entry, *pair) for pair in pairwise(others)]


def _any_apart(playing: Sequence[int], owner: Sequence[str], must: int | None) -> list[Three]:
    """Return some trios of different owners, one for each pair of owners near at hand."""
    one_of: dict[str, int] = {}
    for entry in playing:
        one_of.setdefault(owner[entry], entry)
    if must is not None:
        others = [entry for name, entry in one_of.items() if name != owner[must]]
        return [(must, *pair) for pair in pairwise(others)]
    return [*combinations(one_of.values(), 3)][:100]
