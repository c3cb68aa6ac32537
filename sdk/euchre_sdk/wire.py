"""Domain to protobuf and back: the one door between the rules and `euchre.v1`.

Reading is total: any message either becomes a value of the rules or is refused with a
`MalformedMessageError` whose `reason` says why. Only this and `client` look at messages.
"""

from __future__ import annotations

from euchre_sdk.revision import REVISION
from euchre_sdk.wire_answer import Unsupported, read_answer, write_answer, write_unsupported
from euchre_sdk.wire_question import read_question, write_question
from euchre_sdk.wire_values import (
    CALL_NUMBER,
    MAKER_PLAY_NUMBER,
    TURN_UP_NUMBER,
    Malformed,
    MalformedMessageError,
    read_cards,
    read_duration,
    read_format,
    read_rules,
    read_seat,
    read_triple,
    write_duration,
    write_format,
    write_rules,
)

__all__ = [
    "CALL_NUMBER",
    "MAKER_PLAY_NUMBER",
    "REVISION",
    "TURN_UP_NUMBER",
    "Malformed",
    "MalformedMessageError",
    "Unsupported",
    "read_answer",
    "read_cards",
    "read_duration",
    "read_format",
    "read_question",
    "read_rules",
    "read_seat",
    "read_triple",
    "write_answer",
    "write_duration",
    "write_format",
    "write_question",
    "write_rules",
    "write_unsupported",
]
