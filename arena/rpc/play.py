"""The play service: bots' streams on one side, tables on the other.

One task drives all tables: it drains the streams round-robin, lets the tables answer, expires what
is due, and sends each link one message with whatever is ready for it. Nobody is told anything that
his seat may not know: questions go to their seat alone, results to all when they are stored.
"""

from __future__ import annotations

import heapq
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import count
from time import monotonic_ns
from typing import TYPE_CHECKING, Protocol

import structlog
import trio
from google.protobuf.message import DecodeError

from arena.errors import ArenaBugError
from arena.referee import (
    Conduct,
    FaultKind,
    GameOutcome,
    Termination,
    VoidCause,
)
from arena.referee.clock import Departure
from arena.referee.outputs import (
    Drop,
    Dropped,
    GameEnded,
    HandDealt,
    MoveForced,
    Offered,
    Output,
    Outputs,
    Question,
    Refused,
    Started,
    StoreFault,
    StoreHand,
    StoreReady,
    Withdrawn,
)
from arena.referee.table import NEVER, DealSource, Setup
from arena.rpc import play_messages as write
from arena.rpc.play_admission import (
    Authenticate,
    Caller,
    Doorway,
    Hello,
    known,
    read_hello,
    token_of,
)
from arena.rpc.play_game import PlayedGame
from arena.rpc.play_link import Bucket, Chair, Link
from arena.rpc.refusal import RefusedError, internal_error
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS, Action, IllegalActionError, Kind, View, fallback
from euchre_sdk.wire import (
    MalformedMessageError,
    Unsupported,
    read_answer,
    write_duration,
    write_question,
)

if TYPE_CHECKING:
    from arena.rpc.stream import Stream
    from arena.tournaments.playroom import GameOrder, Journal
    from euchre_sdk.game import Seat

log = structlog.get_logger()

_QUOTA = 4
"""Messages of one stream that are read before the other streams have their turn."""


class Commitment(DealSource, Protocol):
    """Deals that the arena has committed itself to."""

    @property
    def commitment(self) -> bytes:
        """SHA-256 that goes out with the offer."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """Limits of the play service, with the defaults of docs/protocol.md."""

    games_at_once: int = 64
    """Most games at once that any link is given."""
    links_per_bot: int = 1
    streams: int = 1024
    silent_streams: int = 5
    """Streams of one address that have not said Hello."""
    silent_streams_locally: int = 128
    """The same for this machine's own addresses, from which a whole field may start at once."""
    hello: timedelta = timedelta(seconds=3)
    """Time in which a stream must say Hello."""
    reattach_per_minute: int = 10
    """Streams a bot may open in a minute before it is made to wait; its clocks run on."""
    conduct: Conduct = field(default_factory=Conduct)
    """For what concerns a link and not a game: floods, slow readers, large messages."""


class _Waiting:
    """Owns a stream until its Hello has been read."""

    def __init__(self) -> None:
        self.woken = trio.Event()


class PlayService:
    """The play service, and the playroom of all tournaments.

    `run` must be running; the edge is given `opened` and `woken`.
    """

    def __init__(
        self,
        *,
        authenticate: Authenticate,
        deal_source: Callable[[GameOrder], Commitment],
        settings: PlaySettings | None = None,
        versions: tuple[str, str] = ("0", "0"),
        house_answer: Callable[[View], Action] = fallback,
    ) -> None:
        """Make the service.

        `deal_source` gives the randomness of an ordered game, `versions` are those of server and
        rules engine, `house_answer` decides for house bots that are late.
        """
        self._authenticate = authenticate
        self._deal_source = deal_source
        self._settings = settings or PlaySettings()
        self._versions = versions
        self._house_answer = house_answer
        self._links: dict[str, list[Link]] = {}
        self._reattach: dict[str, Bucket] = {}
        self._games: dict[str, PlayedGame] = {}
        self._streams: dict[Stream, None] = {}
        self._ready: dict[Stream, None] = {}
        self._dirty: dict[Link, None] = {}
        self._due: list[tuple[int, int, PlayedGame]] = []
        self._tie = count()
        self._door = Doorway(
            streams=self._settings.streams,
            silent=self._settings.silent_streams,
            silent_locally=self._settings.silent_streams_locally,
        )
        self._work = trio.Event()
        self._changed = trio.Event()
        self._nursery: trio.Nursery | None = None
        self._stopping = False

    # -- the playroom

    def presence(self, bot_id: str) -> int:
        """Return how many more games this bot takes now."""
        return sum(link.free for link in self._links.get(bot_id, ()))

    def version(self, bot_id: str) -> str | None:
        """Return the label this bot stated when it connected, or None while it is absent."""
        present = (link for link in self._links.get(bot_id, ()) if link.stream is not None)
        return next((link.version_label for link in present), None)

    async def wait_change(self) -> None:
        """Wait until somebody's presence has changed."""
        await self._changed.wait()

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
            incarnation=order.incarnation,
            played=order.played,
            house_answer=self._house_answer,
        )
        game = PlayedGame(order, setup, source.commitment)
        absent = [seat for seat in SEATS if not self._seat(game, seat)]
        self._change()
        try:
            if absent and order.played.nonces is None:
                never = Termination.NOT_STARTED
                await trio.lowlevel.checkpoint()
                return GameOutcome(terminations=(never, never, never), not_ready=tuple(absent))
            self._games[order.game_id] = game
            self._tell(game, game.table.start)
            return await game.keep(journal, lambda call: self._tell(game, call))
        finally:
            self._games.pop(order.game_id, None)
            for chair in game.chairs:
                if chair is not None:
                    self._free(chair)
            self._wake()

    def stop_after_hand(self, game_id: str) -> None:
        """Let a running game end after the hand in progress."""
        game = self._games.get(game_id)
        if game is not None:
            self._tell(game, game.table.stop)

    def forfeit(self, game_id: str, seat: Seat) -> None:
        """Let a seat forfeit a running game by decision of the arena."""
        game = self._games.get(game_id)
        if game is not None:
            self._tell(game, lambda now: game.table.forfeit(seat, now))

    def revoke(self, bot_id: str) -> None:
        """End this bot's links: its token was rotated or revoked. Running games are lost to it."""
        for link in tuple(self._links.get(bot_id, ())):
            self._part(link, play_pb2.GOODBYE_REASON_REVOKED, "The token is no longer valid.")
            self._links[bot_id].remove(link)
        self._change()

    # -- running

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Drive all tables until cancelled; then say goodbye to every stream."""
        try:
            async with trio.open_nursery() as self._nursery:
                task_status.started()
                while True:
                    busy = self._cycle()
                    wait = 0.0 if busy else self._until_due()
                    with trio.move_on_after(wait):
                        await self._work.wait()
                    self._work = trio.Event()
        finally:
            self._stopping = True
            for stream in tuple(self._streams):
                stream.close(
                    write.write_goodbye(play_pb2.GOODBYE_REASON_STOPPING, "The arena is stopping.")
                )

    def _cycle(self) -> bool:
        """Do everything that can be done now; return whether something was left for later."""
        busy = self._drain()
        self._expire()
        self._flush()
        return busy

    def _wake(self) -> None:
        self._work.set()

    def _change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def _until_due(self) -> float:
        if not self._due:
            return float("inf")
        return max(0.0, (self._due[0][0] - monotonic_ns()) / 1e9)

    # -- streams, as the edge tells of them

    def opened(self, stream: Stream) -> None:
        """Take a new stream."""
        if self._stopping or self._nursery is None:
            stream.close(
                write.write_goodbye(play_pb2.GOODBYE_REASON_STOPPING, "The arena is stopping.")
            )
            return
        try:
            self._door.enter(stream.peer)
        except RefusedError as refusal:
            stream.refuse(refusal)
            return
        self._streams[stream] = None
        stream.owner = _Waiting()
        self._nursery.start_soon(self._admit, stream)

    def woken(self, stream: Stream) -> None:
        """Take note that a stream has messages or has ended."""
        if isinstance(stream.owner, _Waiting):
            stream.owner.woken.set()
        elif stream.owner is not None:
            self._ready[stream] = None
            self._wake()
        if stream.ended and stream in self._streams:
            del self._streams[stream]
            self._door.leave()

    async def _admit(self, stream: Stream) -> None:
        """Read a stream's Hello and give it a link, or refuse it."""
        owner = stream.owner
        hello: bytes | None = None
        try:
            with trio.move_on_after(self._settings.hello.total_seconds()):
                while not (stream.inbox or stream.ended or stream.oversize):
                    await owner.woken.wait()
                    owner.woken = trio.Event()
            if stream.inbox:
                hello, _ = stream.take() or (b"", 0)
        finally:
            self._door.greeted(stream.peer)
        if stream.ended:
            return
        if hello is None:
            stream.close(
                write.write_goodbye(
                    play_pb2.GOODBYE_REASON_BAD_HELLO,
                    "No Hello came in time, or it was too large.",
                )
            )
            return
        try:
            caller = known(await self._authenticate(token_of(stream)))
            said = read_hello(hello)
            await self._slow_down(caller.bot_id)
        except RefusedError as refusal:
            stream.refuse(refusal)
        except Exception:
            log.exception("admission_failed")
            stream.refuse(internal_error())
        else:
            if not stream.ended:
                self._attach(stream, caller, said)

    async def _slow_down(self, bot_id: str) -> None:
        """Make a bot wait that opens one stream after the other."""
        allowed = self._settings.reattach_per_minute
        now = monotonic_ns()
        bucket = self._reattach.get(bot_id)
        if bucket is None:
            bucket = self._reattach[bot_id] = Bucket(allowed / 60, full=allowed, now=now)
        while not bucket.take(capacity=allowed, now=monotonic_ns()):  # noqa: ASYNC110 - it is time
            await trio.sleep(bucket.wait_ns() / 1e9 + 0.001)

    # -- links

    def _attach(self, stream: Stream, caller: Caller, hello: Hello) -> None:
        links = self._links.setdefault(caller.bot_id, [])
        secret = hello.resume_secret
        if secret is None:
            if len(links) >= self._settings.links_per_bot:
                self._turn_away(stream, links)
                return
            secret = secrets.token_bytes(32)
            link = self._new_link(caller, hello, secret)
            links.append(link)
        else:
            mine = next((link for link in links if link.is_opened_by(secret)), None)
            if mine is None:
                stream.close(
                    write.write_goodbye(
                        play_pb2.GOODBYE_REASON_LINK_ENDED,
                        "The link has ended. Connect again without its secret.",
                    )
                )
                return
            link = mine
            wait = link.banned_until - monotonic_ns()
            if wait > 0:
                stream.close(
                    write.write_goodbye(
                        play_pb2.GOODBYE_REASON_FLOOD,
                        "This link may not come back yet.",
                        timedelta(microseconds=wait // 1_000 + 1),
                    )
                )
                return
            self._part(link, play_pb2.GOODBYE_REASON_TAKEN_OVER, "Another stream took over.")
        link.stream = stream
        link.follows = hello.follows
        stream.owner = link
        self._welcome(link, caller, hello, secret)
        log.info("bot_connected", bot_id=link.bot_id, link_id=link.link_id, games=len(link.chairs))
        if stream.inbox:
            self._ready[stream] = None
        self._change()
        self._wake()

    def _new_link(self, caller: Caller, hello: Hello, secret: bytes) -> Link:
        conduct = self._settings.conduct
        return Link(
            link_id="l" + secrets.token_hex(8),
            bot_id=caller.bot_id,
            secret=secret,
            version_label=hello.version_label,
            games_at_once=min(hello.games_at_once, self._settings.games_at_once),
            bad_answers=Bucket(conduct.flood_rate, full=conduct.flood_burst, now=monotonic_ns()),
        )

    def _turn_away(self, stream: Stream, links: list[Link]) -> None:
        lost = any(link.stream is None for link in links)
        stream.close(
            write.write_goodbye(
                play_pb2.GOODBYE_REASON_LINK_LIMIT,
                "Another connection of this bot was lost and may still come back."
                if lost
                else "This bot is connected already.",
                timedelta(seconds=1) if lost else None,
            )
        )

    def _welcome(self, link: Link, caller: Caller, hello: Hello, secret: bytes) -> None:
        conduct = self._settings.conduct
        response = link.pending()
        server, engine = self._versions
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
        now = monotonic_ns()
        for game in self._games.values():  # games taken up again before their bots came
            for seat in SEATS:
                if game.chairs[seat] is None and game.order.seats[seat].bot_id == link.bot_id:
                    self._seat(game, seat)
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
            response.snapshot.games.append(
                write.write_snapshot_game(chair.game.order, chair.offer, standing)
            )
            self._schedule(chair.game)
        self._dirty[link] = None

    def _part(
        self,
        link: Link,
        reason: play_pb2.GoodbyeReason.ValueType,
        message: str,
        retry: timedelta | None = None,
    ) -> None:
        """End the stream of a link, if it has one, with a goodbye."""
        stream = link.stream
        if stream is None:
            return
        link.send()
        stream.close(write.write_goodbye(reason, message, retry))
        self._lose(link)

    def _lose(self, link: Link) -> None:
        """Take note that a link has no stream any more."""
        stream = link.stream
        if stream is None:
            return
        link.stream = None
        stream.owner = None
        link.forget_unsent()
        self._ready.pop(stream, None)
        for chair in tuple(link.chairs.values()):
            self._tell(chair.game, partial(chair.game.table.lost, chair.seat))
        log.info("bot_lost", bot_id=link.bot_id, link_id=link.link_id, games=len(link.chairs))
        self._end_if_idle(link)
        self._change()

    def _end_if_idle(self, link: Link) -> None:
        """End a link that has neither a game nor, or not for long, a stream."""
        if link.chairs:
            return
        links = self._links.get(link.bot_id, [])
        if link.stream is not None and link.leaving:
            self._part(link, play_pb2.GOODBYE_REASON_DONE, "Nothing more is to be played.")
        if link.stream is None and link in links:
            links.remove(link)

    # -- seats

    def _seat(self, game: PlayedGame, seat: Seat) -> bool:
        """Give a game's seat to the freest link of its bot; return whether there was one."""
        links = self._links.get(game.order.seats[seat].bot_id, ())
        free = max(links, key=lambda link: link.free, default=None)
        if free is None or free.free == 0:
            return False
        slot = free.new_slot()
        offer = write.write_offer(game.order, slot=slot, seat=seat, commitment=game.commitment)
        chair = Chair(game, seat, free, slot, offer)
        game.chairs[seat] = free.chairs[slot] = chair
        return True

    def _free(self, chair: Chair) -> None:
        """Take a seat from its link: the game is over."""
        link = chair.link
        if link.chairs.pop(chair.slot, None) is not None:
            self._end_if_idle(link)
            self._change()

    # -- what bots send

    def _drain(self) -> bool:
        """Read messages, a few from each stream; return whether there are more."""
        again: dict[Stream, None] = {}
        while self._ready:
            stream = next(iter(self._ready))
            del self._ready[stream]
            self._read(stream, _QUOTA)
            if stream.inbox and stream.owner is not None:
                again[stream] = None
        self._ready.update(again)
        return bool(again)

    def _read(self, stream: Stream, quota: int) -> None:
        link = stream.owner
        while quota > 0 and isinstance(link, Link) and link.stream is stream:
            message = stream.take()
            if message is None:
                break
            quota -= 1
            self._hear(link, *message)
        if not isinstance(link, Link) or link.stream is not stream:
            return
        if stream.oversize and not stream.inbox:
            limit = self._settings.conduct.message_bytes
            self._ban(link, play_pb2.GOODBYE_REASON_FLOOD, f"A message was over {limit} bytes.")
        elif stream.ended and not stream.inbox:
            self._lose(link)

    def _hear(self, link: Link, data: bytes, arrived: int) -> None:
        try:
            request = play_pb2.PlayRequest.FromString(data)
        except DecodeError:
            self._ban(link, play_pb2.GOODBYE_REASON_BAD_HELLO, "A message was no PlayRequest.")
            return
        if request.HasField("hello"):
            self._ban(link, play_pb2.GOODBYE_REASON_BAD_HELLO, "Hello was said twice.")
            return
        for ready in request.readies:
            chair = link.chairs.get(ready.slot)
            if chair is not None:
                self._take_ready(chair, ready.nonce, arrived)
        for answer in request.answers:
            if link.stream is None:
                return  # it was closed on account of an answer before
            self._take_answer(link, answer, arrived)
        if request.HasField("leave"):
            link.leaving = True
            self._change()
            self._end_if_idle(link)

    def _take_ready(self, chair: Chair, nonce: bytes, arrived: int) -> None:
        game = chair.game
        if len(nonce) == 32:  # others are not ready
            self._tell(
                game,
                lambda now: game.table.ready(chair.seat, nonce, arrived=arrived, now=now),
            )

    def _take_answer(self, link: Link, answer: play_pb2.Answer, arrived: int) -> None:
        chair = link.chairs.get(answer.slot)
        seq = answer.seq
        if chair is None:
            notice = write.write_dropped(Dropped(SEATS[0], seq, Drop.UNKNOWN))
            notice.slot = answer.slot
            link.pending().notices.append(notice)
            self._dirty[link] = None
            self._bad_answer(link)
            return
        game, seat = chair.game, chair.seat
        table = game.table
        question = table.question
        now = monotonic_ns()
        try:
            if question is None or question.seq != seq or question.seat is not seat:
                outputs = table.stray(seat, seq)
            else:
                try:
                    action = read_answer(answer, question.view.kind, seat)
                except (MalformedMessageError, IllegalActionError) as error:
                    malformed = isinstance(error, MalformedMessageError)
                    outputs = table.refuse(
                        seat,
                        seq,
                        FaultKind.MALFORMED if malformed else FaultKind.ILLEGAL,
                        "MALFORMED" if malformed else error.reason.name,
                        f"{error} Legal: {_legal(question.view)}.",
                        arrived=arrived,
                        now=now,
                    )
                else:
                    if isinstance(action, Unsupported):
                        outputs = table.unsupported(seat, seq, now=now)
                    else:
                        outputs = table.answer(seat, seq, action, arrived=arrived, now=now)
            self._carry_out(game, outputs)
        except Exception as error:  # noqa: BLE001 - one game's failure ends a hand of that game
            self._failed(game, error)

    def _bad_answer(self, link: Link) -> None:
        """Count an answer that was dropped or refused; too many at once are a flood."""
        conduct = self._settings.conduct
        capacity = conduct.flood_burst * max(1, len(link.chairs))
        if not link.bad_answers.take(capacity=capacity, now=monotonic_ns()):
            self._ban(
                link,
                play_pb2.GOODBYE_REASON_FLOOD,
                "Too many answers were late, duplicate, unknown or refused.",
            )

    def _ban(self, link: Link, reason: play_pb2.GoodbyeReason.ValueType, message: str) -> None:
        """End a link's stream for what its bot did; the link may come back a little later."""
        banned = self._settings.conduct.banned
        link.banned_until = monotonic_ns() + int(banned.total_seconds() * 1e9)
        log.warning("bot_banned", bot_id=link.bot_id, reason=play_pb2.GoodbyeReason.Name(reason))
        self._part(link, reason, message, banned)

    # -- tables

    def _tell(self, game: PlayedGame, call: Callable[[int], Outputs]) -> None:
        """Tell a table something, and carry out what it says."""
        try:
            self._carry_out(game, call(monotonic_ns()))
        except Exception as error:  # noqa: BLE001 - one game's failure ends a hand of that game
            self._failed(game, error)
        self._wake()

    def _failed(self, game: PlayedGame, error: Exception) -> None:
        """Deal the hand anew after a failure of the arena, or give the game up."""
        log.error("table_failed", game_id=game.order.game_id, exc_info=error)
        try:
            outputs = game.table.void(VoidCause.ARENA_FAULT)
            if not outputs:
                raise error  # noqa: TRY301 - there is no hand to deal anew
            self._carry_out(game, outputs)
        except Exception as again:  # noqa: BLE001 - the game ends, the arena goes on
            bug = ArenaBugError("A game could not go on.")
            bug.__cause__ = again
            game.fail(bug)

    def _carry_out(self, game: PlayedGame, outputs: Outputs) -> None:
        for output in outputs:
            if type(output) is Question:
                chair = game.chairs[output.seat]
                if chair is not None and chair.link.stream is not None:
                    link = chair.link
                    question = write_question(chair.slot, output.seq, output.view)
                    link.pending().questions.append(question)
                    link.depart(output)
                    self._dirty[link] = None
            else:
                self._carry_out_rare(game, output)
        self._schedule(game)

    def _carry_out_rare(self, game: PlayedGame, output: Output) -> None:
        match output:
            case StoreReady() | StoreFault() | StoreHand():
                game.store(output)
            case Offered(seat):
                self._offer(game, seat)
            case Withdrawn(seat):
                self._notify(game, seat, write.write_withdrawn(output))
                self._game_over(game)
            case Started():
                start = write.write_start(game.order, output)
                for seat in SEATS:
                    self._notify(game, seat, play_pb2.Notice(game_start=start))
            case Refused(seat=seat):
                self._notify(game, seat, write.write_refused(output))
                self._count_bad(game, seat)
            case Dropped(seat):
                self._notify(game, seat, write.write_dropped(output))
                self._count_bad(game, seat)
            case MoveForced(seat=seat):
                self._notify(game, seat, write.write_forced(output))
            case HandDealt():
                for seat in SEATS:
                    chair = game.chairs[seat]
                    if chair is not None and chair.link.follows:
                        self._notify(game, seat, write.write_dealt(output))
            case GameEnded():
                self._notify_all(game, write.write_game_over(output))
                self._game_over(game)
            case _:
                self._notify_all(game, write.PUBLIC[type(output)](output))

    def _offer(self, game: PlayedGame, seat: Seat) -> None:
        chair = game.chairs[seat]
        if chair is not None and chair.link.stream is not None:
            chair.link.pending().offers.append(chair.offer)
            self._dirty[chair.link] = None

    def _notify(self, game: PlayedGame, seat: Seat, notice: play_pb2.Notice) -> None:
        chair = game.chairs[seat]
        if chair is None or chair.link.stream is None:
            return
        notice.slot = chair.slot
        chair.link.pending().notices.append(notice)
        self._dirty[chair.link] = None

    def _notify_all(self, game: PlayedGame, notice: play_pb2.Notice) -> None:
        for seat in SEATS:  # appending copies it
            self._notify(game, seat, notice)

    def _count_bad(self, game: PlayedGame, seat: Seat) -> None:
        chair = game.chairs[seat]
        if chair is not None and chair.link.stream is not None:
            self._bad_answer(chair.link)

    def _game_over(self, game: PlayedGame) -> None:
        game.wake()

    # -- deadlines and sending

    def _schedule(self, game: PlayedGame) -> None:
        """See to it that the game stands in the queue no later than its deadline."""
        deadline = game.table.deadline
        if deadline < game.due:
            game.due = deadline
            heapq.heappush(self._due, (deadline, next(self._tie), game))

    def _expire(self) -> None:
        now = monotonic_ns()
        while self._due and self._due[0][0] <= now:
            due, _, game = heapq.heappop(self._due)
            if due != game.due:
                continue  # an earlier entry took its place
            game.due = NEVER
            if game.table.deadline > now:
                self._schedule(game)
                continue
            question = game.table.question
            chair = None if question is None else game.chairs[question.seat]
            if chair is not None and chair.link.stream is not None:
                # what arrived in time counts, even if its sender sent much else before
                self._read(chair.link.stream, len(chair.link.stream.inbox))
            if game.table.deadline <= now:
                self._tell(game, game.table.expire)
            self._schedule(game)

    def _flush(self) -> None:
        """Send each link what is ready for it, as one message."""
        conduct = self._settings.conduct
        while self._dirty:
            link, _ = self._dirty.popitem()
            stream = link.stream
            link.send()
            if stream is None:
                continue
            most = conduct.outbox_messages * max(1, len(link.chairs)) + 1
            if stream.unsent_messages > most or stream.unsent_bytes > conduct.outbox_bytes:
                self._ban(
                    link, play_pb2.GOODBYE_REASON_SLOW_READER, "Messages were not read in time."
                )


def _legal(view: View) -> str:
    if view.kind is Kind.KEEP_FIVE:
        return f"any five of {' '.join(map(str, view.pool))}"
    return ", ".join(map(str, view.legal))
