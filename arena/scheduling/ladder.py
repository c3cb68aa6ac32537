"""The ladder: runs for ever, and plays next what tells most about the ranking.

From all results follows what is known of the strengths (`belief`), and from that which block is
expected to gain most for the order of neighbours. Nobody is left behind: whoever has fewer than
`FLOOR` blocks, or less than `SHARE` of the mean, comes first. Nobody holds the others up: who is
away is left out until it comes back, and nobody has more than `MOST_OPEN` open blocks. It decides
who meets whom and never a rating: that comes from the batch fit.
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
MOST_OPEN = 4
"""Blocks that one entry has open at most; with as many open as there are entries, each has 3."""
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

        As many may be open as there are entries here, besides those that wait for somebody who is
        away. A cycle has as many blocks as there are entries.
        """
        given, size = len(field.given), len(field.here)
        left = size if self.blocks is None else self.blocks - given - self._kept_back(field)
        if size < 3 or left < 1 or len(field.in_play) >= size:
            return None
        ready = _ready(field)
        trios = self._next_trios(field, ready, min(left, 1 + len(ready) // AT_ONCE))
        return (given // len(field.entries) + 1, trios) if trios else None

    def _kept_back(self, field: Field) -> int:
        """Return how many of so many blocks are kept for those who are away: their fair share."""
        away = [entry for entry in field.playing if entry in field.away]
        if self.blocks is None or not away:
            return 0
        share = min(FLOOR, 3 * self.blocks // len(field.playing))
        played = _played(field)
        return -(-sum(max(0, share - played[entry]) for entry in away) // 3)

    def _next_trios(self, field: Field, ready: Sequence[EntryId], most: int) -> list[Trio]:
        """Return which of these meet next: the most telling trios that share no entry."""
        order = relabelled((entry.id for entry in field.entries), field.seed, 1)
        belief = self._up_to_date(field, order)
        number = {entry: place for place, entry in enumerate(order)}
        mean = belief.mean()
        playing = [number[entry] for entry in ready]
        ranked = np.array(sorted(playing, key=lambda entry: (-mean[entry], entry)))
        played = _played(field)
        usual = sum(played[entry] for entry in field.playing) / len(field.playing)
        owner: list[str] | None = None
        if field.owners_apart:
            owners = field.owners
            owner = [owners[entry] for entry in order]
        few = max(FLOOR, SHARE * usual)
        late = sorted((entry for entry in ready if played[entry] < few), key=played.__getitem__)
        behind = [number[entry] for entry in late[:most]]
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


def _ready(field: Field) -> list[EntryId]:
    """Return who of those who are here can be given one more block, three at least."""
    most = min(MOST_OPEN, len(field.here) - 1)
    busy = Counter(entry for block in field.in_play for entry in block.trio)
    done = Counter(entry for result in field.results.values() for entry in result.points)
    # Where two have equally many open blocks, those wait for the one that has completed fewer.
    order = sorted(field.here, key=lambda entry: (busy[entry], -done[entry]))
    return order[: max(3, sum(busy[entry] < most for entry in order))]


def _played(field: Field) -> Counter[EntryId]:
    """Return the blocks of each entry, open ones included."""
    played: Counter[EntryId] = Counter()
    for block_id, block in field.given.items():
        if block_id not in field.lost:
            played.update(block.trio)
    return played


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
