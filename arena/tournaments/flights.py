"""The archive of flight records: what is kept of them, for how long, and who may look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
import trio

from arena.referee.flight import FlightRecord
from arena.store import Store, StoreError, flights
from arena.tournaments.playroom import GameOrder
from euchre_sdk.game import Seat

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 600
"""Between two looks at whether there is too much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How much of the evidence is kept."""

    age: timedelta = timedelta(days=30)
    """For how long."""
    most_bytes: int = 256 * 1024 * 1024
    """Of all records; refusals are kept for their age even beyond that."""
    everything: bool = False
    """Keep ordinary games too, not only those with something remarkable."""


class FlightArchive:
    """Stores flight records, and gives up the least useful of them in time."""

    def __init__(self, store: Store, retention: Retention, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
        self.retention = retention

    async def keep(self, order: GameOrder, seat: Seat, record: FlightRecord) -> None:
        """Store what is known of a seat of a game in this run of the arena."""
        await self._store.write(
            flights.keep_flight,
            order.game_id,
            seat,
            record,
            bot_id=order.seats[seat].bot_id,
            incarnation=order.incarnation,
            now=self._now(),
        )

    async def sweep(self) -> None:
        """Give up what is too old or too much."""
        swept = await self._store.write(
            flights.sweep_flights,
            before=self._now() - self.retention.age,
            most_bytes=self.retention.most_bytes,
        )
        if swept.removed or swept.thinned:
            log.info("flights_swept", removed=swept.removed, thinned=swept.thinned)
        if swept.size > self.retention.most_bytes:
            log.warning("flights_over_limit", bytes=swept.size, limit=self.retention.most_bytes)

    async def run(self) -> None:
        """Sweep now and again until cancelled."""
        while True:
            try:
                await self.sweep()
            except StoreError:
                log.exception("flights_not_swept")
            await trio.sleep(SWEEP_SECONDS)
