"""Steiner systems: every pair meets once, for every size there is."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arena.scheduling import Balance, Entry, EntryId, Schedule, ScheduleError, Spread, Steiner
from euchre_sdk.game import Session, ToTarget

SIZES = [n for n in range(3, 61) if n % 6 in {1, 3}]


def schedule_of(n, format=Session(30), **more):
    entries = tuple(Entry(EntryId(f"e{number}")) for number in range(n))
    return Schedule(entries=entries, format=format, seed="s", policy=Steiner(), **more)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("format", "times"), [(Session(30), 2), (ToTarget(), 6)])
def test_every_pair_meets_in_one_block_and_every_ordered_neighbour_as_often(n, format, times):
    schedule = schedule_of(n, format)
    blocks = list(schedule.blocks())
    pairs = Counter(frozenset(pair) for block in blocks for pair in combinations(block.trio, 2))
    assert len(blocks) == n * (n - 1) // 6
    assert set(pairs.values()) == {1}
    report = Balance.of(
        [entry.id for entry in schedule.entries],
        (one for block in blocks for one in schedule.sittings(block)),
    )
    assert report.meetings_spread == Spread(times, times)
    assert report.neighbours_spread == Spread(times // 2, times // 2)


@pytest.mark.parametrize("n", SIZES)
def test_nobody_has_a_place_of_a_trio_much_more_often_than_another(n):
    places = Counter(
        (entry, place)
        for block in schedule_of(n).blocks()
        for place, entry in enumerate(block.trio)
    )
    fair = (n - 1) / 6
    assert max(places.values()) <= fair + 2


@pytest.mark.parametrize("n", [n for n in range(3, 61) if n not in SIZES])
def test_other_sizes_are_refused_with_the_nearest(n):
    with pytest.raises(
        ScheduleError, match=rf"no Steiner system has {n} entries.*here .*round-robin"
    ):
        schedule_of(n)
