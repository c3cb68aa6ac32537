"""Metrics for Prometheus, on a port of their own, served by a thread of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from enum import Enum

import trio
from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from arena.errors import ArenaError
from arena.health import Part
from arena.metrics import Histogram, Metrics
from arena.referee import FaultKind, ForcedCause
from arena.referee.outputs import Drop
from arena.snapshot import Snapshot
from arena.store.errors import StoreReason


class MetricsError(ArenaError):
    """The metrics cannot be served where they should be."""


class ArenaCollector(Collector):
    """Gives Prometheus what is counted, when it asks."""

    def __init__(self, metrics: Metrics, snapshot: Callable[[], Snapshot]) -> None:
        self._metrics = metrics
        self._snapshot = snapshot

    def collect(self) -> Iterator[Metric]:
        """Yield all families."""
        yield from _now(self._snapshot())
        yield from _counted(self._metrics)


def _now(now: Snapshot) -> Iterator[Metric]:
    yield _labelled(
        GaugeMetricFamily("arena_info", "The arena's version.", labels=["version"]),
        {now.version: 1},
    )
    for name, what, value in (
        ("incarnation", "Which start of the arena this is.", now.incarnation),
        ("up_seconds", "Since the arena was started.", now.up.total_seconds()),
        ("streams", "Open play streams.", now.streams),
        ("links", "Connections of bots, lost ones included that may come back.", now.links),
        ("games_running", "Games that are offered or played.", now.games_running),
        ("games_limit", "Games that may run now; the host guard lowers it.", now.games_limit),
        ("games_allowed", "Games that may run while the machine keeps up.", now.games_allowed),
        ("tournaments_running", "Tournaments that are running.", now.tournaments_running),
        ("blocks_left", "Blocks of running tournaments still to be completed.", now.blocks_left),
        ("store_queue", "Changes that wait to be stored.", now.store_queue),
        ("main_thread_lag_seconds", "What a message of the edge waited for at last.", now.lag),
    ):
        yield GaugeMetricFamily(f"arena_{name}", what, value)
    yield _labelled(
        GaugeMetricFamily("arena_healthy", "1 while the part works.", labels=["part"]),
        {part.value: int(part not in now.troubles) for part in Part},
    )
    yield _histogram(
        "arena_store_commit_seconds", "Until a group of changes was durable.", now.store_commits
    )
    yield _labelled(
        CounterMetricFamily(
            "arena_store_failures", "Groups of changes that failed.", labels=["reason"]
        ),
        {reason.value: now.store_failures.get(reason.value, 0) for reason in StoreReason},
    )


def _counted(metrics: Metrics) -> Iterator[Metric]:
    for name, what, count in (
        ("decisions", "Decisions of stored hands.", metrics.decisions),
        ("games_started", "Games begun or taken up again.", metrics.games_started),
        ("streams_opened", "Play streams that came.", metrics.streams_opened),
        ("table_failures", "Failures of the arena at a table.", metrics.table_failures),
    ):
        yield CounterMetricFamily(f"arena_{name}", what, count)
    yield _by_name("hands", "Stored hands.", "result", metrics.hands, ("scored", "void"))
    ends = ("finished", "forfeited", "not_started", "void")
    yield _by_name("games_over", "Games that are over.", "how", metrics.games_over, ends)
    yield _by_member("faults", "Faults of bots.", "kind", metrics.faults, FaultKind)
    yield _by_member("forced_moves", "Moves made for a bot.", "cause", metrics.forced, ForcedCause)
    yield _by_member(
        "dropped_answers", "Answers that were not looked at.", "reason", metrics.dropped, Drop
    )
    yield _by_name("streams_closed", "Play streams that ended.", "reason", metrics.goodbyes)
    calls = CounterMetricFamily("arena_calls", "Answered calls.", labels=["method", "code"])
    for (method, code), count in sorted(metrics.calls.copy().items()):
        calls.add_metric([method, code], count)
    yield calls
    yield _histogram("arena_call_seconds", "How long plain calls took.", metrics.call_seconds)
    yield _histogram(
        "arena_own_delay_seconds",
        "From an answer's arrival to the departure of the question that follows in its hand.",
        metrics.own_delay,
    )
    yield _histogram(
        "arena_response_seconds",
        "From a question's departure to the arrival of its answer.",
        metrics.response,
    )


def _by_member(
    name: str, what: str, label: str, counts: Mapping[Enum, int], members: Iterable[Enum]
) -> Metric:
    family = CounterMetricFamily(f"arena_{name}", what, labels=[label])
    return _labelled(family, {member.value: counts.get(member, 0) for member in members})


def _by_name(
    name: str, what: str, label: str, counts: Mapping[str, int], names: Iterable[str] = ()
) -> Metric:
    family = CounterMetricFamily(f"arena_{name}", what, labels=[label])
    return _labelled(family, dict.fromkeys(names, 0) | dict(counts))


def _labelled(
    family: CounterMetricFamily | GaugeMetricFamily, values: Mapping[str, float]
) -> Metric:
    for label, value in values.items():
        family.add_metric([label], value)
    return family


def _histogram(name: str, what: str, histogram: Histogram) -> Metric:
    buckets, seen = [], 0
    bounds = (*map(str, histogram.bounds), "+Inf")
    for bound, count in zip(bounds, tuple(histogram.counts), strict=True):
        seen += count
        buckets.append((bound, float(seen)))
    return HistogramMetricFamily(name, what, buckets=buckets, sum_value=histogram.total)


@asynccontextmanager
async def serve_metrics(address: str, collector: Collector) -> AsyncIterator[str]:
    """Serve metrics on HOST:PORT while the block runs, and give the address with its real port.

    Raises `MetricsError` if it cannot be listened on.
    """
    registry = CollectorRegistry()
    registry.register(collector)
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    host, _, port = address.rpartition(":")
    try:
        server, thread = start_http_server(int(port), host.strip("[]"), registry)
    except OSError as error:
        raise MetricsError(
            f"metrics cannot be served on {address} ({error.strerror or error}). Another place: "
            "--metrics-address HOST:PORT; port 0 takes any that is free."
        ) from error

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    try:
        yield f"{host}:{server.server_port}"
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(stop)
