"""The play service with streams that are not connected to anything."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from time import monotonic_ns
from typing import Any

import trio

from arena.referee import Conduct, LinkConduct, TimeControl
from arena.rpc.play.service import PlayService
from arena.rpc.play.settings import PlaySettings
from arena.rpc.stream import Stream
from arena.tournaments.playroom import GameOrder, SeatOrder
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import Action, Seat, Session, View, fallback
from tests.integration.raw_bot import Arena, Memory, Source, authenticate, first_legal


class Unconnected:
    """A bridge to nowhere."""

    def to_edge(self, _call: Any, _argument: Any) -> None:
        """Do nothing: the test reads the outbox itself."""


class Table:
    """A play service with three bots' streams."""

    def __init__(self, play: PlayService) -> None:
        self.play = play
        self.streams = [
            Stream(f"unix:{n}", {"authorization": f"Bearer {name}"}, 1 << 16, BRIDGE, _nothing)
            for n, name in enumerate("abc")
        ]

    def say(self, stream: Stream, request: play_pb2.PlayRequest, *, quietly: bool = False) -> None:
        """Let a message arrive; `quietly`: the service is not woken for it."""
        stream.inbox.append((request.SerializeToString(), monotonic_ns()))
        if not quietly:
            self.play.woken(stream)
            self.play.settled()

    def hear(self, stream: Stream) -> list[play_pb2.PlayResponse]:
        """Read all that was sent, as a bot that reads would."""
        heard = []
        while stream.outbox:
            data, departure = stream.outbox.popleft()
            stream.written_messages += 1
            stream.written_bytes += len(data)
            if departure is not None:
                departure.at = monotonic_ns()
            heard.append(play_pb2.PlayResponse.FromString(data))
        return heard

    async def heard(self, stream: Stream) -> list[play_pb2.PlayResponse]:
        """Wait until something was sent, and read it."""
        with trio.fail_after(5):
            while not stream.outbox:
                await trio.lowlevel.checkpoint()
        return self.hear(stream)


BRIDGE: Any = Unconnected()


def _nothing(_stream: Stream) -> None:
    """Kick no writer."""


@asynccontextmanager
async def seated(
    order: GameOrder, settings: PlaySettings | None = None, **options: Any
) -> AsyncIterator[Table]:
    """Seat three bots at one game, all ready; `options` are those of the service."""
    play = PlayService(authenticate=authenticate, deal_source=Source, settings=settings, **options)
    async with trio.open_nursery() as nursery:
        await nursery.start(play.run)
        table = Table(play)
        hello = play_pb2.Hello(protocol_revision=1, version_label="v1", games_at_once=1)
        for stream in table.streams:
            play.opened(stream)
            table.say(stream, play_pb2.PlayRequest(hello=hello))
            await table.heard(stream)
        nursery.start_soon(play.play, order, Memory())
        for stream in table.streams:
            (response,) = await table.heard(stream)
            ready = play_pb2.Ready(slot=response.offers[0].slot, nonce=b"n" * 32)
            table.say(stream, play_pb2.PlayRequest(readies=[ready]))
        yield table
        nursery.cancel_scope.cancel()


def _order(control: TimeControl) -> GameOrder:
    return Arena.order(None, format=Session(5), control=control)  # type: ignore[arg-type]


async def _asked(table: Table) -> tuple[Stream, play_pb2.Question]:
    """Return the next question and whose it is."""
    with trio.fail_after(5):
        while True:
            for stream in table.streams:
                for response in table.hear(stream):
                    for question in response.questions:
                        return stream, question
            await trio.lowlevel.checkpoint()


async def test_an_answer_that_arrived_in_time_counts_though_it_is_read_at_the_deadline() -> None:
    short = TimeControl(bank=timedelta(0), increment=timedelta(milliseconds=60))
    async with seated(_order(short)) as table:
        stream, question = await _asked(table)
        answer = play_pb2.PlayRequest(answers=[first_legal(question)])
        table.say(stream, answer, quietly=True)
        other, following = await _asked(table)
        assert (other, following.seq) != (stream, question.seq)
        forced = [
            notice
            for response in table.hear(stream)
            for notice in response.notices
            if notice.HasField("move_forced")
        ]
        assert not forced


async def test_who_does_not_read_is_cut_off_and_its_clock_runs_on() -> None:
    settings = PlaySettings(conduct=LinkConduct(outbox_messages=1, flood_rate=1000.0))
    async with seated(_order(TimeControl()), settings) as table:
        stream, question = await _asked(table)
        duplicate = play_pb2.PlayRequest(answers=[play_pb2.Answer(slot=question.slot, seq=9)])
        for _ in range(4):
            table.say(stream, duplicate)
        assert stream.closing
        *_, last = table.hear(stream)
        assert last.goodbye.reason == play_pb2.GOODBYE_REASON_SLOW_READER
        assert last.goodbye.HasField("retry_duration")
        assert table.play.presence("abc"[table.streams.index(stream)]) == 0


async def test_streams_take_turns_whatever_one_of_them_sends() -> None:
    patient = PlaySettings(conduct=LinkConduct(flood_burst=1000))
    async with seated(_order(TimeControl()), patient) as table:
        stream, question = await _asked(table)
        flooder = next(s for s in table.streams if s is not stream)
        empty = play_pb2.PlayRequest().SerializeToString()
        flooder.inbox.extend([(empty, monotonic_ns())] * 50)
        table.play.woken(flooder)
        table.say(stream, play_pb2.PlayRequest(answers=[first_legal(question)]))
        assert len(flooder.inbox) > 40, "only a few of its messages were read"
        assert any(s.outbox for s in table.streams), "the game has gone on"
        with trio.fail_after(5):
            while flooder.inbox:
                await trio.lowlevel.checkpoint()


async def test_large_messages_give_the_others_their_turn_sooner() -> None:
    patient = PlaySettings(conduct=LinkConduct(flood_burst=1000))
    async with seated(_order(TimeControl()), patient) as table:
        stream, _ = await _asked(table)
        flooder = next(s for s in table.streams if s is not stream)
        large = play_pb2.PlayRequest(
            readies=[play_pb2.Ready(slot=9, nonce=b"n" * 32) for _ in range(230)]
        ).SerializeToString()
        assert 8 * 1024 < len(large) < 16 * 1024
        flooder.inbox.extend([(large, monotonic_ns())] * 4)
        table.play.woken(flooder)
        table.play.settled()
        assert len(flooder.inbox) == 3


async def test_a_table_that_fails_is_dealt_anew_and_then_given_up() -> None:
    async with seated(_order(TimeControl())) as table:
        (game,) = table.play._tables.games.values()
        game.table.answer = _broken  # type: ignore[method-assign, assignment]
        voided = 0
        over: list[Any] = []
        with trio.fail_after(5):
            while not over:
                stream, question = await _asked_or_over(table, over)
                if stream is not None:
                    table.say(stream, play_pb2.PlayRequest(answers=[first_legal(question)]))
                    voided += 1
        assert voided == 4
        assert set(over[0].terminations) == {types_pb2.TERMINATION_VOID}


async def test_a_late_house_bot_is_decided_for_in_a_thread_and_the_host_guard_is_told() -> None:
    order = _order(TimeControl())
    first, *others = order.seats
    limit = Conduct(house_limit=timedelta(milliseconds=20))
    order = replace(order, seats=(replace(first, house=True), *others), conduct=limit)
    late: list[tuple[str, int]] = []
    threads: set[int] = set()

    def answer(seat: SeatOrder, view: View) -> Action:
        threads.add(threading.get_ident())
        assert seat.bot_id == "a"
        return fallback(view)

    def told(order: GameOrder, seat: Seat) -> None:
        late.append((order.game_id, int(seat)))

    async with seated(order, house_answer=answer, on_late_house=told) as table:
        with trio.fail_after(5):
            while len(late) < 2:
                stream, question = await _asked(table)
                if question.seat != 0:
                    table.say(stream, play_pb2.PlayRequest(answers=[first_legal(question)]))
    assert set(late) == {("g1", 0)}
    assert threads
    assert threading.get_ident() not in threads


async def _asked_or_over(table: Table, over: list[Any]) -> tuple[Any, Any]:
    while True:
        for stream in table.streams:
            for response in table.hear(stream):
                over += [n.game_over for n in response.notices if n.HasField("game_over")]
                if over:
                    return None, None
                for question in response.questions:
                    return stream, question
        await trio.lowlevel.checkpoint()


def _broken(*_: object) -> Any:
    raise ZeroDivisionError
