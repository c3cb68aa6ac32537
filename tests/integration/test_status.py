"""`arena status`: of an arena that works, of one that does not, and of none."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from time import monotonic

import pytest

from arena.health import Part
from arena.metrics import DELAYS, Histogram, Metrics
from arena.referee import FaultKind, ForcedCause
from arena.rpc import client, serving
from arena.rpc.status import write_status
from arena.snapshot import Snapshot
from euchre_sdk.client_dial import Address, Dial
from tests.integration.served import served
from tests.integration.test_commands import run, said


async def test_an_arena_that_works_says_what_it_does(tmp_path: Path) -> None:
    async with served(tmp_path, lynx=1, puma=2) as arena:
        result = await said(arena, "status")
        told = " ".join(result.output.split())
        assert result.exit_code == 0
        assert "answers: 0 tournaments and 0 games running, 2 bots registered, 2 free" in told
        assert "games 0 running, 50 may run at once, 0 blocks left" in told
        assert "faults none" in told
        assert "not work" not in told
        status = json.loads((await said(arena, "status", "--json")).output)
        assert status["works"] is True
        assert set(status["services"].values()) == {True}
        assert status["status"]["games_allowed"] == 50
        assert status["bots_free"] == ["lynx", "puma"]


async def test_an_arena_that_cannot_store_says_so_and_the_command_fails(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        arena.health.report(Part.DATABASE, "the disk is full, or writing failed")
        result = await said(arena, "status")
        assert result.exit_code == 1
        told = " ".join(result.output.split())
        assert "It does not work as it should: the disk is full, or writing failed." in told
        status = json.loads((await said(arena, "status", "--json")).output)
        assert status["works"] is False
        assert status["services"] == {
            "arena": False,
            "PlayService": False,
            "ArenaService": True,
            "BotService": False,
            "TournamentService": False,
            "MatchService": True,
        }
        assert status["status"]["troubles"] == [
            {"part": "database", "message": "the disk is full, or writing failed"}
        ]
        arena.health.report(Part.DATABASE, None)
        assert (await said(arena, "status")).exit_code == 0


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_without_an_arena_it_says_so_in_a_sentence(arguments: tuple[str, ...]) -> None:
    result = run("127.0.0.1:1", "status", *arguments)
    assert result.exit_code == 1
    assert result.output == (
        "no arena answers at 127.0.0.1:1 (connection refused). Is `arena serve` running? "
        "Another address: --arena HOST:PORT.\n"
    )


async def test_of_an_arena_that_hangs_it_says_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "BEAT", 0.01)
    monkeypatch.setattr(client, "STATUS_TIMEOUT", 0.3)
    async with served(tmp_path) as arena:
        until = monotonic() + 10  # from here on nothing of the arena's main thread runs
        while any(_services(arena.address).values()):
            assert monotonic() < until
        result = run(arena.address, "status")
    assert result.exit_code == 1
    assert result.output.startswith(f"the arena at {arena.address} hangs or is about to stop: ")


def _services(address: str) -> dict[str, bool]:
    with client.connect(Dial(address=Address(address))) as calls:
        return calls.services_that_work()


def test_a_status_holds_what_is_counted_and_how_long_things_take() -> None:
    metrics = Metrics()
    metrics.decisions, metrics.hands["scored"] = 40, 2
    metrics.faults[FaultKind.ILLEGAL] += 3
    metrics.forced[ForcedCause.HOUSE_LATE] += 4
    metrics.own_delay.add(300_000, times=98)
    metrics.own_delay.add(20_000_000, times=2)
    metrics.response.add(60_000_000)
    now = Snapshot(
        version="0.1.0",
        incarnation=3,
        up=timedelta(minutes=2),
        troubles={},
        streams=5,
        links=6,
        games_running=7,
        games_limit=8,
        games_allowed=9,
        tournaments_running=1,
        blocks_left=10,
        store_queue=11,
        store_commits=Histogram(DELAYS),
        store_failures={"full": 2, "locked": 1},
        lag=0.0,
    )
    status = write_status(now, metrics)
    assert {each.kind: each.count for each in status.faults} == {
        "illegal": 3,
        "malformed": 0,
        "time": 0,
    }
    assert (status.decisions, status.hands, status.house_late) == (40, 2, 4)
    assert status.own_delay.median_duration.ToTimedelta() == timedelta(microseconds=500)
    assert status.own_delay.p99_duration.ToTimedelta() == timedelta(milliseconds=25)
    assert status.response.count == 1
    assert not status.response.HasField("p99_duration"), "longer than any bucket"
    assert not status.store_commit.HasField("median_duration"), "nothing was stored yet"
    assert status.store_failures == 3
