"""The links of all bots: which games they play, whose stream is ended and why, when they end."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from time import monotonic_ns
from typing import TYPE_CHECKING

import structlog
import trio

from arena.referee.clock import NEVER, nanos
from arena.referee.conduct import Offence
from arena.rpc.bucket import Bucket
from arena.rpc.play import messages as write
from arena.rpc.play.goodbye import GOODBYE, reason_name, say_goodbye
from arena.rpc.play.link import Chair, Link
from arena.store.links import StoredLink
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from arena.metrics import Metrics
    from arena.rpc.play.link import PlayedGame
    from arena.rpc.play.settings import PlaySettings
    from arena.rpc.play.tables import Tables
    from euchre_sdk.game import Seat

log = structlog.get_logger()


class Links:
    """Every bot's links, and what waits to be sent on them."""

    def __init__(
        self,
        settings: PlaySettings,
        tables: Tables,
        metrics: Metrics,
        *,
        stored: Iterable[StoredLink] = (),
        ended: Callable[[str], None] = lambda _link_id: None,
    ) -> None:
        """Make it.

        `stored` are links that had not ended when the arena stopped; `ended` is told the id of each
        that ends.
        """
        self._metrics = metrics
        self._settings = settings
        self._tables = tables
        self._ended = ended
        self._links: dict[str, list[Link]] = {}
        self._dirty: dict[Link, None] = {}
        self.asked: dict[Link, None] = {}
        """Links that have been sent questions and have said nothing since."""
        self._tick = nanos(settings.release_interval)
        self.release = NEVER
        """When what waits may leave, in nanoseconds; `NEVER` if it waits for no tick."""
        self._banned: dict[str, int] = {}
        """Until when bots are not let in, in nanoseconds."""
        self.changed = trio.Event()
        """Set, and replaced, whenever a bot's presence changes."""
        for link in stored:
            self._add(link).lost_since = monotonic_ns()

    def of(self, bot_id: str) -> tuple[Link, ...]:
        """Return a bot's links."""
        return tuple(self._links.get(bot_id, ()))

    def holds(self, link: Link) -> bool:
        """Return whether a link has not ended."""
        return link in self._links.get(link.bot_id, ())

    @property
    def count(self) -> int:
        """How many links there are."""
        return sum(map(len, tuple(self._links.values())))

    def free_of(self, bot_id: str) -> int:
        """Return how many more games a bot takes now, over all its links."""
        links = self._links.get(bot_id, ())
        most = self._settings.games_at_once - sum(len(link.chairs) for link in links)
        return max(0, min(most, sum(link.free for link in links)))

    def change(self) -> None:
        """Wake whoever waits for a change of presence."""
        self.changed.set()
        self.changed = trio.Event()

    # -- coming

    def in_use(self, bot_id: str) -> tuple[Link, ...]:
        """Return the links that keep a bot from opening another one.

        Those that wait for nothing but to say goodbye, or for a successor, do not.
        """
        self.sweep(monotonic_ns(), bot_id)
        return tuple(
            link
            for link in self.of(bot_id)
            if not (link.moving or link.is_done or link.is_replaceable)
        )

    def opened_by(self, bot_id: str, secret_hash: bytes) -> Link | None:
        """Return the link which that secret opens, if it has not ended."""
        self.sweep(monotonic_ns(), bot_id)
        return next((link for link in self.of(bot_id) if link.is_opened_by(secret_hash)), None)

    def open(
        self,
        *,
        link_id: str,
        bot_id: str,
        secret_hash: bytes,
        version_label: str,
        games_at_once: int,
    ) -> Link:
        """Make a link that has no stream yet; links it takes the place of end."""
        for link in self.of(bot_id):
            if link.is_done:
                self.end(link)
        return self._add(
            StoredLink(
                link_id=link_id,
                bot_id=bot_id,
                secret_hash=secret_hash,
                version_label=version_label,
                games_at_once=min(games_at_once, self._settings.games_at_once),
            )
        )

    def _add(self, stored: StoredLink) -> Link:
        conduct = self._settings.conduct
        bucket = Bucket(conduct.flood_rate, full=conduct.flood_burst, now=monotonic_ns())
        link = Link(
            stored,
            bad_answers=bucket,
            dirty=self._dirty,
            own_delay=self._metrics.own_delay,
        )
        self._links.setdefault(stored.bot_id, []).append(link)
        return link

    # -- going

    def part(
        self,
        link: Link,
        reason: play_pb2.GoodbyeReason.ValueType,
        message: str,
        retry: timedelta | None = None,
        *,
        lost: bool = True,
    ) -> None:
        """End the stream of a link, if it has one, with a goodbye. `lost`: none takes its place."""
        stream = link.stream
        if stream is None:
            return
        link.send()
        say_goodbye(stream, reason, message, retry)
        if lost:
            self.lose(link)
        else:
            link.stream = stream.owner = None
            self.asked.pop(link, None)
            link.forget_unsent()

    def ban(self, link: Link, offence: Offence) -> None:
        """End a link's stream for what its bot did, and let the bot in only after a while."""
        banned = self._settings.conduct.banned
        self._banned[link.bot_id] = monotonic_ns() + nanos(banned)
        reason, message = GOODBYE[offence]
        name = reason_name(reason)
        log.warning("bot_banned", bot_id=link.bot_id, reason=name)
        for chair in link.chairs.values():
            chair.game.flights[chair.seat].happened(name, monotonic_ns(), why=message)
        self.part(link, reason, message, banned)

    def banned_for(self, bot_id: str) -> timedelta:
        """Return for how long a bot is not let in yet."""
        left = self._banned.get(bot_id, 0) - monotonic_ns()
        if left <= 0:
            self._banned.pop(bot_id, None)
            return timedelta(0)
        return timedelta(microseconds=left // 1_000 + 1)

    def misbehaved(self, link: Link) -> None:
        """Count a message that was dropped or refused; too many at once are a flood."""
        conduct = self._settings.conduct
        capacity = conduct.flood_burst * max(1, len(link.chairs))
        if not link.bad_answers.take(capacity=capacity, now=monotonic_ns()):
            self.ban(link, Offence.FLOOD)

    def lose(self, link: Link) -> None:
        """Take note that a link has no stream any more."""
        stream = link.stream
        if stream is None:
            return
        link.stream = stream.owner = None
        link.lost_since = monotonic_ns()
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
        if link.stream is None and not link.farewells:
            self.end(link)

    def end(self, link: Link) -> None:
        """End a link: its secret opens nothing any more. Its games wait for the bot's next link."""
        links = self._links.get(link.bot_id, [])
        if link in links:
            links.remove(link)
            self._ended(link.link_id)
        if not links:
            self._links.pop(link.bot_id, None)
        for chair in tuple(link.chairs.values()):
            chair.game.chairs[chair.seat] = None
        link.chairs.clear()

    def sweep(self, now: int, *bots: str) -> None:
        """End the links, of these bots or of all, that have been without a stream for too long."""
        patience = nanos(self._settings.conduct.lost)
        for bot_id in bots or tuple(self._links):
            for link in self.of(bot_id):
                if link.lost_since is not None and now - link.lost_since >= patience:
                    log.info("link_ended", bot_id=bot_id, link_id=link.link_id)
                    self.end(link)

    def end_all(self, bot_id: str, reason: play_pb2.GoodbyeReason.ValueType, message: str) -> None:
        """End a bot's links; they cannot be taken up again."""
        for link in self.of(bot_id):
            self.part(link, reason, message)
            self.end(link)
        self.change()

    def hand_on(self, bot_id: str) -> tuple[int, int]:
        """End a bot's links and let their games wait for its next one; return how many of each."""
        links = [link for link in self.of(bot_id) if not link.moving]
        games = sum(len(link.chairs) for link in links)
        for link in links:
            link.moving = True
            reason = play_pb2.GOODBYE_REASON_TAKEN_OVER
            self.part(link, reason, "The owner gave this link's games to the next one.")
        self.change()
        return len(links), games

    # -- seats

    def seat(self, game: PlayedGame, seat: Seat) -> bool:
        """Give a new game's seat to the freest link of its bot; return whether there was one."""
        links = self.of(game.order.seats[seat].bot_id)
        free = max(links, key=lambda link: link.free, default=None)
        if free is None or free.free == 0:
            return False
        self._sit(game, seat, free)
        return True

    def seat_again(self, game: PlayedGame, seat: Seat) -> None:
        """Give a seat of a game that goes on to a link of its bot, if any, whatever it declared."""
        order = game.order.seats[seat]
        fit = [link for link in self.of(order.bot_id) if link.may_play(order)]
        if fit:
            self._sit(game, seat, min(fit, key=lambda link: len(link.chairs)))

    def adopt(self, link: Link) -> None:
        """Give a link the seats of its bot that no link has: of running games of its version."""
        for other in self.of(link.bot_id):
            if other is not link and (other.moving or other.is_replaceable):
                self.end(other)
        for game in self._tables.games.values():
            for seat in SEATS:
                if game.chairs[seat] is None and link.may_play(game.order.seats[seat]):
                    self._sit(game, seat, link)

    def free(self, chair: Chair) -> None:
        """Take a seat from its link: the game is over."""
        link = chair.link
        if link.leave_seat(chair):
            self.end_if_idle(link)
            self.change()

    @staticmethod
    def _sit(game: PlayedGame, seat: Seat, link: Link) -> None:
        slot = link.new_slot()
        offer = write.write_offer(game.order, slot=slot, seat=seat, commitment=game.commitment)
        game.chairs[seat] = link.chairs[slot] = Chair(game, seat, link, slot, offer)

    # -- sending

    def flush(self, since: int) -> None:
        """Send each link what is ready for it, as one message; at the next tick if there are any.

        `since` is when the oldest answer arrived that any of it may follow from.
        """
        if self._tick and self._dirty:
            now = monotonic_ns()
            if self.release == NEVER:
                self.release = (now // self._tick + 1) * self._tick
            if now < self.release:
                return
        self.release = NEVER
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
                self.ban(link, Offence.SLOW_READER)
