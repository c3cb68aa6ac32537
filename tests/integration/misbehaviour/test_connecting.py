"""Bots that misbehave before they have said Hello, while others play."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import trio

from arena.referee import Termination
from arena.rpc.play.settings import PlaySettings
from euchre_sdk.game import Session
from tests.integration.misbehaviour.census import census, settled
from tests.integration.misbehaviour.crew import start, start_many
from tests.integration.raw_bot import arena

pytestmark = [pytest.mark.slow, pytest.mark.cli, pytest.mark.timeout(900)]

HEARD = {
    "mute": "goodbye GOODBYE_REASON_BAD_HELLO: No Hello came in time",
    "huge": "stream ended: RESOURCE_EXHAUSTED",
    "huge=70000": "goodbye GOODBYE_REASON_BAD_HELLO: No Hello came in time, or it was too large",
    "garbage": "stream ended: INVALID_ARGUMENT: The first message is no PlayRequest",
    "empty-answer": "stream ended: INVALID_ARGUMENT: The first message holds no Hello",
    "half-close": None,
    "hang-up": None,
}
"""What is said to who does it; None: nobody is there any more to hear it."""
EXIT_CODES = {"crash": 70, "exit": 0, "kill": -9}
GOOD = ("left", "middle", "right")


def options(name: str, *more: str) -> list[str]:
    return ["--token", name, "--label", name, *more]


async def test_whoever_does_not_come_in_is_forgotten_and_disturbs_nobody(tmp_path: Path) -> None:
    deed = ("--when", "connect", "--stay-away", "--do")
    hasty = replace(PlaySettings(), hello=timedelta(seconds=1))
    async with AsyncExitStack() as stack:
        a = await stack.enter_async_context(arena(hasty))
        nursery = await stack.enter_async_context(trio.open_nursery())
        good = await start_many(nursery, a.address, tmp_path / "good", map(options, GOOD))
        with trio.fail_after(30):
            while not all(a.play.presence(name) for name in GOOD):
                await a.play.wait_change()
        await settled(a)
        before = census(a)
        playing = a.start(a.order(GOOD, format=Session(60)))
        shared = [options(what, *deed, what) for what in HEARD]
        bad = await start_many(nursery, a.address, tmp_path / "bad", shared)
        own = {
            what: await start(nursery, a.address, options(what, *deed, what))
            for what in (*EXIT_CODES, "stop")
        }
        with trio.fail_after(60):
            await own["stop"].stopped()
            while a.play._streams.keys() != {link.stream for link in links(a)}:
                with trio.move_on_after(0.1):  # nobody is told of streams that never were a bot's
                    await a.play.wait_change()
            own["stop"].signal(9)
            codes = {what: await own[what].process.wait() for what in EXIT_CODES}
            assert await bad.process.wait() == 0
            outcome = await playing.ended(60)
        await settled(a)
        assert census(a) == before
        good.process.kill()
        await good.process.wait()
    assert codes == EXIT_CODES
    assert set(outcome.terminations) == {Termination.NORMAL}
    assert outcome.faults == (0, 0, 0)
    for what, heard in HEARD.items():
        said = [line.removeprefix(f"{what}: ") for line in bad.lines if line.startswith(what + ":")]
        assert said[0] == f"did connect {what.partition('=')[0]}"
        assert len(said) == 1 + (heard is not None)
        assert said[-1].startswith(heard or "did")


def links(a):
    return [link for name in GOOD for link in a.play._links.of(name)]
