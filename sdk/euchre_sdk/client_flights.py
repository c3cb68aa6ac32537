"""Flight records from an arena, for the owner of a bot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from euchre.v1 import bots_pb2 as pb
from euchre.v1 import bots_pb2_grpc
from euchre_sdk.client_dial import OPTIONS, Dial, error_info, nobody_there, refusal
from euchre_sdk.client_matches import MatchError
from euchre_sdk.flight import FlightRecord, FlightSummary
from euchre_sdk.wire_flight import read_flight_record, read_flight_summary

_TIMEOUT = 15.0
"""Seconds a call may take."""
_PAGE = 100


class Flights:
    """The flight records of one owner. Methods raise `MatchError` and `ConnectError`."""

    def __init__(self, channel: grpc.Channel, dial: Dial, token: str) -> None:
        self._dial = dial
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._stub = bots_pb2_grpc.BotServiceStub(channel)

    def record(self, game_id: str, *, bot: str = "") -> FlightRecord:
        """Return what there is of a bot's seat in a game; without a name, of the token's bot."""
        request = pb.GetFlightRecordRequest(name=bot, game_id=game_id)
        return read_flight_record(self._call(self._stub.GetFlightRecord, request))

    def newest(self, *, bot: str = "") -> tuple[FlightSummary, ...]:
        """Return the newest games of which there are records, a page of them."""
        request = pb.ListFlightRecordsRequest(name=bot, page_size=_PAGE)
        page = self._call(self._stub.ListFlightRecords, request)
        return tuple(map(read_flight_summary, page.records))

    def _call(self, method: Any, request: Any) -> Any:
        try:
            return method(request, metadata=self._metadata, timeout=_TIMEOUT)
        except grpc.RpcError as rpc_error:
            error: Any = rpc_error
            reason, _ = error_info(error)
            if reason:
                raise MatchError(error.details(), reason=reason) from error
            raise refusal(error, self._dial) or nobody_there(error, self._dial) from error


@contextmanager
def dialled(dial: Dial, token: str) -> Iterator[Flights]:
    """Give an owner's records. Raises `ConnectError` if certificates cannot be read."""
    credentials = dial.credentials()
    if credentials is None:
        channel = grpc.insecure_channel(dial.address.text, options=OPTIONS)
    else:
        channel = grpc.secure_channel(dial.address.text, credentials, options=OPTIONS)
    with channel:
        yield Flights(channel, dial, token)
