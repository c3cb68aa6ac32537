"""The links of all bots: who comes in, who takes over, whose stream is ended and why."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from time import monotonic_ns
from typing import TYPE_CHECKING

import structlog
import trio

from arena.referee.clock import Departure
from arena.referee.flight import Weight
from arena.rpc import play_messages as write
from arena.rpc.goodbye import reason_name, say_goodbye
from arena.rpc.play_admission import Caller, Hello
from arena.rpc.play_link import Bucket, Chair, Link
from arena.rpc.play_tables import Tables
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS
from euchre_sdk.wire import write_duration

if TYPE_CHECKING:
    from arena.metrics import Metrics
    from arena.rpc.play_game import PlayedGame
    from arena.rpc.play_settings import PlaySettings
    from arena.rpc.stream import Stream
    from euchre_sdk.game import Seat

log = structlog.get_logger()


class Links:
    """Every bot's links, and what waits to be sent on them."""

    def __init__(
        self,
        settings: PlaySettings,
        versions: tuple[str, str],
        tables: Tables,
        metrics: Metrics,
    ) -> None:
        self._metrics = metrics
        self._settings = settings
        self._versions = versions
        self._tables = tables
        self._links: dict[str, list[Link]] = {}
        self._dirty: dict[Link, None] = {}
        self.asked: dict[Link, None] = {}
        """Links that have been sent questions and have said nothing since."""
        self.changed = trio.Event()
        """Set, and replaced, whenever a bot's presence changes."""

    def of(self, bot_id: str) -> Iterable[Link]:
        """Return a bot's links."""
        return tuple(self._links.get(bot_id, ()))

    @property
    def count(self) -> int:
        """How many links there are."""
        return sum(map(len, tuple(self._links.values())))

    def change(self) -> None:
        """Wake whoever waits for a change of presence."""
        self.changed.set()
        self.changed = trio.Event()

    # -- coming

    def attach(self, stream: Stream, caller: Caller, hello: Hello) -> bool:
        """Give a greeted stream a link, or send it away; return whether it has one."""
        links = self._links.get(caller.bot_id, [])
        secret = hello.resume_secret
        if secret is None:
            if len(links) >= self._settings.links_per_bot:
                _turn_away(stream, links)
                return False
            secret = secrets.token_bytes(32)
            link = self._new_link(caller, hello, secret)
            self._links[caller.bot_id] = [*links, link]
        else:
            lost = next((link for link in links if link.is_opened_by(secret)), None)
            if lost is None:
                reason = play_pb2.GOODBYE_REASON_LINK_ENDED
                message = "The link has ended. Connect again without its secret."
                say_goodbye(stream, reason, message)
                return False
            link = lost
            wait = link.banned_until - monotonic_ns()
            if wait > 0:
                reason = play_pb2.GOODBYE_REASON_FLOOD
                retry = timedelta(microseconds=wait // 1_000 + 1)
                message = "This link may not come back yet."
                say_goodbye(stream, reason, message, retry)
                return False
            self._take_over(link)
        link.stream = stream
        link.follows = hello.follows
        stream.owner = link
        stream.bot_id = link.bot_id
        self._welcome(link, caller, hello, secret)
        log.info("bot_connected", bot_id=link.bot_id, link_id=link.link_id, games=len(link.chairs))
        self.change()
        return True

    def _new_link(self, caller: Caller, hello: Hello, secret: bytes) -> Link:
        conduct = self._settings.conduct
        bucket = Bucket(conduct.flood_rate, full=conduct.flood_burst, now=monotonic_ns())
        return Link(
            link_id="l" + secrets.token_hex(8),
            bot_id=caller.bot_id,
            secret=secret,
            version_label=hello.version_label,
            games_at_once=min(hello.games_at_once, self._settings.games_at_once),
            bad_answers=bucket,
            dirty=self._dirty,
            own_delay=self._metrics.own_delay,
        )

    def _take_over(self, link: Link) -> None:
        """End a link's stream for the sake of the next one."""
        stream = link.stream
        if stream is not None:
            link.send()
            reason = play_pb2.GOODBYE_REASON_TAKEN_OVER
            say_goodbye(stream, reason, "Another stream took over.")
            stream.owner = None
        link.forget_unsent()

    def _welcome(self, link: Link, caller: Caller, hello: Hello, secret: bytes) -> None:
        conduct = self._settings.conduct
        server, engine = self._versions
        response = link.pending()
        response.welcome.CopyFrom(
            play_pb2.Welcome(
                bot_id=link.bot_id,
                bot_name=caller.name,
                link_id=link.link_id,
                resume_secret=secret,
                protocol_revision=hello.revision,
                server_version=server,
                engine_version=engine,
                limits=play_pb2.Limits(
                    games_at_once=link.games_at_once,
                    request_bytes=conduct.message_bytes,
                    bad_answers_per_second=int(conduct.flood_rate),
                    bad_answers_burst_per_game=conduct.flood_burst,
                    lost_stream_duration=write_duration(conduct.lost),
                ),
            )
        )
        for game in self._tables.games.values():  # taken up again before their bots came
            for seat in SEATS:
                if game.chairs[seat] is None and game.order.seats[seat].bot_id == link.bot_id:
                    self.seat(game, seat)
        now = monotonic_ns()
        for chair in link.chairs.values():
            table = chair.game.table
            table.back(chair.seat)
            question = table.question
            if (
                question is not None
                and question.seat is chair.seat
                and question.departure.at is None
            ):
                question.departure = Departure(at=question.asked)  # its clock has gone on
            standing = table.standing(chair.seat, now)
            stands = write.write_snapshot_game(chair.game.order, chair.offer, standing)
            response.snapshot.games.append(stands)
            flight = chair.game.flights[chair.seat]
            flight.happened("STREAM_BACK", now, weight=Weight.ORDINARY)
            if standing.question is not None:
                asked = stands.question.SerializeToString()
                flight.asked_again(standing.question.seq, asked, now)
            self._tables.schedule(chair.game)

    # -- going

    def part(
        self,
        link: Link,
        reason: play_pb2.GoodbyeReason.ValueType,
        message: str,
        retry: timedelta | None = None,
    ) -> None:
        """End the stream of a link, if it has one, with a goodbye."""
        stream = link.stream
        if stream is not None:
            link.send()
            say_goodbye(stream, reason, message, retry)
            self.lose(link)

    def ban(self, link: Link, reason: play_pb2.GoodbyeReason.ValueType, message: str) -> None:
        """End a link's stream for what its bot did; the link may come back a little later."""
        banned = self._settings.conduct.banned
        link.banned_until = monotonic_ns() + int(banned.total_seconds() * 1e9)
        name = reason_name(reason)
        log.warning("bot_banned", bot_id=link.bot_id, reason=name)
        for chair in link.chairs.values():
            chair.game.flights[chair.seat].happened(name, monotonic_ns(), why=message)
        self.part(link, reason, message, banned)

    def misbehaved(self, link: Link) -> None:
        """Count an answer that was dropped or refused; too many at once are a flood."""
        conduct = self._settings.conduct
        capacity = conduct.flood_burst * max(1, len(link.chairs))
        if not link.bad_answers.take(capacity=capacity, now=monotonic_ns()):
            message = "Too many answers were late, duplicate, unknown or refused."
            self.ban(link, play_pb2.GOODBYE_REASON_FLOOD, message)

    def lose(self, link: Link) -> None:
        """Take note that a link has no stream any more."""
        stream = link.stream
        if stream is None:
            return
        link.stream = None
        stream.owner = None
        self.asked.pop(link, None)
        link.forget_unsent()
        for chair in tuple(link.chairs.values()):
            chair.game.flights[chair.seat].happened("STREAM_LOST", monotonic_ns())
            self._tables.tell(chair.game, partial(chair.game.table.lost, chair.seat))
        log.info("bot_lost", bot_id=link.bot_id, link_id=link.link_id, games=len(link.chairs))
        self.end_if_idle(link)
        self.change()

    def leave(self, link: Link) -> None:
        """Offer a link no more games, and end it when the last one is over."""
        link.leaving = True
        self.change()
        self.end_if_idle(link)

    def end_if_idle(self, link: Link) -> None:
        """End a link without games if it has no stream, or wishes no more games."""
        if link.chairs:
            return
        if link.stream is not None and link.leaving:
            reason = play_pb2.GOODBYE_REASON_DONE
            self.part(link, reason, "Nothing more is to be played.")
        if link.stream is None:
            self._forget(link)

    def revoke(self, bot_id: str) -> None:
        """End a bot's links; they cannot be taken up again."""
        for link in self.of(bot_id):
            reason = play_pb2.GOODBYE_REASON_REVOKED
            self.part(link, reason, "The token is no longer valid.")
            self._forget(link)
        self.change()

    def _forget(self, link: Link) -> None:
        links = self._links.get(link.bot_id, [])
        if link in links:
            links.remove(link)
        if not links:
            self._links.pop(link.bot_id, None)

    # -- seats

    def seat(self, game: PlayedGame, seat: Seat) -> bool:
        """Give a game's seat to the freest link of its bot; return whether there was one."""
        links = self.of(game.order.seats[seat].bot_id)
        free = max(links, key=lambda link: link.free, default=None)
        if free is None or free.free == 0:
            return False
        slot = free.new_slot()
        offer = write.write_offer(game.order, slot=slot, seat=seat, commitment=game.commitment)
        chair = Chair(game, seat, free, slot, offer)
        game.chairs[seat] = free.chairs[slot] = chair
        return True

    def free(self, chair: Chair) -> None:
        """Take a seat from its link: the game is over."""
        link = chair.link
        if link.chairs.pop(chair.slot, None) is not None:
            self.end_if_idle(link)
            self.change()

    # -- sending

    def flush(self, since: int) -> None:
        """Send each link what is ready for it, as one message.

        `since` is when the oldest answer arrived that any of it may follow from.
        """
        conduct = self._settings.conduct
        while self._dirty:
            link, _ = self._dirty.popitem()
            if link.send(since):
                self.asked[link] = None
            stream = link.stream
            if stream is None:
                continue
            most = conduct.outbox_messages * max(1, len(link.chairs)) + 1
            if stream.unsent_messages > most or stream.unsent_bytes > conduct.outbox_bytes:
                reason = play_pb2.GOODBYE_REASON_SLOW_READER
                self.ban(link, reason, "Messages were not read in time.")


def _turn_away(stream: Stream, links: Iterable[Link]) -> None:
    reason = play_pb2.GOODBYE_REASON_LINK_LIMIT
    if any(link.stream is None for link in links):
        message = "Another connection of this bot was lost and may still come back."
        say_goodbye(stream, reason, message, timedelta(seconds=1))
    else:
        say_goodbye(stream, reason, "This bot is connected already.")
