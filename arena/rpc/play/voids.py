"""Void hands, counted for each bot that was there: an excess of one bot is worth a look."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from arena.tournaments.playroom import GameOrder

log = structlog.get_logger()

EXCESS = 5
"""Void hands of a bot in one run of the arena that are reported; then twice as many, and so on."""


class Voids:
    """How often hands of each bot became void through the arena."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def note(self, order: GameOrder) -> None:
        """Count a void hand for all bots of a game that are not the arena's own."""
        for seat in order.seats:
            if not seat.house:
                self._counts[seat.bot_id] += 1
                times, rest = divmod(self._counts[seat.bot_id], EXCESS)
                if rest == 0 and times & (times - 1) == 0:
                    voids = self._counts[seat.bot_id]
                    log.warning("voids_in_excess", bot_id=seat.bot_id, voids=voids)
