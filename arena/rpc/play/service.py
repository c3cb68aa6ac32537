"""The play service: bots' streams on one side, tables on the other.

Whenever messages have come, one pass drains the streams in turn, lets the tables answer, expires
what is due, and sends each link one message with whatever is ready for it. Between passes nothing
runs: no game has a task that is woken for a decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import monotonic_ns
from typing import TYPE_CHECKING, Protocol

import structlog
import trio

from arena.metrics import Metrics
from arena.referee import GameOutcome, Termination
from arena.referee.clock import NEVER
from arena.referee.setup import DealSource, Setup
from arena.rpc.bucket import Bucket
from arena.rpc.play.account import count_end, tell_stream
from arena.rpc.play.admission import Authenticate, Caller, Hello, WrongToken, at_once
from arena.rpc.play.flights import Flights, Keep
from arena.rpc.play.goodbye import say_stopping
from arena.rpc.play.greeting import Greeter, Remarks
from arena.rpc.play.inbox import ANY_SIZE, Inbox
from arena.rpc.play.late_house import HouseAnswer, LateHouse, fallback_answer
from arena.rpc.play.link import Link, PlayedGame
from arena.rpc.play.link_keeping import LinkKeeper, NoKeeper
from arena.rpc.play.links import Links
from arena.rpc.play.porter import Porter, Waiting
from arena.rpc.play.settings import PlaySettings
from arena.rpc.play.tables import Tables
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS

if TYPE_CHECKING:
    from arena.referee.flight import FlightRecord
    from arena.referee.outputs import Question
    from arena.rpc.stream import Stream
    from arena.store.links import StoredLink
    from arena.tournaments.playroom import GameOrder, Journal
    from euchre_sdk.game import Action, Seat

__all__ = ["Commitment", "PlayService", "PlaySettings"]

log = structlog.get_logger()


_FEW = 8
"""With more games than these, messages gather for a moment: batches save more than it costs."""
_GATHER = 0.002
"""That moment at most, in seconds: it is over when every link that was asked has said something."""
_SWEEP = 1.0
"""Seconds between two looks at links whose stream is lost."""


class Commitment(DealSource, Protocol):
    """Deals that the arena has committed itself to."""

    @property
    def commitment(self) -> bytes:
        """SHA-256 that goes out with the offer."""
        ...


class PlayService:
    """The play service, and the playroom of all tournaments.

    `run` must be running; the edge is given `opened`, `woken`, `settled` and, for its end, `stop`.
    """

    def __init__(
        self,
        *,
        authenticate: Authenticate,
        wrong_token: WrongToken = at_once,
        deal_source: Callable[[GameOrder], Commitment],
        settings: PlaySettings | None = None,
        versions: tuple[str, str] = ("0", "0"),
        house_answer: HouseAnswer = fallback_answer,
        on_late_house: Callable[[GameOrder, Seat], None] = lambda _order, _seat: None,
        remarks: Remarks = lambda _bot_id, _label: (),
        keep_flight: Keep | None = None,
        keep_every_flight: bool = False,
        links: tuple[StoredLink, ...] = (),
        keeper: LinkKeeper | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """Make the service.

        `deal_source` gives the randomness of an ordered game, `versions` are those of server and
        rules engine. `wrong_token` slows down who tries tokens. `house_answer` decides for late
        house bots, in a thread; `on_late_house` is told of each: this machine has more to do than
        it can. `remarks` says what a bot's author should know. `keep_flight` stores the flight
        records of seats with something remarkable, or of all. `links` are those that had not ended
        when the arena stopped, `keeper` keeps them for its next start. `metrics` is raised.
        """
        self._metrics = metrics = metrics or Metrics()
        self._settings = settings = settings or PlaySettings()
        self._deal_source = deal_source
        self._late_house = LateHouse(house_answer, on_late_house, self._house_decided)
        self._tables = Tables(
            misbehaved=self._misbehaved,
            late_house=self._late_house.decide,
            woken=self._wake,
            metrics=metrics,
        )
        self._flights = Flights(self._tables.games, keep_flight, everything=keep_every_flight)
        self._keeper = keeper = keeper or NoKeeper()
        self._ended_link, self._ended_links = trio.open_memory_channel[str](math.inf)
        self._links = Links(
            settings,
            self._tables,
            metrics,
            stored=links,
            ended=self._ended_link.send_nowait,
        )
        self._greeter = Greeter(settings, versions, self._links, self._tables, keeper, remarks)
        self._porter = Porter(settings, authenticate, self._greet, wrong_token)
        self._inbox = Inbox(self._links, self._tables, metrics)
        self._takeovers: dict[str, Bucket] = {}
        self._streams: dict[Stream, None] = {}
        self._work = trio.Event()
        self._heard = trio.Event()
        self._sleeps_until = NEVER
        self._passing = False
        self._still_since: int | None = None
        """Since when nothing can be stored, in nanoseconds."""
        self._nursery: trio.Nursery | None = None
        self._stopping = False

    # -- the playroom

    def presence(self, bot_id: str) -> int:
        """Return how many more games this bot takes now."""
        return self._links.free_of(bot_id)

    def version(self, bot_id: str) -> str | None:
        """Return the label this bot stated when it connected, or None while it is absent."""
        present = (link for link in self._links.of(bot_id) if link.stream is not None)
        return next((link.version_label for link in present), None)

    async def wait_change(self) -> None:
        """Wait until somebody's presence has changed."""
        await self._links.changed.wait()

    async def play(self, order: GameOrder, journal: Journal) -> GameOutcome:
        """Offer the game, play it to its end, and return how it ended."""
        source = self._deal_source(order)
        first, second, third = (seat.house for seat in order.seats)
        setup = Setup(
            rules=order.rules,
            format=order.format,
            time_control=order.time_control,
            conduct=order.conduct,
            source=source,
            house=(first, second, third),
            resident=(order.seats[0].resident, order.seats[1].resident, order.seats[2].resident),
            incarnation=order.incarnation,
            played=order.played,
        )
        game = PlayedGame(order, setup, source.commitment)
        absent: tuple[Seat, ...] = ()
        if order.played.nonces is None:
            guests = (seat for seat in SEATS if not order.seats[seat].resident)
            absent = tuple(seat for seat in guests if not self._links.seat(game, seat))
        else:
            for seat in SEATS:
                self._links.seat_again(game, seat)
        self._links.change()
        try:
            if absent:
                never = Termination.NOT_STARTED
                await trio.lowlevel.checkpoint()
                outcome = GameOutcome(terminations=(never, never, never), not_ready=absent)
                count_end(outcome, self._metrics)
                return outcome
            self._tables.games[order.game_id] = game
            self._tables.tell(game, game.table.start)
            return await game.keep(
                journal, lambda call: self._tables.tell(game, call), self._metrics
            )
        finally:
            self._tables.games.pop(order.game_id, None)
            self._flights.over(game)
            for chair in game.chairs:
                if chair is not None:
                    self._links.free(chair)
            self._wake()

    def flight(self, game_id: str, seat: Seat) -> tuple[int, FlightRecord] | None:
        """Return what is known of one seat of a game that is being played, or just was.

        The incarnation of the game comes first.
        """
        return self._flights.find(game_id, seat)

    @property
    def open_streams(self) -> int:
        """How many streams are open, those that have not said Hello included."""
        return len(self._streams)

    @property
    def links(self) -> int:
        """How many links there are, those included whose stream is lost."""
        return self._links.count

    @property
    def games_running(self) -> int:
        """How many games are offered or played."""
        return len(self._tables.games)

    def stop_after_hand(self, game_id: str) -> None:
        """Let a running game end after the hand in progress."""
        game = self._tables.games.get(game_id)
        if game is not None:
            self._tables.tell(game, game.table.stop)

    def forfeit(self, game_id: str, seat: Seat) -> None:
        """Let a seat forfeit a running game by decision of the arena."""
        game = self._tables.games.get(game_id)
        if game is not None:
            self._tables.tell(game, lambda now: game.table.forfeit(seat, now))

    def revoke(self, bot_id: str) -> None:
        """End this bot's links: its token was rotated or revoked.

        Running games go on with the link that it opens with its new token, if it does so in time.
        """
        reason = play_pb2.GOODBYE_REASON_REVOKED
        self._links.end_all(bot_id, reason, "The token is no longer valid.")
        self._wake()

    def quarantine(self, bot_id: str) -> None:
        """End this bot's links: it is in quarantine. It may come back to be checked."""
        reason = play_pb2.GOODBYE_REASON_QUARANTINED
        self._links.end_all(bot_id, reason, "The bot is in quarantine: it forfeited too often.")
        self._wake()

    def take_over(self, bot_id: str) -> tuple[int, int] | None:
        """Hand the games of this bot's links to the next link it opens.

        Returns how many links and games those are; None if this was done too often of late.
        """
        most = self._settings.takeovers_per_minute
        now = monotonic_ns()
        bucket = self._takeovers.setdefault(bot_id, Bucket(most / 60, full=most, now=now))
        if not bucket.take(capacity=most, now=now):
            return None
        handed = self._links.hand_on(bot_id)
        self._wake()
        return handed

    # -- running

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Admit bots and see to deadlines until cancelled; then say goodbye to every stream."""
        try:
            async with trio.open_nursery() as self._nursery:
                self._nursery.start_soon(self._late_house.run)
                self._nursery.start_soon(self._flights.run)
                self._nursery.start_soon(self._forget_links)
                self._nursery.start_soon(self._sweep)
                task_status.started()
                while True:
                    self._pass()
                    self._work = trio.Event()
                    wait = 0.0
                    if self._still_since is not None:
                        wait = math.inf
                    elif not self._inbox.ready:
                        self._sleeps_until = self._next_due
                        wait = max(0.0, (self._sleeps_until - monotonic_ns()) / 1e9)
                    with trio.move_on_after(wait):
                        await self._work.wait()
                        if len(self._tables.games) > _FEW:
                            await self._gather()
        finally:
            self.stop()

    def stand_still(self) -> None:
        """Let nothing go on and stop all clocks: nothing can be stored."""
        if self._still_since is None:
            if not self._passing:
                self._pass()  # what has come in time counts
            self._still_since = monotonic_ns()
            log.warning("clocks_stopped", games=len(self._tables.games))

    def go_on(self) -> None:
        """Go on after `stand_still`; nobody is charged for the time since then."""
        if self._still_since is not None:
            since, now = self._still_since, monotonic_ns()
            self._still_since = None
            self._tables.give_back(since, now)
            log.info("clocks_started", stood_ms=round((now - since) / 1e6, 1))
            self._wake()

    @property
    def _next_due(self) -> int:
        return min(self._tables.next_due, self._links.release)

    async def _gather(self) -> None:
        """Wait a moment for the answers of the links that have yet to say something."""
        self._heard = trio.Event()
        if not self._all_heard:
            with trio.move_on_after(_GATHER):
                await self._heard.wait()

    @property
    def _all_heard(self) -> bool:
        return len(self._inbox.ready) >= len(self._links.asked)

    def stop(self) -> None:
        """Say goodbye to every stream; none is taken any more."""
        self._stopping = True
        for stream in tuple(self._streams):
            if not stream.closing:
                say_stopping(stream)

    def _pass(self) -> None:
        """Do everything that can be done now."""
        self._passing = True
        self._inbox.oldest = NEVER
        try:
            still = self._still_since is not None
            if not still:
                self._inbox.drain()
            now = monotonic_ns()
            while not still and (game := self._tables.overdue(now)) is not None:
                question = game.table.question
                chair = None if question is None else game.chairs[question.seat]
                if chair is not None and chair.link.stream is not None:
                    # what arrived in time counts, even if its sender sent much else before
                    here = len(chair.link.stream.inbox)
                    self._inbox.read(chair.link.stream, here, ANY_SIZE)
                self._tables.expire(game)
            self._links.flush(self._inbox.oldest)
        finally:
            self._passing = False

    async def _forget_links(self) -> None:
        """Have links that ended forgotten by whoever keeps them."""
        async for link_id in self._ended_links:
            await self._keeper.forget(link_id)

    async def _sweep(self) -> None:
        """End links that have been without a stream for too long."""
        while True:
            await trio.sleep(_SWEEP)
            self._links.sweep(monotonic_ns())

    async def _greet(self, stream: Stream, caller: Caller, hello: Hello) -> None:
        if await self._greeter.greet(stream, caller, hello):
            if stream.inbox or stream.oversize:
                self._inbox.ready[stream] = None
            self._wake()

    def _wake(self) -> None:
        """Have a pass soon, unless one is under way."""
        if not self._passing:
            self._work.set()

    def _house_decided(self, game: PlayedGame, question: Question, action: Action | None) -> None:
        self._tables.tell(game, lambda now: game.table.house_decided(question, action, now))

    def _misbehaved(self, link: Link) -> None:
        self._links.misbehaved(link)

    # -- streams, as the edge tells of them

    def settled(self) -> None:
        """Do what the last calls of `woken` have given to do."""
        if not self._inbox.ready:
            return
        if len(self._tables.games) > _FEW:
            self._wake()
            if self._all_heard:
                self._heard.set()
        else:
            self._pass()
            if self._inbox.ready or self._next_due < self._sleeps_until:
                self._wake()

    def opened(self, stream: Stream) -> None:
        """Take a new stream."""
        if self._stopping or self._nursery is None:
            say_stopping(stream)
            return
        if self._porter.enter(stream):
            self._streams[stream] = None
            self._metrics.streams_opened += 1
            self._nursery.start_soon(self._porter.admit, stream)

    def woken(self, stream: Stream) -> None:
        """Take note that a stream has messages or has ended; `settled` follows."""
        if isinstance(stream.owner, Waiting):
            stream.owner.woken.set()
        elif stream.owner is not None:
            self._inbox.ready[stream] = None
        if stream.ended and stream in self._streams:
            del self._streams[stream]
            self._porter.leave()
            tell_stream(stream, self._metrics)
