"""Every promise of docs/ratings.md, "Schedules", by counting."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, pairwise
from math import comb

import pytest

from arena.scheduling import (
    POLICIES,
    AllTrios,
    Balance,
    Block,
    BlockId,
    Entry,
    EntryId,
    Gauntlet,
    OwnerId,
    Policy,
    RoundRobin,
    Schedule,
    ScheduleError,
    Spread,
    mirror,
    sittings,
)
from euchre_sdk.game import Format, Session, ToTarget

SESSIONS, GAMES = Session(30), ToTarget()
EVERY_N = range(3, 61)


def field_of(n: int) -> tuple[Entry, ...]:
    return tuple(Entry(EntryId(f"e{number}")) for number in range(n))


def ids_of(n: int) -> list[EntryId]:
    return [entry.id for entry in field_of(n)]


def schedule_of(
    n: int, policy: Policy | None = None, format: Format = SESSIONS, **more: object
) -> Schedule:
    return Schedule(
        entries=field_of(n),
        format=format,
        seed="spring",
        policy=policy or RoundRobin(),
        **more,  # type: ignore[arg-type]
    )


def balance(schedule: Schedule, blocks: list[Block]) -> Balance:
    entries = [entry.id for entry in schedule.entries]
    return Balance.of(entries, (one for block in blocks for one in schedule.sittings(block)))


@pytest.mark.parametrize("n", EVERY_N)
def test_a_round_robin_of_sessions_is_balanced_in_meetings_seats_and_neighbours(n):
    schedule = schedule_of(n)
    blocks = list(schedule.blocks())
    meetings = 3 if n % 2 else 6
    assert len(blocks) == n * (n - 1) * meetings // 6
    report = balance(schedule, blocks)
    assert report.balanced
    # Two sessions a block; of the three who sit together everybody is once at everybody's left.
    assert report.meetings_spread == Spread(2 * meetings, 2 * meetings)
    assert report.neighbours_spread == Spread(meetings, meetings)
    assert report.seats_spread.least == 2 * len(blocks) // n


@pytest.mark.parametrize("n", EVERY_N)
def test_a_round_robin_of_games_is_balanced_in_meetings_seats_and_neighbours(n):
    schedule = schedule_of(n, format=GAMES)
    blocks = list(schedule.blocks())
    meetings = 3 if n % 2 else 6
    report = balance(schedule, blocks)
    assert report.balanced
    assert report.meetings_spread == Spread(6 * meetings, 6 * meetings)
    assert report.neighbours_spread == Spread(3 * meetings, 3 * meetings)
    assert report.seats_spread.least == 6 * len(blocks) // n


@pytest.mark.parametrize("n", range(3, 31))
def test_all_trios_are_all_trios_once(n):
    schedule = schedule_of(n, AllTrios())
    blocks = list(schedule.blocks())
    assert len(blocks) == comb(n, 3)
    assert {frozenset(block.trio) for block in blocks} == {
        frozenset(trio) for trio in combinations(ids_of(n), 3)
    }
    report = balance(schedule, blocks)
    assert report.meetings_spread.even
    assert report.neighbours_spread.even
    # Where 3 divides n the seats of sessions cannot come out equal: see the policy.
    assert report.seats_spread.most - report.seats_spread.least == (2 if n % 3 == 0 else 0)


@pytest.mark.parametrize("n", range(3, 31))
def test_all_trios_of_games_are_balanced(n):
    schedule = schedule_of(n, AllTrios(), GAMES)
    assert balance(schedule, list(schedule.blocks())).balanced


@pytest.mark.parametrize("n", EVERY_N)
def test_the_newcomer_of_a_gauntlet_meets_every_pair_once(n):
    newcomer = EntryId("e1")
    schedule = schedule_of(n, Gauntlet(newcomer))
    blocks = list(schedule.blocks())
    pairs = {frozenset(block.trio) - {newcomer} for block in blocks}
    assert all(newcomer in block.trio for block in blocks)
    assert len(blocks) == len(pairs) == comb(n - 1, 2)
    assert all(len(pair) == 2 for pair in pairs)


@pytest.mark.parametrize("n", EVERY_N)
@pytest.mark.parametrize("policy", [RoundRobin(), Gauntlet(EntryId("e0"))])
def test_no_entry_meets_itself(policy, n):
    for block in schedule_of(n, policy).blocks():
        assert len(set(block.trio)) == 3


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [
        pytest.param(RoundRobin(), lambda n: 3 if n % 2 else 9, id="round robin"),
        pytest.param(AllTrios(), lambda _: 3, id="all trios"),
    ],
)
@pytest.mark.parametrize("n", [*range(3, 21)])
def test_whenever_one_stops_everybody_has_played_nearly_as_often(policy, allowed, n):
    blocks = list(schedule_of(n, policy).blocks())
    played = Counter(dict.fromkeys(ids_of(n), 0))
    for block in blocks:
        played.update(block.trio)
        assert max(played.values()) - min(played.values()) <= allowed(n)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_every_cycle_is_another_labelling_with_the_same_counts(policy):
    schedule = schedule_of(9, policy, cycles=3)
    by_cycle = [
        [block for block in schedule.blocks() if block.cycle == cycle] for cycle in (1, 2, 3)
    ]
    assert len(schedule) == sum(map(len, by_cycle))
    for one, other in pairwise(by_cycle):
        assert [block.trio for block in one] != [block.trio for block in other]
        assert balance(schedule, one).meetings == balance(schedule, other).meetings


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_with_owners_apart_the_blocks_of_every_cycle_are_counted(policy):
    entries = tuple(
        Entry(EntryId(f"e{number}"), OwnerId("one") if number < 3 else None) for number in range(7)
    )
    schedule = Schedule(
        entries=entries, format=SESSIONS, seed="s", cycles=5, policy=policy, owners_apart=True
    )
    blocks = list(schedule.blocks())
    assert 0 < len(schedule) == len(blocks)
    assert all(len({"e0", "e1", "e2"} & set(block.trio)) <= 1 for block in blocks)
    assert any({"e3", "e4", "e5"} == set(block.trio) for block in blocks)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_the_order_in_which_entries_are_listed_does_not_matter(policy):
    there = Schedule(entries=field_of(9), format=SESSIONS, seed="s", policy=policy)
    back = Schedule(entries=field_of(9)[::-1], format=SESSIONS, seed="s", policy=policy)
    assert list(there.blocks()) == list(back.blocks())


def test_the_seed_decides_who_plays_which_part():
    one = Schedule(entries=field_of(9), format=SESSIONS, seed="one")
    other = Schedule(entries=field_of(9), format=SESSIONS, seed="other")
    assert list(one.blocks()) != list(other.blocks())


def test_the_first_blocks_of_a_schedule_never_change():
    """Stored tournaments are resumed by ids, so an id must mean the same trio for ever.

    SHA-256 of "spring/1/e0" ... sorts them e3 e0 e2 e4 e1; then come (x, x+1, x+2).
    """
    schedule = Schedule(entries=field_of(5), format=SESSIONS, seed="spring", cycles=2)
    assert [(block.id, block.trio) for block in islice(schedule.blocks(), 3)] == [
        ("c1b1", ("e3", "e0", "e2")),
        ("c1b2", ("e0", "e2", "e4")),
        ("c1b3", ("e2", "e4", "e1")),
    ]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("n", [6, 7])
def test_resuming_at_any_point_gives_the_rest(policy, n):
    if policy.faults(ids_of(n)):
        n = 9
    schedule = schedule_of(n, policy, cycles=2)
    blocks = list(schedule.blocks())
    assert len({block.id for block in blocks}) == len(blocks)
    for done in range(len(blocks) + 1):
        completed = {block.id for block in blocks[:done]}
        assert list(schedule.blocks(completed=completed)) == blocks[done:]


def test_blocks_done_out_of_order_are_left_out_and_nothing_else_moves():
    schedule = schedule_of(7)
    blocks = list(schedule.blocks())
    done = {block.id for block in blocks[3::4]}
    assert list(schedule.blocks(completed=done)) == [one for one in blocks if one.id not in done]


def test_a_failed_block_comes_again_as_its_next_attempt():
    schedule = schedule_of(5)
    first = next(schedule.blocks())
    again = next(schedule.blocks(attempts={first.id: 2}))
    assert again == first.again()
    assert (again.id, again.attempt) == (first.id, 2)
    assert {one.attempt for one in schedule.sittings(again)} == {2}


def test_owners_kept_apart_lose_their_common_trios_and_keep_all_other_ids():
    owners = [OwnerId("ann"), OwnerId("ann"), OwnerId("bob"), None, None, OwnerId("cy")]
    entries = tuple(Entry(EntryId(f"e{i}"), owner) for i, owner in enumerate(owners))
    together = Schedule(entries=entries, format=SESSIONS, seed="s")
    apart = Schedule(entries=entries, format=SESSIONS, seed="s", owners_apart=True)
    meets_own = [one for one in together.blocks() if {"e0", "e1"} <= set(one.trio)]
    assert len(meets_own) == 6
    assert list(apart.blocks()) == [one for one in together.blocks() if one not in meets_own]
    assert len(apart) == len(together) - 6
    report = balance(apart, list(apart.blocks()))
    assert report.meetings[EntryId("e0"), EntryId("e1")] == 0
    assert not report.balanced


@pytest.mark.parametrize(
    ("format", "seats"),
    [
        pytest.param(SESSIONS, ["abc", "cba"], id="sessions: the trio and its mirror"),
        pytest.param(GAMES, ["abc", "cba", "bca", "acb", "cab", "bac"], id="games: six seatings"),
    ],
)
def test_what_is_played_for_a_block(format, seats):
    trio = (EntryId("a"), EntryId("b"), EntryId("c"))
    played = sittings(Block(id=BlockId("c1b1"), trio=trio, cycle=1, attempt=3), format)
    assert ["".join(one.seats) for one in played] == seats
    assert [one.number for one in played] == list(range(1, len(seats) + 1))
    assert {(one.block_id, one.attempt, one.format) for one in played} == {("c1b1", 3, format)}
    assert mirror(mirror(trio)) == trio


@pytest.mark.parametrize(
    ("arguments", "refused", "accepted"),
    [
        pytest.param({"entries": field_of(2)}, "2 entries", "three or more", id="two entries"),
        pytest.param({"entries": ()}, "0 entries", "three or more", id="no entries"),
        pytest.param(
            {"entries": (*field_of(4), Entry(EntryId("e1")))}, "e1", "once each", id="entered twice"
        ),
        pytest.param(
            {"entries": (*field_of(4), Entry(EntryId("")))}, "without an id", "text", id="no id"
        ),
        pytest.param({"format": Session(31)}, "31 hands", "multiple of 3", id="31 hands"),
        pytest.param({"format": "sessions"}, "'sessions'", "ToTarget()", id="unknown format"),
        pytest.param({"cycles": 0}, "0 cycles", "1 to 10000", id="no cycle"),
        pytest.param(
            {"entries": field_of(30), "cycles": 10_000},
            "more than 200000 blocks",
            "fewer",
            id="more blocks than can be played",
        ),
        pytest.param(
            {"policy": Gauntlet(EntryId("x"))}, "'x'", "among the entries", id="strange newcomer"
        ),
        pytest.param(
            {
                "entries": tuple(
                    Entry(EntryId(name), OwnerId(owner))
                    for name, owner in (("a", "ann"), ("b", "ann"), ("c", "bob"))
                ),
                "owners_apart": True,
            },
            "leaves no trio",
            "three owners",
            id="two owners kept apart",
        ),
    ],
)
def test_what_cannot_be_scheduled_is_refused_with_what_can(arguments, refused, accepted):
    with pytest.raises(ScheduleError) as caught:
        Schedule(**{"entries": field_of(5), "format": SESSIONS, "seed": "s", **arguments})
    assert len(caught.value.faults) == 1
    assert refused in str(caught.value)
    assert accepted in str(caught.value)


def test_all_faults_are_listed_at_once():
    with pytest.raises(ScheduleError) as caught:
        Schedule(entries=field_of(1), format=Session(10), seed="s", cycles=-1)
    assert len(caught.value.faults) == 3


def test_a_block_of_an_unfair_format_is_not_expanded():
    trio = (EntryId("a"), EntryId("b"), EntryId("c"))
    with pytest.raises(ScheduleError, match="multiple of 3"):
        sittings(Block(id=BlockId("c1b1"), trio=trio, cycle=1), Session(20))


def test_the_balance_report_sees_who_never_came():
    report = Balance.of(ids_of(4), [])
    assert report.meetings_spread == Spread(0, 0)
    assert len(report.meetings) == 6
    assert len(report.seats) == len(report.neighbours) == 12
