"""Records and proofs of finished games from an arena, one call after the other."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc

from euchre.v1 import matches_pb2 as pb
from euchre.v1 import matches_pb2_grpc
from euchre_sdk.client_dial import Dial, error_info, nobody_there, refusal
from euchre_sdk.errors import EuchreError

_TIMEOUT = 15.0
"""Seconds a call may take."""
_BUSY = {"TOO_MANY_CALLS", "TOO_MANY_CALLS_AT_ONCE"}
"""Reasons for which an arena is asked again."""
_SHORTEST_WAIT = 0.1
_PATIENCE = 30.0
"""Seconds after which an arena that has no time for a call is not asked again."""


class MatchError(EuchreError):
    """The arena does not give what was asked for: its own sentence, and its own reason."""

    def __init__(self, sentence: str, *, reason: str) -> None:
        super().__init__(sentence)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What an arena says that proves the deals of a game."""

    deal_set: str
    commitment: bytes
    seed: bytes | None
    nonces: tuple[bytes, ...]
    derived: tuple[bool, ...]


class Matches:
    """The finished games of an arena. Methods raise `MatchError` and `ConnectError`."""

    def __init__(
        self, channel: grpc.Channel, dial: Dial, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._dial = dial
        self._sleep = sleep
        self._stub = matches_pb2_grpc.MatchServiceStub(channel)

    def record(self, game_id: str) -> bytes:
        """Return the record of a finished game, as the file that it is."""
        request = pb.GetMatchRecordRequest(game_id=game_id)
        return bytes(self._call(self._stub.GetMatchRecord, request).record)

    def proof(self, game_id: str) -> Proof:
        """Return what proves the deals of a game; the seed only when it may be known."""
        said = self._call(self._stub.GetVerification, pb.GetVerificationRequest(game_id=game_id))
        return Proof(
            deal_set=said.deal_set_id,
            commitment=said.commitment,
            seed=said.seed if said.HasField("seed") else None,
            nonces=tuple(said.nonces),
            derived=tuple(said.nonces_derived),
        )

    def finished(self, tournament: str) -> Iterator[str]:
        """Yield the ids of a tournament's games that are over, newest first."""
        request = pb.ListMatchesRequest(tournament=tournament)
        while True:
            page = self._call(self._stub.ListMatches, request)
            for match in page.matches:
                if match.state != pb.MATCH_STATE_RUNNING:
                    yield match.game_id
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def _call(self, method: Any, request: Any) -> Any:
        """Call, and again where the arena only wants to be asked less often."""
        waited = 0.0
        while True:
            try:
                return method(request, timeout=_TIMEOUT)
            except grpc.RpcError as rpc_error:
                error: Any = rpc_error
                reason, variables = error_info(error)
                if reason in _BUSY and waited < _PATIENCE:
                    wait = _seconds(variables.get("retry_seconds", ""))
                    self._sleep(wait)
                    waited += wait
                elif reason:
                    raise MatchError(error.details(), reason=reason) from error
                else:
                    raise refusal(error, self._dial) or nobody_there(error, self._dial) from error


def _seconds(text: str) -> float:
    """Return how long to wait: as the arena says, but never so little that it is asked at once."""
    try:
        wait = float(text)
    except ValueError:
        wait = 0.0
    return _SHORTEST_WAIT if math.isnan(wait) else min(max(wait, _SHORTEST_WAIT), _PATIENCE)


@contextmanager
def dialled(dial: Dial) -> Iterator[Matches]:
    """Give the games of an arena. Raises `ConnectError` if certificates cannot be read."""
    credentials = dial.credentials()
    if credentials is None:
        channel = grpc.insecure_channel(dial.address.text, options=dial.options)
    else:
        channel = grpc.secure_channel(dial.address.text, credentials, options=dial.options)
    with channel:
        yield Matches(channel, dial)
