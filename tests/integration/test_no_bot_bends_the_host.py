"""Whatever a bot does to the machine: no hand is dealt anew, and no rival's clock stands still."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from arena.referee import Conduct, FaultKind, ForcedCause, TimeControl
from arena.tournaments.host_guard import HostGuard
from euchre.v1 import play_pb2
from euchre_sdk.game import Session
from tests.integration.raw_bot import Arena, RawBot, arena, first_legal

LIMIT = timedelta(milliseconds=500)
CONTROL = TimeControl(bank=timedelta(0), increment=LIMIT, limit=LIMIT)
Rascal = Callable[[Arena, RawBot], Awaitable[None]]


async def burns_cpu(_arena: Arena, bot: RawBot) -> None:
    """Play, and keep every core busy meanwhile."""
    with ExitStack() as burners:
        for _ in range(3):
            burners.enter_context(_burner())
        await bot.play()


@contextmanager
def _burner() -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def floods(_arena: Arena, bot: RawBot) -> None:
    """Answer everything a hundred times."""

    async def often(question: play_pb2.Question) -> list[play_pb2.Answer]:
        return [first_legal(question)] * 100

    await bot.play(often)


async def leaves(_arena: Arena, bot: RawBot) -> None:
    """Take the offer, and go at the first question."""

    async def go(_question: play_pb2.Question) -> list[play_pb2.Answer]:
        bot.crash()
        return []

    await bot.play(go)


async def comes_and_goes(arena: Arena, bot: RawBot) -> None:
    """Cut the stream at every question and come back for it."""
    streams = [bot]

    async def cut(question: play_pb2.Question) -> list[play_pb2.Answer]:
        if question.seq % 2:
            streams[-1].crash()
        return [first_legal(question)]

    while True:
        await streams[-1].play(cut)
        streams.append(arena.bot(bot.name))
        streams[-1].say_hello(secret=bot.secret)


@pytest.mark.parametrize("rascal", [burns_cpu, floods, leaves, comes_and_goes])
async def test_a_rivals_clock_runs_and_every_hand_is_dealt_once(rascal: Rascal) -> None:
    stalled: list[int] = []

    async def stalls_once(question: play_pb2.Question) -> list[play_pb2.Answer]:
        if not stalled:
            stalled.append(question.seq)
            return []
        return [first_legal(question)]

    async with arena() as a:
        bots = [await a.greeted(name) for name in "abc"]
        conduct = Conduct(faults=2)
        playing = a.start(a.order(format=Session(2), control=CONTROL, conduct=conduct))
        a.nursery.start_soon(rascal, a, bots[0])
        a.nursery.start_soon(bots[1].play, stalls_once)
        a.nursery.start_soon(bots[2].play)
        outcome = await playing.ended(within=40)

    assert [hand.void for hand in playing.journal.hands] == [None] * len(outcome.hands)
    assert {hand.attempt.retry for hand in outcome.hands} == {0}
    assert [hand.hand_number for hand in outcome.hands] == [*range(1, len(outcome.hands) + 1)]
    first = outcome.hands[0]
    mine = [fault for fault in first.faults if fault.seat == 1]
    assert [fault.kind for fault in mine] == [FaultKind.TIME]
    waited = first.spent_us[mine[0].decision] / 1e6
    assert waited < LIMIT.total_seconds() + 5, "the stalling rival had no more time than it has"
    assert outcome.faults[1:] == (1, 0), "and nobody is charged for what the rascal did"


async def test_a_late_house_bot_costs_nobody_anything_and_lowers_the_number_of_games() -> None:
    guard = HostGuard(256)
    async with arena() as a:
        a.play._late_house._on_late = lambda _order, _seat: guard.late(a.play.games_running)
        bots = [await a.greeted(name) for name in "abc"]
        order = a.order(
            format=Session(1),
            control=CONTROL,
            conduct=Conduct(house_limit=timedelta(milliseconds=100)),
        )
        house, *others = order.seats
        order = replace(order, seats=(replace(house, house=True), *others))
        playing = a.start(order)
        for bot in bots[1:]:
            a.nursery.start_soon(bot.play)
        bots[0].ready(await bots[0].until("offers"))  # and never answers
        outcome = await playing.ended(within=40)
    (hand,) = outcome.hands
    assert {move.cause for move in hand.forced} == {ForcedCause.HOUSE_LATE}
    assert outcome.faults == (0, 0, 0)
    assert hand.void is None
    assert guard.limit < 256
    assert guard.late_answers == len(hand.forced)
