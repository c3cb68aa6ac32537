"""`monte_carlo@1`: tries each choice on many deals that fit what it has seen.

Every deal is played to its end with `heuristic@1` at all three seats, each choice on the same deal.
Without a clock the number of deals is fixed and the same seed gives the same play; with one, a
share of the time left is spent. Either way it stops as soon as one choice is clearly the best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean
from time import perf_counter

from euchre_sdk import Action, GameStart, Kind, View
from euchre_sdk.bots.guess_1 import guess
from euchre_sdk.bots.heuristic_1 import Heuristic1, by_keeping, hand_worth
from euchre_sdk.game import Hand

DEALS, DEALS_WITH_CLOCK = 40, 400
"""Deals tried for one decision, at most."""
LEAST_DEALS = 8
"""Deals before anything is judged."""
CLEAR = 3.0
"""Standard errors by which a choice must be behind to be given up."""
DOUBT = 1.0
"""Standard errors by which a choice must be ahead of the heuristic's to be preferred to it."""


class MonteCarlo1:
    """Asks the heuristic first, and looks whether something else does better."""

    def __init__(self, seed: int = 0, clock: Callable[[], float] = perf_counter) -> None:
        self._random = Random(seed)
        self._clock = clock
        self._heuristic = Heuristic1()

    def game_started(self, start: GameStart) -> None:
        """Take the game's seed."""
        self._random = Random(start.seed)

    def act(self, view: View) -> Action:
        """Return one of `view.legal`."""
        first = self._heuristic.act(view)
        choices = [first, *(action for action in candidates(view) if action != first)]
        seconds = thinking_time(view)
        if len(choices) == 1 or seconds == 0:
            return first
        return self._best(view, choices, seconds)

    def _best(self, view: View, choices: Sequence[Action], seconds: float | None) -> Action:
        """Return the choice that gains most, the first one unless another is clearly better."""
        end = None if seconds is None else self._clock() + seconds
        gains: dict[Action, list[float]] = {action: [] for action in choices}
        for deal in range(1, 1 + (DEALS if end is None else DEALS_WITH_CLOCK)):
            hand = guess(view, self._random, self._heuristic)
            for action, seen in gains.items():
                seen.append(self._gain(hand.clone(), action, view))
            if deal >= LEAST_DEALS and deal % 4 == 0:
                best = max(gains, key=lambda action: fmean(gains[action]))
                gains = {a: g for a, g in gains.items() if ahead(gains[best], g) < CLEAR}
                if len(gains) == 1:
                    break
            if end is not None and self._clock() >= end:
                break
        best = max(gains, key=lambda action: fmean(gains[action]))
        first = choices[0]
        return first if first in gains and ahead(gains[best], gains[first]) < DOUBT else best

    def _gain(self, hand: Hand, action: Action, view: View) -> float:
        """Return what the seat gains on the others if the hand goes on with this action."""
        hand.apply(action)
        while (asked := hand.view) is not None:
            hand.apply(self._heuristic.act(asked))
        points = hand.points
        assert points is not None  # the hand is over
        return 1.5 * points[view.seat] - 0.5 * sum(points)


def ahead(best: Sequence[float], other: Sequence[float]) -> float:
    """Return by how many standard errors gains on the same deals are better than others."""
    differences = [a - b for a, b in zip(best, other, strict=False)]
    mean = fmean(differences)
    square = fmean([d * d for d in differences]) - mean * mean
    # One more deal in which they differ by a point: few equal deals prove nothing.
    return mean / sqrt((square + 1 / len(differences)) / len(differences))


def candidates(view: View) -> Sequence[Action]:
    """Return the choices worth trying."""
    trump = view.trump
    if view.kind is Kind.KEEP_FIVE and trump is not None:
        cards = by_keeping(view.pool, trump)
        sure, doubtful = cards[:3], cards[3:7]
        return [Action.keep([*sure, *two]) for two in combinations(doubtful, 2)]
    if view.kind is Kind.MAKER_ALONE and trump is not None and hand_worth(view, trump) < 300:
        return [Action.WITH_DUMMY]
    if view.kind is Kind.NAME_TRUMP and not view.hand:
        return []
    return view.legal


def thinking_time(view: View) -> float | None:
    """Return the seconds to spend on a decision; `None` without a clock.

    A fiftieth of the bank is never missed, since it is never used up; a second of it is left for
    the network, and half of the limit for a machine that is slow today.
    """
    if view.limit is None and view.bank is None:
        return None
    shares = [0.25]
    if view.limit is not None:
        shares.append(view.limit.total_seconds() / 2)
    if view.bank is not None:
        shares.append((view.bank.total_seconds() - 1) / 50)
    seconds = min(shares)
    return seconds if seconds > 0.002 else 0
