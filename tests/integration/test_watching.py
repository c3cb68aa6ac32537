"""Watching a tournament from outside: hands move while a block lasts, a restart ends nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import trio
from click.testing import CliRunner

from arena.cli import main as arena_main
from euchre.v1 import tournaments_pb2 as pb
from euchre_sdk.cli_watch import watch as euchre
from tests.integration.served import create, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result

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


class StoppingArena:
    """Stops while it is watched, and has played the tournament to its end after that."""

    def __init__(self, *, stops: int, refuses: bool) -> None:
        self.calls = 0
        self._stops = stops
        self._refuses = refuses

    def watch(
        self, request: pb.WatchRankingsRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.WatchRankingsResponse]:
        self.calls += 1
        if self.calls <= self._stops:
            if not self._refuses:
                yield table(request.name, pb.TOURNAMENT_STATE_RUNNING)
            context.abort(grpc.StatusCode.UNAVAILABLE, "The arena is stopping. Try again later.")
        yield table(request.name, pb.TOURNAMENT_STATE_FINISHED)


def table(name: str, state: pb.TournamentState.ValueType) -> pb.WatchRankingsResponse:
    return pb.WatchRankingsResponse(rankings=pb.Rankings(tournament=name, state=state))


@contextmanager
def stopping_arena(
    directory: Path, *, stops: int, refuses: bool = False
) -> Iterator[tuple[str, StoppingArena]]:
    address = f"unix:{directory}/arena"
    servicer = StoppingArena(stops=stops, refuses=refuses)
    server = grpc.server(ThreadPoolExecutor(4))
    method = grpc.unary_stream_rpc_method_handler(
        servicer.watch,
        request_deserializer=pb.WatchRankingsRequest.FromString,
        response_serializer=pb.WatchRankingsResponse.SerializeToString,
    )
    service = "euchre.v1.TournamentService"
    handler = grpc.method_handlers_generic_handler(service, {"WatchRankings": method})
    server.add_generic_rpc_handlers((handler,))
    server.add_insecure_port(address)
    server.start()
    try:
        yield address, servicer
    finally:
        server.stop(0).wait()


def arena_watch(address: str) -> Result:
    return CliRunner().invoke(arena_main, ("watch", "spring", "--arena", address))


def arena_watch_json(address: str) -> Result:
    return CliRunner().invoke(arena_main, ("watch", "spring", "--json", "--arena", address))


def euchre_watch(address: str) -> Result:
    return CliRunner().invoke(euchre, (address, "spring"))


watchers = pytest.mark.parametrize("watch", [arena_watch, arena_watch_json, euchre_watch])


@watchers
def test_a_watcher_goes_on_after_the_arena_was_gone_and_says_so_in_a_line(tmp_path, watch):
    with stopping_arena(tmp_path, stops=2) as (address, servicer):
        result = watch(address)
    assert result.exit_code == 0, result.output
    assert servicer.calls == 3
    lines = result.output.splitlines()
    gone = f"the arena at {address} is gone; dialling again for a minute"
    assert lines.count(gone) == 2, result.output
    assert "finished" in result.output.lower()


@watchers
def test_an_arena_that_stops_before_it_answers_is_not_dialled_again(tmp_path, watch):
    with stopping_arena(tmp_path, stops=1, refuses=True) as (address, servicer):
        result = watch(address)
    assert result.exit_code == 1
    assert servicer.calls == 1
    assert "The arena is stopping" in result.output or "no arena answers" in result.output


@watchers
def test_where_nobody_is_a_watcher_ends_at_once(tmp_path, watch):
    result = watch(f"unix:{tmp_path}/nobody")
    assert result.exit_code == 1
    assert "no arena answers" in result.output
    assert "dialling again" not in result.output


@pytest.mark.parametrize("watch", [arena_watch, euchre_watch])
def test_ctrl_c_ends_it_at_once_while_the_arena_is_gone(tmp_path, watch, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("euchre_sdk.client_redial.BackOff.next", interrupted)
    with stopping_arena(tmp_path, stops=1) as (address, servicer):
        result = watch(address)
    assert result.exit_code == 130
    assert servicer.calls == 1
