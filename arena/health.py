"""What is wrong with the arena at the moment: one place that its parts tell and everybody asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import Enum, unique
from types import MappingProxyType

import structlog

log = structlog.get_logger(__name__)


@unique
class Part(Enum):
    """What may fail by itself while the arena goes on."""

    DATABASE = "database"
    """Nothing can be stored: clocks stand still, and nothing is announced."""
    EDGE = "edge"
    """The thread that speaks gRPC does not answer: no bot can be heard."""
    STOPPING = "stopping"
    """The arena was told to stop and is about to end."""


class Health:
    """The troubles there are, by part. For the main thread; others go through `trio.from_thread`.

    A part reports its trouble as often as it likes, and `None` when it is over; listeners are told
    of changes only, at once and in the order in which they began to listen.
    """

    def __init__(self) -> None:
        self._troubles: dict[Part, str] = {}
        self._listeners: list[Callable[[], None]] = []

    @property
    def troubles(self) -> Mapping[Part, str]:
        """What is wrong, as a clause for people without a full stop; empty while all is well."""
        return MappingProxyType(self._troubles)

    def allows(self, needed: Collection[Part]) -> bool:
        """Return whether whatever needs these parts works."""
        return self._troubles.keys().isdisjoint(needed)

    def report(self, part: Part, trouble: str | None) -> None:
        """Say what is wrong with a part, such as `the disk is full`, or that nothing is."""
        before = self._troubles.get(part)
        if trouble == before:
            return
        if trouble is None:
            del self._troubles[part]
        else:
            self._troubles[part] = trouble
        if trouble is None or part is Part.STOPPING:
            log.info("health_changed", part=part.value, trouble=trouble, before=before)
        else:
            log.warning("health_changed", part=part.value, trouble=trouble, before=before)
        for told in tuple(self._listeners):
            told()

    def listen(self, told: Callable[[], None]) -> None:
        """Have `told()` called after every change; it must not wait and must not raise."""
        self._listeners.append(told)
