"""Flight records of `euchre.v1` as plain values."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from euchre.v1 import bots_pb2 as pb
from euchre.v1 import play_pb2
from euchre_sdk.flight import FlightEntry, FlightKind, FlightRecord, FlightSummary
from euchre_sdk.game import Format, RuleSet, View
from euchre_sdk.wire_question import read_question
from euchre_sdk.wire_values import (
    SEAT_BY_NUMBER,
    MalformedMessageError,
    read_duration,
    read_format,
    read_rules,
)

_KINDS: dict[int, FlightKind] = {
    pb.FLIGHT_KIND_QUESTION: FlightKind.QUESTION,
    pb.FLIGHT_KIND_ANSWER: FlightKind.ANSWER,
    pb.FLIGHT_KIND_NOTICE: FlightKind.NOTICE,
    pb.FLIGHT_KIND_EVENT: FlightKind.EVENT,
}


def read_flight_record(message: pb.GetFlightRecordResponse) -> FlightRecord:
    """Return the record of a message; what is newer than this package is left out.

    Raises `MalformedMessageError`.
    """
    rules, format = read_rules(message.rules), read_format(message.format)
    return FlightRecord(
        game_id=message.game_id,
        tournament=message.tournament,
        bot=message.name,
        seat=SEAT_BY_NUMBER[message.seat],
        running=message.running,
        entries=tuple(_read_entry(entry, rules, format) for entry in message.entries),
        accepted_dropped=message.accepted_dropped,
        notices_dropped=message.notices_dropped,
        odd_dropped=message.odd_dropped,
        engine_version=message.engine_version,
        protocol_revision=message.protocol_revision,
    )


def read_flight_summary(message: pb.FlightSummary) -> FlightSummary:
    """Return what a message says of one game."""
    return FlightSummary(
        game_id=message.game_id,
        tournament=message.tournament,
        seat=SEAT_BY_NUMBER[message.seat],
        refused=message.refused,
        forced=message.forced,
    )


def _read_entry(entry: pb.FlightEntry, rules: RuleSet, format: Format) -> FlightEntry:
    has = entry.HasField
    kind = _KINDS.get(entry.kind, FlightKind.UNKNOWN)
    return FlightEntry(
        incarnation=entry.incarnation,
        elapsed=read_duration(entry.elapsed_duration),
        kind=kind,
        seq=entry.seq if has("seq") else None,
        raw=entry.received or entry.sent,
        size=entry.size_bytes,
        action=entry.action if has("action") else None,
        legal=tuple(entry.legal),
        verdict=entry.verdict if has("verdict") else None,
        message=entry.message if has("message") else None,
        charged=read_duration(entry.charged_duration) if has("charged_duration") else None,
        view=_read_view(entry.sent, rules, format) if kind is FlightKind.QUESTION else None,
        told=_read_event(entry.sent) if kind is FlightKind.NOTICE else None,
    )


def _read_event(sent: bytes) -> str | None:
    try:
        return play_pb2.Notice.FromString(sent).WhichOneof("event")
    except DecodeError:  # only its beginning was kept
        return None


def _read_view(sent: bytes, rules: RuleSet, format: Format) -> View | None:
    try:
        return read_question(play_pb2.Question.FromString(sent), rules, format)
    except (DecodeError, MalformedMessageError):
        return None
