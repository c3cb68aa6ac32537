"""While nothing can be stored the play service stands still: no clock runs and nothing is dealt."""

from __future__ import annotations

from datetime import timedelta

import trio

from arena.referee import Termination, TimeControl
from euchre.v1 import play_pb2
from euchre_sdk.game import Session
from tests.integration.raw_bot import arena, first_legal

TWO_SECONDS = TimeControl(
    bank=timedelta(seconds=2), increment=timedelta(0), limit=timedelta(seconds=2)
)


async def test_nobody_runs_out_of_time_while_nothing_can_be_stored() -> None:
    asked, may_answer = trio.Event(), trio.Event()

    async def decide(question: play_pb2.Question) -> list[play_pb2.Answer]:
        asked.set()
        await may_answer.wait()
        return [first_legal(question)]

    async with arena() as a:
        bots = [await a.greeted(name) for name in ("a", "b", "c")]
        playing = a.start(a.order(format=Session(1), control=TWO_SECONDS))
        for bot in bots:
            a.nursery.start_soon(bot.play, decide)
        with trio.fail_after(10):
            await asked.wait()
        a.play.stand_still()
        await trio.sleep(0.1)
        seen = [len(bot.seen) for bot in bots]
        await trio.sleep(2.4)
        may_answer.set()  # what is answered now is heard later
        await trio.sleep(0.1)
        assert [len(bot.seen) for bot in bots] == seen, "nobody is told anything"
        assert not playing.journal.faults
        a.play.go_on()
        outcome = await playing.ended()
        assert set(outcome.terminations) == {Termination.NORMAL}
        assert outcome.faults == (0, 0, 0)
