"""`WatchRankings`: every change is told in the end, few tables a second."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import trio
import trio.testing

from arena.rpc.boards import PAUSE, SHARE
from arena.rpc.tournaments import TournamentServicer
from arena.store.states import TournamentState
from arena.store.tournaments import StoredTournament
from arena.tournaments.feed import Feed
from arena.tournaments.spec import TournamentSpec, encode_spec
from arena.tournaments.standings import Progress, Rankings, Table
from euchre.v1 import tournaments_pb2 as pb
from euchre_sdk.game import Session

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
SPEC = TournamentSpec(format=Session(3))
SPRING = StoredTournament(
    tournament_id="t1",
    name="spring",
    spec=encode_spec(SPEC),
    public_seed="7",
    secret=b"s" * 32,
    state=TournamentState.RUNNING,
    created=START,
)


class OneTournament:
    """An organiser of one tournament, and its scoreboard; hands are all that happens."""

    def __init__(self) -> None:
        self.scoreboard = self
        self.feed = Feed()
        self.hands = 0
        self.made = 0
        self.takes = 0.0

    async def named(self, _name: str) -> StoredTournament:
        return SPRING

    async def rankings(self, _name: str, **_how: object) -> Rankings:
        self.made += 1
        await trio.sleep(self.takes)
        return Rankings(
            tournament=SPRING,
            spec=SPEC,
            state=SPRING.state,
            progress=Progress(blocks_complete=0, blocks_total=1, games_running=1, remaining=None),
            table=Table(rows=(), anchor=None, hands=self.hands, annulled=0),
            computed=START,
            revision=self.feed.revision,
        )

    async def wait_change(self, _tournament: StoredTournament, revision: int) -> None:
        await self.feed.wait_beyond(revision)


async def test_a_flood_of_hands_is_told_a_few_times_a_second_and_the_last_is_told(
    autojump_clock: trio.testing.MockClock,
) -> None:
    organiser = OneTournament()
    servicer = TournamentServicer(cast("Any", None), cast("Any", organiser), cast("Any", None))
    told: list[int] = []

    async def send(response: pb.WatchRankingsResponse) -> None:
        told.append(response.rankings.progress.hands)

    seconds = 4
    async with trio.open_nursery() as nursery:
        request = pb.WatchRankingsRequest(name="spring")
        nursery.start_soon(servicer.WatchRankings, request, cast("Any", None), send)
        for _ in range(seconds * 100):
            await trio.sleep(0.01)
            organiser.hands += 1
            organiser.feed.changed()
        await trio.sleep(2 * PAUSE)
        nursery.cancel_scope.cancel()
    assert told[0] == 0
    assert told[-1] == organiser.hands
    assert seconds / PAUSE / 2 < len(told) <= seconds / PAUSE + 2


async def test_many_watchers_cost_no_more_tables_than_one(
    autojump_clock: trio.testing.MockClock,
) -> None:
    organiser = OneTournament()
    servicer = TournamentServicer(cast("Any", None), cast("Any", organiser), cast("Any", None))
    told: list[list[int]] = [[] for _ in range(50)]
    seconds = 4

    async def watch(number: int) -> None:
        async def send(response: pb.WatchRankingsResponse) -> None:
            told[number].append(response.rankings.progress.hands)

        await trio.sleep(number * PAUSE / 50)
        request = pb.WatchRankingsRequest(name="spring")
        await servicer.WatchRankings(request, cast("Any", None), send)

    async with trio.open_nursery() as nursery:
        for number in range(50):
            nursery.start_soon(watch, number)
        for _ in range(seconds * 100):
            await trio.sleep(0.01)
            organiser.hands += 1
            organiser.feed.changed()
        await trio.sleep(2 * PAUSE)
        nursery.cancel_scope.cancel()
    assert organiser.made <= seconds / PAUSE + 3
    for hands in told:
        assert hands[-1] == organiser.hands
        assert len(hands) > seconds / PAUSE / 2
        assert hands == sorted(set(hands))


async def test_a_watcher_that_leaves_while_it_makes_the_table_holds_nobody_up(
    autojump_clock: trio.testing.MockClock,
) -> None:
    organiser = OneTournament()
    servicer = TournamentServicer(cast("Any", None), cast("Any", organiser), cast("Any", None))
    told: list[int] = []

    async def send(response: pb.WatchRankingsResponse) -> None:
        told.append(response.rankings.progress.hands)

    request = pb.WatchRankingsRequest(name="spring")
    async with trio.open_nursery() as staying:
        with trio.move_on_after(PAUSE / 2):  # in the middle of a table's pause
            async with trio.open_nursery() as leaving:
                leaving.start_soon(servicer.WatchRankings, request, cast("Any", None), send)
                await trio.sleep(PAUSE / 10)
                organiser.feed.changed()
                await trio.sleep_forever()
        staying.start_soon(servicer.WatchRankings, request, cast("Any", None), send)
        organiser.hands = 7
        organiser.feed.changed()
        await trio.sleep(2 * PAUSE)
        assert told[-1] == 7
        staying.cancel_scope.cancel()


async def test_a_table_that_is_slow_to_make_is_made_less_often(
    autojump_clock: trio.testing.MockClock,
) -> None:
    organiser = OneTournament()
    organiser.takes = 2.0
    servicer = TournamentServicer(cast("Any", None), cast("Any", organiser), cast("Any", None))
    told: list[int] = []

    async def send(response: pb.WatchRankingsResponse) -> None:
        told.append(response.rankings.progress.hands)

    seconds = 60
    async with trio.open_nursery() as nursery:
        request = pb.WatchRankingsRequest(name="spring")
        nursery.start_soon(servicer.WatchRankings, request, cast("Any", None), send)
        for _ in range(seconds * 10):
            await trio.sleep(0.1)
            organiser.hands += 1
            organiser.feed.changed()
        await trio.sleep(organiser.takes / SHARE + 2 * organiser.takes)
        nursery.cancel_scope.cancel()
    assert told[-1] == organiser.hands
    assert 3 <= organiser.made <= seconds * SHARE / organiser.takes + 3
