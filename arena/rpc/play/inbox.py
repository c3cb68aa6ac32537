"""What bots send: drained from their streams in turn, read, and told to the tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from google.protobuf.message import DecodeError

from arena.metrics import Metrics
from arena.referee import FaultKind
from arena.referee.clock import NEVER
from arena.referee.conduct import Offence
from arena.referee.flight import Flight, Weight
from arena.referee.outputs import Drop, Dropped, Outputs
from arena.rpc.play import messages as write
from arena.rpc.play.flights import note_broken
from arena.rpc.play.link import Chair, Link
from arena.rpc.play.links import Links
from arena.rpc.play.tables import Tables
from arena.rpc.stream import Stream
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS, Action, IllegalActionError, Kind, View
from euchre_sdk.wire import MalformedMessageError, Unsupported, read_answer

_QUOTA = 4
"""Messages of one stream that are read before the other streams have their turn."""
_ROOM = 8 * 1024
"""Bytes of one stream after which others have their turn; honest messages have some hundred."""
ANY_SIZE = 1 << 62
"""Room for whatever there is."""
_NONCE = 32


class Inbox:
    """The streams that have something to say."""

    def __init__(self, links: Links, tables: Tables, metrics: Metrics) -> None:
        self._links = links
        self._tables = tables
        self._metrics = metrics
        self.oldest = NEVER
        """When the oldest message arrived that was read since this was set, in nanoseconds."""
        self.ready: dict[Stream, None] = {}
        """Streams with messages, or that have ended, in the order in which they came."""

    def drain(self) -> None:
        """Read some messages of each ready stream; those with more stay ready."""
        again: dict[Stream, None] = {}
        while self.ready:
            stream = next(iter(self.ready))
            del self.ready[stream]
            self.read(stream, _QUOTA)
            if stream.inbox and stream.owner is not None:
                again[stream] = None
        self.ready = again

    def read(self, stream: Stream, quota: int, room: int = _ROOM) -> None:
        """Read messages of one stream, at most so many, and see whether it has ended.

        No further one is read after `room` bytes: large messages take long.
        """
        link = stream.owner
        while quota > 0 and room > 0 and isinstance(link, Link) and link.stream is stream:
            message = stream.take()
            if message is None:
                break
            quota -= 1
            room -= len(message[0])
            self._links.asked.pop(link, None)
            arrived = message[1]
            self.oldest = min(self.oldest, arrived)
            self._hear(link, *message)
        if not isinstance(link, Link) or link.stream is not stream or stream.inbox:
            return
        if stream.oversize:
            self._links.ban(link, Offence.LARGE)
        elif stream.ended:
            self._links.lose(link)

    def _hear(self, link: Link, data: bytes, arrived: int) -> None:
        try:
            request = play_pb2.PlayRequest.FromString(data)
        except DecodeError:
            note_broken(_flights(link), data, arrived)
            self._links.ban(link, Offence.BAD_MESSAGE)
            return
        if request.HasField("hello"):
            note_broken(_flights(link), data, arrived)
            self._links.ban(link, Offence.BAD_MESSAGE)
            return
        for ready in request.readies:
            if link.stream is None:
                return
            chair = link.chairs.get(ready.slot)
            awaited = chair is not None and chair.game.table.awaits(chair.seat)
            if chair is None or not awaited or len(ready.nonce) != _NONCE:
                if not link.forgives(ready.slot):
                    self._links.misbehaved(link)
            else:
                flight = chair.game.flights[chair.seat]
                flight.happened("READY", arrived, weight=Weight.ORDINARY)
                call = partial(chair.game.table.ready, chair.seat, ready.nonce, arrived)
                self._tables.tell(chair.game, call)
        index = -1
        for index, answer in enumerate(request.answers):
            if link.stream is None:
                return  # it was ended on account of an answer before
            chair = link.chairs.get(answer.slot)
            if chair is None:
                self._belongs_nowhere(link, answer)
            else:
                call = partial(_answered, chair, answer, data, index, arrived)
                self._tables.tell(chair.game, call)
        if request.HasField("leave") and not link.leaving:
            self._links.leave(link)
        elif index < 0 and not request.readies:
            self._links.misbehaved(link)

    def _belongs_nowhere(self, link: Link, answer: play_pb2.Answer) -> None:
        self._metrics.dropped[Drop.UNKNOWN] += 1
        notice = write.write_dropped(Dropped(SEATS[0], answer.seq, Drop.UNKNOWN))
        notice.slot = answer.slot
        link.pending().notices.append(notice)
        self._links.misbehaved(link)


def _flights(link: Link) -> Iterator[Flight]:
    return (chair.game.flights[chair.seat] for chair in link.chairs.values())


def _answered(
    chair: Chair, answer: play_pb2.Answer, data: bytes, index: int, arrived: int, now: int
) -> Outputs:
    """Tell the table an answer as what it is: an action, something else, or one too many.

    It is number `index` of the request `data`; the seat's flight recorder hears of it first.
    """
    game, seat, seq = chair.game, chair.seat, answer.seq
    table, flight = game.table, game.flights[seat]
    question = table.question
    if question is None or question.seq != seq or question.seat is not seat:
        flight.strayed(seq, data, index, arrived)
        return table.stray(seat, seq)
    try:
        action = read_answer(answer, question.view.kind, seat)
    except MalformedMessageError as error:
        flight.heard(question, data, index, arrived, None)
        said = f"{str(error).removesuffix('.')}. Legal: {_legal(question.view)}."
        return table.refuse(question, FaultKind.MALFORMED, "MALFORMED", said, arrived, now)
    except IllegalActionError as error:
        meant = error.action if isinstance(error.action, Action) else None
        flight.heard(question, data, index, arrived, meant)
        said = f"{error} Legal: {_legal(question.view)}."
        return table.refuse(question, FaultKind.ILLEGAL, error.reason.name, said, arrived, now)
    if isinstance(action, Unsupported):
        flight.heard(question, data, index, arrived, None)
        return table.unsupported(question, now)
    flight.heard(question, data, index, arrived, action)
    return table.answer(seat, seq, action, arrived, now)


def _legal(view: View) -> str:
    if view.kind is Kind.KEEP_FIVE:
        return f"any five of {' '.join(map(str, view.pool))}"
    return ", ".join(map(str, view.legal))
