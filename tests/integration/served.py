"""A served arena for tests: real gRPC, a real database, and games that are played without bots."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from arena.health import Health
from arena.metrics import Metrics
from arena.referee.flight import FlightRecord
from arena.rpc.auth import Doorkeeper, Gate
from arena.rpc.binding import Listen
from arena.rpc.bots import BotServicer
from arena.rpc.client import ArenaClient, connect
from arena.rpc.edge import serve
from arena.rpc.errors import translate
from arena.rpc.flights import FlightDesk
from arena.rpc.matches import MatchServicer
from arena.rpc.services import arena_service, bot_service, match_service, tournament_service
from arena.rpc.serving import serving
from arena.rpc.status import ArenaServicer
from arena.rpc.tournaments import TournamentServicer
from arena.snapshot import Snapshot
from arena.store import Store, bots, open_store
from arena.tokens import hash_token
from arena.tournaments.flights import Retention
from arena.tournaments.organiser import Organiser, open_tournaments
from euchre.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    matches_pb2,
    matches_pb2_grpc,
    tournaments_pb2,
    tournaments_pb2_grpc,
)
from euchre_sdk.client_dial import Address, Dial, error_info
from euchre_sdk.game import STANDARD, Seat, Session
from tests.arena.fake_playroom import FakePlayroom

ORGANISER = "o" * 43
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
SERVICES: dict[str, tuple[Any, Any]] = {
    "BotService": (bots_pb2, bots_pb2_grpc.BotServiceStub),
    "TournamentService": (tournaments_pb2, tournaments_pb2_grpc.TournamentServiceStub),
    "MatchService": (matches_pb2, matches_pb2_grpc.MatchServiceStub),
}


class Served:
    """A served arena and ways to call it from a test."""

    def __init__(self, address: str, store: Store, playroom: FakePlayroom) -> None:
        self.address = address
        self.store = store
        self.playroom = playroom
        self.health = Health()
        self.revoked: list[str] = []
        self.flights: dict[str, FlightRecord] = {}
        """What is known of games that are being played."""
        self._channels: list[grpc.Channel] = []

    def flight(self, game_id: str, _seat: Seat) -> FlightRecord | None:
        return self.flights.get(game_id)

    async def ask(
        self, question: Callable[[ArenaClient], Any], token: str | None = ORGANISER
    ) -> Any:
        """Ask by the client that the commands use."""

        def in_thread() -> Any:
            with connect(Dial(address=Address(self.address)), token=token) as client:
                return question(client)

        return await trio.to_thread.run_sync(in_thread)

    async def call(self, method: str, request: Any, token: str | None) -> Any:
        """Call a method by its full name and return its answer, or its first if it is a stream."""

        def in_thread() -> Any:
            service, _, name = method.rpartition("/")
            stub = SERVICES[service.rpartition(".")[2]][1]
            metadata = () if token is None else (("authorization", f"Bearer {token}"),)
            with grpc.insecure_channel(self.address) as channel:
                answer = getattr(stub(channel), name)(request, metadata=metadata, timeout=10)
                return next(answer) if name.startswith("Watch") else answer

        return await trio.to_thread.run_sync(in_thread)

    async def watch(self, tournament: str) -> Any:
        """Watch a ranking as a stranger; return the call after its first answer."""
        channel = grpc.insecure_channel(self.address)
        self._channels.append(channel)
        stub: Any = tournaments_pb2_grpc.TournamentServiceStub(channel)
        call = stub.WatchRankings(tournaments_pb2.WatchRankingsRequest(name=tournament))
        await trio.to_thread.run_sync(next, call)
        return call

    def close(self) -> None:
        """Hang up."""
        for channel in self._channels:
            channel.close()

    async def code(self, method: str, request: Any, token: str | None) -> grpc.StatusCode:
        """Call, and return the code of the answer."""
        try:
            await self.call(method, request, token)
        except grpc.RpcError as error:
            code: grpc.StatusCode = error.code()  # type: ignore[attr-defined] # of a call
            return code
        return grpc.StatusCode.OK

    async def refusal(
        self, method: str, request: Any, token: str | None = ORGANISER
    ) -> tuple[grpc.StatusCode, str, str]:
        """Call what is refused; return code, reason and sentence."""
        with pytest.raises(grpc.RpcError) as caught:
            await self.call(method, request, token)
        error: Any = caught.value
        return error.code(), error_info(error)[0], error.details()


@asynccontextmanager
async def served(path: Path, *, is_open: bool = False, **present: int) -> AsyncIterator[Served]:
    """Serve the three services; `present` are the bots that are there, by name."""
    playroom = FakePlayroom()

    def now() -> datetime:
        return START + timedelta(seconds=trio.current_time() % 1e6)

    async with open_store(path, now=START, group=timedelta(0)) as store:
        doorkeeper = Doorkeeper(organiser=hash_token(ORGANISER))
        gate = Gate(
            doorkeeper,
            lambda name: store.read(bots.bot_named, name),
            bot_with_id=lambda bot_id: store.read(bots.bot_with_id, bot_id),
        )
        it = Served("", store, playroom)
        async with open_tournaments(store, playroom, now=now, games_at_once=50) as organiser:
            services = (
                bot_service(
                    BotServicer(
                        store,
                        organiser,
                        playroom,
                        doorkeeper,
                        now=now,
                        revoked=it.revoked.append,
                        registration_is_open=is_open,
                        flights=FlightDesk(store, Retention(), it.flight, now=now),
                    ),
                    gate,
                ),
                tournament_service(TournamentServicer(store, organiser, playroom), gate),
                match_service(MatchServicer(store, organiser), gate),
                arena_service(ArenaServicer(partial(_snapshot, it, organiser), Metrics()), gate),
            )
            async with serve(
                (Listen(address="127.0.0.1:0"),),
                opened=lambda stream: stream.close(),
                woken=lambda _: None,
                failed=_raise,
                services=services,
                translate=translate,
                grace=0.1,
            ) as edge:
                it.health.listen(lambda: edge.serving.tell(serving(it.health)))
                it.address = f"127.0.0.1:{edge.ports[0]}"
                for name, games_at_once in present.items():
                    made = await it.ask(partial(_register, name))
                    playroom.come(made.bot.bot_id, games_at_once)
                try:
                    yield it
                finally:
                    it.close()


def _register(name: str, client: ArenaClient) -> Any:
    return client.register_bot(name, None)


def _snapshot(it: Served, organiser: Organiser) -> Snapshot:
    return Snapshot(
        version="0.1.0",
        incarnation=it.store.incarnation,
        up=timedelta(minutes=2),
        troubles=dict(it.health.troubles),
        streams=0,
        links=0,
        games_running=0,
        games_limit=organiser.fleet.games_limit,
        games_allowed=organiser.fleet.games_allowed,
        tournaments_running=organiser.fleet.tournaments_running,
        blocks_left=organiser.fleet.blocks_left,
        store_queue=it.store.queue,
        store_commits=it.store.commits,
        store_failures=it.store.failures,
        lag=0.0,
    )


def _raise(error: BaseException) -> None:
    raise error


def create(client: ArenaClient, name: str = "spring", *bots: str, cycles: int = 1) -> Any:
    return client.create_tournament(
        name,
        bots=bots,
        policy="round-robin",
        cycles=cycles,
        rules=STANDARD,
        format=Session(3),
        owners_apart=False,
    )
