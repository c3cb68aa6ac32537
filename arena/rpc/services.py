"""The servicers as the edge takes them, each behind the gate."""

from __future__ import annotations

from typing import Any

from arena.rpc.auth import Gate
from arena.rpc.bots import BotServicer
from arena.rpc.calls import Call, not_offered
from arena.rpc.matches import MatchServicer
from arena.rpc.methods import Service
from arena.rpc.status import ArenaServicer
from arena.rpc.tournaments import TournamentServicer
from euchre.v1 import arena_pb2_grpc, bots_pb2_grpc, matches_pb2_grpc, tournaments_pb2_grpc


class Guarded:
    """A servicer behind the gate: none of its methods runs for whom the gate does not admit."""

    def __init__(self, servicer: object, gate: Gate) -> None:
        self._servicer = servicer
        self._gate = gate

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._servicer, name, None)

        async def admitted(request: Any, call: Call, *send: Any) -> Any:
            async with self._gate.admitted(call, request, streams=bool(send)) as known:
                if method is None:
                    raise not_offered(call.method)
                return await method(request, known, *send)

        return admitted


def bot_service(servicer: BotServicer, gate: Gate) -> Service:
    """Return `BotService` for the edge."""
    add = bots_pb2_grpc.add_BotServiceServicer_to_server
    return Service("euchre.v1.BotService", Guarded(servicer, gate), add)


def tournament_service(servicer: TournamentServicer, gate: Gate) -> Service:
    """Return `TournamentService` for the edge."""
    add = tournaments_pb2_grpc.add_TournamentServiceServicer_to_server
    return Service("euchre.v1.TournamentService", Guarded(servicer, gate), add)


def match_service(servicer: MatchServicer, gate: Gate) -> Service:
    """Return `MatchService` for the edge."""
    add = matches_pb2_grpc.add_MatchServiceServicer_to_server
    return Service("euchre.v1.MatchService", Guarded(servicer, gate), add)


def arena_service(servicer: ArenaServicer, gate: Gate) -> Service:
    """Return `ArenaService` for the edge."""
    add = arena_pb2_grpc.add_ArenaServiceServicer_to_server
    return Service("euchre.v1.ArenaService", Guarded(servicer, gate), add)
