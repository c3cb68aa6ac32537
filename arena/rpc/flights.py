"""Flight records as their owners get them: what is stored, and what is known of a running game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from arena.referee.flight import FlightEntry, FlightKind, FlightRecord
from arena.rpc.paging import page_size, read_offset, write_token
from arena.rpc.roles import TheOrganiser
from arena.rpc.values import write_time
from arena.store import Store, flights, games, tournaments
from arena.store.games import StoredGame
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.flights import Retention
from arena.tournaments.names import shown
from arena.tournaments.spec import TournamentSpec, decode_spec
from euchre.v1 import bots_pb2 as pb
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS, Seat
from euchre_sdk.wire import read_question, write_duration, write_format, write_rules

if TYPE_CHECKING:
    from datetime import datetime

    from arena.rpc.calls import Call
    from arena.store.bots import RegisteredBot

Live = Callable[[str, Seat], tuple[int, FlightRecord] | None]
"""What is known of a seat of a game that is being played, or just was, after its incarnation."""
_KIND = {
    FlightKind.QUESTION: pb.FLIGHT_KIND_QUESTION,
    FlightKind.ANSWER: pb.FLIGHT_KIND_ANSWER,
    FlightKind.NOTICE: pb.FLIGHT_KIND_NOTICE,
    FlightKind.EVENT: pb.FLIGHT_KIND_EVENT,
}


class FlightDesk:
    """Hands flight records out. Who asks owns the bot: the gate has seen to that."""

    def __init__(
        self, store: Store, retention: Retention, live: Live, *, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._retention = retention
        self._live = live
        self._now = now

    async def page(
        self, request: pb.ListFlightRecordsRequest, bot: RegisteredBot
    ) -> pb.ListFlightRecordsResponse:
        """Return a page of the games of which there are records."""
        size = page_size(request.page_size if request.HasField("page_size") else None)
        skip = read_offset("flights", request.page_token)
        found = await self._store.read(
            flights.page_of_flights, bot.bot_id, skip=skip, limit=size + 1
        )
        response = pb.ListFlightRecordsResponse(
            records=[
                pb.FlightSummary(
                    game_id=each.game_id,
                    tournament=each.tournament,
                    seat=each.seat,
                    refused=each.refused,
                    forced=each.forced,
                    update_time=write_time(each.stored),
                )
                for each in found[:size]
            ]
        )
        if len(found) > size:
            response.next_page_token = write_token("flights", str(skip + size))
        return response

    async def record(
        self, request: pb.GetFlightRecordRequest, bot: RegisteredBot, call: Call
    ) -> pb.GetFlightRecordResponse:
        """Return the record of a bot's seat in one game.

        While the game is played it is the bot's alone: an organiser may have bots of his own in it.
        """
        game, seat = await self._seat(request.game_id, bot)
        if isinstance(call.caller, TheOrganiser) and not game.state.over:
            fault = (
                f"{game.game_id} is being played; until it is over its flight record opens to "
                f"the token of {bot.name} or of its author only"
            )
            raise RefusedRequestError(Refusal.NOT_NOW, [fault])
        runs = dict(await self._store.read(flights.flight_of, game.game_id, seat))
        live = self._live(game.game_id, seat)
        if live is not None:
            incarnation, record = live
            runs[incarnation] = record
        if not runs:
            raise RefusedRequestError(Refusal.NOT_FOUND, [self._why_not(game, bot)])
        tournament = await self._store.read(tournaments.tournament_with_id, game.tournament_id)
        spec = decode_spec(tournament.spec)
        response = pb.GetFlightRecordResponse(
            game_id=game.game_id,
            tournament=tournament.name,
            name=bot.name,
            seat=seat,
            rules=write_rules(spec.rules),
            format=write_format(spec.format),
            running=not game.state.over,
            engine_version=game.engine_version,
            protocol_revision=game.protocol_revision,
        )
        for incarnation, record in sorted(runs.items()):
            _add(response, incarnation, record, spec)
        return response

    async def _seat(self, game_id: str, bot: RegisteredBot) -> tuple[StoredGame, Seat]:
        game = await self._store.read(games.game_with_id, game_id)
        if game is None:
            raise RefusedRequestError(Refusal.NOT_FOUND, [f"there is no game {shown(game_id)}"])
        entries = await self._store.read(tournaments.entries_of, game.tournament_id)
        own = {entry.entry_id for entry in entries if entry.bot_id == bot.bot_id}
        seat = next((seat for seat in SEATS if game.entries[seat] in own), None)
        if seat is None:
            fault = f"{bot.name} has no seat in {game.game_id}"
            raise RefusedRequestError(Refusal.NOT_FOUND, [fault])
        return game, seat

    def _why_not(self, game: StoredGame, bot: RegisteredBot) -> str:
        age = self._retention.age
        if game.ended is not None and self._now() - game.ended > age:
            return (
                f"{game.game_id} is over for longer than flight records are kept: {age.days} days"
            )
        if not game.state.over:
            return (
                f"{game.game_id} is not being played at the moment, and nothing is kept of it yet"
            )
        return (
            f"nothing is kept of {game.game_id} for {bot.name}: no answer was refused or dropped, "
            "no move made for it, no connection lost"
        )


def _add(
    response: pb.GetFlightRecordResponse,
    incarnation: int,
    record: FlightRecord,
    spec: TournamentSpec,
) -> None:
    response.accepted_dropped += record.accepted_left_out
    response.notices_dropped += record.notices_left_out
    response.odd_dropped += record.odd_left_out
    response.entries_dropped += (
        record.accepted_left_out + record.notices_left_out + record.odd_left_out
    )
    legal: dict[int | None, list[str]] = {}
    for entry in record.entries:
        if entry.kind is FlightKind.QUESTION:
            legal[entry.seq] = _legal(entry.raw, spec)
        message = response.entries.add(
            elapsed_duration=write_duration(timedelta(microseconds=entry.at_us)),
            kind=_KIND[entry.kind],
            size_bytes=entry.size,
            incarnation=incarnation,
        )
        _fill(message, entry)
        if entry.kind in (FlightKind.QUESTION, FlightKind.ANSWER):
            message.legal.extend(legal.get(entry.seq, ()))


def _fill(message: pb.FlightEntry, entry: FlightEntry) -> None:
    """Fill in what is there."""
    if entry.kind is FlightKind.ANSWER:
        message.received = entry.raw
    elif entry.raw:
        message.sent = entry.raw
    if entry.seq is not None:
        message.seq = entry.seq
    if entry.action is not None:
        message.action = entry.action
    if entry.verdict is not None:
        message.verdict = entry.verdict
    if entry.why is not None:
        message.message = entry.why
    if entry.charged_us is not None:
        charged = timedelta(microseconds=entry.charged_us)
        message.charged_duration.CopyFrom(write_duration(charged))


def _legal(sent: bytes, spec: TournamentSpec) -> list[str]:
    """Return what a question allows: the ten cards if five of them are to be kept."""
    view = read_question(play_pb2.Question.FromString(sent), spec.rules, spec.format)
    return list(map(str, view.pool or view.legal))
