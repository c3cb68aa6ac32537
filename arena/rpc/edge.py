"""gRPC for trio: `grpc.aio` in one thread of its own. The only file that knows asyncio.

The play method's streams come to trio as `Stream`s (bytes, stamped here on arrival and departure);
all other methods run as trio functions (`calls`). docs/architecture.md names the traps that the
options and the order of the shutdown avoid.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic_ns
from typing import Any

import grpc
import trio
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from arena.metrics import Metrics
from arena.rpc.any_path import aio_server
from arena.rpc.binding import EdgeError, Listen, bind
from arena.rpc.bridge import Bridge, Failed
from arena.rpc.calls import Call, Job, Translate, plain_metadata
from arena.rpc.describing import Describing
from arena.rpc.methods import Service, Unknown, handlers, register
from arena.rpc.refusal import abort, stopping
from arena.rpc.serving import PLAY_SERVICE, Serving
from arena.rpc.stream import MOST_UNREAD, Stream, Woken
from arena.rpc.whole_requests import WholeRequests

Told = Callable[[], None]
_LAST_WRITE = 1.0
"""Seconds in which a closing stream may still be read."""

OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_time_ms", 2_000),
    ("grpc.http2.ping_timeout_ms", 3_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 1_000),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.max_receive_message_length", 1024 * 1024),
    ("grpc.max_concurrent_streams", 256),
    # connections on which nobody speaks HTTP/2, and those on which nobody calls anything
    ("grpc.server_handshake_timeout_ms", 5_000),
    ("grpc.max_connection_idle_ms", 60_000),
)


class Edge:
    """The running server. Its methods are for the trio thread."""

    def __init__(
        self,
        *,
        opened: Woken,
        woken: Woken,
        settled: Told,
        failed: Failed,
        message_bytes: int,
        grace: float,
        metrics: Metrics,
    ) -> None:
        self.ports: tuple[int, ...] = ()
        """The port of each address, in the order given; 1 for a socket path."""
        self._bridge = Bridge(failed, settled)
        self._failed = failed
        self._opened = opened
        self._woken = woken
        self._message_bytes = message_bytes
        self._grace = grace
        self._metrics = metrics
        self._translate: Translate = lambda _: None
        self._jobs_end = False
        """Whether calls that come now are not begun any more."""
        self.serving = Serving(self._bridge)
        """What the health service says, and whether this thread hangs."""
        self._streams: set[Stream] = set()
        self._nursery: trio.Nursery
        self._stop: asyncio.Event
        self._loop: asyncio.AbstractEventLoop

    # -- in the edge thread: the play method

    async def _play(self, _requests: object, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        metadata = plain_metadata(context.invocation_metadata())
        stream = Stream(context.peer(), metadata, self._message_bytes, self._bridge, self._kick)
        self._streams.add(stream)
        self._bridge.to_trio(self._opened, stream)
        reader = asyncio.create_task(self._read(stream, context))
        stream.writer = writer = asyncio.create_task(self._write(stream, context))
        try:
            await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
            if stream.closing and not writer.done():
                await asyncio.wait((writer,), timeout=_LAST_WRITE)
        finally:
            for task in (reader, writer):
                task.cancel()
                task.add_done_callback(_heard)
            self._streams.discard(stream)
            self._bridge.to_trio(self._ended, stream)
        if stream.refusal is not None:
            await abort(context, stream.refusal)

    async def _read(self, stream: Stream, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        inbox = stream.inbox
        while (data := await context.read()) is not grpc.aio.EOF:
            arrived = monotonic_ns()
            if len(data) > stream.message_bytes:
                stream.oversize = True
                self._notify(stream)
                await asyncio.Event().wait()  # read no more; whoever owns the stream ends it
            inbox.append((data, arrived))
            self._notify(stream)
            if len(inbox) >= MOST_UNREAD:
                stream.reading = self._loop.create_future()
                if len(inbox) >= MOST_UNREAD:  # trio may have taken them all meanwhile
                    await stream.reading
                stream.reading = None

    async def _write(self, stream: Stream, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        outbox = stream.outbox
        while True:
            if not outbox:
                if stream.closing:
                    return
                stream.wake = self._loop.create_future()
                await stream.wake
                stream.wake = None
                continue
            data, departure = outbox.popleft()
            if departure is not None and departure.at is None:
                departure.at = monotonic_ns()
            stream.writing = True
            await context.write(data)
            stream.writing = False
            stream.written_messages += 1
            stream.written_bytes += len(data)

    def _notify(self, stream: Stream) -> None:
        if not stream.notified:
            stream.notified = True
            self._bridge.to_trio(self._wake_owner, stream)

    def _kick(self, stream: Stream) -> None:
        if stream.writing:
            # What waits behind a message the peer does not read has left the arena already.
            now = monotonic_ns()
            for _, departure in tuple(stream.outbox):
                if departure is not None and departure.at is None:
                    departure.at = now
        if stream.wake is not None and not stream.wake.done():
            stream.wake.set_result(None)
        if (
            stream.reading is not None
            and not stream.reading.done()
            and len(stream.inbox) < MOST_UNREAD
        ):
            stream.reading.set_result(None)
        if stream.closing and not stream.last_write:
            stream.last_write = True
            self._loop.call_later(_LAST_WRITE, self._cut, stream)

    @staticmethod
    def _cut(stream: Stream) -> None:
        if stream.writer is not None:  # it may be waiting for a peer that does not read
            stream.writer.cancel()

    # -- in the trio thread, called by the edge

    def _wake_owner(self, stream: Stream) -> None:
        stream.notified = False
        self._woken(stream)

    def _ended(self, stream: Stream) -> None:
        stream.ended = True
        self._woken(stream)

    def _start_job(self, started: tuple[Job, bool]) -> None:
        job, streams = started

        async def run() -> None:
            await job.run(streams=streams, failed=self._failed, translate=self._translate)

        if self._jobs_end:
            job.turn_away()
        else:
            self._nursery.start_soon(run)

    # -- in the edge thread: other methods

    def _begin(self, method: Any, name: str, request: Any, context: Any, *, streams: bool) -> Job:
        call = Call(
            method=name,
            peer=context.peer(),
            metadata=plain_metadata(context.invocation_metadata()),
        )
        job = Job(method, request, call, self._bridge, _kick_job, self._metrics)
        job.wake = self._loop.create_future()
        self._bridge.to_trio(self._start_job, (job, streams))
        return job

    def _unary(self, method: Any, name: str) -> Any:
        async def answer(request: Any, context: Any) -> Any:
            job = self._begin(method, name, request, context, streams=False)
            try:
                await job.wake
            finally:
                if not job.done:
                    self._bridge.to_trio(Job.cancel, job)
            if job.failure is not None:
                await abort(context, job.failure)
            return job.response

        return answer

    def _server_stream(self, method: Any, name: str) -> Any:
        async def answer(request: Any, context: Any) -> None:
            job = self._begin(method, name, request, context, streams=True)
            try:
                while not job.done or job.ready:
                    if not job.ready:
                        await job.wake
                        job.wake = self._loop.create_future()
                    while job.ready:
                        await context.write(job.ready.popleft())
                    self._bridge.to_trio(Job.free, job)
            finally:
                if not job.done:
                    self._bridge.to_trio(Job.cancel, job)
            if job.failure is not None:
                await abort(context, job.failure)

        return answer

    # -- in the edge thread: the server's life

    async def _serve(
        self, listens: Sequence[Listen], services: Sequence[Service], started: trio.Event
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = aio_server(
            options=OPTIONS, interceptors=(WholeRequests(asyncio.timeout),), unknown=Unknown()
        )
        play: grpc.RpcMethodHandler[bytes, bytes]  # nobody decodes them here
        play = grpc.stream_stream_rpc_method_handler(self._play)
        names = [PLAY_SERVICE, *(service.name for service in services)]
        register(server, PLAY_SERVICE, {"Play": play})
        for service in services:
            made = handlers(service, unary=self._unary, streaming=self._server_stream)
            register(server, service.name, made)
        health_pb2_grpc.add_HealthServicer_to_server(self.serving.servicer, server)
        described = (*names, health.SERVICE_NAME, reflection.SERVICE_NAME)
        add_reflection: Any = reflection_pb2_grpc.add_ServerReflectionServicer_to_server
        add_reflection(Describing(described), server)
        server.add_generic_rpc_handlers((Unknown(),))  # last: for what nobody else takes
        self.ports = tuple(bind(server, listen) for listen in listens)
        await server.start()
        self._bridge.open(self._loop.call_soon_threadsafe)
        await self.serving.begin(self._loop, names)
        self._bridge.to_trio(lambda _: started.set(), None)
        await self._stop.wait()
        with suppress(TimeoutError):  # a peer that does not read its health can hold it up
            await asyncio.wait_for(self.serving.end(), _LAST_WRITE)
        for stream in tuple(self._streams):
            if not stream.closing:  # nobody said goodbye to it
                stream.refusal = stopping()
                stream.closing = True
            self._kick(stream)
        await server.stop(self._grace)
        self._bridge.close()

    def _run(
        self, listens: Sequence[Listen], services: Sequence[Service], started: trio.Event
    ) -> None:
        with asyncio.Runner() as runner:
            runner.run(self._serve(listens, services, started))

    async def _run_in_thread(
        self, listens: Sequence[Listen], services: Sequence[Service], started: trio.Event
    ) -> None:
        with trio.CancelScope(shield=True):  # ended by `_stop`
            await trio.to_thread.run_sync(self._run, listens, services, started)


@asynccontextmanager
async def serve(
    listens: Iterable[Listen],
    *,
    opened: Woken,
    woken: Woken,
    failed: Failed,
    settled: Told = lambda: None,
    closing: Told = lambda: None,
    services: Iterable[Service] = (),
    translate: Translate = lambda _: None,
    message_bytes: int = 64 * 1024,
    grace: float = 1.0,
    metrics: Metrics | None = None,
) -> AsyncIterator[Edge]:
    """Serve gRPC while the block runs.

    `opened(stream)` is called for each new play stream, `woken(stream)` when it has messages or has
    ended, `settled()` after each batch of such calls, `closing()` when the block is left, to say
    goodbye to the streams; none of them may wait. `failed(error)` is told what nobody else handles.
    `translate` makes a refusal of an exception of a method, or gives None. Leaving the block gives
    calls `grace` seconds to end.

    Raises `EdgeError` when an address cannot be listened on.
    """
    edge = Edge(
        opened=opened,
        woken=woken,
        settled=settled,
        failed=failed,
        message_bytes=message_bytes,
        grace=grace,
        metrics=metrics or Metrics(),
    )
    edge._translate = translate  # noqa: SLF001 - its own module
    listens, services = tuple(listens), tuple(services)
    started = trio.Event()
    problem: EdgeError | None = None
    async with trio.open_nursery() as threads:

        async def run() -> None:
            nonlocal problem
            try:
                await edge._run_in_thread(listens, services, started)  # noqa: SLF001
            except EdgeError as error:
                problem = error
                started.set()

        threads.start_soon(run)
        with trio.CancelScope(shield=True):
            await started.wait()
        if problem is None:
            try:
                async with trio.open_nursery() as jobs:
                    edge._nursery = jobs  # noqa: SLF001
                    try:
                        yield edge
                    finally:
                        edge._jobs_end = True  # noqa: SLF001
                    jobs.cancel_scope.cancel()
            finally:
                closing()
                edge._bridge.to_edge(lambda _: edge._stop.set(), None)  # noqa: SLF001
    if problem is not None:
        raise problem


def _heard(task: asyncio.Task[None]) -> None:
    """Take note of how a stream's reader or writer ended: why matters to nobody, it is over."""
    if not task.cancelled():
        task.exception()


def _kick_job(job: Job) -> None:
    if not job.wake.done() and (job.done or job.ready):
        job.wake.set_result(None)
