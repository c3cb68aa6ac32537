"""One world with everything around the games: tournaments, store, and what all may ask for.

Beside what the stage injects, the seeds of deal sets are injected here, and differ between the
worlds while the tournament's secret is the same: so an id that is made from a seed would differ.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
import trio
import trio.testing

from arena.rpc import matches
from arena.rpc.calls import Call
from arena.rpc.errors import translate
from arena.rpc.flights import FlightDesk
from arena.rpc.matches import MatchServicer
from arena.rpc.refusal import RefusedError
from arena.rpc.roles import ABot, TheOrganiser
from arena.rpc.tournaments import TournamentServicer
from arena.store import bots, games, open_store
from arena.tournaments import seeds
from arena.tournaments.flights import Retention
from arena.tournaments.gallery import DELAY
from arena.tournaments.organiser import Organiser, open_tournaments
from arena.tournaments.spec import TournamentSpec
from euchre.v1 import bots_pb2, matches_pb2, tournaments_pb2
from euchre_sdk.game import Session, ToTarget
from euchre_sdk.game.rules_file import rules_from_fields
from tests.arena.registration import register
from tests.arena.stepped import SteppedStore
from tests.leaks.injected import injected
from tests.leaks.script import Script, Step
from tests.leaks.stage import CLOCKED, CONDUCT, NAMES, UNCLOCKED, Seen, Stage

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HANDS = 3
"""Of a session."""
EVERY = 6
"""Steps from one look at everything to the next."""
NOBODY = cast("Any", None)


def now() -> datetime:
    return START + timedelta(seconds=trio.current_time())


def new_database(directory: Path) -> Path:
    """Return a database in which the three bots are registered."""

    async def fill() -> None:
        async with open_store(directory, now=START, group=timedelta(0)) as store:
            await register(store, NAMES, created=START)

    trio.run(fill)
    return directory / "arena.sqlite3"


class PublicStage(Stage):
    """A stage on which every game is played in a tournament of its own."""

    def __init__(
        self,
        world: int,
        clock: trio.testing.MockClock,
        nursery: trio.Nursery,
        *,
        store: SteppedStore,
    ) -> None:
        super().__init__(world, clock, nursery)
        self._store = store
        self._organiser: Organiser
        self._matches: MatchServicer
        self._tournaments: TournamentServicer
        self._name = ""
        self._game_id = ""
        self._watched = False

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Run the arena."""
        await self.open()
        store = cast("Any", self._store)
        self._nursery.start_soon(store.run)
        async with open_tournaments(
            store, self._service, now=now, games_at_once=9
        ) as self._organiser:
            self._matches = MatchServicer(store, self._organiser)
            self._tournaments = TournamentServicer(store, self._organiser, self._service)
            yield

    async def _offer(self, script: Script, number: int) -> None:
        self._name = f"t{number}"
        spec = TournamentSpec(
            policy="all-trios",
            rules=rules_from_fields(dict(script.rules)),
            format=ToTarget() if script.session is None else Session(HANDS),
            time_control=CLOCKED if script.clocked else UNCLOCKED,
            conduct=CONDUCT,
        )
        await self._organiser.create(self._name, spec, NAMES, seed="7")
        await self._organiser.start(self._name)
        await self.settle()
        (self._game_id,) = self._service._tables.games
        self._order = self._service._tables.games[self._game_id].order
        self._watched = False

    async def _watch(self, game_id: str, seen: Seen) -> None:
        """Watch a game from its first hand to its end."""
        whole = sum(hand.complete for hand in self._script.hands)

        async def send(response: matches_pb2.WatchMatchResponse) -> None:
            await trio.lowlevel.checkpoint()
            # A hand that cannot go on alike ends otherwise in each world.
            over = response.HasField("game_over")
            if not over and response.hand_end.hand_number <= whole:
                seen.public.append(("watch", _bytes(response)))

        request = matches_pb2.WatchMatchRequest(game_id=game_id)
        await self._matches.WatchMatch(request, NOBODY, send)

    async def _look(self, step: Step) -> None:
        game = self._store.look(games.game_with_id, self._game_id)
        if game is None or game.state.over:
            self.seen.over = True
            return
        if not self._watched:
            self._watched = True
            self._nursery.start_soon(self._watch, self._game_id, self.seen)
        if self.seen.steps % EVERY:
            return
        name, game_id = self._name, self._game_id
        asked: dict[str, Callable[[], Coroutine[Any, Any, Any]]] = {
            "list": lambda: self._matches.ListMatches(
                matches_pb2.ListMatchesRequest(tournament=name), NOBODY
            ),
            "record": lambda: self._matches.GetMatchRecord(
                matches_pb2.GetMatchRecordRequest(game_id=game_id), NOBODY
            ),
            "verification": lambda: self._matches.GetVerification(
                matches_pb2.GetVerificationRequest(game_id=game_id), NOBODY
            ),
            "rankings": lambda: self._tournaments.GetRankings(
                tournaments_pb2.GetRankingsRequest(name=name), NOBODY
            ),
            "tournament": lambda: self._tournaments.GetTournament(
                tournaments_pb2.GetTournamentRequest(name=name), NOBODY
            ),
            "enter": lambda: self._organiser.enter(name, NAMES[0], None),
            "flight": self._flight,
        }
        for method, ask in asked.items():
            self.seen.public.append((method, await _answer(ask)))

    async def _flight(self) -> bots_pb2.GetFlightRecordResponse:
        """Ask for the flight record of the observer's seat, as its owner; or as the organiser."""
        observer = self._script.observer
        name = NAMES[self._bots[observer or 0].number]
        bot = self._store.look(bots.bot_named, name)
        assert bot is not None
        caller = TheOrganiser() if observer is None else ABot(bot.bot_id)
        desk = FlightDesk(cast("Any", self._store), Retention(), self._service.flight, now=now)
        request = bots_pb2.GetFlightRecordRequest(game_id=self._game_id)
        call = Call(method="GetFlightRecord", peer="", metadata={}, caller=caller)
        return await desk.record(request, bot, call)

    async def _end(self, seen: Seen) -> None:
        await self._organiser.cancel(self._name)
        await super()._end(seen)
        await self.settle()
        for bot in self._bots:
            if bot.stream is not None:
                self._hang_up(bot)
        await self.wait(round(DELAY * 1000) + 100)
        seen.public.sort(key=lambda told: told[0] == "watch")  # which came when is in it


async def _answer(ask: Callable[[], Coroutine[Any, Any, Any]]) -> bytes:
    """Return what a caller is answered: a response, or all that a refusal says."""
    try:
        return _bytes(await ask())
    except Exception as error:
        refused = error if isinstance(error, RefusedError) else translate(error)
        if refused is None:
            raise
        return repr((refused.code, str(refused), refused.trailing_metadata())).encode()


def _bytes(message: Any) -> bytes:
    data: bytes = message.SerializeToString(deterministic=True)
    return data


def perform_in_public(scripts: list[Script], world: int, database: Path) -> list[Seen]:
    """Play scripts one after the other in one world, each in a tournament."""
    clock = trio.testing.MockClock()
    violations: list[str] = []

    async def main(path: Path) -> list[Seen]:
        with closing(SteppedStore(path, violations)) as store:
            async with trio.open_nursery() as nursery:
                stage = PublicStage(world, clock, nursery, store=store)
                async with stage.opened():
                    seen = [await stage.play(script, n) for n, script in enumerate(scripts)]
                nursery.cancel_scope.cancel()
        return seen

    copy = database.with_name(f"world-{world}.sqlite3")
    shutil.copy(database, copy)
    with injected(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            seeds,
            "derive_seed",
            lambda secret, deal_set: hashlib.sha256(
                secret + deal_set.encode() + bytes([world])
            ).digest(),
        )
        patch.setattr(matches, "commitment", lambda _deal_set, _seed: b"c" * 32)
        seen = trio.run(main, copy, clock=clock)
    assert not violations
    return seen
