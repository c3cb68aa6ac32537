"""Ending a play stream with a reason: for the bot as a message, for the log and the counts."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from arena.referee.conduct import Offence
from arena.rpc.play import messages as write
from euchre.v1 import play_pb2

if TYPE_CHECKING:
    from arena.rpc.stream import Stream

_PREFIX = "GOODBYE_REASON_"

GOODBYE: dict[Offence, tuple[play_pb2.GoodbyeReason.ValueType, str]] = {
    Offence.FLOOD: (
        play_pb2.GOODBYE_REASON_FLOOD,
        "Too many messages were late, duplicate, unknown, idle or refused.",
    ),
    Offence.LARGE: (play_pb2.GOODBYE_REASON_FLOOD, "A message was too large."),
    Offence.SLOW_READER: (
        play_pb2.GOODBYE_REASON_SLOW_READER,
        "Messages were not read in time.",
    ),
    Offence.BAD_MESSAGE: (
        play_pb2.GOODBYE_REASON_BAD_HELLO,
        "A message was no PlayRequest, or Hello was said twice.",
    ),
}
"""What a bot is told whose stream is closed for its conduct."""


def reason_name(reason: play_pb2.GoodbyeReason.ValueType) -> str:
    """Return the name of a reason without the prefix it has on the wire."""
    return play_pb2.GoodbyeReason.Name(reason).removeprefix(_PREFIX)


def say_goodbye(
    stream: Stream,
    reason: play_pb2.GoodbyeReason.ValueType,
    message: str,
    retry: timedelta | None = None,
) -> None:
    """End a stream after what was sent and a goodbye; `retry` is when to dial again."""
    stream.why = reason_name(reason)
    stream.close(write.write_goodbye(reason, message, retry))


def say_stopping(stream: Stream) -> None:
    """End a stream because the arena stops."""
    say_goodbye(stream, play_pb2.GOODBYE_REASON_STOPPING, "The arena is stopping.")
