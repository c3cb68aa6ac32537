"""What a fit refuses."""

from __future__ import annotations

from arena.errors import ArenaError


class RatingsError(ArenaError, ValueError):
    """Results that cannot be rated; `faults` lists everything that is wrong with them."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults) + ".")
        self.faults = tuple(faults)
