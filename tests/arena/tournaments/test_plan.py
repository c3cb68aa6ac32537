"""The plan of what remains: made anew from the stored facts it is always the same plan."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.scheduling import Block, Entry, EntryId, FixedCourse, Schedule, Sitting
from arena.store.block_attempts import StoredBlock
from arena.store.games import StoredGame
from arena.store.states import BlockState, GameState
from arena.tournaments.plan import ATTEMPTS, LOOKAHEAD, Plan, Step
from euchre_sdk.game import SEATS, Session

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def schedule(entries: int = 4, cycles: int = 1) -> Schedule:
    ids = [EntryId(f"e{number}") for number in range(1, entries + 1)]
    return Schedule(entries=tuple(map(Entry, ids)), format=Session(3), seed="7", cycles=cycles)


def everybody(_entry: str) -> int:
    return 1


class Facts:
    """What a store would hold, kept beside a plan as the director keeps it."""

    def __init__(self) -> None:
        self.plan = Plan(FixedCourse(schedule()))
        self.blocks: dict[tuple[str, int], BlockState] = {}
        self.games: list[StoredGame] = []

    def again(self) -> Plan:
        """Return the plan that a restart would make."""
        blocks = tuple(
            StoredBlock(block_id=name, attempt=attempt, state=state)
            for (name, attempt), state in self.blocks.items()
        )
        return Plan(FixedCourse(schedule()), blocks=blocks, games=tuple(self.games))

    def play(self, step: Step, what: str) -> None:
        """Offer one sitting and let it end in one of several ways."""
        self.plan.took(step)
        sitting = step.sitting
        key = (sitting.block_id, sitting.attempt)
        self.blocks.setdefault(key, BlockState.RUNNING)
        match what:
            case "miss":
                absent = (sitting.seats[1],)
                forfeits = self.plan.missed(sitting, absent)
                state = GameState.FINISHED if forfeits else GameState.NOT_STARTED
                self.keep(step, state, missed=True)
                if forfeits and self.plan.done(sitting):
                    self.blocks[key] = BlockState.COMPLETE
            case "fail":
                attempt = self.plan.failed(sitting)
                assert attempt is not None
                self.keep(step, GameState.VOID)
                self.blocks[key] = attempt
            case _:
                self.keep(step, GameState.FINISHED)
                if self.plan.done(sitting):
                    self.blocks[key] = BlockState.COMPLETE

    def keep(self, step: Step, state: GameState, *, missed: bool = False) -> None:
        sitting = step.sitting
        self.games.append(
            StoredGame(
                game_id=f"g{len(self.games)}",
                tournament_id="t",
                block_id=sitting.block_id,
                attempt=sitting.attempt,
                number=sitting.number,
                offer=step.offer,
                deal_set=f"d{len(self.games)}",
                entries=sitting.seats,
                state=state,
                not_ready=(SEATS[1],) if missed else (),
                created=NOW,
            )
        )


def startable(plan: Plan) -> set[tuple[str, int, int, int]]:
    """Return all that could be played now, as block, attempt, number, offer."""
    return {
        (step.sitting.block_id, step.sitting.attempt, step.sitting.number, step.offer)
        for step in plan.startable(everybody)
    }


@given(st.lists(st.tuples(st.integers(0, 50), st.sampled_from(["play", "miss", "fail"]))))
@settings(deadline=None)
def test_a_restart_between_any_two_games_changes_nothing(
    course: list[tuple[int, str]],
) -> None:
    facts = Facts()
    offered = set()
    for which, what in course:
        steps = list(facts.plan.startable(everybody))
        if not steps:
            break
        step = steps[which % len(steps)]
        name = (step.sitting.block_id, step.sitting.attempt, step.sitting.number, step.offer)
        assert name not in offered, "two games would share their deals"
        offered.add(name)
        facts.play(step, what)
        again = facts.again()
        assert startable(again) == startable(facts.plan)
        assert (again.complete, again.given_up, again.total, again.over) == (
            facts.plan.complete,
            facts.plan.given_up,
            facts.plan.total,
            facts.plan.over,
        )


@given(st.sampled_from(["play", "miss", "fail"]))
def test_every_course_of_a_tournament_comes_to_an_end(what: str) -> None:
    facts = Facts()
    games = 0
    while not facts.plan.over:
        facts.play(next(iter(facts.plan.startable(everybody))), what)
        games += 1
        assert games <= facts.plan.total * 2 * max(2, ATTEMPTS)
    assert facts.plan.complete + facts.plan.given_up == facts.plan.total


def test_only_sittings_whose_three_entries_are_free_are_started() -> None:
    plan = Plan(FixedCourse(schedule(5)))
    busy = {"e1", "e3"}
    steps = list(plan.startable(lambda entry: 0 if entry in busy else 1))
    assert steps
    assert all(not busy & set(step.sitting.seats) for step in steps)


def test_whoever_takes_a_step_is_asked_for_before_the_next_one() -> None:
    plan = Plan(FixedCourse(schedule(6)))
    room = dict.fromkeys(("e1", "e2", "e3", "e4", "e5", "e6"), 1)
    taken: list[Sitting] = []
    for step in plan.startable(room.__getitem__):
        plan.took(step)
        taken.append(step.sitting)
        for entry in step.sitting.seats:
            room[entry] -= 1
    assert min(room.values()) >= 0
    assert len(taken) in {1, 2}


def test_a_withdrawn_entry_forfeits_begun_blocks_and_drops_the_rest() -> None:
    plan = Plan(FixedCourse(schedule()))
    step = next(iter(plan.startable(everybody)))
    plan.took(step)
    forfeits, dropped = plan.withdraw(step.sitting.seats[0])
    assert [(each.sitting.block_id, each.sitting.number, each.offer) for each in forfeits] == [
        (step.sitting.block_id, 2, 1)
    ]
    assert dropped
    assert all(step.sitting.seats[0] in block.trio for block in dropped)
    assert step.sitting.block_id not in {block.id for block in dropped}


def test_a_block_fails_once_however_many_of_its_games_were_being_played() -> None:
    plan = Plan(FixedCourse(schedule()))
    first, second = (
        step for step in list(plan.startable(everybody)) if step.sitting.block_id == "c1b1"
    )
    plan.took(first)
    plan.took(second)
    assert plan.failed(first.sitting) is BlockState.FAILED
    assert not plan.counts(second.sitting)
    again = [step for step in plan.startable(everybody) if step.sitting.block_id == "c1b1"]
    for step in again:
        plan.took(step)
    assert plan.failed(second.sitting) is None
    assert [step.sitting.attempt for step in again] == [2, 2]
    assert [plan.done(step.sitting) for step in again] == [False, True]


def test_who_misses_a_game_of_an_attempt_that_has_failed_is_not_waited_for() -> None:
    plan = Plan(FixedCourse(schedule()))
    first, second = list(plan.startable(everybody))[:2]
    plan.took(first)
    plan.took(second)
    plan.failed(first.sitting)
    assert plan.missed(second.sitting, second.sitting.seats[:1]) == ()
    assert second.sitting not in [step.sitting for step in plan.startable(everybody)]


def test_a_block_with_a_withdrawn_entry_is_not_tried_again() -> None:
    plan = Plan(FixedCourse(schedule()))
    step = next(iter(plan.startable(everybody)))
    plan.took(step)
    plan.withdraw(step.sitting.seats[0])
    assert plan.failed(step.sitting) is BlockState.INCOMPLETE
    assert step.sitting.block_id not in {
        each.sitting.block_id for each in plan.startable(everybody)
    }


def test_a_withdrawn_entry_that_is_not_ready_forfeits_at_once() -> None:
    plan = Plan(FixedCourse(schedule()))
    step = next(iter(plan.startable(everybody)))
    plan.took(step)
    out, other, _ = step.sitting.seats
    plan.withdraw(out)
    assert plan.missed(step.sitting, (out, other)) == (out,)


def test_nothing_is_offered_again_once_all_is_given_up() -> None:
    plan = Plan(FixedCourse(schedule()))
    missed, failed = (
        next(step for step in plan.startable(everybody) if step.sitting.block_id == name)
        for name in ("c1b1", "c1b2")
    )
    plan.took(missed)
    plan.took(failed)
    plan.give_up()
    assert plan.missed(missed.sitting, missed.sitting.seats[:1]) == ()
    assert plan.failed(failed.sitting) is BlockState.INCOMPLETE
    assert plan.over
    plan.drop_begun()
    assert plan.given_up == plan.total


class Watched(Schedule):
    """Counts the blocks that are taken from it."""

    taken = 0

    def blocks(self, **how: Any) -> Iterator[Block]:
        for block in super().blocks(**how):
            Watched.taken += 1
            yield block


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> Schedule:
    """Give a schedule of 12,000 blocks, and forget what was taken before."""
    monkeypatch.setattr(Watched, "taken", 0)
    short = schedule(cycles=1_000)
    return Watched(entries=short.entries, format=short.format, seed=short.seed, cycles=short.cycles)


def test_a_long_schedule_is_not_read_while_nobody_can_play(long: Schedule) -> None:
    plan = Plan(FixedCourse(long))
    assert not list(plan.startable(lambda _entry: 0))
    assert Watched.taken == 0


def test_others_play_ahead_of_an_absent_entry_but_not_without_end(long: Schedule) -> None:
    plan = Plan(FixedCourse(long))
    while step := next(plan.startable(lambda entry: entry != "e1"), None):
        assert "e1" not in step.sitting.seats
        plan.took(step)
        plan.done(step.sitting)
    assert plan.complete > 100
    assert Watched.taken == LOOKAHEAD + plan.complete


def test_a_withdrawal_from_a_long_schedule_drops_blocks_as_they_are_reached(
    long: Schedule,
) -> None:
    plan = Plan(FixedCourse(long))
    _, dropped = plan.withdraw("e1")
    assert Watched.taken < 5 * LOOKAHEAD
    seen = {block.id for block in dropped}
    while not plan.over:
        step = next(plan.startable(everybody))
        plan.took(step)
        assert "e1" not in step.sitting.seats
        plan.done(step.sitting)
        now = plan.skipped()
        assert seen.isdisjoint(block.id for block in now)
        seen.update(block.id for block in now)
    assert len(seen) == plan.given_up
    assert plan.complete + plan.given_up == plan.total
