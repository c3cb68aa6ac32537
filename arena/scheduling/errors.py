"""What a schedule refuses."""

from __future__ import annotations

from arena.errors import ArenaError


class ScheduleError(ArenaError, ValueError):
    """A schedule that cannot be played; `faults` lists everything that is wrong with it."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults) + ".")
        self.faults = tuple(faults)
