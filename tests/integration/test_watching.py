"""Watching a tournament from outside: hands move while a block lasts, a restart ends nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import trio

from tests.integration.served import create, served

if TYPE_CHECKING:
    from pathlib import Path

    from arena.rpc.client import ArenaClient
    from tests.arena.fake_playroom import FakePlayroom


async def play_a_hand(playroom: FakePlayroom) -> None:
    """Let the game that waits at the gate play one hand."""
    gate = playroom.gate
    assert gate is not None
    while not gate.statistics().tasks_waiting:
        await trio.lowlevel.checkpoint()
    playroom.gate = trio.Event()
    gate.set()


async def test_hands_of_a_block_that_lasts_are_told_and_rate_nobody(tmp_path: Path) -> None:
    def watched(client: ArenaClient) -> list[Any]:
        seen: list[Any] = []
        played = 0
        for rankings in client.watch_rankings("spring"):
            seen.append(rankings)
            if rankings.progress.hands == 2:
                break
            if rankings.progress.hands == played:
                trio.from_thread.run(play_a_hand, arena.playroom)
                played += 1
        return seen

    async with served(tmp_path, lynx=1, puma=1, ocelot=1) as arena:
        arena.playroom.gate = trio.Event()
        await arena.ask(lambda c: create(c, "spring", "lynx", "puma", "ocelot"))
        await arena.ask(lambda c: c.start_tournament("spring"))
        with trio.fail_after(30):
            seen = await arena.ask(watched)
    assert {0, 1, 2} == {rankings.progress.hands for rankings in seen}
    assert {rankings.progress.blocks_complete for rankings in seen} == {0}
    assert not any(row.HasField("rank") for rankings in seen for row in rankings.rows)
