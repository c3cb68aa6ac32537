"""Watching a match over gRPC, as a stranger, from its first hand to its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from arena.tournaments import gallery
from euchre.v1 import matches_pb2, matches_pb2_grpc
from tests.integration.served import Served, create, served


async def begun(arena: Served) -> matches_pb2.Match:
    """Return the first match, once it has begun."""
    request = matches_pb2.ListMatchesRequest(tournament="spring")
    while True:
        response = await arena.call("/euchre.v1.MatchService/ListMatches", request, None)
        for match in response.matches:
            assert isinstance(match, matches_pb2.Match)
            return match


async def test_a_stranger_watches_a_match_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery, "DELAY", 0.05)
    told: list[matches_pb2.WatchMatchResponse] = []
    async with served(tmp_path, lynx=1, puma=1, ocelot=1) as arena:
        arena.playroom.gate = trio.Event()
        await arena.ask(lambda c: create(c, "spring", "lynx", "puma", "ocelot"))
        await arena.ask(lambda c: c.start_tournament("spring"))
        match = await begun(arena)

        def watch() -> None:
            with grpc.insecure_channel(arena.address) as channel:
                stub: Any = matches_pb2_grpc.MatchServiceStub(channel)
                request = matches_pb2.WatchMatchRequest(game_id=match.game_id)
                for response in stub.WatchMatch(request, timeout=60):
                    told.append(response)
                    if len(told) == 1:
                        trio.from_thread.run_sync(arena.playroom.gate.set)

        with trio.fail_after(90):
            await trio.to_thread.run_sync(watch)
    first, *hands, last = told
    assert first.match.state == matches_pb2.MATCH_STATE_RUNNING
    assert sorted(seat.name for seat in first.match.seats) == ["lynx", "ocelot", "puma"]
    assert [each.hand_end.hand_number for each in hands] == [1, 2, 3]
    assert list(last.game_over.points) == list(hands[-1].hand_end.score)
    assert last.game_over.hands == 3
