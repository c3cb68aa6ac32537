"""The report tells how fast each entry answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection, select, update

from arena.referee import Forced, ForcedCause
from arena.store.hand_json import decode_hand, encode_hand
from arena.store.tables import hands
from arena.tournaments.reporting import report_on
from tests.arena.tournaments.one_arena import FIELD, SHORT, arena, play, present


async def test_the_times_of_each_bot_are_its_own(tmp_path: Path) -> None:
    room = present(*FIELD, games_at_once=3)
    room.takes_us.update(ada=1_000, bob=2_000, cyd=3_000)
    async with arena(tmp_path, room) as (store, organiser):
        await play(organiser)
        report = await report_on(store, await organiser.named("spring"))
    assert [(line.entry.name, line.median) for line in report.times] == [
        ("ada", timedelta(milliseconds=1)),
        ("bob", timedelta(milliseconds=2)),
        ("cyd", timedelta(milliseconds=3)),
        ("dot", timedelta(0)),
    ]
    assert all(line.median == line.p95 == line.longest for line in report.times)
    assert all(line.answers > 50 for line in report.times)


def _force_first(c: Connection) -> None:
    """Let the first decision of every hand be one that the arena made."""
    for record in tuple(c.scalars(select(hands.c.record))):
        hand = decode_hand(record)
        first = Forced(decision=0, cause=ForcedCause.TIME)
        spent = (10**9, *hand.spent_us[1:])
        text = encode_hand(replace(hand, forced=(first,), spent_us=spent))
        c.execute(update(hands).where(hands.c.record == record).values(record=text))


async def test_what_the_arena_decided_for_a_bot_is_no_answer_of_it(tmp_path: Path) -> None:
    async with arena(tmp_path, present(*FIELD, games_at_once=3)) as (store, organiser):
        await play(organiser)
        before = await report_on(store, await organiser.named("spring"))
        await store.write(_force_first)
        after = await report_on(store, await organiser.named("spring"))
    played = sum(line.answers for line in before.times)
    assert sum(line.answers for line in after.times) < played
    assert {line.longest for line in after.times} == {timedelta(0)}


async def test_nothing_is_told_before_a_hand_is_played(tmp_path: Path) -> None:
    async with arena(tmp_path, present()) as (store, organiser):
        await organiser.create("spring", SHORT, FIELD, seed="7")
        report = await report_on(store, await organiser.named("spring"))
    assert report.times == ()
