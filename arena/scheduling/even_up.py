"""Blocks beside a schedule: the even-up pass, and how somebody who comes late catches up.

Both are pure functions of who takes part and of what the schedule has, and never of a result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, cycle, islice

from arena.scheduling.block import Entry, EntryId, Trio
from arena.scheduling.gauntlet import Gauntlet

_TURNS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def owners_of(entries: Iterable[Entry]) -> dict[EntryId, str]:
    """Return whom each entry answers to; whoever answers to nobody is apart from all.

    >>> owners_of([Entry(EntryId("a"))])
    {'a': 'nobody a'}
    """
    return {each.id: f"of {each.owner}" if each.owner else f"nobody {each.id}" for each in entries}


def are_apart(trio: Iterable[EntryId], owner: Mapping[EntryId, str]) -> bool:
    """Return whether no two of these answer to the same owner."""
    owners = [owner[entry] for entry in trio]
    return len(set(owners)) == len(owners)


def even_up(
    order: Sequence[EntryId], trios: Iterable[Trio], owner: Mapping[EntryId, str]
) -> Iterator[Trio]:
    """Yield trios of different owners that bring everybody nearer to who plays most.

    `order` decides between equals; `trios`: what the schedule has. Who plays least comes first,
    with others who play less than the most, and of them with those whom it has met least. When
    there are none, with those who play least of all, until nobody plays two blocks less than the
    most. It ends after half as many blocks as the schedule has: where one owner has a large part of
    the field, it cannot be even.
    """
    played = Counter(dict.fromkeys(order, 0))
    met: Counter[frozenset[EntryId]] = Counter()
    for trio in trios:
        _count(trio, played, met)
    for number in range(played.total() // 6):
        most = max(played.values())
        short = [entry for entry in order if played[entry] < most]
        found = _neediest(short, played, met, owner)
        if found is None and short and min(played.values()) < most - 1:
            found = _neediest(short, played, met, owner, among=order)
        if found is None:
            return
        turn = _TURNS[number % 3]
        first, second, third = (found[place] for place in turn)
        yield first, second, third
        _count(found, played, met)


def catch_up(
    newcomer: Entry, others: Sequence[Entry], blocks: int, *, owners_apart: bool
) -> Iterator[Trio]:
    """Yield so many trios of somebody who came late, with everybody else at an even pace.

    `others` stand in the order in which they are met. Yields nothing if there are no two others
    whom it may meet at one table.
    """
    entries = [newcomer, *others]
    owner = owners_of(entries)
    pairs = Gauntlet(newcomer.id).trios([entry.id for entry in entries])
    allowed = [trio for trio in pairs if not owners_apart or are_apart(trio, owner)]
    yield from islice(cycle(allowed), blocks)


def _neediest(
    short: Sequence[EntryId],
    played: Mapping[EntryId, int],
    met: Mapping[frozenset[EntryId], int],
    owner: Mapping[EntryId, str],
    *,
    among: Sequence[EntryId] | None = None,
) -> Trio | None:
    """Return who plays least of some, with partners out of them or of others; None if none fit."""
    partners = short if among is None else among
    place = {entry: number for number, entry in enumerate(partners)}
    for first in sorted(short, key=lambda entry: (played[entry], place[entry])):

        def need(entry: EntryId, *seated: EntryId) -> tuple[int, int, int]:
            meetings = sum(met[frozenset((entry, other))] for other in seated)
            plays = played[entry]
            return (
                (meetings, plays, place[entry])
                if among is None
                else (plays, meetings, place[entry])
            )

        others = [entry for entry in partners if owner[entry] != owner[first]]
        for second in sorted(others, key=lambda entry: need(entry, first)):
            thirds = [entry for entry in others if owner[entry] != owner[second]]
            if thirds:
                third = min(thirds, key=lambda entry: need(entry, first, second))
                return first, second, third
    return None


def _count(trio: Trio, played: Counter[EntryId], met: Counter[frozenset[EntryId]]) -> None:
    played.update(trio)
    met.update(frozenset(pair) for pair in combinations(trio, 2))
