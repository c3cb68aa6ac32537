"""`ArenaService`: how the arena itself is doing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from math import isinf

from arena.metrics import Histogram, Metrics
from arena.referee import FaultKind, ForcedCause
from arena.rpc.calls import Call
from arena.snapshot import Snapshot
from euchre.v1 import arena_pb2 as pb
from euchre_sdk.wire import write_duration


class ArenaServicer:
    """The methods of `ArenaService`."""

    def __init__(self, snapshot: Callable[[], Snapshot], metrics: Metrics) -> None:
        self._snapshot = snapshot
        self._metrics = metrics

    async def GetArenaStatus(  # noqa: N802 - named by the contract
        self, _request: pb.GetArenaStatusRequest, _call: Call
    ) -> pb.GetArenaStatusResponse:
        """Tell how things stand now."""
        return pb.GetArenaStatusResponse(status=write_status(self._snapshot(), self._metrics))


def write_status(now: Snapshot, metrics: Metrics) -> pb.ArenaStatus:
    """Return a snapshot and the counts as a message."""
    return pb.ArenaStatus(
        server_version=now.version,
        incarnation=now.incarnation,
        up_duration=write_duration(now.up),
        troubles=[pb.Trouble(part=part.value, message=what) for part, what in now.troubles.items()],
        streams=now.streams,
        links=now.links,
        games_running=now.games_running,
        games_limit=now.games_limit,
        games_allowed=now.games_allowed,
        tournaments_running=now.tournaments_running,
        blocks_left=now.blocks_left,
        decisions=metrics.decisions,
        hands=metrics.hands.total(),
        faults=[pb.Count(kind=kind.value, count=metrics.faults[kind]) for kind in FaultKind],
        house_late=metrics.forced[ForcedCause.HOUSE_LATE],
        own_delay=_delay(metrics.own_delay),
        response=_delay(metrics.response),
        store_queue=now.store_queue,
        store_commit=_delay(now.store_commits),
        store_failures=sum(now.store_failures.values()),
    )


def _delay(histogram: Histogram) -> pb.Delay:
    message = pb.Delay(count=histogram.count)
    if not histogram.count:
        return message
    median, p99 = histogram.quantile(0.5), histogram.quantile(0.99)
    if not isinf(median):
        message.median_duration.CopyFrom(write_duration(timedelta(seconds=median)))
    if not isinf(p99):
        message.p99_duration.CopyFrom(write_duration(timedelta(seconds=p99)))
    return message
