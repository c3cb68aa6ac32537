"""What a played game leaves in the log and in the counts."""

from __future__ import annotations

import re
from typing import Any

import trio
from structlog.testing import capture_logs

from arena.log_events import EVENTS
from arena.referee import FaultKind
from euchre.v1 import play_pb2
from euchre_sdk.game import Session
from tests.integration.raw_bot import arena, first_legal

CARD = re.compile(r"\b[2-9TJQKA][SHDC]\b")


async def test_a_game_leaves_one_line_a_hand_and_its_numbers_once_it_is_stored() -> None:
    wrong = iter([True])

    async def empty_once(question: play_pb2.Question) -> list[play_pb2.Answer]:
        if next(wrong, False):
            return [play_pb2.Answer(slot=question.slot, seq=question.seq), first_legal(question)]
        return [first_legal(question)]

    with capture_logs() as lines:
        async with arena() as a:
            bots = [await a.greeted(name) for name in "abc"]
            playing = a.start(a.order(format=Session(2)))
            for bot, decide in zip(bots, (empty_once, None, None), strict=True):
                a.nursery.start_soon(bot.play, decide)
            outcome = await playing.ended()
            metrics = a.play._metrics
            bots[0].crash()
            with trio.fail_after(5):
                while not any(line["event"] == "stream_closed" for line in lines):
                    await trio.lowlevel.checkpoint()
    decisions = sum(len(hand.decisions) for hand in outcome.hands)
    hands = told(lines, "hand_scored")
    assert [line["hand"] for line in hands] == [1, 2]
    assert [line["points"] for line in hands] == [hand.points for hand in outcome.hands]
    assert sum(line["decisions"] for line in hands) == decisions
    (refused,) = told(lines, "action_refused")
    assert (refused["hand"], refused["seat"], refused["reason"]) == (1, 0, "MALFORMED")
    assert names(lines).index("action_refused") == names(lines).index("hand_scored") - 1
    assert (lines[names(lines).index("stream_closed")]["reason"]) == "BOT_LEFT"
    assert set(names(lines)) <= set(EVENTS)
    assert not CARD.search(str(lines))
    assert b"n" * 32 not in str(lines).encode()

    assert metrics.decisions == decisions
    assert metrics.hands == {"scored": 2}
    assert metrics.faults == {FaultKind.MALFORMED: 1}
    assert metrics.games_over == {"finished": 1}
    assert metrics.response.count == decisions
    assert 0 < metrics.own_delay.count < decisions
    assert metrics.own_delay.total < 5
    assert metrics.goodbyes["BOT_LEFT"] == 1


def names(lines: list[Any]) -> list[str]:
    return [line["event"] for line in lines]


def told(lines: list[Any], event: str) -> list[Any]:
    return [line for line in lines if line["event"] == event]
