"""What the tournaments refuse, each with a reason for machines."""

from __future__ import annotations

from enum import Enum, unique

from arena.errors import ArenaError


@unique
class Refusal(Enum):
    """Why a request about tournaments or bots was refused."""

    INVALID = "invalid"
    """Something in the request is wrong, whatever the state of the arena."""
    NOT_FOUND = "not_found"
    TAKEN = "taken"
    """A name that must be unique is in use."""
    NOT_NOW = "not_now"
    """It cannot be done in the state in which things are."""
    TOO_OFTEN = "too_often"
    """It was done too often of late."""


class RefusedRequestError(ArenaError):
    """A request that was refused. `faults` lists everything that is wrong with it."""

    def __init__(self, refusal: Refusal, faults: list[str]) -> None:
        super().__init__("; ".join(faults) + ".")
        self.refusal = refusal
        self.faults = tuple(faults)
