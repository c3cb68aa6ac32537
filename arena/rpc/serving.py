"""The standard health service, and a heartbeat between the two threads.

Every second the edge sends a beat through the bridge; trio counts them. So each thread sees when
the other one hangs: the edge then says of all services that they do not serve, whatever trio said
last, and trio sees `beats` stand still. Beats are counted, not timed, because a process that was
stopped as a whole and goes on has no thread that hangs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any

import grpc
from grpc_health.v1 import health, health_pb2

from arena.health import Health, Part
from arena.rpc.refusal import RefusedError

if TYPE_CHECKING:
    from arena.rpc.bridge import Bridge

PLAY_SERVICE = "euchre.v1.PlayService"
ALL = ""
"""The name under which the health service tells of the arena as a whole."""
BEAT = 1.0
"""Seconds between two beats."""
WATCHERS = 64
"""Streams on which the arena's health is watched, at most."""
HUNG = 5
"""Beats that may be missed; then the other thread is taken to hang."""

NEEDS: dict[str, frozenset[Part]] = {
    ALL: frozenset(Part),
    PLAY_SERVICE: frozenset(Part),
    "euchre.v1.ArenaService": frozenset(Part) - {Part.DATABASE},
    "euchre.v1.BotService": frozenset(Part),
    "euchre.v1.TournamentService": frozenset(Part),
    # Records, and the status above, can be read while nothing can be written.
    "euchre.v1.MatchService": frozenset(Part) - {Part.DATABASE},
}
"""What each service cannot do without."""


def serving(troubles: Health) -> dict[str, bool]:
    """Return which services work, by name."""
    return {name: troubles.allows(needed) for name, needed in NEEDS.items()}


def _too_many(most: int) -> tuple[grpc.StatusCode, str, Any]:
    refusal = RefusedError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "TOO_MANY_WATCHED",
        f"{most} watch the arena's health already. Ask by Check.",
        maximum=most,
    )
    return refusal.code, str(refusal), refusal.trailing_metadata()


class _Servicer(health.aio.HealthServicer):
    """gRPC's own, with the method that it describes and does not have, and fewer watchers."""

    watching = 0

    async def Watch(self, request: Any, context: Any) -> None:  # noqa: N802 - gRPC's name
        """Tell the state of a service as it changes."""
        if self.watching >= WATCHERS:
            await context.abort(*_too_many(WATCHERS))
        self.watching += 1
        try:
            await super().Watch(request, context)
        finally:
            self.watching -= 1

    async def List(self, _request: Any, _context: Any) -> Any:  # noqa: N802 - gRPC's name
        """Give the states of all services."""
        known: Any = health_pb2  # the oldest gRPC allowed neither describes nor calls this
        states: dict[str, Any] = vars(self)["_server_status"]
        return known.HealthListResponse(
            statuses={name: known.HealthCheckResponse(status=each) for name, each in states.items()}
        )


class Serving:
    """What the health service says. `tell` and what can be read are for the trio thread."""

    def __init__(self, bridge: Bridge) -> None:
        self.servicer = _Servicer()
        self.lag = 0.0
        """Seconds the last beat took to reach trio."""
        self.beats = 0
        """Beats that have reached trio."""
        self._bridge = bridge
        self._unanswered = 0
        self._said: dict[str, bool] = {}
        self._told: dict[str, bool] = {}
        self._tasks: set[Any] = set()
        self._loop: Any = None

    def tell(self, states: Mapping[str, bool]) -> None:
        """Say which services work; those not named stay as they were."""
        self._bridge.to_edge(self._take, dict(states))

    def _beat(self, sent: float) -> None:
        self.beats += 1
        self._unanswered = 0
        self.lag = monotonic() - sent

    # -- in the edge thread

    async def begin(self, loop: Any, names: Iterable[str]) -> None:
        """Say that all services work, and begin to beat."""
        self._loop = loop
        self._told = dict.fromkeys((ALL, *names), True)
        for name in self._told:
            await self.servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
        self._said = dict(self._told)
        self._tick()

    async def end(self) -> None:
        """Say that nothing works any more, for good."""
        await self.servicer.enter_graceful_shutdown()

    def _take(self, states: dict[str, bool]) -> None:
        self._told |= states
        self._publish()

    def _tick(self) -> None:
        self._publish()
        self._unanswered += 1
        self._bridge.to_trio(self._beat, monotonic())
        self._loop.call_later(BEAT, self._tick)

    def _publish(self) -> None:
        hung = self._unanswered > HUNG
        for name, works in self._told.items():
            says = works and not hung
            if self._said.get(name) is not says:
                self._said[name] = says
                answer = health_pb2.HealthCheckResponse
                state = answer.SERVING if says else answer.NOT_SERVING
                task = self._loop.create_task(self.servicer.set(name, state))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
