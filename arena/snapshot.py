"""How the arena stands at one instant: what the status and the metrics have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from arena.health import Part
from arena.metrics import Histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What there is of everything now. Taken without waiting; cheap."""

    version: str
    incarnation: int
    """Which start of the arena this is, from 1."""
    up: timedelta
    """Since it was started."""
    troubles: Mapping[Part, str]
    streams: int
    """Open play streams, those that have not said Hello included."""
    links: int
    """Connections of bots, those included whose stream is lost and may come back."""
    games_running: int
    games_limit: int
    """Games that may run at once at the moment."""
    games_allowed: int
    """Games that may run at once while the machine keeps up: the organiser's setting."""
    tournaments_running: int
    blocks_left: int
    """Blocks of running tournaments that are still to be completed."""
    store_queue: int
    """Changes that wait to be stored."""
    store_commits: Histogram
    """Seconds each group of changes took to be durable."""
    store_failures: Mapping[str, int]
    """Groups that were not stored at the first try, or at all, by reason."""
    lag: float
    """Seconds the main thread took to hear of the edge at the last look."""
