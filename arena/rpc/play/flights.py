"""Flight recorders of the games being played, and how what they hold gets into the store.

Nothing waits for it: evidence is written beside the game, at once when a game is over and else soon
after something worth keeping has happened.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, assert_never

import structlog
import trio

from arena.referee import ForcedCause
from arena.referee.flight import Flight, FlightRecord, Weight
from arena.referee.outputs import Dropped, MoveForced, Refused, Withdrawal, Withdrawn
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS

if TYPE_CHECKING:
    from arena.rpc.play.game import PlayedGame
    from arena.rpc.play.link import Chair
    from arena.tournaments.playroom import GameOrder
    from euchre_sdk.game import Seat

log = structlog.get_logger()

ToOneSeat: TypeAlias = Refused | Dropped | MoveForced | Withdrawn
"""What one seat is told of what it did, or failed to do."""
Keep: TypeAlias = "Callable[[GameOrder, Seat, FlightRecord], Awaitable[None]]"
"""Stores what is known of one seat of a game, in place of what was stored of it in this run."""

SOON = 0.5
"""Seconds between two looks at who has something to be stored."""
LATER = 30.0
"""Seconds between two times that what is only odd of a seat is stored: a bot can make as much of it
as it likes."""
LAST = 1.0
"""Seconds for what is left to store when the arena stops."""
_FAULTLESS = (ForcedCause.HOUSE_LATE, ForcedCause.UNSUPPORTED)
_ANSWERS = play_pb2.PlayRequest.ANSWERS_FIELD_NUMBER


def new_flights(now: int) -> tuple[Flight, Flight, Flight]:
    """Return the recorders of a game."""
    first, second, third = (Flight(began=now, pick=pick_answer) for _ in SEATS)
    return first, second, third


def pick_answer(request: bytes, index: int) -> tuple[bytes, int]:
    """Return the bytes of one answer as they came, and how many there were.

    An answer has no other fields than the contract gives it. Where there are some nevertheless
    they are left out, and the rest is encoded anew: they may hold anything, a secret too.
    """
    raw = _cut(request).answer(index)
    answer = play_pb2.Answer.FromString(raw)
    whole = answer.ByteSize()
    answer.DiscardUnknownFields()
    if answer.ByteSize() != whole:
        return answer.SerializeToString(), len(raw)
    return raw, len(raw)


class _Cut:
    """The answers of one request, cut out as far as they were asked for: it may have thousands."""

    __slots__ = ("_found", "_rest")

    def __init__(self, request: bytes) -> None:
        self._found: list[bytes] = []
        self._rest = _answers_in(request)

    def answer(self, index: int) -> bytes:
        self._found += islice(self._rest, max(0, index + 1 - len(self._found)))
        return self._found[index] if index < len(self._found) else b""


_cut = lru_cache(maxsize=4)(_Cut)


def _answers_in(request: bytes) -> Iterator[bytes]:
    """Yield the encoded answers of a request that has been parsed, so that its encoding is right.

    The library would make an object of every field, which for thousands of them takes too long.
    Source: protobuf.dev, "Encoding": a tag, whose lowest three bits say how long the value is.
    """
    at = depth = 0
    while at < len(request):
        tag, at = _varint(request, at)
        match tag & 7:
            case 0:
                _, at = _varint(request, at)
            case 1:
                at += 8
            case 2:
                size, at = _varint(request, at)
                if tag >> 3 == _ANSWERS and depth == 0:
                    yield request[at : at + size]
                at += size
            case 3:
                depth += 1
            case 4:
                depth -= 1
            case 5:
                at += 4
            case _:
                return


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number, and where it ends: seven bits of it in each byte, the lowest first."""
    number = shift = 0
    while at < len(data):
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
    return number, at


def note_broken(chairs: Iterable[Chair], data: bytes, arrived: int) -> None:
    """Put down that a message broke the protocol, for all games of its link.

    Its bytes may hold the secret of the link, so that only their hash is kept.
    """
    why = f"{len(data):,} bytes with the SHA-256 {sha256(data).hexdigest()}"
    for chair in chairs:
        chair.game.flights[chair.seat].happened("BROKEN_MESSAGE", arrived, why=why)


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
        self, games: dict[str, PlayedGame], keep: Keep | None, *, everything: bool
    ) -> None:
        """Make it; `games` are those being played, without `keep` nothing is stored."""
        self._games = games
        self._keep = keep
        self._everything = everything
        self._over: dict[tuple[str, Seat], _Due] = {}
        self._stored: dict[tuple[str, Seat], _Stored] = {}
        self._wake = trio.Event()

    def find(self, game_id: str, seat: Seat) -> FlightRecord | None:
        """Return what is known of a seat of a game that is being played, or not yet stored."""
        due = self._over.get((game_id, seat))
        if due is not None:
            return due.flight.record()
        game = self._games.get(game_id)
        return None if game is None else game.flights[seat].record()

    def over(self, game: PlayedGame) -> None:
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
        for game in tuple(self._games.values()):
            for seat in SEATS:
                flight, key = game.flights[seat], (game.order.game_id, seat)
                now = trio.current_time()
                if not self._stored.get(key, _NOTHING).is_enough(flight, now):
                    self._stored[key] = _Stored(flight.urgent, flight.revision, now)
                    await self._store(keep, _Due(game.order, seat, flight))
                    if game.order.game_id not in self._games:
                        self._stored.pop(key, None)
        while self._over:
            key, due = next(iter(self._over.items()))
            await self._store(keep, due)
            self._over.pop(key, None)

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
