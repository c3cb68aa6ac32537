"""`WatchRankings`: every change is told in the end, few tables a second."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import trio
import trio.testing

from arena.rpc.tournaments import PAUSE, TournamentServicer
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
    """An organiser of one tournament in which hands are all that happens."""

    def __init__(self) -> None:
        self.feed = Feed()
        self.hands = 0

    async def rankings(self, _name: str) -> Rankings:
        return Rankings(
            tournament=SPRING,
            spec=SPEC,
            state=SPRING.state,
            progress=Progress(blocks_complete=0, blocks_total=1, games_running=1, remaining=None),
            table=Table(rows=(), anchor=None, hands=self.hands),
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
