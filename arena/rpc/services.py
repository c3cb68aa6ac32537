"""The servicers as the edge takes them, and the credentials it listens with."""

from __future__ import annotations

from pathlib import Path

import grpc

from arena.errors import ArenaError
from arena.rpc.bots import BotServicer
from arena.rpc.edge import Service
from arena.rpc.matches import MatchServicer
from arena.rpc.tournaments import TournamentServicer
from euchre.v1 import bots_pb2_grpc, matches_pb2_grpc, tournaments_pb2_grpc


class CertificateError(ArenaError):
    """A certificate or key that cannot be used."""


def bot_service(servicer: BotServicer) -> Service:
    """Return `BotService` for the edge."""
    add = bots_pb2_grpc.add_BotServiceServicer_to_server
    return Service("euchre.v1.BotService", servicer, add)


def tournament_service(servicer: TournamentServicer) -> Service:
    """Return `TournamentService` for the edge."""
    add = tournaments_pb2_grpc.add_TournamentServiceServicer_to_server
    return Service("euchre.v1.TournamentService", servicer, add)


def match_service(servicer: MatchServicer) -> Service:
    """Return `MatchService` for the edge."""
    add = matches_pb2_grpc.add_MatchServiceServicer_to_server
    return Service("euchre.v1.MatchService", servicer, add)


def tls(certificate: Path, key: Path) -> grpc.ServerCredentials:
    """Return credentials to listen with.

    Raises `CertificateError` for files that cannot be read.
    """
    try:
        pair = (key.read_bytes(), certificate.read_bytes())
    except OSError as error:
        raise CertificateError(
            f"the certificate {certificate} and its key {key} cannot be read: {error.strerror}."
        ) from error
    return grpc.ssl_server_credentials([pair])
