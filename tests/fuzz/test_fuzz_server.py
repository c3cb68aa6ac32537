"""What anybody may send to an arena: whatever it is, it is refused in words and harms nobody."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from time import monotonic_ns
from typing import Any

import grpc
import trio
from google.protobuf import message_factory
from structlog.testing import capture_logs

from arena.referee import TimeControl
from arena.rpc.play.admission import read_hello
from arena.rpc.play.service import PlayService
from arena.rpc.play.settings import PlaySettings
from arena.rpc.refusal import RefusedError
from arena.rpc.stream import Stream
from euchre.v1 import arena_pb2, bots_pb2, matches_pb2, play_pb2, tournaments_pb2
from euchre_sdk.game import PRESETS, SEATS, IllegalActionError, Session
from euchre_sdk.wire import MalformedMessageError, read_answer
from tests.arena.rpc.test_play_without_network import BRIDGE, _nothing
from tests.fuzz.damage import MORE, broken_bytes, fuzzed, random_message
from tests.integration.raw_bot import Arena, Memory, Source, authenticate, first_legal
from tests.integration.served import ORGANISER, served
from tests.sdk.scripted import views

HELLO = play_pb2.Hello(
    protocol_revision=1, version_label="v1", games_at_once=1, sdk_name="x", sdk_version="1"
)
ASKED = tuple(view for name in ("standard", "pub") for view in views(PRESETS[name]))
SERVICES = (arena_pb2, bots_pb2, matches_pb2, tournaments_pb2)


@fuzzed(150)
def test_a_hello_is_read_or_refused(random: Random) -> None:
    message = random_message(random, play_pb2.PlayRequest())
    whole = play_pb2.PlayRequest(hello=HELLO).SerializeToString()
    data = random.choice((message.SerializeToString(), whole))
    with suppress(RefusedError):
        read_hello(broken_bytes(random, data))


@fuzzed(200)
def test_an_answer_is_an_action_or_refused(random: Random) -> None:
    answer = random_message(random, play_pb2.Answer())
    with suppress(MalformedMessageError, IllegalActionError):
        read_answer(answer, random.choice(ASKED).kind, random.choice(SEATS))


class Seat:
    """One bot's stream to a service that is not connected to anything."""

    def __init__(self, play: PlayService, name: str) -> None:
        self.play = play
        self.name = name
        self.secret = b""
        self.over = False
        self.asked: list[play_pb2.Question] = []
        self.dial()

    def dial(self) -> None:
        """Open a stream and say hello, with the secret if there is one."""
        token = {"authorization": f"Bearer {self.name}"}
        self.stream = Stream(f"unix:{self.name}", token, 1 << 16, BRIDGE, _nothing)
        self.play.opened(self.stream)
        hello = play_pb2.Hello()
        hello.CopyFrom(HELLO)
        if self.secret:
            hello.resume_secret = self.secret
        self.say(play_pb2.PlayRequest(hello=hello).SerializeToString())

    def say(self, data: bytes) -> None:
        """Let a message arrive."""
        self.stream.inbox.append((data, monotonic_ns()))
        self.play.woken(self.stream)
        self.play.settled()

    def hear(self) -> None:
        """Read what was sent, take offers, keep questions."""
        while self.stream.outbox:
            data, departure = self.stream.outbox.popleft()
            self.stream.written_messages += 1
            self.stream.written_bytes += len(data)
            if departure is not None:
                departure.at = monotonic_ns()
            response = play_pb2.PlayResponse.FromString(data)
            self.secret = response.welcome.resume_secret or self.secret
            saved = [game for game in response.snapshot.games if not game.ready]
            for slot in (*(o.slot for o in response.offers), *(g.offer.slot for g in saved)):
                ready = play_pb2.Ready(slot=slot, nonce=b"n" * 32)
                self.say(play_pb2.PlayRequest(readies=[ready]).SerializeToString())
            self.asked += [g.question for g in response.snapshot.games if g.HasField("question")]
            self.asked += response.questions
            self.over |= any(notice.HasField("game_over") for notice in response.notices)


@fuzzed(12)
def test_what_one_bot_sends_neither_stops_the_game_nor_the_arena(random: Random) -> None:
    with capture_logs() as lines:
        trio.run(_game_with_a_babbler, random)
    failed = [line for line in lines if line["event"].endswith("_failed")]
    assert not failed


async def _game_with_a_babbler(random: Random) -> None:
    settings = PlaySettings()
    play = PlayService(authenticate=authenticate, deal_source=Source, settings=settings)
    control = TimeControl(bank=timedelta(0), increment=timedelta(milliseconds=20))
    order = Arena.order(None, format=Session(2), control=control)  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        await nursery.start(play.run)
        seats = [Seat(play, name) for name in "abc"]
        babbler = random.choice(seats)
        with trio.fail_after(5):
            while play.presence("a") * play.presence("b") * play.presence("c") == 0:
                await trio.lowlevel.checkpoint()
        nursery.start_soon(play.play, order, Memory())
        with trio.fail_after(20):
            while not all(seat.over for seat in seats if seat is not babbler):
                for seat in seats:
                    seat.hear()
                    for question in seat.asked:
                        answer = play_pb2.PlayRequest(answers=[first_legal(question)])
                        data = answer.SerializeToString()
                        if seat is babbler:
                            _babble(random, seat, data)
                        seat.say(data)
                    seat.asked.clear()
                await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()


def _babble(random: Random, seat: Seat, valid: bytes) -> None:
    for _ in range(random.choice((0, 1, 3))):
        if seat.stream.closing:
            seat.stream.ended = True
            seat.play.woken(seat.stream)
            seat.dial()
        message = random_message(random, play_pb2.PlayRequest())
        seat.say(random.choice((broken_bytes(random, valid), message.SerializeToString())))


async def test_calls_of_any_content_are_answered_or_refused(tmp_path: Path) -> None:
    random = Random(1 if MORE == 1 else None)
    methods = [
        method
        for module in SERVICES
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    ]
    answered: set[str] = set()
    async with served(tmp_path, lynx=1) as arena:
        with grpc.insecure_channel(arena.address) as channel:
            for method in methods * 8 * MORE:
                name = f"/{method.containing_service.full_name}/{method.name}"
                kind = message_factory.GetMessageClass(method.input_type)
                data = random_message(random, kind()).SerializeToString()
                data = random.choice((data, data, broken_bytes(random, data)))
                code = await trio.to_thread.run_sync(_call, channel, method, name, data)
                assert code not in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN), (
                    name,
                    data,
                )
                answered.add(code.name)
    assert {"OK", "INVALID_ARGUMENT", "NOT_FOUND", "UNIMPLEMENTED"} <= answered


async def test_bytes_that_are_no_request_are_refused_as_such(tmp_path: Path) -> None:
    method = bots_pb2.DESCRIPTOR.services_by_name["BotService"].methods_by_name["GetBot"]
    async with served(tmp_path) as arena:
        with grpc.insecure_channel(arena.address) as channel:
            name = "/euchre.v1.BotService/GetBot"
            code = await trio.to_thread.run_sync(_call, channel, method, name, b"\xff\xff")
    assert code is grpc.StatusCode.INVALID_ARGUMENT  # found by fuzzing: it was UNKNOWN


def _call(channel: grpc.Channel, method: Any, name: str, data: bytes) -> grpc.StatusCode:
    way = f"{'stream' if method.client_streaming else 'unary'}_"
    way += "stream" if method.server_streaming else "unary"
    metadata = (("authorization", f"Bearer {ORGANISER}"),)
    request = iter([data]) if method.client_streaming else data
    try:
        call = getattr(channel, way)(name)(request, metadata=metadata, timeout=5)
        if method.server_streaming:
            next(call)
            call.cancel()
    except StopIteration:
        return grpc.StatusCode.OK
    except grpc.RpcError as error:
        code: grpc.StatusCode = error.code()  # type: ignore[attr-defined] # of a call
        return code
    return grpc.StatusCode.OK
