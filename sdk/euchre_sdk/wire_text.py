"""Texts in messages from an arena made fit for a terminal: nobody vouches for who answers."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from google.protobuf.message import Message

from euchre_sdk.text import cut, one_line

LONGEST_TEXT = 2_000
"""Characters of a text."""


def make_printable(message: Any) -> Any:
    """Escape in place whatever in a message's texts a terminal would obey; return the message."""
    for field, value in message.ListFields():
        repeated = isinstance(value, MutableSequence)
        first = next(iter(value), None) if repeated else value
        if isinstance(first, Message):
            for each in value if repeated else (value,):
                make_printable(each)
        elif isinstance(first, str):
            if repeated:
                value[:] = [_printable(each) for each in value]
            else:
                setattr(message, field.name, _printable(value))
    return message


def _printable(text: str) -> str:
    return one_line(cut(text, LONGEST_TEXT))
