"""A scripted referee: an arena that follows a script, to test a bot or a client over real gRPC.

    with ScriptedReferee(token="t") as referee:
        referee.expect_hello()
        referee.send(offer(slot=1, seat=0, rules=STANDARD))
        referee.expect_ready(slot=1)
        referee.send(question(1, 1, view))
        referee.expect_answer(1, 1, Action.PASS)
        referee.send(goodbye(GOODBYE_REASON_DONE))
        run(MyBot, arena=referee.address, token="t")
        referee.assert_done()

The whole script is written first. Each stream that a client opens goes on where the last one ended.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage

from euchre.v1 import errors_pb2, play_pb2, play_pb2_grpc
from euchre_sdk.game import Action, Format, Kind, RuleSet, Seat, ToTarget, View
from euchre_sdk.wire_answer import read_answer
from euchre_sdk.wire_question import write_question
from euchre_sdk.wire_values import write_format, write_rules

PATIENCE = 10.0
"""Seconds that a script waits for a client, and a test for the script."""

Part = play_pb2.Hello | play_pb2.Ready | play_pb2.Answer | play_pb2.Leave


@dataclass(frozen=True, slots=True)
class _Expect:
    what: str
    fits: Callable[[Part], bool]


@dataclass(frozen=True, slots=True)
class _Send:
    response: play_pb2.PlayResponse


@dataclass(frozen=True, slots=True)
class _Refuse:
    code: grpc.StatusCode
    sentence: str
    reason: str
    variables: dict[str, str]


@dataclass(frozen=True, slots=True)
class _EndStream:
    pass


_Step = _Expect | _Send | _Refuse | _EndStream


class ScriptedReferee(play_pb2_grpc.PlayServiceServicer):
    """A server that plays one script and remembers where it went wrong."""

    def __init__(
        self,
        *,
        token: str = "token",  # noqa: S107 - for tests
        credentials: grpc.ServerCredentials | None = None,
    ) -> None:
        self.token = token
        self.received: list[Part] = []
        """Everything the client sent, part by part."""
        self.streams = 0
        """Streams opened so far."""
        self.peers: set[str] = set()
        """Connections they came by."""
        self._script: deque[_Step] = deque()
        self._failure: str | None = None
        self._moved = threading.Condition()
        self._server = grpc.server(
            ThreadPoolExecutor(max_workers=4), options=(("grpc.so_reuseport", 0),)
        )
        play_pb2_grpc.add_PlayServiceServicer_to_server(self, self._server)
        if credentials is None:
            self.port = self._server.add_insecure_port("127.0.0.1:0")
        else:
            self.port = self._server.add_secure_port("127.0.0.1:0", credentials)

    @property
    def address(self) -> str:
        """Where to dial."""
        return f"127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.stop(grace=None).wait(PATIENCE)

    # The script -----------------------------------------------------------------------------

    def expect(self, what: str, fits: Callable[[Part], bool]) -> None:
        """Wait for the next part a client sends and check it; `what` names it in a failure."""
        self._script.append(_Expect(what, fits))

    def expect_hello(
        self,
        *,
        resume_secret: bytes | None = None,
        link_id: str = "link",
        secret: bytes = bytes(32),
        snapshot: play_pb2.Snapshot | None = None,
        remarks: Sequence[str] = (),
    ) -> None:
        """Wait for a Hello, with this secret or none, and welcome it."""

        def fits(part: Part) -> bool:
            if not isinstance(part, play_pb2.Hello):
                return False
            has = part.resume_secret if part.HasField("resume_secret") else None
            return has == resume_secret

        self.expect("a hello", fits)
        welcome = play_pb2.Welcome(
            bot_id="bot",
            bot_name="scripted",
            link_id=link_id,
            resume_secret=secret,
            protocol_revision=1,
            server_version="scripted",
            limits=play_pb2.Limits(games_at_once=64, request_bytes=64 * 1024),
            remarks=remarks,
        )
        self.send(play_pb2.PlayResponse(welcome=welcome, snapshot=snapshot))

    def expect_ready(self, *, slot: int) -> None:
        """Wait for the Ready of an offer, with a nonce of the right size."""

        def fits(part: Part) -> bool:
            return isinstance(part, play_pb2.Ready) and part.slot == slot and len(part.nonce) == 32

        self.expect(f"a ready for slot {slot}", fits)

    def expect_answer(self, slot: int, seq: int, asked: Kind, action: Action) -> None:
        """Wait for this answer to question `seq`, which asked for `asked`."""

        def fits(part: Part) -> bool:
            return (
                isinstance(part, play_pb2.Answer)
                and (part.slot, part.seq) == (slot, seq)
                and read_answer(part, asked, Seat(0)) == action
            )

        self.expect(f"the answer {action} to question {seq} of slot {slot}", fits)

    def send(self, response: play_pb2.PlayResponse) -> None:
        """Send a response as it stands."""
        self._script.append(_Send(response))

    def refuse(
        self, code: grpc.StatusCode, sentence: str, *, reason: str = "", **variables: str
    ) -> None:
        """End the stream with an error that carries an `ErrorInfo` if `reason` is given."""
        self._script.append(_Refuse(code, sentence, reason, variables))

    def end_stream(self) -> None:
        """End the stream without a word; the next step is for the next stream."""
        self._script.append(_EndStream())

    def assert_done(self) -> None:
        """Fail unless the whole script was played as written."""
        with self._moved:
            self._moved.wait_for(lambda: not self._script or self._failure, PATIENCE)
        if self._failure is not None:
            raise AssertionError(self._failure)
        if self._script:
            left = f"{len(self._script)} steps are left, the next is {self._script[0]}"
            raise AssertionError(f"the client ended before the script: {left}")

    # Playing it -----------------------------------------------------------------------------

    def Play(  # noqa: N802 - the service's name
        self, request_iterator: Any, context: Any
    ) -> Iterator[play_pb2.PlayResponse]:
        """Play the script on one stream."""
        self.streams += 1
        self.peers.add(context.peer())
        metadata = dict(context.invocation_metadata())
        if metadata.get("authorization") != f"Bearer {self.token}":
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "no bot has this token")
        parts = _parts(request_iterator)
        while self._script and self._failure is None:
            step = self._script[0]
            match step:
                case _Send(response):
                    self._step_done()
                    yield response
                    if response.HasField("goodbye"):
                        return
                case _Expect(what, fits):
                    part = next(parts, None)
                    if part is None:
                        return  # the client closed the stream; its next one may go on
                    self.received.append(part)
                    if not fits(part):
                        self._fail(f"expected {what}, got {type(part).__name__}: {part}")
                        return
                    self._step_done()
                case _Refuse(code, sentence, reason, variables):
                    self._step_done()
                    if reason:
                        details = _details(code, sentence, reason, variables)
                        context.set_trailing_metadata((("grpc-status-details-bin", details),))
                    context.abort(code, sentence)
                case _EndStream():
                    self._step_done()
                    return

    def _step_done(self) -> None:
        with self._moved:
            self._script.popleft()
            self._moved.notify_all()

    def _fail(self, sentence: str) -> None:
        with self._moved:
            self._failure = sentence
            self._moved.notify_all()


def _parts(requests: Iterator[play_pb2.PlayRequest]) -> Iterator[Part]:
    for request in requests:
        if request.HasField("hello"):
            yield request.hello
        yield from request.readies
        yield from request.answers
        if request.HasField("leave"):
            yield request.leave


def _details(code: grpc.StatusCode, sentence: str, reason: str, variables: dict[str, str]) -> bytes:
    info = errors_pb2.ErrorInfo(
        reason=reason,
        domain="euchre-arena",
        metadata=[errors_pb2.ErrorMetadata(key=k, value=v) for k, v in variables.items()],
    )
    detail = AnyMessage(
        type_url="type.googleapis.com/google.rpc.ErrorInfo", value=info.SerializeToString()
    )
    number: int = code.value[0]
    return errors_pb2.Status(code=number, message=sentence, details=[detail]).SerializeToString()


def offer(
    *, slot: int, seat: int, rules: RuleSet, format: Format = ToTarget()
) -> play_pb2.PlayResponse:
    """Return the offer of a game."""
    made = play_pb2.GameOffer(
        game_id=f"game-{slot}",
        slot=slot,
        rules=write_rules(rules),
        format=write_format(format),
        seat=seat,
        deal_set_id=f"deals-{slot}",
        commitment=bytes(32),
    )
    return play_pb2.PlayResponse(offers=[made])


def game_start(slot: int) -> play_pb2.PlayResponse:
    """Return the start of a game."""
    started = play_pb2.GameStart(
        nonces=[bytes(32)] * 3, nonces_derived=[True] * 3, names=["a", "b", "c"]
    )
    return play_pb2.PlayResponse(notices=[play_pb2.Notice(slot=slot, game_start=started)])


def question(slot: int, seq: int, view: View) -> play_pb2.PlayResponse:
    """Return what asks a view's seat for its decision."""
    return play_pb2.PlayResponse(questions=[write_question(slot, seq, view)])


def goodbye(
    reason: play_pb2.GoodbyeReason.ValueType, message: str = "", *, retry: timedelta | None = None
) -> play_pb2.PlayResponse:
    """Return the last words of an arena; sent, they end the stream."""
    last = play_pb2.Goodbye(reason=reason, message=message)
    if retry is not None:
        last.retry_duration.FromTimedelta(retry)
    return play_pb2.PlayResponse(goodbye=last)
