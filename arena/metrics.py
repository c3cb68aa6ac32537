"""What the arena counts of itself: plain numbers, cheap to raise, read when somebody asks.

Everything is raised in the main thread, most of it once for each hand rather than each decision;
`arena/metrics_page.py` shows it to Prometheus from a thread of its own. Keys are members of closed
enums, or names of methods, so that their number is bounded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum

DELAYS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
"""Seconds: what the arena itself takes."""
RESPONSES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds: what bots take."""


class Histogram:
    """How often values were at most so large."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        """Make an empty one; `bounds` are rising and inclusive, what is larger counts too."""
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        """By bucket, not cumulative; the last one is for what is above all bounds."""
        self.total = 0.0
        """The sum of all values."""

    def add(self, value: float, times: int = 1) -> None:
        """Count a value, `times` times."""
        self.counts[bisect_left(self.bounds, value)] += times
        self.total += value * times

    def add_all(self, values: Iterable[float]) -> None:
        """Count each of some values."""
        for value in values:
            self.add(value)

    @property
    def count(self) -> int:
        """How many values there were."""
        return sum(self.counts)

    def quantile(self, share: float) -> float:
        """Return the bound of the bucket in which that share, 0 to 1, of all values is reached.

        Zero if there are none, infinity for the last bucket.
        """
        wanted, seen = share * self.count, 0
        for bound, count in zip((*self.bounds, float("inf")), self.counts, strict=True):
            seen += count
            if seen >= wanted:
                return bound if seen else 0.0
        return float("inf")


class Metrics:
    """All counts of one arena since it was started."""

    def __init__(self) -> None:
        self.decisions = 0
        """Decisions of stored hands, those made for absent bots included."""
        self.hands: Counter[str] = Counter()
        """Stored hands: `scored` or `void`."""
        self.games_started = 0
        """Games whose three bots became ready, or that were taken up again."""
        self.games_over: Counter[str] = Counter()
        """`finished`, `forfeited`, `not_started` or `void`."""
        self.faults: Counter[Enum] = Counter()
        """By `FaultKind`."""
        self.forced: Counter[Enum] = Counter()
        """Moves made for a bot, by `ForcedCause`."""
        self.dropped: Counter[Enum] = Counter()
        """Answers that were not looked at, by `Drop`."""
        self.table_failures = 0
        """Failures of the arena at a table."""
        self.goodbyes: Counter[str] = Counter()
        """Streams the arena ended, by the reason it gave."""
        self.streams_opened = 0
        self.own_delay = Histogram(DELAYS)
        """Seconds from an answer's arrival to the departure of the question that follows it."""
        self.response = Histogram(RESPONSES)
        """Seconds from a question's departure to its answer's arrival: the bots' time."""
        self.calls: Counter[tuple[str, str]] = Counter()
        """Answered calls, by method and code."""
        self.call_seconds = Histogram(DELAYS)
        """How long plain calls took; streams are left out."""
