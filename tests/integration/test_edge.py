"""The edge over real gRPC: methods as trio tasks, play streams as bytes with stamps."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic
from typing import Any

import grpc
import pytest
import trio
import trio.testing
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.referee.clock import Departure
from arena.rpc import serving
from arena.rpc.binding import EdgeError, Listen
from arena.rpc.calls import Call
from arena.rpc.edge import Edge, serve
from arena.rpc.methods import Service
from arena.rpc.refusal import RefusedError
from arena.rpc.stream import Stream
from euchre.v1 import bots_pb2, bots_pb2_grpc, errors_pb2

SERVING = health_pb2.HealthCheckResponse.SERVING
FREE = Listen(address="127.0.0.1:0")


class Bots:
    """Some methods of a service, as trio functions."""

    def __init__(self) -> None:
        self.called = trio.Event()
        self.stored = trio.Event()
        self.in_force = trio.Event()
        self.cancelled = trio.Event()

    async def ListBots(self, request: Any, call: Call) -> Any:  # noqa: N802
        if call.token != "secret":
            raise RefusedError(
                grpc.StatusCode.UNAUTHENTICATED,
                "TOKEN_MISSING",
                "No token.",
                size=request.page_size,
            )
        await trio.lowlevel.checkpoint()
        return bots_pb2.ListBotsResponse(next_page_token="more")

    async def GetBot(self, _request: Any, _call: Call) -> Any:  # noqa: N802
        raise ZeroDivisionError

    async def RotateToken(self, _request: Any, _call: Call) -> Any:  # noqa: N802
        self.called.set()
        await self.stored.wait()
        self.in_force.set()
        return bots_pb2.RotateTokenResponse()

    async def WatchSubmission(self, _request: Any, _call: Call, send: Any) -> None:  # noqa: N802
        try:
            for _ in range(100):
                await send(bots_pb2.WatchSubmissionResponse())
            await trio.sleep_forever()
        finally:
            self.cancelled.set()


class Wire:
    """A served edge and a client's channel to it."""

    def __init__(self) -> None:
        self.edge: Edge
        self.channel: grpc.Channel
        self.bots = Bots()
        self.streams: list[Stream] = []
        self.failures: list[BaseException] = []
        self.on_wake: Callable[[Stream], None] = lambda _: None

    async def call(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        return await trio.to_thread.run_sync(
            partial(function, *args, timeout=5, **kwargs), abandon_on_cancel=True
        )


@asynccontextmanager
async def wire(**options: Any) -> AsyncIterator[Wire]:
    made = Wire()
    service = Service(
        "euchre.v1.BotService", made.bots, bots_pb2_grpc.add_BotServiceServicer_to_server
    )
    async with serve(
        (FREE,),
        opened=made.streams.append,
        woken=lambda stream: made.on_wake(stream),  # noqa: PLW0108 - set later
        failed=made.failures.append,
        services=(service,),
        **options,
    ) as made.edge:
        made.channel = grpc.insecure_channel(f"127.0.0.1:{made.edge.ports[0]}")
        yield made
    made.channel.close()


def error_info(error: Any) -> errors_pb2.ErrorInfo:
    details = dict(error.trailing_metadata())["grpc-status-details-bin"]
    (packed,) = errors_pb2.Status.FromString(details).details
    return errors_pb2.ErrorInfo.FromString(packed.value)


async def test_a_method_answers_and_refuses_with_reason_and_variables() -> None:
    async with wire() as w:
        stub: Any = bots_pb2_grpc.BotServiceStub(w.channel)
        reply = await w.call(
            stub.ListBots, bots_pb2.ListBotsRequest(), metadata=[("authorization", "Bearer secret")]
        )
        assert reply.next_page_token == "more"
        with pytest.raises(grpc.RpcError) as caught:
            await w.call(stub.ListBots, bots_pb2.ListBotsRequest(page_size=7))
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        info = error_info(caught.value)
        assert (info.reason, info.domain) == ("TOKEN_MISSING", "euchre-arena")
        assert [(m.key, m.value) for m in info.metadata] == [("size", "7")]


async def test_a_failing_method_says_nothing_of_the_cause_and_is_reported() -> None:
    async with wire() as w:
        stub: Any = bots_pb2_grpc.BotServiceStub(w.channel)
        with pytest.raises(grpc.RpcError) as caught:
            await w.call(stub.GetBot, bots_pb2.GetBotRequest())
        assert caught.value.code() is grpc.StatusCode.INTERNAL
        assert "division" not in str(caught.value).lower()
        assert [type(failure) for failure in w.failures] == [ZeroDivisionError]


async def test_a_method_nobody_wrote_is_unimplemented() -> None:
    async with wire() as w:
        stub: Any = bots_pb2_grpc.BotServiceStub(w.channel)
        with pytest.raises(grpc.RpcError) as caught:
            await w.call(stub.RegisterAuthor, bots_pb2.RegisterAuthorRequest())
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_change_is_carried_through_when_its_caller_goes_away() -> None:
    async with wire() as w:
        stub: Any = bots_pb2_grpc.BotServiceStub(w.channel)
        waiting = stub.RotateToken.future(bots_pb2.RotateTokenRequest(), timeout=20)
        with trio.fail_after(5):
            await w.bots.called.wait()
            waiting.cancel()
            # what comes after the cancellation on the same connection has seen it arrive
            await w.call(
                stub.ListBots,
                bots_pb2.ListBotsRequest(),
                metadata=[("authorization", "Bearer secret")],
            )
            await trio.testing.wait_all_tasks_blocked(0.05)
            w.bots.stored.set()
            await w.bots.in_force.wait()


async def test_a_stream_is_sent_as_it_is_read_and_ends_with_its_reader() -> None:
    async with wire() as w:
        stub: Any = bots_pb2_grpc.BotServiceStub(w.channel)
        responses = stub.WatchSubmission(bots_pb2.WatchSubmissionRequest())
        count = await trio.to_thread.run_sync(
            lambda: sum(1 for _, _ in zip(range(100), responses, strict=False))
        )
        assert count == 100
        responses.cancel()
        with trio.fail_after(5):
            await w.bots.cancelled.wait()


async def test_play_messages_are_stamped_on_arrival_and_departure() -> None:
    async with wire() as w:
        got: list[tuple[bytes, int]] = []
        departure = Departure()
        ended = trio.Event()

        def woken(stream: Stream) -> None:
            while (message := stream.take()) is not None:
                got.append(message)
                stream.send(b"answer", departure)
            if stream.ended:
                ended.set()

        w.on_wake = woken
        requests, close = _open_requests(b"question")
        calls = _play(w)(requests)
        assert await trio.to_thread.run_sync(next, calls) == b"answer"
        (data, arrived), *_ = got
        assert data == b"question"
        assert departure.at is not None
        assert 0 < departure.at - arrived < 5 * 10**9
        close()
        with trio.fail_after(5):
            await ended.wait()


async def test_a_closed_play_stream_gives_its_last_message_and_ends_well() -> None:
    async with wire() as w:
        w.on_wake = lambda stream: stream.close(b"goodbye")
        requests, close = _open_requests(b"hello")
        calls = _play(w)(requests)
        assert await trio.to_thread.run_sync(list, calls) == [b"goodbye"]
        assert calls.code() is grpc.StatusCode.OK
        close()


async def test_a_message_over_the_limit_is_not_read() -> None:
    async with wire(message_bytes=10) as w:
        seen: list[bool] = []

        def woken(stream: Stream) -> None:
            seen.append(stream.oversize)
            stream.close()

        w.on_wake = woken
        requests, close = _open_requests(b"elevenbytes")
        assert await trio.to_thread.run_sync(list, _play(w)(requests)) == []
        assert seen[0] is True
        close()


async def test_a_peer_that_does_not_read_is_cut_off_when_its_stream_is_closed() -> None:
    async with wire() as w:
        ended = trio.Event()

        def woken(stream: Stream) -> None:
            if stream.ended:
                ended.set()
            elif stream.take() is not None:
                for _ in range(50):
                    stream.send(b"x" * 1_000_000)
                stream.close(b"goodbye")

        w.on_wake = woken
        requests, close = _open_requests(b"hello")
        call = _play(w)(requests)
        with trio.fail_after(5):
            await ended.wait()
        call.cancel()
        close()


async def test_two_servers_cannot_share_a_port() -> None:
    async with wire() as w:
        listen = Listen(address=f"127.0.0.1:{w.edge.ports[0]}")
        with pytest.raises(EdgeError, match=r"Cannot listen on 127\.0\.0\.1:"):
            async with serve(
                (listen,), opened=lambda _: None, woken=lambda _: None, failed=w.failures.append
            ):
                raise AssertionError


async def test_leaving_ends_calls_with_a_reason_within_the_grace() -> None:
    async with wire() as w:
        stub: Any = bots_pb2_grpc.BotServiceStub(w.channel)
        waiting = stub.RotateToken.future(bots_pb2.RotateTokenRequest(), timeout=20)
        requests, close = _open_requests(b"hello")
        call = _play(w)(requests)
        with trio.fail_after(5):
            await w.bots.called.wait()
            while not w.streams:
                await trio.lowlevel.checkpoint()
        leave = trio.current_time()
    assert trio.current_time() - leave < 3
    assert waiting.code() is grpc.StatusCode.UNAVAILABLE
    assert call.code() is grpc.StatusCode.UNAVAILABLE
    close()


async def test_health_is_told_for_each_service() -> None:
    async with wire() as w:
        assert await _serves(w, "")
        w.edge.serving.tell({"": False})
        with trio.fail_after(5):
            while await _serves(w, ""):
                pass
        assert await _serves(w, "euchre.v1.BotService")


async def test_an_arena_whose_main_thread_hangs_is_unhealthy_until_it_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "BEAT", 0.01)
    async with wire() as w:
        assert await _serves(w, "euchre.v1.BotService")
        stub: Any = health_pb2_grpc.HealthStub(w.channel)
        request = health_pb2.HealthCheckRequest(service="euchre.v1.BotService")
        until = monotonic() + 5
        while stub.Check(request).status == SERVING:  # this blocks trio's thread
            assert monotonic() < until
        with trio.fail_after(5):
            while not await _serves(w, "euchre.v1.BotService"):
                pass


async def test_a_main_thread_sees_the_edge_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "BEAT", 0.01)
    async with wire() as w:
        with trio.fail_after(5):
            while w.edge.serving.beats < 3:
                await trio.lowlevel.checkpoint()
        go_on = threading.Event()
        w.edge._bridge.to_edge(lambda _: go_on.wait(5), None)
        await trio.sleep(0.05)  # what was on its way
        beats = w.edge.serving.beats
        await trio.sleep(0.1)
        assert w.edge.serving.beats == beats
        go_on.set()
        with trio.fail_after(5):
            while w.edge.serving.beats == beats:
                await trio.lowlevel.checkpoint()


async def _serves(w: Wire, service: str) -> bool:
    stub: Any = health_pb2_grpc.HealthStub(w.channel)
    answer = await w.call(stub.Check, health_pb2.HealthCheckRequest(service=service))
    return bool(answer.status == SERVING)


def _play(w: Wire) -> Any:
    return w.channel.stream_stream("/euchre.v1.PlayService/Play")


def _open_requests(first: bytes) -> tuple[Any, Callable[[], None]]:
    """Return requests that stay open after the first, and what closes them."""
    more: queue.Queue[None] = queue.Queue()

    def requests() -> Any:
        yield first
        more.get()

    return requests(), lambda: more.put(None)


@pytest.mark.parametrize("method", ["/euchre.v1.BotService/Nothing", "/no.Such/Thing", "/x"])
async def test_a_method_that_is_none_is_refused_with_a_reason(method: str) -> None:
    async with wire() as w:
        with pytest.raises(grpc.RpcError) as caught:
            await w.call(w.channel.unary_unary(method), b"")
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
        info = error_info(caught.value)
        assert (info.reason, info.domain) == ("UNIMPLEMENTED", "euchre-arena")
        assert [m.key for m in info.metadata] == ["method"]  # whose name newer gRPC keeps from us


async def test_few_watch_the_health_and_all_can_ask_for_it(monkeypatch: Any) -> None:
    monkeypatch.setattr("arena.rpc.serving.WATCHERS", 2)
    async with wire() as w:
        stub: Any = health_pb2_grpc.HealthStub(w.channel)
        request = health_pb2.HealthCheckRequest()
        watched = [stub.Watch(request) for _ in range(2)]
        for each in watched:
            assert (await trio.to_thread.run_sync(next, each)).status == 1
        with pytest.raises(grpc.RpcError) as caught:
            await trio.to_thread.run_sync(next, stub.Watch(request))
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert error_info(caught.value).reason == "TOO_MANY_WATCHED"
        assert (await w.call(stub.Check, request)).status == 1
        for each in watched:
            each.cancel()
        with trio.fail_after(5):
            while w.edge.serving.servicer.watching:
                await trio.lowlevel.checkpoint()


async def test_who_does_not_read_the_health_does_not_hold_up_the_end(monkeypatch: Any) -> None:
    async with wire() as w:
        began = trio.current_time()

        async def never_ends() -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(w.edge.serving, "end", never_ends)
    assert trio.current_time() - began < 3
