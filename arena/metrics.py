"""What the arena counts of itself: plain numbers, cheap to raise, read when somebody asks.

Everything is raised in the main thread, most of it once for each hand rather than each decision;
`arena/metrics_page.py` shows it to Prometheus from a thread of its own. Keys are members of closed
enums, or names of methods, so that their number is bounded.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from enum import Enum

DELAYS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
"""Seconds: what the arena itself takes."""
RESPONSES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds: what bots take."""


class Histogram:
    """How often times were at most so long. Times are given in a unit of its own."""

    __slots__ = ("_limits", "_total", "_unit", "bounds", "counts")

    def __init__(self, bounds: Sequence[float], *, unit: float = 1.0) -> None:
        """Make an empty one; `bounds` are seconds, rising and inclusive; `unit` is in seconds, too.

        What is longer than all bounds counts as well.
        """
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        """By bucket, not cumulative; the last one is for what is above all bounds."""
        self._unit = unit
        self._limits = [round(bound / unit, 6) for bound in self.bounds]
        self._total = 0.0

    def add(self, time: float, times: int = 1) -> None:
        """Count a time, `times` times."""
        self.counts[bisect_left(self._limits, time)] += times
        self._total += time * times

    def add_all(self, values: Sequence[float]) -> None:
        """Count each of some times; for twenty of them this costs a fifth of adding each."""
        rising, counts, below = sorted(values), self.counts, 0
        longest = rising[-1] if rising else 0
        for bucket, limit in enumerate(self._limits):
            if longest <= limit:
                counts[bucket] += len(rising) - below
                break
            upto = bisect_right(rising, limit, below)
            counts[bucket] += upto - below
            below = upto
        else:
            counts[-1] += len(rising) - below
        self._total += sum(rising)

    @property
    def total(self) -> float:
        """The sum of all times, in seconds."""
        return self._total * self._unit

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
        self.own_delay = Histogram(DELAYS, unit=1e-9)
        """From an answer's arrival to the departure of the question that follows it."""
        self.response = Histogram(RESPONSES, unit=1e-6)
        """From a question's departure to its answer's arrival: the bots' time."""
        self.calls: Counter[tuple[str, str]] = Counter()
        """Answered calls, by method and code."""
        self.call_seconds = Histogram(DELAYS)
        """How long plain calls took; streams are left out."""
