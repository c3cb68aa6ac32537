"""`WatchMatch`: whole hands, when they are old enough, the same for whoever comes late."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
import trio
import trio.testing

from arena.rpc.matches import MatchServicer
from arena.rpc.spectators import SLOW
from arena.store import open_store
from arena.tournaments.gallery import DELAY
from arena.tournaments.organiser import open_tournaments
from arena.tournaments.spec import TournamentSpec
from euchre.v1 import matches_pb2 as pb
from euchre_sdk.game import Session
from tests.arena.registration import register
from tests.arena.stepped import Cue, SteppedPlayroom, SteppedStore

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIELD = ("ada", "bob", "cyd")
HANDS = 6


def now() -> datetime:
    return START + timedelta(seconds=trio.current_time())


class Arena:
    """An arena in which one game is played, a hand whenever the test says so."""

    def __init__(
        self, servicer: MatchServicer, playroom: SteppedPlayroom, clock: trio.testing.MockClock
    ) -> None:
        self.servicer = servicer
        self._playroom = playroom
        self._clock = clock

    async def wait(self, seconds: float) -> None:
        self._clock.jump(seconds)
        await trio.testing.wait_all_tasks_blocked()

    async def go_on(self, cue: Cue = Cue.GO_ON) -> str:
        """Let the game that waits for it go on by a hand; return its id."""
        await trio.testing.wait_all_tasks_blocked()
        (game_id,) = self._playroom.waiting
        self._playroom.cue(game_id, cue, 0)
        await trio.testing.wait_all_tasks_blocked()
        return game_id

    async def listed(self) -> pb.Match:
        request = pb.ListMatchesRequest(tournament="spring")
        response = await self.servicer.ListMatches(request, cast("Any", None))
        return response.matches[0]


class Watcher:
    """Somebody who watches a game."""

    def __init__(self, arena: Arena, game_id: str) -> None:
        self.told: list[pb.WatchMatchResponse] = []
        self.over = False
        self.reads = trio.Event()
        self.reads.set()
        self._arena = arena
        self._game_id = game_id

    async def run(self) -> None:
        request = pb.WatchMatchRequest(game_id=self._game_id)
        await self._arena.servicer.WatchMatch(request, cast("Any", None), self._send)
        self.over = True

    async def _send(self, response: pb.WatchMatchResponse) -> None:
        self.told.append(response)
        await self.reads.wait()

    @property
    def hands(self) -> list[int]:
        """The numbers of the hands told."""
        return [each.hand_end.hand_number for each in self.told if each.HasField("hand_end")]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    async def fill() -> None:
        async with open_store(tmp_path, now=START, group=timedelta(0)) as store:
            await register(store, FIELD, created=START)

    trio.run(fill)
    return tmp_path / "arena.sqlite3"


@asynccontextmanager
async def running(
    database: Path, clock: trio.testing.MockClock, nursery: trio.Nursery
) -> AsyncIterator[Arena]:
    """Run an arena on that database; the first one there starts a tournament."""
    playroom = SteppedPlayroom(ordered=lambda _order, _playroom: None)
    playroom.games_at_once = dict.fromkeys(FIELD, 1)
    violations: list[str] = []
    with closing(SteppedStore(database, violations)) as store:
        scope = trio.CancelScope()

        async def commit() -> None:
            with scope:
                await store.run()

        nursery.start_soon(commit)
        stored = cast("Any", store)
        async with open_tournaments(stored, playroom, now=now, games_at_once=9) as organiser:
            if store.incarnation == 2:
                spec = TournamentSpec(format=Session(HANDS), policy="all-trios")
                await organiser.create("spring", spec, FIELD, seed="7")
                await organiser.start("spring")
            yield Arena(MatchServicer(stored, organiser), playroom, clock)
        scope.cancel()
    assert not violations


async def test_a_hand_is_shown_when_it_is_complete_and_old_enough(
    database: Path, mock_clock: trio.testing.MockClock
) -> None:
    async with trio.open_nursery() as nursery, running(database, mock_clock, nursery) as arena:
        watcher = Watcher(arena, await arena.go_on())
        nursery.start_soon(watcher.run)
        await arena.wait(1)
        assert [each.WhichOneof("event") for each in watcher.told] == ["match"]
        assert watcher.told[0].match.state == pb.MATCH_STATE_RUNNING
        await arena.go_on()
        await arena.wait(DELAY - 0.5)
        assert watcher.hands == []
        assert (await arena.listed()).hands == 0
        await arena.wait(1)
        assert watcher.hands == [1]
        listed = await arena.listed()
        assert listed.hands == 1
        told = watcher.told[-1].hand_end
        assert [seat.points for seat in listed.seats] == list(told.points) == list(told.score)
        nursery.cancel_scope.cancel()


async def test_who_comes_late_is_told_the_same_and_nothing_earlier(
    database: Path, mock_clock: trio.testing.MockClock
) -> None:
    async with trio.open_nursery() as nursery, running(database, mock_clock, nursery) as arena:
        early = Watcher(arena, await arena.go_on())
        nursery.start_soon(early.run)
        late = Watcher(arena, early._game_id)
        for number in range(1, HANDS + 1):
            await arena.go_on()
            await arena.wait(10)
            if number == 5:
                nursery.start_soon(late.run)
                await arena.wait(0)
                assert late.told == early.told
                assert early.hands == [1, 2, 3]
        await arena.wait(DELAY)
        assert late.told == early.told
        assert early.hands == list(range(1, HANDS + 1))
        assert early.told[-1].game_over.hands == HANDS
        assert list(early.told[-1].game_over.points) == list(early.told[-2].hand_end.score)
        assert (early.over, late.over) == (True, True)
        after = Watcher(arena, early._game_id)
        await after.run()
        assert after.told == early.told
        nursery.cancel_scope.cancel()


async def test_after_a_restart_nothing_is_shown_too_early(
    database: Path, mock_clock: trio.testing.MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        async with running(database, mock_clock, nursery) as arena:
            game_id = await arena.go_on()
            await arena.go_on()
        async with running(database, mock_clock, nursery) as arena:
            watcher = Watcher(arena, game_id)
            nursery.start_soon(watcher.run)
            await arena.wait(DELAY - 0.5)
            assert watcher.hands == []
            await arena.go_on()
            await arena.wait(1)
            assert watcher.hands == [1]
            assert (await arena.listed()).hands == 1
            await arena.wait(DELAY)
            assert watcher.hands == [1, 2]
            nursery.cancel_scope.cancel()


async def test_who_reads_too_slowly_is_told_where_the_match_stands_instead(
    database: Path, mock_clock: trio.testing.MockClock
) -> None:
    async with trio.open_nursery() as nursery, running(database, mock_clock, nursery) as arena:
        watcher = Watcher(arena, await arena.go_on())
        nursery.start_soon(watcher.run)
        for _ in range(4):
            await arena.go_on()
        watcher.reads = trio.Event()
        await arena.wait(DELAY + 1)
        await arena.wait(SLOW + 1)
        assert watcher.hands == [1]
        watcher.reads.set()
        await arena.wait(0)
        assert watcher.hands == [1]
        assert watcher.told[-1].match.hands == 4
        await arena.go_on()
        await arena.wait(DELAY + 1)
        assert watcher.hands == [1, 5]
        nursery.cancel_scope.cancel()


async def test_a_game_that_the_arena_gives_up_ends_for_its_watchers_too(
    database: Path, mock_clock: trio.testing.MockClock
) -> None:
    async with trio.open_nursery() as nursery, running(database, mock_clock, nursery) as arena:
        watcher = Watcher(arena, await arena.go_on())
        nursery.start_soon(watcher.run)
        await arena.go_on()
        await arena.go_on(Cue.VOID)
        await arena.wait(DELAY - 0.5)
        assert not watcher.over
        await arena.wait(1)
        assert watcher.over
        assert watcher.hands == [1]
        assert "without a result" in watcher.told[-1].game_over.message
        nursery.cancel_scope.cancel()
