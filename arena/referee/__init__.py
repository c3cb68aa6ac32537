"""One game at one table: clocks, conduct, and what is recorded. Pure: no I/O, no clock, no log."""

from arena.referee.conduct import Conduct, LinkConduct
from arena.referee.outcome import (
    Attempt,
    Fault,
    Forced,
    Forfeit,
    GameOutcome,
    HandRecord,
    Interrupted,
    Nonces,
    Resumed,
    Triple,
)
from arena.referee.termination import FaultKind, ForcedCause, Termination, VoidCause
from arena.referee.time_control import WITHOUT_CLOCK, TimeControl

__all__ = [
    "WITHOUT_CLOCK",
    "Attempt",
    "Conduct",
    "Fault",
    "FaultKind",
    "Forced",
    "ForcedCause",
    "Forfeit",
    "GameOutcome",
    "HandRecord",
    "Interrupted",
    "LinkConduct",
    "Nonces",
    "Resumed",
    "Termination",
    "TimeControl",
    "Triple",
    "VoidCause",
]
