"""Results as columns, the form in which they are fitted.

A million results are a few arrays, not a million objects: a store that keeps columns builds these
classes directly, everybody else goes through `of`. Rows need no order. N is the number of rows,
n the number of entries; entries and blocks are numbered 0, 1, ... in the order of their ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from arena.ratings.errors import RatingsError
from arena.ratings.results import GameResult, SessionResult

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SessionColumns:
    """Sessions. The constructor raises `RatingsError` with everything that is wrong."""

    entries: tuple[str, ...]
    """Ids, sorted; may include entries without any result."""
    seats: Ints
    """(N, 3): entry numbers in seat order."""
    block: Ints
    """(N,): block numbers. Rows of one block hold the same three entries."""
    hands: Ints
    """(N, 3): hands that count, by dealer's seat."""
    points: Ints | Floats
    """(N, 3, 3): points of each seat (second axis) in those hands, by dealer's seat (third).

    Whole numbers, unless the luck of the cards is taken off them."""
    scheduled: Ints
    """(N,)"""
    places: Ints
    """(N, 3)"""
    offenders: Bools
    """(N, 3): who forfeited."""
    not_started: Mapping[str, int] = field(default_factory=dict)
    """How often an entry was not ready, by id."""

    def __post_init__(self) -> None:
        n = len(self.block)
        shapes = {
            "seats": (self.seats, (n, 3)),
            "hands": (self.hands, (n, 3)),
            "points": (self.points, (n, 3, 3)),
            "scheduled": (self.scheduled, (n,)),
            "places": (self.places, (n, 3)),
            "offenders": (self.offenders, (n, 3)),
        }
        faults = _common_faults(self.entries, self.seats, self.block, shapes, self.not_started)
        if not faults:
            if np.any(self.hands < 0):
                faults.append("a negative number of hands; accepted is 0 or more")
            elif np.any(self.hands.sum(1) > self.scheduled):
                faults.append("more hands than were scheduled; accepted is at most as many")
            if np.any((self.points != 0) & (self.hands[:, None, :] == 0)):
                faults.append("points from hands that nobody dealt; accepted is 0 there")
            if np.any((self.places < 1) | (self.places > 3)):
                faults.append("a place outside 1 to 3; accepted are 1, 2 and 3")
        if faults:
            raise RatingsError(faults)

    @classmethod
    def of(
        cls,
        results: Iterable[SessionResult],
        *,
        entries: Iterable[str] = (),
        not_started: Mapping[str, int] | None = None,
    ) -> SessionColumns:
        """Gather results. `entries` adds those of the field that may not have played yet."""
        rows = list(results)
        names = _names(entries, (row.seats for row in rows), not_started)
        return cls(
            entries=names,
            seats=_numbers([row.seats for row in rows], names),
            block=_block_numbers([row.block_id for row in rows]),
            hands=_ints([row.hands for row in rows], (3,)),
            points=_ints([row.points for row in rows], (3, 3)),
            scheduled=_ints([row.scheduled for row in rows], ()),
            places=_ints([row.places for row in rows], (3,)),
            offenders=_marks([row.offenders for row in rows]),
            not_started=dict(not_started or {}),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameColumns:
    """Games to the target. The constructor raises `RatingsError` with everything that is wrong."""

    entries: tuple[str, ...]
    """Ids, sorted; may include entries without any result."""
    seats: Ints
    """(N, 3): entry numbers in seat order."""
    block: Ints
    """(N,): block numbers. Rows of one block hold the same three entries."""
    hands: Ints
    """(N,)"""
    points: Ints
    """(N, 3)"""
    places: Ints
    """(N, 3); all 0 in a game that is unfinished."""
    offenders: Bools
    """(N, 3): who forfeited."""
    not_started: Mapping[str, int] = field(default_factory=dict)
    """How often an entry was not ready, by id."""

    def __post_init__(self) -> None:
        n = len(self.block)
        shapes = {
            "seats": (self.seats, (n, 3)),
            "hands": (self.hands, (n,)),
            "points": (self.points, (n, 3)),
            "places": (self.places, (n, 3)),
            "offenders": (self.offenders, (n, 3)),
        }
        faults = _common_faults(self.entries, self.seats, self.block, shapes, self.not_started)
        if faults:
            raise RatingsError(faults)
        unrated = self.offenders.any(axis=1) | (self.places == 0).all(axis=1)
        if not np.all(_known_places(self.places) | unrated):
            faults.append(
                "places that cannot be; accepted are 1 2 3 in any order, 1 2 2, 1 1 3, 1 1 1, "
                "and none for an unfinished game"
            )
        if np.any((self.places < 0) | (self.places > 3)):
            faults.append("a place outside 1 to 3; accepted are 1, 2 and 3")
        if faults:
            raise RatingsError(faults)

    @classmethod
    def of(
        cls,
        results: Iterable[GameResult],
        *,
        entries: Iterable[str] = (),
        not_started: Mapping[str, int] | None = None,
    ) -> GameColumns:
        """Gather results. `entries` adds those of the field that may not have played yet."""
        rows = list(results)
        names = _names(entries, (row.seats for row in rows), not_started)
        return cls(
            entries=names,
            seats=_numbers([row.seats for row in rows], names),
            block=_block_numbers([row.block_id for row in rows]),
            hands=_ints([row.hands for row in rows], ()),
            points=_ints([row.points for row in rows], (3,)),
            places=_ints([row.places or (0, 0, 0) for row in rows], (3,)),
            offenders=_marks([row.offenders for row in rows]),
            not_started=dict(not_started or {}),
        )


def _known_places(places: Ints) -> Bools:
    """Tell which rows are places: each place is one more than the number of those ahead."""
    ahead = (places[:, None, :] < places[:, :, None]).sum(2)
    known: Bools = (places == ahead + 1).all(axis=1)
    return known


def _common_faults(
    entries: tuple[str, ...],
    seats: Ints,
    block: Ints,
    shapes: Mapping[str, tuple[npt.NDArray[np.generic], tuple[int, ...]]],
    not_started: Mapping[str, int],
) -> list[str]:
    """List what is wrong with what both kinds of columns share."""
    faults = [
        f"column {name} has the shape {column.shape}; accepted is {shape}"
        for name, (column, shape) in shapes.items()
        if column.shape != shape
    ]
    if faults:
        return faults
    if list(entries) != sorted(set(entries)):
        faults.append("entries are not sorted or not different; accepted are sorted, different ids")
    if np.any((seats < 0) | (seats >= len(entries))):
        faults.append("a seat of nobody; accepted are numbers of entries")
    if np.any(seats == np.roll(seats, 1, axis=1)):
        faults.append("an entry that meets itself; accepted are three different entries")
    if len(block) and not faults:
        trio = np.sort(seats, axis=1)
        order = np.argsort(block, kind="stable")
        same_block = block[order][1:] == block[order][:-1]
        if np.any(same_block & np.any(trio[order][1:] != trio[order][:-1], axis=1)):
            faults.append("a block with more than one trio; accepted is one")
    if unknown := sorted(set(not_started) - set(entries)):
        faults.append(f"not started, but not entered: {', '.join(unknown)}")
    return faults


def _names(
    entries: Iterable[str],
    seats: Iterable[tuple[str, str, str]],
    not_started: Mapping[str, int] | None,
) -> tuple[str, ...]:
    """Return all ids that occur, sorted."""
    seen = Counter(entries)
    for trio in seats:
        seen.update(trio)
    return tuple(sorted({*seen, *(not_started or {})}))


def _numbers(seats: Sequence[tuple[str, str, str]], names: tuple[str, ...]) -> Ints:
    number = {name: index for index, name in enumerate(names)}
    return _ints([[number[entry] for entry in trio] for trio in seats], (3,))


def _block_numbers(blocks: Sequence[str]) -> Ints:
    number = {name: index for index, name in enumerate(sorted(set(blocks)))}
    return _ints([number[name] for name in blocks], ())


def _ints(rows: Sequence[object], shape: tuple[int, ...]) -> Ints:
    """Return rows of whole numbers as an array, of the right shape even if there are none."""
    return np.array(rows, dtype=np.int64).reshape(len(rows), *shape)


def _marks(seats: Sequence[tuple[int, ...]]) -> Bools:
    return np.array(
        [[seat in marked for seat in range(3)] for marked in seats], dtype=bool
    ).reshape(len(seats), 3)
