"""Ending a play stream with a reason: for the bot as a message, for the log and the counts."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from arena.rpc import play_messages as write
from euchre.v1 import play_pb2

if TYPE_CHECKING:
    from arena.rpc.stream import Stream

_PREFIX = "GOODBYE_REASON_"


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
