"""What follows a schedule: the even-up pass, and those who come late."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arena.scheduling import (
    AllTrios,
    Entry,
    EntryId,
    FixedCourse,
    Gauntlet,
    OwnerId,
    Schedule,
    ScheduleError,
    cycles_over,
)
from arena.scheduling.even_up import even_up, owners_of
from euchre_sdk.game import Session


def entries_of(owners: str) -> tuple[Entry, ...]:
    """Return an entry for each sign: of that owner, or of nobody for a dot."""
    return tuple(
        Entry(EntryId(f"e{number}"), None if owner == "." else OwnerId(owner))
        for number, owner in enumerate(owners)
    )


def course_of(
    owners: str, *, apart: bool = True, late: tuple[Entry, ...] = (), **more
) -> FixedCourse:
    schedule = Schedule(
        entries=entries_of(owners), format=Session(3), seed="s", owners_apart=apart, **more
    )
    return FixedCourse(schedule, late=late)


def blocks_of(course: FixedCourse):
    return list(iter(course.next, None))


def played(blocks) -> Counter[str]:
    return Counter(entry for block in blocks for entry in block.trio)


@pytest.mark.parametrize(
    "owners", ["aa.....", "aabbcc", "aab......", "aabbccdd...", "abcdefgh", "aa" + "." * 40]
)
def test_who_lost_blocks_to_its_owner_has_as_many_as_the_others_in_the_end(owners):
    blocks = blocks_of(course_of(owners))
    owner = owners_of(entries_of(owners))
    counts = played(blocks)
    assert all(len({owner[entry] for entry in block.trio}) == 3 for block in blocks)
    assert max(counts.values()) - min(counts.values()) <= 2
    assert len(counts) == len(owners)


def test_the_pass_brings_those_together_who_have_met_least():
    schedule = Schedule(
        entries=entries_of("aa......."), format=Session(3), seed="s", owners_apart=True
    )
    base = [block.trio for block in schedule.blocks()]
    extra = list(even_up(schedule.order(2), base, owners_of(schedule.entries)))
    counts = played(schedule.blocks())
    met = Counter(frozenset(pair) for trio in base for pair in combinations(trio, 2))
    first = extra[0]
    assert min(counts.values()) in {counts[entry] for entry in first}
    assert any(met[frozenset(pair)] < max(met.values()) for pair in combinations(first, 2))


def test_an_owner_with_most_of_the_field_is_evened_up_as_far_as_others_can():
    blocks = blocks_of(course_of("aaaaaa.."))
    assert all(sum(entry in {"e6", "e7"} for entry in block.trio) == 2 for block in blocks)


def test_a_gauntlet_is_its_newcomers_blocks_and_nothing_else():
    blocks = blocks_of(course_of("abcdefgh", policy=Gauntlet(EntryId("e0"))))
    assert len(blocks) == 21
    assert all("e0" in block.trio for block in blocks)


def test_nothing_follows_where_owners_may_meet():
    course = course_of("aabb..", apart=False, cycles=2)
    assert course.total == len(blocks_of(course)) == 60
    assert {block.cycle for block in blocks_of(course_of("aabb..", apart=False, cycles=2))} == {
        1,
        2,
    }


def test_who_comes_late_catches_up_with_everybody_else_at_an_even_pace():
    late = Entry(EntryId("late"))
    course = course_of(".......", late=(late,))
    before = blocks_of(course_of("......."))
    blocks = blocks_of(course)
    assert blocks[: len(before)] == before
    more = blocks[len(before) :]
    assert all("late" in block.trio for block in more)
    assert len(more) == 3 * len(before) // 7
    met = Counter(entry for block in more for entry in block.trio if entry != "late")
    assert max(met.values()) - min(met.values()) <= 1


def test_ids_stand_whoever_comes_and_whenever_he_is_told_of():
    one, other = Entry(EntryId("late1")), Entry(EntryId("late2"))
    at_once = course_of("......", late=(one, other))
    little_by_little = course_of("......")
    there = [little_by_little.next() for _ in range(4)]
    little_by_little.enter(one)
    there += [little_by_little.next() for _ in range(9)]
    little_by_little.enter(other)
    there += blocks_of(little_by_little)
    assert there == blocks_of(at_once)
    assert at_once.total == little_by_little.total == len(there)
    assert little_by_little.block(there[-1].id) == there[-1]


def test_a_late_entry_of_the_same_owner_meets_others_only():
    course = course_of("aa....", late=(Entry(EntryId("late"), OwnerId("a")),))
    mine = [block for block in blocks_of(course) if "late" in block.trio]
    assert mine
    assert all({"e0", "e1"}.isdisjoint(block.trio) for block in mine)


def test_who_would_meet_nobody_is_refused():
    course = course_of("aab.")
    with pytest.raises(ScheduleError, match="entered already"):
        course.enter(Entry(EntryId("e0")))
    lonely = course_of("abc")
    assert lonely.late_faults(Entry(EntryId("late"), OwnerId("a"))) == []
    assert lonely.total == 3


def test_cycles_are_over_when_all_their_blocks_are():
    def over(number: int) -> int:
        blocks = blocks_of(course_of("...", cycles=3, policy=AllTrios()))
        done = {block.id for block in blocks[:number]}
        return cycles_over(course_of("...", cycles=3, policy=AllTrios()), (), done)

    assert [over(number) for number in range(4)] == [0, 1, 2, 3]


def test_no_two_of_one_owner_ever_meet_in_any_small_field():
    for owners in {"".join(sorted(each)) for each in combinations("aaabbbc....", 6)}:
        entries = entries_of(owners)
        if len(set(owners_of(entries).values())) < 3:
            continue
        owner = owners_of(entries)
        for block in blocks_of(course_of(owners)):
            assert len({owner[entry] for entry in block.trio}) == 3
