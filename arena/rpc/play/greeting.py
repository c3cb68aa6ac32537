"""Greeting a bot: which link its stream gets, who is sent away, and what it is told first."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import timedelta
from hashlib import sha256
from time import monotonic_ns
from typing import TYPE_CHECKING

import grpc
import structlog

from arena.referee.clock import Departure
from arena.referee.flight import Weight
from arena.rpc.play import messages as write
from arena.rpc.play.goodbye import say_goodbye
from arena.rpc.refusal import RefusedError
from euchre.v1 import play_pb2
from euchre_sdk.wire import write_duration

if TYPE_CHECKING:
    from arena.rpc.play.admission import Caller, Hello
    from arena.rpc.play.link import Chair, Link
    from arena.rpc.play.link_keeping import LinkKeeper
    from arena.rpc.play.links import Links
    from arena.rpc.play.settings import PlaySettings
    from arena.rpc.play.tables import Tables
    from arena.rpc.stream import Stream

log = structlog.get_logger()

Remarks = Callable[[str, str], Sequence[str]]
"""From a bot's id and its version label to what its author should know, a sentence each."""

_AGAIN = timedelta(seconds=1)
"""When to dial again while another link of the bot may still come back."""


class Greeter:
    """Gives greeted streams their links."""

    def __init__(
        self,
        settings: PlaySettings,
        versions: tuple[str, str],
        links: Links,
        tables: Tables,
        keeper: LinkKeeper,
        remarks: Remarks,
    ) -> None:
        self._settings = settings
        self._remarks = remarks
        self._versions = versions
        self._links = links
        self._tables = tables
        self._keeper = keeper

    async def greet(self, stream: Stream, caller: Caller, hello: Hello) -> bool:
        """Give a stream a link, or send it away; return whether it has one.

        Raises `RefusedError`.
        """
        if (wait := self._links.banned_for(caller.bot_id)) > timedelta(0):
            reason = play_pb2.GOODBYE_REASON_FLOOD
            say_goodbye(stream, reason, "This bot may not come back yet.", wait)
            return False
        secret = hello.resume_secret
        if secret is None:
            return await self._open(stream, caller, hello)
        link = self._links.opened_by(caller.bot_id, sha256(secret).digest())
        if link is None:
            reason = play_pb2.GOODBYE_REASON_LINK_ENDED
            say_goodbye(stream, reason, "The link has ended. Connect again without its secret.")
            return False
        if link.moving:
            reason = play_pb2.GOODBYE_REASON_TAKEN_OVER
            say_goodbye(stream, reason, "The owner gave this link's games to the next one.")
            return False
        return await self._take_up(stream, link, caller, hello)

    async def _open(self, stream: Stream, caller: Caller, hello: Hello) -> bool:
        """Open a new link, if the bot may have another one."""
        links = self._links.in_use(caller.bot_id)
        if len(links) >= self._settings.links_per_bot:
            _turn_away(stream, links)
            return False
        secret = secrets.token_bytes(32)
        link = self._links.open(
            link_id="l" + secrets.token_hex(8),
            bot_id=caller.bot_id,
            secret_hash=sha256(secret).digest(),
            version_label=hello.version_label,
            games_at_once=hello.games_at_once,
        )
        try:
            await self._keeper.keep(link.stored)
        except BaseException:
            self._links.end(link)
            raise
        if not (stream.is_open and self._links.holds(link)):
            self._links.end(link)
            stream.close()
            return False
        self._attach(stream, link, caller, hello, secret)
        return True

    async def _take_up(self, stream: Stream, link: Link, caller: Caller, hello: Hello) -> bool:
        """Go on with a link. A version plays the games that it began, and no other does."""
        if link.chairs and link.version_label != hello.version_label:
            raise RefusedError(
                grpc.StatusCode.FAILED_PRECONDITION,
                "VERSION_CHANGED",
                f"Games of version {link.version_label} run on this link. Only that version may"
                " come back to it.",
                version_label=link.version_label,
            )
        before = link.stored
        link.version_label = hello.version_label
        link.games_at_once = min(hello.games_at_once, self._settings.games_at_once)
        if link.stored != before:
            await self._keeper.keep(link.stored)
            if not (stream.is_open and self._links.holds(link)):
                stream.close()
                return False
        if link.stream is not None:
            self._links.part(
                link, play_pb2.GOODBYE_REASON_TAKEN_OVER, "Another stream took over.", lost=False
            )
        assert hello.resume_secret is not None
        self._attach(stream, link, caller, hello, hello.resume_secret)
        return True

    def _attach(
        self, stream: Stream, link: Link, caller: Caller, hello: Hello, secret: bytes
    ) -> None:
        link.stream, link.lost_since = stream, None
        link.follows, link.leaving = hello.follows, False
        stream.owner = link
        stream.bot_id = link.bot_id
        self._welcome(link, caller, hello, secret)
        log.info("bot_connected", bot_id=link.bot_id, link_id=link.link_id, games=len(link.chairs))
        self._links.change()

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
                remarks=self._remarks(link.bot_id, link.version_label),
            )
        )
        self._links.adopt(link)
        for stands, notices in link.take_farewells():  # what ended while it was away
            response.snapshot.games.append(stands)
            response.notices.extend(notices)
        now = monotonic_ns()
        for chair in link.chairs.values():
            response.snapshot.games.append(self._take_seat(chair, now))

    def _take_seat(self, chair: Chair, now: int) -> play_pb2.SnapshotGame:
        """Tell a game that its seat is back, and return how it stands."""
        table = chair.game.table
        table.back(chair.seat)
        question = table.question
        if question is not None and question.seat is chair.seat and question.departure.at is None:
            question.departure = Departure(at=question.asked)  # its clock has gone on
        standing = table.standing(chair.seat, now)
        stands = write.write_snapshot_game(chair.game.order, chair.offer, standing)
        flight = chair.game.flights[chair.seat]
        flight.happened("STREAM_BACK", now, weight=Weight.ORDINARY)
        if standing.question is not None:
            asked = stands.question.SerializeToString()
            flight.asked_again(standing.question.seq, asked, now)
        self._tables.schedule(chair.game)
        return stands


def _turn_away(stream: Stream, links: tuple[Link, ...]) -> None:
    reason = play_pb2.GOODBYE_REASON_LINK_LIMIT
    if any(link.stream is None for link in links):
        message = "Another connection of this bot was lost and may still come back."
        say_goodbye(stream, reason, message, _AGAIN)
    else:
        say_goodbye(stream, reason, "This bot is connected already.")
