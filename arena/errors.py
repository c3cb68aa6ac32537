"""The root of every error of the arena, grouped by whose fault it is (docs/architecture.md)."""

from __future__ import annotations

from euchre_sdk.errors import EuchreError


class ArenaError(EuchreError):
    """Anything the arena refuses or cannot do. Its text is one sentence for people."""


class ArenaBugError(ArenaError):
    """Something that our own code guarantees was not so."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} This is a mistake in the arena itself: please report it.")
