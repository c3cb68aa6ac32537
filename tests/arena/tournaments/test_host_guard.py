"""The host guard: fewer games while the machine is too slow, one more for each clean minute."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import trio
import trio.testing

from arena.store import audit, open_store
from arena.tournaments import host_guard
from arena.tournaments.host_guard import HostGuard, keep_guard

START = datetime(2026, 3, 1, tzinfo=UTC)


class Clock:
    """Seconds, turned by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_late_house_bot_lets_a_tenth_fewer_games_run():
    guard = HostGuard(256, clock=Clock())
    guard.late(running=100)
    assert (guard.limit, guard.allowed) == (90, 256)


def test_many_late_answers_at_once_count_as_one():
    clock = Clock()
    guard = HostGuard(256, clock=clock)
    for _ in range(50):
        guard.late(running=100)
    assert guard.limit == 90
    clock.now += host_guard.PAUSE
    guard.late(running=90)
    assert guard.limit == 81
    assert guard.late_answers == 51


def test_one_game_may_always_run():
    clock = Clock()
    guard = HostGuard(4, clock=clock)
    for _ in range(9):
        guard.late(running=4)
        clock.now += host_guard.PAUSE
    assert guard.limit == 1


def test_each_clean_minute_lets_one_more_game_run_up_to_what_is_allowed():
    clock = Clock()
    guard = HostGuard(10, clock=clock)
    guard.late(running=10)
    assert guard.limit == 9
    clock.now += 30
    assert not guard.minute_is_over(), "the last minute was not clean"
    assert guard.slow
    clock.now += 60
    assert guard.minute_is_over()
    assert (guard.limit, guard.slow) == (10, False)
    assert guard.minute_is_over()
    assert guard.limit == 10


async def test_a_period_of_slowness_is_marked_when_it_begins_and_when_it_ends(tmp_path: Path):
    clock = trio.testing.MockClock(autojump_threshold=0.2)
    lines: list[audit.AuditLine] = []
    raised: list[int] = []

    async def main() -> None:
        guard = HostGuard(10, clock=trio.current_time)

        def now() -> datetime:
            return START + timedelta(seconds=round(trio.current_time() - began))

        async with (
            open_store(tmp_path, now=START, group=timedelta(0)) as store,
            trio.open_nursery() as nursery,
        ):
            began = trio.current_time()
            nursery.start_soon(
                partial(
                    keep_guard, guard, store, now=now, raised=lambda: raised.append(guard.limit)
                )
            )
            await trio.sleep(5)
            guard.late(running=10)
            guard.late(running=10)
            await trio.sleep(200)
            lines.extend(await store.read(audit.lines, subject=host_guard.SUBJECT))
            nursery.cancel_scope.cancel()

    await trio.to_thread.run_sync(partial(trio.run, main, clock=clock))
    assert [(line.actor, line.action) for line in lines] == [
        ("arena", "slowed down"),
        ("arena", "recovered"),
    ]
    assert lines[0].time == START + timedelta(seconds=5)
    assert lines[1].time == START + timedelta(seconds=120), "after a whole clean minute"
    assert lines[1].reason == "10 of 10 games may run at once; 2 late answers of house bots"
    assert raised == [10]
