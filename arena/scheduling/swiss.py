"""The Swiss system for three: in each round those meet who have done about equally well.

A round begins when the one before it is over. Everybody is ranked by points a hand so far (in the
first round by the seed), and from the top down each is seated with the two next ones that make a
trio that has not met yet. Where that cannot be avoided, a trio meets again. If the field is no
multiple of three, those sit out who have sat out least, the lowest in the ranking first.

Source: the principles of FIDE Handbook C.04.1 (Swiss rules), for tables of three.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from arena.scheduling.block import Entry, EntryId, Trio
from arena.scheduling.even_up import are_apart
from arena.scheduling.live_course import Field
from arena.scheduling.schedule import MAX_CYCLES, relabelled

WINDOW = 8
"""So many next ones are looked at for the two others of a trio."""
STEPS = 20_000
"""Trios that are tried before a repeated one is taken."""


@dataclass(frozen=True, slots=True)
class Swiss:
    """A number of rounds; each is one cycle of the schedule."""

    rounds: int

    takes_late = True

    @property
    def name(self) -> str:
        """What organisers call it."""
        return "swiss"

    def faults(self, entries: Sequence[Entry]) -> list[str]:
        """Refuse a number of rounds that cannot be."""
        del entries
        if 1 <= self.rounds <= MAX_CYCLES:
            return []
        return [f"{self.rounds} rounds; accepted are 1 to {MAX_CYCLES}"]

    def total(self, field: Field) -> int:
        """Return the number of blocks if nobody else comes or goes."""
        given = list(field.given.values())
        last = max((block.cycle for block in given), default=0)
        return len(given) + (self.rounds - last) * (len(field.playing) // 3)

    def choose(self, field: Field) -> tuple[int, Sequence[Trio]] | None:
        """Return the next round, once all of the one before is over; None otherwise.

        After a restart, what was begun of a round stands, and the others are paired anew.
        """
        last = max((block.cycle for block in field.given.values()), default=0)
        if field.interrupted and last:
            sitting = (block.trio for block in field.given.values() if block.cycle == last)
            return last, self._round(field, last, exclude=set(chain.from_iterable(sitting)))
        if field.open or last >= self.rounds:
            return None
        trios = self._round(field, last + 1, exclude=set())
        return (last + 1, trios) if trios else None

    def _round(self, field: Field, number: int, *, exclude: set[EntryId]) -> list[Trio]:
        """Return the trios of one round, without those who sit somewhere already."""
        order = standing(field, relabelled(field.playing, field.seed, number))
        order = [entry for entry in order if entry not in exclude]
        out = _sitting_out(field, order)
        order = [entry for entry in order if entry not in out]
        met = Counter(frozenset(block.trio) for block in field.given.values())
        owner = field.owners

        def may_meet(trio: Trio) -> bool:
            return not field.owners_apart or are_apart(trio, owner)

        def fresh(trio: Trio) -> bool:
            return not met[frozenset(trio)] and may_meet(trio)

        trios = pair(order, fresh) or pair(order, may_meet) or _some(order, may_meet)
        turns = len(field.given)
        return [_turned(trio, turns + place) for place, trio in enumerate(trios)]


def standing(field: Field, order: Sequence[EntryId]) -> list[EntryId]:
    """Return entries from the best down: by points a hand, equals as in `order`."""
    points: Counter[EntryId] = Counter()
    hands: Counter[EntryId] = Counter()
    for result in field.results.values():
        for entry, scored in result.points.items():
            points[entry] += scored
            hands[entry] += result.hands
    total = sum(hands.values())
    usual = sum(points.values()) / total if total else 0.0

    def mean(entry: EntryId) -> float:
        return points[entry] / hands[entry] if hands[entry] else usual

    return sorted(order, key=lambda entry: -mean(entry))


def _sitting_out(field: Field, order: Sequence[EntryId]) -> set[EntryId]:
    """Return who sits out: who has done so least, the lowest first."""
    played = Counter(entry for block in field.given.values() for entry in block.trio)
    lowest_first = list(order)[::-1]
    lowest_first.sort(key=lambda entry: -played[entry])
    return set(lowest_first[: len(order) % 3])


def pair(order: Sequence[EntryId], allowed: Callable[[Trio], bool]) -> list[Trio]:
    """Return allowed trios of all of them, from the top down, neighbours first; nothing if none.

    A search with `STEPS` steps at most: one that is harder than that counts as without a solution.
    """
    trios: list[Trio] = []
    rest = [list(order)]
    ways = [_ways(rest[0], allowed)]
    for _ in range(STEPS):
        if not rest[-1]:
            return trios
        trio = next(ways[-1], None)
        if trio is not None:
            trios.append(trio)
            rest.append([entry for entry in rest[-1] if entry not in trio])
            ways.append(_ways(rest[-1], allowed))
        elif trios:
            trios.pop()
            rest.pop()
            ways.pop()
        else:
            break
    return []


def _ways(order: Sequence[EntryId], allowed: Callable[[Trio], bool]) -> Iterator[Trio]:
    """Yield the trios in which the first can be, the nearest others first."""
    near = range(1, min(len(order), WINDOW + 1))
    for one, other in sorted(combinations(near, 2), key=lambda places: (sum(places), places)):
        trio = order[0], order[one], order[other]
        if allowed(trio):
            yield trio


def _some(order: Sequence[EntryId], allowed: Callable[[Trio], bool]) -> list[Trio]:
    """Return allowed trios of as many as are found from the top down; the others sit out."""
    trios: list[Trio] = []
    rest = list(order)
    while rest:
        trio = next(_ways(rest, allowed), None)
        seated = set(trio or rest[:1])
        if trio is not None:
            trios.append(trio)
        rest = [entry for entry in rest if entry not in seated]
    return trios


def _turned(trio: Trio, turn: int) -> Trio:
    """Return a trio seated so many places further, so that nobody always deals first."""
    first, second, third = (trio[(place + turn) % 3] for place in range(3))
    return first, second, third
