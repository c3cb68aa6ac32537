"""Schedules that look at results: pure, resumable, and fair to everybody."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.scheduling import (
    Block,
    BlockResult,
    Entry,
    EntryId,
    Ladder,
    LiveCourse,
    OwnerId,
    ScheduleError,
    Swiss,
)
from arena.scheduling.ladder import FLOOR, MOST_OPEN, SHARE
from euchre_sdk.game import Session

HANDS = 60


def entries_of(n: int, owners: str = "") -> tuple[Entry, ...]:
    owner = {number: name for number, name in enumerate(owners) if name != "."}
    return tuple(
        Entry(EntryId(f"e{number:02}"), OwnerId(owner[number]) if number in owner else None)
        for number in range(n)
    )


def course_of(chooser, n: int = 9, *, owners: str = "") -> LiveCourse:
    return LiveCourse(
        chooser,
        entries=entries_of(n, owners),
        format=Session(30),
        seed="s",
        owners_apart=bool(owners),
    )


def ladder(blocks: int | None = None) -> Ladder:
    return Ladder.of(Session(30), blocks)


def result_of(block: Block, luck: random.Random) -> BlockResult:
    """Play a block: e00 is the weakest, each next one is 0.05 points a hand stronger."""
    strength = {entry: int(entry[1:]) * 0.05 for entry in block.trio}
    points = {
        entry: round(HANDS * (0.8 + strength[entry] - 0.1) + luck.gauss(0, 9))
        for entry in block.trio
    }
    return BlockResult(block_id=block.id, points=points, hands=HANDS)


def played(blocks: list[Block]) -> Counter[str]:
    return Counter(entry for block in blocks for entry in block.trio)


def rounds(course: LiveCourse, luck: random.Random) -> list[list[Block]]:
    """Play everything, the blocks of each round in a random order."""
    found = []
    while blocks := list(iter(course.next, None)):
        found.append(blocks)
        for block in luck.sample(blocks, len(blocks)):
            course.learn(result_of(block, random.Random(block.id)))
    return found


@pytest.mark.parametrize("n", [3, 4, 5, 9, 10, 11, 31, 60])
def test_a_swiss_seats_everybody_once_a_round_but_for_those_who_sit_out(n):
    course = course_of(Swiss(7), n)
    total = course.total
    found = rounds(course, random.Random(1))
    assert [len(blocks) for blocks in found] == [n // 3] * 7
    assert total == course.total == 7 * (n // 3)
    for blocks in found:
        assert set(played(blocks).values()) == {1}
    counts = played([block for blocks in found for block in blocks])
    assert max(counts.values()) - min(counts.values()) <= 1
    assert len(counts) == n


@pytest.mark.parametrize("n", [9, 12, 15, 31])
def test_no_trio_meets_again_in_a_swiss_while_that_can_be_avoided(n):
    found = rounds(course_of(Swiss(5), n), random.Random(2))
    trios = Counter(frozenset(block.trio) for blocks in found for block in blocks)
    assert set(trios.values()) == {1}


def test_a_trio_meets_again_where_there_is_no_other():
    found = rounds(course_of(Swiss(4), 3), random.Random(2))
    assert len(found) == 4
    assert len({block.trio for blocks in found for block in blocks}) > 1


def test_after_some_rounds_those_meet_who_have_done_about_equally_well():
    found = rounds(course_of(Swiss(8), 24), random.Random(3))

    def apart(blocks: list[Block]) -> float:
        spans = [[int(entry[1:]) for entry in block.trio] for block in blocks]
        return sum(max(span) - min(span) for span in spans) / len(spans)

    assert apart(found[-1]) < 0.6 * apart(found[0])


def test_a_swiss_keeps_owners_apart_and_who_cannot_be_seated_sits_out():
    for owners in ("aaabbb...", "aaaaaa...", "aabbcc..."):
        course = course_of(Swiss(4), 9, owners=owners)
        owner = {entry.id: entry.owner or entry.id for entry in course.entries}
        found = rounds(course, random.Random(4))
        assert len(found) == 4
        for blocks in found:
            assert all(len({owner[entry] for entry in block.trio}) == 3 for block in blocks)


def test_who_enters_late_plays_from_the_next_round():
    course = course_of(Swiss(3), 6)
    first = list(iter(course.next, None))
    course.enter(Entry(EntryId("e99")))
    for block in first:
        course.learn(result_of(block, random.Random(0)))
    second = list(iter(course.next, None))
    assert "e99" in played(second)
    with pytest.raises(ScheduleError, match="entered already"):
        course.enter(Entry(EntryId("e99")))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_swiss_goes_on_after_a_restart_with_what_was_begun(data):
    n, stop = data.draw(st.integers(3, 14)), data.draw(st.integers(0, 20))
    luck = random.Random(data.draw(st.integers(0, 99)))
    course = course_of(Swiss(4), n)
    begun: list[Block] = []
    results: list[BlockResult] = []
    for _ in range(stop):
        block = course.next()
        if block is None:
            waiting = [each for each in begun if each.id not in {one.block_id for one in results}]
            if not waiting:
                break
            results.append(result_of(luck.choice(waiting), luck))
            course.learn(results[-1])
        elif luck.random() < 0.7:
            begun.append(block)
    again = course_of(Swiss(4), n)
    luck.shuffle(begun)
    again.recall(begun, [])
    for result in results:
        again.learn(result)
    for block in begun:
        if block.id not in {one.block_id for one in results}:
            again.learn(result_of(block, luck))
    found = [*begun, *(block for blocks in rounds(again, luck) for block in blocks)]
    assert len({block.id for block in found}) == len(found)
    for number in {block.cycle for block in found}:
        assert set(played([one for one in found if one.cycle == number]).values()) == {1}
    assert max(block.cycle for block in found) == 4


def run_ladder(course: LiveCourse, blocks: int, luck: random.Random) -> list[Block]:
    """Play so many blocks, of which a few are open at a time and end in a random order."""
    found: list[Block] = []
    running: list[Block] = []
    while len(found) < blocks:
        block = course.next() if len(running) < 3 else None
        if block is not None:
            found.append(block)
            running.append(block)
        else:
            ended = running.pop(luck.randrange(len(running)))
            course.learn(result_of(ended, random.Random(ended.id)))
    return found


def test_a_ladder_has_no_end_and_leaves_nobody_behind():
    course = course_of(ladder(), 12)
    found = run_ladder(course, 300, random.Random(1))
    counts = played(found)
    assert len(counts) == 12
    assert min(counts.values()) >= max(FLOOR, SHARE * 300 * 3 / 12) - 1
    assert course.total == 300


def test_a_ladder_may_end_after_so_many_blocks():
    course = course_of(ladder(25), 6)
    found = []
    while block := course.next():
        found.append(block)
        course.learn(result_of(block, random.Random(block.id)))
    assert len(found) == course.total == 25


def test_a_ladder_plays_close_ones_against_each_other():
    found = run_ladder(course_of(ladder(), 12), 300, random.Random(1))[100:]
    near = sum(
        abs(int(one[1:]) - int(other[1:])) <= 2
        for block in found
        for one, other in combinations(block.trio, 2)
    )
    assert near > 0.5 * 3 * len(found)  # 0.32 if everybody met everybody


def test_the_same_facts_give_the_same_next_block_in_whatever_order_they_came():
    course = course_of(ladder(), 9)
    given = [course.next() for _ in range(9)]
    blocks = [block for block in given if block is not None]
    assert len(blocks) == 9
    assert course.next() is None  # as many are open as there are entries
    others = []
    for order in (blocks, blocks[::-1], blocks[4:] + blocks[:4]):
        again = course_of(ladder(), 9)
        again.recall(order, [])
        for block in order:
            again.learn(result_of(block, random.Random(block.id)))
        others.append([again.next() for _ in range(3)])
    assert others[0] == others[1] == others[2]


def test_a_result_that_is_struck_counts_no_more():
    course, clean = course_of(ladder(), 6), course_of(ladder(), 6)
    blocks = [course.next() for _ in range(6)]
    clean.recall([block for block in blocks if block], [])
    for block in blocks:
        course.learn(result_of(block, random.Random(1)))
    course.lose(blocks[0].id)
    course.reopen(blocks[1].id)
    course.learn(result_of(blocks[1], random.Random(7)))
    for block in blocks[1:]:
        clean.learn(result_of(block, random.Random(7 if block is blocks[1] else 1)))
    clean.lose(blocks[0].id)
    assert [course.next() for _ in range(4)] == [clean.next() for _ in range(4)]


def test_a_large_field_is_given_several_blocks_at_a_time_that_share_nobody():
    course = course_of(ladder(), 200)
    found = run_ladder(course, 8 * 200 // 3, random.Random(1))
    assert len(set(played(found).values())) <= FLOOR
    for at in range(0, 40, 4):  # four are chosen at once
        assert set(played(found[at : at + 4]).values()) == {1}


def test_who_is_withdrawn_gets_no_more_blocks_and_who_is_new_gets_the_next_ones():
    course = course_of(ladder(), 7)
    run_ladder(course, 60, random.Random(2))
    course.withdraw(EntryId("e03"))
    course.enter(Entry(EntryId("e99")))
    found = run_ladder(course, FLOOR, random.Random(3))
    assert all("e99" in block.trio and "e03" not in block.trio for block in found)


@pytest.mark.parametrize("owners", ["aabb...", "aaaa...", "aaabbbc"])
def test_a_ladder_keeps_owners_apart(owners):
    course = course_of(ladder(), 7, owners=owners)
    owner = {entry.id: entry.owner or entry.id for entry in course.entries}
    found = run_ladder(course, 80, random.Random(5))
    assert all(len({owner[entry] for entry in block.trio}) == 3 for block in found)
    assert len(played(found)) == 7


@pytest.mark.parametrize(
    ("chooser", "n", "owners", "said"),
    [
        (Swiss(0), 6, "", "0 rounds; accepted are 1 to"),
        (ladder(0), 6, "", "0 blocks; accepted are 1 or more"),
        (ladder(), 2, "", "2 entries; accepted are three or more"),
        (Swiss(3), 5, "aaabb", "leaves no trio"),
    ],
)
def test_what_cannot_be_scheduled_is_refused(chooser, n, owners, said):
    with pytest.raises(ScheduleError, match=said):
        course_of(chooser, n, owners=owners)


def play_on(course: LiveCourse, blocks: int) -> list[Block]:
    """Play so many blocks, each as soon as it is given out; fewer if no more are given."""
    found: list[Block] = []
    while len(found) < blocks and (block := course.next()) is not None:
        found.append(block)
        course.learn(result_of(block, random.Random(block.id)))
    return found


def present(course: LiveCourse, *away: str) -> None:
    course.attend({entry.id for entry in course.entries} - set(away))


def test_a_ladder_goes_on_without_those_who_are_away():
    course = course_of(ladder(), 8)
    present(course, "e03", "e05")
    blocks = play_on(course, 80)
    assert len(blocks) == 80
    assert set(played(blocks)) == {entry.id for entry in course.entries} - {"e03", "e05"}


def test_who_was_away_comes_first_once_it_is_there():
    course = course_of(ladder(), 8)
    present(course, "e03")
    play_on(course, 80)
    present(course)
    assert all("e03" in block.trio for block in play_on(course, FLOOR))


def test_who_leaves_does_not_hold_up_the_others():
    course = course_of(ladder(), 8)
    given = [course.next() for _ in range(8)]
    assert course.next() is None
    left = given[0].trio[0]
    present(course, left)
    for block in given:
        if left not in block.trio:
            course.learn(result_of(block, random.Random(block.id)))
    blocks = play_on(course, 50)
    assert len(blocks) == 50
    assert left not in played(blocks)
    waiting = [block for block in given if left in block.trio]
    assert all(course.block(block.id) == block for block in waiting)


@pytest.mark.parametrize("n", [4, 8, 30, 130])
def test_who_is_slow_holds_up_few_blocks_of_a_ladder(n):
    course = course_of(ladder(), n)
    slow = "e01"
    held: list[Block] = []
    for _ in range(40 + 4 * n):
        block = course.next()
        assert block is not None
        if slow in block.trio:
            held.append(block)
        else:
            course.learn(result_of(block, random.Random(block.id)))
    assert len(held) == min(MOST_OPEN, n - 1)


def test_a_ladder_of_so_many_blocks_keeps_a_fair_share_for_those_who_are_away():
    course = course_of(ladder(16), 8)
    present(course, "e03", "e05")
    early = play_on(course, 100)
    assert len(early) == 16 - 4  # two times six blocks, of three entries each
    present(course)
    late = play_on(course, 100)
    assert len(early) + len(late) == course.total == 16
    assert min(played(late)[entry] for entry in ("e03", "e05")) >= 3


def test_too_few_are_there_for_a_ladder_until_a_third_one_comes():
    course = course_of(ladder(), 5)
    course.attend({EntryId("e01"), EntryId("e02")})
    assert course.next() is None
    course.attend({EntryId("e01"), EntryId("e02"), EntryId("e04")})
    assert {frozenset(block.trio) for block in play_on(course, 5)} == {
        frozenset({"e01", "e02", "e04"})
    }
