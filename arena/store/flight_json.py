"""A flight record as the database keeps it: JSON, compressed, with raw bytes in hexadecimal."""

from __future__ import annotations

import json
import zlib

from arena.referee.flight import FlightEntry, FlightKind, FlightRecord, Weight


def encode_flight(record: FlightRecord) -> bytes:
    """Return a record as it is kept; `decode_flight` gives it back."""
    data = {
        "left_out": [record.accepted_left_out, record.notices_left_out, record.odd_left_out],
        "entries": [
            [
                entry.at_us,
                entry.kind.value,
                entry.weight.value,
                entry.seq,
                entry.raw.hex(),
                entry.size,
                entry.action,
                entry.verdict,
                entry.why,
                entry.charged_us,
            ]
            for entry in record.entries
        ],
    }
    return zlib.compress(json.dumps(data, separators=(",", ":")).encode(), level=3)


def decode_flight(content: bytes) -> FlightRecord:
    """Return the record that `encode_flight` wrote."""
    data = json.loads(zlib.decompress(content))
    accepted, notices, odd = data["left_out"]
    return FlightRecord(
        entries=tuple(
            FlightEntry(
                at_us=at_us,
                kind=FlightKind(kind),
                weight=Weight(weight),
                seq=seq,
                raw=bytes.fromhex(raw),
                size=size,
                action=action,
                verdict=verdict,
                why=why,
                charged_us=charged_us,
            )
            for at_us, kind, weight, seq, raw, size, action, verdict, why, charged_us in data[
                "entries"
            ]
        ),
        accepted_left_out=accepted,
        notices_left_out=notices,
        odd_left_out=odd,
    )
