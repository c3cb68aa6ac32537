"""Duels in an arena: who meets, and a test that reads blocks by their numbers alone."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from arena.scheduling import BlockId, Entry, EntryId, ScheduleError
from arena.scheduling.course import BlockResult
from arena.scheduling.duel import Duel, Reading
from arena.scheduling.duel_course import AHEAD, DuelCourse
from euchre_sdk.duel import Decision, SequentialTest
from euchre_sdk.game import Session, ToTarget

A, B, C, D = map(EntryId, "abcd")
TEST = SequentialTest(cap=50, block_hands=60)
DUEL = Duel(first=A, second=B, thirds=(C, D), test=TEST)


def result(number: int, lead: int, hands: int = 60) -> BlockResult:
    """Return a block that A won by so many points."""
    third = DUEL.thirds[(number - 1) % 2]
    points = {A: 40 + lead, B: 40, third: 30}
    return BlockResult(block_id=BlockId(f"c1b{number}"), points=points, hands=hands)


def results(seed: int = 1, blocks: int = 50) -> list[BlockResult]:
    source = random.Random(seed)
    return [result(number, round(source.gauss(2, 15))) for number in range(1, blocks + 1)]


def test_the_thirds_take_turns_and_the_two_change_places() -> None:
    trios = [DUEL.block(number).trio for number in range(1, 9)]
    assert Counter(trios) == {(A, B, C): 2, (A, B, D): 2, (C, B, A): 2, (D, B, A): 2}
    assert [trio for trio in trios if C in trio] == trios[::2]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"thirds": ()}, "needs a third entry"),
        ({"second": A}, "takes part in a duel twice"),
        ({"thirds": (C, A)}, "takes part in a duel twice"),
    ],
)
def test_duels_that_cannot_be_are_refused(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        Duel(**{"first": A, "second": B, "thirds": (C,), "test": TEST, **settings})


def test_the_order_in_which_blocks_end_does_not_matter() -> None:
    played = results()
    expected = DUEL.test.after(DUEL.value(each) for each in played)
    assert Decision.OPEN is not expected.decision
    for seed in range(20):
        shuffled = random.Random(seed).sample(played, len(played))
        assert DUEL.after(shuffled) == expected


def test_a_block_is_read_once_all_before_it_are_over() -> None:
    reading = Reading(DUEL)
    for number in range(2, 40):
        reading.learn(result(number, 30))
    assert reading.state.evidence.blocks == 0
    reading.learn(result(1, 31))
    over = reading.state
    assert (over.decision, over.evidence.blocks) == (Decision.STRONGER, 16)
    assert [each.block_id for each in reading.counted] == [f"c1b{n}" for n in range(1, 17)]


def test_quick_wins_do_not_decide_while_slow_losses_are_still_played() -> None:
    """The bias that reading in the order of ends would have."""
    reading = Reading(DUEL)
    for number in range(1, 41, 2):  # every other block is a win, and is over soon
        reading.learn(result(number, 20 + number % 3))
    assert reading.state.evidence.blocks == 1
    for number in range(2, 41, 2):
        reading.learn(result(number, -20 - number % 3))
    assert reading.state.evidence.mean < 0.05
    assert reading.state.decision is not Decision.STRONGER


def test_lost_blocks_are_left_out_and_played_for_by_others() -> None:
    played = results()
    left = [each for each in played if each.block_id not in ("c1b1", "c1b7")]
    lost = [BlockId("c1b1"), BlockId("c1b7")]
    assert DUEL.after(left, lost) == TEST.after(DUEL.value(each) for each in left)


def course() -> DuelCourse:
    return DuelCourse(DUEL, entries=map(Entry, (A, B, C, D)), format=Session(30))


def test_blocks_come_by_their_numbers_a_few_ahead_of_those_that_are_over() -> None:
    blocks = course()
    assert [blocks.next() for _ in range(AHEAD)] == [DUEL.block(n) for n in range(1, AHEAD + 1)]
    assert blocks.next() is None
    blocks.learn(result(3, 5))
    assert blocks.next() == DUEL.block(AHEAD + 1)
    assert blocks.next() is None
    assert blocks.total == TEST.cap
    assert [s.seats for s in blocks.sittings(DUEL.block(1))] == [(A, B, C), (C, B, A)]


def test_no_block_follows_once_the_test_is_over() -> None:
    blocks = course()
    given = 0
    while (block := blocks.next()) is not None:
        given += 1
        blocks.learn(result(blocks.reading.duel.number(block.id), 30 + given % 2))
    assert given == 16
    assert blocks.total == 16
    assert blocks.reading.state.decision is Decision.STRONGER


def test_the_cap_is_reached_by_blocks_that_count() -> None:
    blocks = course()
    given = 0
    while (block := blocks.next()) is not None:
        given += 1
        if given in (1, 7):
            blocks.lose(block.id)
        else:
            blocks.learn(result(given, 3 + 20 * (-1) ** given))
    assert given == TEST.cap + 2
    assert blocks.reading.state.decision is Decision.CAP


def test_a_course_goes_on_after_a_restart_with_the_same_numbers() -> None:
    before = course()
    for _ in range(AHEAD):
        before.next()
    after = course()
    begun = [DUEL.block(number) for number in (1, 2, 3, 5)]  # 4 and 6 were not
    after.recall(begun, gone=())
    for number in (1, 2, 5):
        for each in (before, after):
            each.learn(result(number, 5))
    assert after.reading.state == before.reading.state
    assert [after.next() for _ in range(2)] == [DUEL.block(4), DUEL.block(6)]


@pytest.mark.parametrize(
    ("gone", "goes_on"), [((A,), False), ((B,), False), ((C,), True), ((C, D), False)]
)
def test_a_duel_ends_without_one_of_the_two_or_any_third(
    gone: tuple[EntryId, ...],
    goes_on: bool,  # noqa: FBT001 - a column of the table
) -> None:
    blocks = course()
    for entry in gone:
        blocks.withdraw(entry)
    assert (blocks.next() is not None) is goes_on


def test_a_duel_is_no_place_for_games_or_for_those_who_come_late() -> None:
    with pytest.raises(ScheduleError, match="accepted are sessions, not games"):
        DuelCourse(DUEL, entries=map(Entry, (A, B, C, D)), format=ToTarget())
    with pytest.raises(ScheduleError, match="takes nobody after its start"):
        course().enter(Entry(EntryId("e")))


def test_blocks_beyond_the_end_count_for_nothing() -> None:
    won = [result(number, 30 + number % 2) for number in range(1, 17)]
    beyond = [result(number, -60) for number in range(17, 40)]
    assert DUEL.after([*beyond, *won]) == DUEL.after(won)


def test_a_block_that_is_annulled_or_played_again_is_read_anew() -> None:
    played = results()
    reading = Reading(DUEL)
    for each in played:
        reading.learn(each)
    reading.lose(BlockId("c1b3"))
    assert reading.state == DUEL.after(played[:2] + played[3:], [BlockId("c1b3")])
    reading.learn(result(3, 50))
    changed = [result(3, 50) if each.block_id == "c1b3" else each for each in played]
    assert reading.state == DUEL.after(changed)
    reading.forget(BlockId("c1b3"))
    assert reading.state == DUEL.after(played[:2])


def test_hands_that_were_not_played_count_as_level() -> None:
    assert DUEL.value(result(1, 12, hands=60)) == pytest.approx(0.2)
    assert DUEL.value(result(1, 12, hands=20)) == pytest.approx(0.2)
    nothing = BlockResult(block_id=BlockId("c1b1"), points={}, hands=0)
    assert DUEL.value(nothing) == 0.0
