"""Flight recorders of the games being played, and how what they hold gets into the store.

Nothing waits for it: evidence is written beside the game, at once when a game is over and else soon
after something worth keeping has happened.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias, assert_never

import structlog
import trio

from arena.referee import ForcedCause
from arena.referee.flight import Flight, FlightRecord, Weight
from arena.referee.outputs import Dropped, MoveForced, Refused, Withdrawal, Withdrawn
from arena.rpc.play.game import GameInPlay
from arena.tournaments.playroom import GameOrder
from euchre_sdk.game import SEATS, Seat

log = structlog.get_logger()

ToOneSeat: TypeAlias = Refused | Dropped | MoveForced | Withdrawn
"""What one seat is told of what it did, or failed to do."""
Keep: TypeAlias = Callable[[GameOrder, Seat, FlightRecord], Awaitable[None]]
"""Stores what is known of one seat of a game, in place of what was stored of it in this run."""
_Key: TypeAlias = tuple[str, Seat]
"""Game and seat."""
AT_ONCE = 32
"""Records that are on their way to the database at a time."""
SOON = 0.5
"""Seconds between two looks at who has something to be stored."""
LATER = 30.0
"""Seconds between two times that what is only odd of a seat is stored: a bot can make as much of it
as it likes."""
LAST = 1.0
"""Seconds for what is left to store when the arena stops."""
_FAULTLESS = (ForcedCause.HOUSE_LATE, ForcedCause.UNSUPPORTED)


def note_broken(flights: Iterable[Flight], data: bytes, arrived: int) -> None:
    """Put down that a message broke the protocol, in those of all games of its link.

    Its bytes may hold the secret of the link, so that only their hash is kept.
    """
    why = f"{len(data):,} bytes with the SHA-256 {sha256(data).hexdigest()}"
    for flight in flights:
        flight.happened("BROKEN_MESSAGE", arrived, why=why)


@dataclass(frozen=True, slots=True)
class _Stored:
    """How much of a seat's evidence is stored, and since when."""

    urgent: int
    revision: int
    at: float

    def is_enough(self, flight: Flight, now: float) -> bool:
        """Return whether nothing more has to be stored yet."""
        if self.urgent != flight.urgent:
            return False
        return self.revision == flight.revision or now < self.at + LATER


_NOTHING = _Stored(0, 0, 0.0)


@dataclass(frozen=True, slots=True)
class _Due:
    """What is to be stored of one seat."""

    order: GameOrder
    seat: Seat
    flight: Flight


def put_down(flight: Flight, told: ToOneSeat, sent: bytes, now: int) -> None:
    """Put down what the referee made of a seat's answer, or of its silence, as it was told."""
    match told:
        case Refused():
            flight.refused(told.reason, told.sentence, sent, now)
        case Dropped():
            flight.dropped(told.reason.name, sent, now)
        case MoveForced():
            if told.cause is ForcedCause.UNSUPPORTED:
                flight.unsupported(told.cause.name)
            weight = Weight.ODD if told.cause in _FAULTLESS else Weight.ALWAYS
            flight.forced(told.seq, told.cause.name, told.action, sent, now, weight=weight)
        case Withdrawn(reason=Withdrawal.NOT_READY):
            flight.ended(Withdrawal.NOT_READY.name, sent, now)
        case Withdrawn():
            flight.told(sent, now)
        case _:
            assert_never(told)


class Flights:
    """Sees to it that evidence is stored: of every seat that has some, or of all."""

    def __init__(
        self, games: Mapping[str, GameInPlay], keep: Keep | None, *, everything: bool
    ) -> None:
        """Make it; `games` are those being played, without `keep` nothing is stored."""
        self._games = games
        self._keep = keep
        self._everything = everything
        self._over: dict[_Key, _Due] = {}
        self._stored: dict[_Key, _Stored] = {}
        self._wake = trio.Event()

    def find(self, game_id: str, seat: Seat) -> tuple[int, FlightRecord] | None:
        """Return what is known of a seat of a game that is being played, or not yet stored.

        The incarnation of the game comes first.
        """
        due = self._over.get((game_id, seat))
        if due is not None:
            return due.order.incarnation, due.flight.record()
        game = self._games.get(game_id)
        if game is None:
            return None
        return game.order.incarnation, game.flights[seat].record()

    def over(self, game: GameInPlay) -> None:
        """Have all that there is of a game stored: it is over, or played no more in this run."""
        if self._keep is None:
            return
        for seat in SEATS:
            flight, key = game.flights[seat], (game.order.game_id, seat)
            self._stored.pop(key, None)
            if flight.revision or self._everything:
                self._over[key] = _Due(game.order, seat, flight)
                self._wake.set()

    async def run(self) -> None:
        """Store until cancelled, then what is left."""
        if self._keep is None:
            return
        try:
            while True:
                with trio.move_on_after(SOON):
                    await self._wake.wait()
                self._wake = trio.Event()
                await self._store_all(self._keep)
        finally:
            with trio.move_on_after(LAST) as scope:
                scope.shield = True
                await self._store_all(self._keep)

    async def _store_all(self, keep: Keep) -> None:
        """Store what is due, some at a time: many are one commit of the database."""
        limit = trio.CapacityLimiter(AT_ONCE)
        async with trio.open_nursery() as nursery:
            for game in tuple(self._games.values()):
                for seat in SEATS:
                    flight, key = game.flights[seat], (game.order.game_id, seat)
                    now = trio.current_time()
                    if not self._stored.get(key, _NOTHING).is_enough(flight, now):
                        self._stored[key] = _Stored(flight.urgent, flight.revision, now)
                        due = _Due(game.order, seat, flight)
                        nursery.start_soon(self._store_running, keep, key, due, limit)
        while self._over:
            async with trio.open_nursery() as nursery:
                for key, due in tuple(self._over.items()):
                    nursery.start_soon(self._store_over, keep, key, due, limit)

    async def _store_running(
        self, keep: Keep, key: _Key, due: _Due, limit: trio.CapacityLimiter
    ) -> None:
        async with limit:
            await self._store(keep, due)
        if due.order.game_id not in self._games:
            self._stored.pop(key, None)

    async def _store_over(
        self, keep: Keep, key: _Key, due: _Due, limit: trio.CapacityLimiter
    ) -> None:
        async with limit:
            await self._store(keep, due)
        if self._over.get(key) is due:
            del self._over[key]

    async def _store(self, keep: Keep, due: _Due) -> None:
        """Store one; whatever goes wrong with it, games go on."""
        if not due.order.kept:
            return
        record = due.flight.record()
        if not record.entries:
            return
        try:
            await keep(due.order, due.seat, record)
        except Exception:
            log.exception("flight_not_stored", game_id=due.order.game_id, seat=int(due.seat))
