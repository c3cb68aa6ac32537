"""A flight record told as text: what was asked, what came, and what was made of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from euchre_sdk.flight import FlightEntry, FlightKind, FlightRecord
from euchre_sdk.text import one_line

_WORDS = {
    "LATE": "its question was closed before it came",
    "DUPLICATE": "its question was answered already",
    "UNKNOWN": "no such question was asked",
    "TIME": "the time was up",
    "FORFEIT": "the game is forfeited; the hand is finished for it",
    "UNSUPPORTED": "the bot does not know this kind of question",
    "HOUSE_LATE": "the house bot was late",
    "NOT_READY": "it was not ready in time; the offer was taken back",
    "READY": "it was ready",
    "STREAM_LOST": "the connection was lost",
    "STREAM_BACK": "the connection was there again",
    "FLOOD": "the connection was closed",
    "SLOW_READER": "the connection was closed",
    "BAD_HELLO": "the connection was closed",
    "BAD_MESSAGE": "the connection was closed",
    "BROKEN_MESSAGE": "it broke the protocol; its bytes are not kept, as secrets may be in them",
}
"""What reasons mean, for people."""
_ENDS = {
    "ILLEGAL": "its last fault was an illegal action",
    "MALFORMED": "its last fault was an answer that is no action",
    "TIME": "its last fault was a decision not made in time",
    "LOST": "it was without a connection for too long",
    "FORFEIT": "by decision of the arena",
}
"""How a game ended for who forfeited it."""


def tell_flight(record: FlightRecord, *, everything: bool = False) -> str:
    """Return the story of a record: of what is not ordinary, or of all that there is."""
    odd = {_key(entry) for entry in record.entries if not entry.is_ordinary}
    lines = [*_head(record), ""]
    passed = 0
    shown = False
    before = record.entries[0].incarnation if record.entries else 0
    for entry in record.entries:
        if entry.incarnation != before:
            before = entry.incarnation
            lines += ["… the arena was started anew; times count from there", ""]
        about = entry.seq is not None and _key(entry) in odd
        if everything or about or not entry.is_ordinary:
            if passed:
                lines += [_passed(passed), ""]
                passed = 0
            lines += _tell(entry)
            shown = True
        elif entry.kind is FlightKind.ANSWER:
            passed += 1
    if passed:
        lines.append(_passed(passed))
    if not shown:
        lines.append("nothing but ordinary play.")
    return "\n".join(lines).rstrip() + "\n"


def plain_flight(record: FlightRecord) -> dict[str, Any]:
    """Return a record as plain values for JSON: bytes in hexadecimal, times in seconds."""
    return {
        "game_id": record.game_id,
        "tournament": record.tournament,
        "bot": record.bot,
        "seat": int(record.seat),
        "running": record.running,
        "engine_version": record.engine_version,
        "protocol_revision": record.protocol_revision,
        "refused": record.refused,
        "forced": record.forced,
        "accepted_dropped": record.accepted_dropped,
        "notices_dropped": record.notices_dropped,
        "odd_dropped": record.odd_dropped,
        "entries": [
            {
                "incarnation": entry.incarnation,
                "elapsed": entry.elapsed.total_seconds(),
                "kind": entry.kind.value,
                "seq": entry.seq,
                "raw": entry.raw.hex(),
                "size": entry.size,
                "action": entry.action,
                "legal": list(entry.legal),
                "verdict": entry.verdict,
                "message": entry.message,
                "charged": None if entry.charged is None else entry.charged.total_seconds(),
                "view": None if entry.view is None else str(entry.view),
                "told": entry.told,
            }
            for entry in record.entries
        ],
    }


def _key(entry: FlightEntry) -> tuple[int, int | None]:
    return entry.incarnation, entry.seq


def _head(record: FlightRecord) -> Iterator[str]:
    state = "being played" if record.running else "over"
    yield (
        f"game {record.game_id} · {one_line(record.bot)} at seat {record.seat} · "
        f"{one_line(record.tournament)} · {state}"
    )
    yield (
        f"rules engine {one_line(record.engine_version)} · protocol revision "
        f"{record.protocol_revision}"
    )
    refused, forced = record.refused, record.forced
    yield f"{_counted(refused, 'answer')} refused · {_counted(forced, 'move')} made by the arena"
    left_out = [
        (record.accepted_dropped, "accepted answers"),
        (record.notices_dropped, "notices"),
        (record.odd_dropped, "dropped answers and events"),
    ]
    if any(number for number, _ in left_out):
        told = ", ".join(f"{number:,} {what}" for number, what in left_out if number)
        yield f"left out, as it was too much: {told}"


def _passed(number: int) -> str:
    return f"… {_counted(number, 'answer')} accepted (--all shows them)"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _tell(entry: FlightEntry) -> Iterator[str]:
    at = _seconds(entry.elapsed)
    match entry.kind:
        case FlightKind.QUESTION:
            yield f"{at}  question {entry.seq}{_time_left(entry)}"
            drawn = "it cannot be read by this package" if entry.view is None else str(entry.view)
            yield from (f"      {line}" for line in drawn.splitlines())
        case FlightKind.ANSWER:
            yield f"{at}  answer to {entry.seq}{_after(entry)}: {entry.action or 'no action'}"
            yield f"      {_bytes(entry)}"
            yield f"      {_verdict(entry)}"
            yield ""
        case FlightKind.NOTICE:
            yield from _tell_notice(entry, at)
        case FlightKind.EVENT | FlightKind.UNKNOWN:
            yield f"{at}  {_verdict(entry)}"
            yield ""


def _time_left(entry: FlightEntry) -> str:
    view = entry.view
    if view is None or view.limit is None:
        return ""
    bank = "" if view.bank is None else f", {view.bank.total_seconds():.3f} s in the bank"
    return f": {view.limit.total_seconds():.3f} s for it{bank}"


def _tell_notice(entry: FlightEntry, at: str) -> Iterator[str]:
    if entry.action is not None:
        yield f"{at}  the arena played {entry.action} for it: {_reason(entry.verdict)}"
        if entry.size == 0:
            yield "      it was not told: there was no connection"
        yield ""
    elif entry.verdict is None:
        told = (entry.told or "something").replace("_", " ")
        yield f"{at}  told of the {told}: {_bytes(entry)}"
        yield ""
    elif entry.seq is None:
        end = _ENDS.get(entry.verdict)
        yield f"{at}  {_verdict(entry) if end is None else f'it forfeited the game: {end}'}"
        yield ""


def _after(entry: FlightEntry) -> str:
    return (
        "" if entry.charged is None else f", {entry.charged.total_seconds() * 1000:.1f} ms after it"
    )


def _verdict(entry: FlightEntry) -> str:
    if entry.verdict == "accepted":
        return "accepted"
    if entry.kind is FlightKind.ANSWER and entry.message is not None:
        return f"refused, {entry.verdict}: {one_line(entry.message)}"
    if entry.kind is FlightKind.ANSWER and entry.verdict != "UNSUPPORTED":
        return f"dropped, {_reason(entry.verdict)}"
    said = "" if entry.message is None else f": {one_line(entry.message)}"
    return f"{_reason(entry.verdict)}{said}"


def _reason(verdict: str | None) -> str:
    name = one_line(verdict or "")
    words = _WORDS.get(name)
    return name if words is None else f"{name}, {words}"


def _bytes(entry: FlightEntry) -> str:
    shown = entry.raw.hex(" ") or "no bytes"
    if entry.size > len(entry.raw):
        return f"{shown} … ({entry.size:,} bytes, of which {len(entry.raw)} are kept)"
    return shown


def _seconds(elapsed: timedelta) -> str:
    return f"{elapsed.total_seconds():9.3f} s"
