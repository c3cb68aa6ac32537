"""Messages as plain values for JSON: the contract's names, instants as text, numbers as such."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp


def plain(message: Message) -> Any:
    """Return a message as dictionaries, lists, texts and numbers.

    Durations are seconds, enum values lower-case without their prefix; what is absent is None.
    """
    if isinstance(message, Timestamp):
        return message.ToJsonString()
    if isinstance(message, Duration):
        return message.seconds + message.nanos / 1e9
    return {field.name: _field(message, field) for field in message.DESCRIPTOR.fields}


def _field(message: Message, field: Any) -> Any:
    value = getattr(message, field.name)
    if isinstance(value, MutableSequence):
        return [_value(each, field) for each in value]
    if field.has_presence and not message.HasField(field.name):
        return None
    return _value(value, field)


def _value(value: Any, field: Any) -> Any:
    if field.message_type is not None:
        return plain(value)
    if field.enum_type is not None:
        known = field.enum_type.values_by_number.get(value)
        if known is None:
            return value
        prefix = field.enum_type.values_by_number[0].name.removesuffix("UNSPECIFIED")
        return known.name.removeprefix(prefix).lower()
    return value.hex() if isinstance(value, bytes) else value
