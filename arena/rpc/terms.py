"""Under which terms a game is played: time control and conduct as messages, and back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from arena.referee import Conduct, TimeControl
from euchre.v1 import types_pb2
from euchre_sdk.wire import read_duration, write_duration

if TYPE_CHECKING:
    from google.protobuf.duration_pb2 import Duration


def write_time_control(control: TimeControl) -> types_pb2.TimeControl:
    """Return a time control as a message."""
    message = types_pb2.TimeControl(
        decision_duration=write_duration(control.limit),
        ready_duration=write_duration(control.ready),
    )
    if control.clocked:
        message.bank_duration.CopyFrom(write_duration(control.bank))
        message.increment_duration.CopyFrom(write_duration(control.increment))
        message.allowance_duration.CopyFrom(write_duration(control.allowance))
        message.allowance_total_duration.CopyFrom(write_duration(control.allowance_in_all))
    return message


def read_time_control(message: types_pb2.TimeControl) -> TimeControl:
    """Read clocks. A bank makes a game with clocks; what else is absent has its default.

    Raises `MalformedMessageError`, `ValueError`.
    """
    standard = TimeControl()
    return TimeControl(
        ready=_part(message, "ready_duration", standard.ready),
        bank=_part(message, "bank_duration", standard.bank),
        increment=_part(message, "increment_duration", standard.increment),
        limit=_part(message, "decision_duration", standard.limit),
        allowance=_part(message, "allowance_duration", standard.allowance),
        allowance_in_all=_part(message, "allowance_total_duration", standard.allowance_in_all),
        clocked=message.HasField("bank_duration"),
    )


def write_conduct(conduct: Conduct) -> types_pb2.Conduct:
    """Return the limits on what a bot may get wrong as a message."""
    return types_pb2.Conduct(
        faults=conduct.faults,
        fault_hands=conduct.fault_hands,
        lost_duration=write_duration(conduct.lost),
        house_limit_duration=write_duration(conduct.house_limit),
        misses=conduct.misses,
        forfeits=conduct.forfeits,
    )


def read_conduct(message: types_pb2.Conduct) -> Conduct:
    """Read limits on what a bot may get wrong. What may be absent has its default then.

    Raises `MalformedMessageError`, `ValueError`.
    """
    standard = Conduct()
    return Conduct(
        faults=message.faults,
        fault_hands=message.fault_hands,
        lost=_part(message, "lost_duration", standard.lost),
        house_limit=_part(message, "house_limit_duration", standard.house_limit),
        misses=message.misses if message.HasField("misses") else standard.misses,
        forfeits=message.forfeits if message.HasField("forfeits") else standard.forfeits,
    )


def _part(message: Any, name: str, default: timedelta) -> timedelta:
    duration: Duration = getattr(message, name)
    return read_duration(duration) if message.HasField(name) else default
