"""What goes wrong beside a game: refused answers, time-outs, lost streams, floods."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tests.leaks.script import Disturbance, How, Trouble

FAULTS = 3
"""Faults that forfeit a game of so few hands."""
MOST_LINKS = 6
"""Streams of a bot that end in one game; the arena makes one wait that opens too many."""


@dataclass(slots=True)
class Plan:
    """What the seats have done wrong so far, and who is without a stream."""

    rng: Random
    trouble: float
    """Likelihood of each kind of trouble at each decision."""
    observer: int | None = None
    secretly: bool = False
    """Whether what the others do wrong, and the observer learns after the hand, is done in one of
    the two worlds only."""
    faults: list[int] = field(default_factory=lambda: [0, 0, 0])
    out: set[int] = field(default_factory=set)
    """Seats that have forfeited."""
    away: set[int] = field(default_factory=set)
    """Seats without a stream."""
    links: list[int] = field(default_factory=lambda: [0, 0, 0])
    """How often each seat's stream has ended."""
    overdue: set[int] = field(default_factory=set)
    """Seats that have been away for so long that they must come back now."""

    def often(self, times: float = 1.0) -> bool:
        return self.rng.random() < self.trouble * times

    def strike(self, seat: int) -> None:
        self.faults[seat] += 1
        if self.faults[seat] >= FAULTS:
            self.out.add(seat)

    def dress(self, seat: int, *, may_force: bool) -> tuple[How, list[Disturbance]]:
        """Decide what happens before and at the next decision, of that seat.

        `may_force`: whether the referee's choice is the same public action in both worlds.
        """
        if seat in self.out:
            return How.AUTOMATIC, []
        rng = self.rng
        before = [each for other in range(3) for each in self._link_trouble(other)]
        gone = rng.randrange(3)
        if self.often(0.1) and (may_force or gone != seat):
            before.append(Disturbance(Trouble.WITHDRAWN, gone))
            self.out.add(gone)
        if seat in self.out:
            return How.AUTOMATIC, before
        may_go_out = may_force and not self.secretly
        if may_force and self.often() and (may_go_out or self.faults[seat] + 1 < FAULTS):
            self.strike(seat)
            before += [self._back(other) for other in sorted(self.away - {seat})]
            self.overdue = self.away & {seat}
            return How.TIMED_OUT, before
        if seat in self.away:
            before.append(self._back(seat))
        if may_force and self.often(0.5):
            return How.UNSUPPORTED, before
        while self.often(1.5) and (may_go_out or self.faults[seat] + 1 < FAULTS):
            what = rng.choice((Trouble.ILLEGAL, Trouble.MALFORMED))
            only_in = self._only_in(seat)
            before.append(Disturbance(what, seat, variant=rng.randrange(100), only_in=only_in))
            self.strike(seat)
            if seat in self.out:
                return How.AUTOMATIC, before
        return How.ANSWERED, before

    def _back(self, seat: int) -> Disturbance:
        self.away.discard(seat)
        self.overdue.discard(seat)
        return Disturbance(Trouble.BACK, seat)

    def _only_in(self, seat: int) -> int | None:
        return self.rng.randrange(2) if self.secretly and seat != self.observer else None

    def _link_trouble(self, seat: int) -> list[Disturbance]:
        if seat in self.away:
            if self.rng.random() < 0.7 and seat not in self.overdue:
                return []
            return [self._back(seat)]
        if self.often(0.5):
            only_in = self._only_in(seat)
            variant = self.rng.randrange(3)
            return [Disturbance(Trouble.STRAY, seat, variant=variant, only_in=only_in)]
        if self.links[seat] < MOST_LINKS and self.often(0.7):
            self.away.add(seat)
            self.links[seat] += 1
            return [Disturbance(self.rng.choice((Trouble.LOST, Trouble.FLOOD)), seat)]
        return []
