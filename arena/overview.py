"""How the running arena stands: what the health service, the status and the metrics tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from arena.health import Health, Part
from arena.rpc.serving import BEAT, HUNG
from arena.snapshot import Snapshot
from arena.store.errors import StoreReason

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from arena.rpc.edge import Edge
    from arena.rpc.play.service import PlayService
    from arena.store import Store
    from arena.tournaments.organiser import Organiser

_TROUBLE = {
    StoreReason.IN_USE: "another arena holds the database",
    StoreReason.NO_ACCESS: "the database cannot be read or written",
    StoreReason.NEWER_SCHEMA: "the database was written by a newer arena",
    StoreReason.LOCKED: "another program holds the database",
    StoreReason.FULL: "the disk is full, or writing failed",
    StoreReason.DAMAGED: "the database is damaged",
    StoreReason.CLOSED: "the database is closed",
    StoreReason.FAILED: "the database refuses what is stored",
}


async def watch_health(health: Health, store: Store, edge: Edge) -> None:
    """Report what the database and the edge suffer from."""

    def tell_of_store() -> None:
        trouble = store.trouble
        health.report(Part.DATABASE, None if trouble is None else _TROUBLE[trouble])

    store.listen(tell_of_store)
    tell_of_store()
    missed, beats = 0, -1
    while True:
        missed = missed + 1 if beats == edge.serving.beats else 0
        beats = edge.serving.beats
        hangs = "the thread that speaks gRPC does not answer" if missed > HUNG else None
        health.report(Part.EDGE, hangs)
        await trio.sleep(BEAT)


class Overview:
    """Takes snapshots of an arena. May be asked from any thread: it only reads numbers."""

    def __init__(
        self,
        *,
        version: str,
        store: Store,
        playroom: PlayService,
        organiser: Organiser,
        health: Health,
        now: Callable[[], datetime],
    ) -> None:
        self._version = version
        self._store = store
        self._playroom = playroom
        self._organiser = organiser
        self._health = health
        self._now = now
        self._since = now()
        self.edge: Edge | None = None
        """Set once gRPC listens."""

    def snapshot(self) -> Snapshot:
        """Return how things stand now."""
        organiser, playroom, store = self._organiser, self._playroom, self._store
        return Snapshot(
            version=self._version,
            incarnation=store.incarnation,
            up=self._now() - self._since,
            troubles=dict(self._health.troubles),
            streams=playroom.open_streams,
            links=playroom.links,
            games_running=playroom.games_running,
            games_limit=organiser.fleet.games_limit,
            games_allowed=organiser.fleet.games_allowed,
            tournaments_running=organiser.fleet.tournaments_running,
            blocks_left=organiser.fleet.blocks_left,
            store_queue=store.queue,
            store_commits=store.commits,
            store_failures=dict(store.failures),
            lag=0.0 if self.edge is None else self.edge.serving.lag,
        )
