"""A sequential test of two means whose variance nobody knows, over blocks in a fixed order.

Each block gives one value: the points a hand by which A was ahead of B. The test asks whether the
mean of these is `points0` or `points1`, and stops as soon as the data allow. Values are immutable,
so a test can be kept, told one more block, or computed again from the first one.

With the mean m and the sample variance v of n blocks, but v not below a floor,

    LLR = n · (points1 - points0) · (m - (points0 + points1) / 2) / v

which is the ratio for normal values of known variance: in standard deviations of a block, what
separates the hypotheses times how far the blocks are beyond the middle.

Sources: Wald, Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16
(1945) 117-186 (the bounds); Li, Liu and Ying, Generalized Sequential Probability Ratio Test for
Separate Families of Hypotheses, Sequential Analysis 33 (2014) 539-563 (maxima in the ratio); Van
den Bergh, Comments on Normalized Elo (this form of it, for pairs of games of chess programs).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, unique
from typing import Any, assert_never

from euchre_sdk.errors import EuchreError

LEAST_BLOCKS = 16
"""Blocks before which nothing is decided: with fewer the variance is a guess."""
HAND_DEVIATION = 1.9
"""Standard deviation of the difference of two near-equal bots' points in one hand, in points."""
FLOOR = 0.01
"""Share of the variance of near-equal bots on fresh deals below which no block's is taken to be.

Identical twins that play the same deals give blocks of 0, which is not to be endless evidence.
"""


class SprtError(EuchreError, ValueError):
    """A test that cannot be made; the text names everything that is wrong with it."""


@unique
class Decision(Enum):
    """How a test stands."""

    OPEN = "open"
    """More blocks are needed."""
    STRONGER = "stronger"
    """The upper bound was reached: the mean is `points1` rather than `points0`."""
    NOT_STRONGER = "not_stronger"
    """The lower bound was reached: the mean is `points0` rather than `points1`."""
    CAP = "cap"
    """The most blocks were played, and neither bound was reached."""

    @property
    def is_over(self) -> bool:
        """Whether no further block is of any use to the test."""
        return self is not Decision.OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialTest:
    """What is tested, and how sure it shall be. Raises `SprtError` with all that is wrong."""

    points0: float = 0.0
    """Points a hand by which A is ahead of B under H0, where it is not stronger."""
    points1: float = 0.1
    """The same under H1, where it is: the smallest lead that matters. Above `points0`."""
    alpha: float = 0.05
    """Probability of calling A stronger although H0 holds, above 0 and at most 0.4."""
    beta: float = 0.05
    """Probability of not calling A stronger although H1 holds, above 0 and at most 0.4."""
    cap: int = 1000
    """Blocks after which it ends undecided."""
    least: int = LEAST_BLOCKS
    """Blocks before which it does not end."""
    block_hands: int = 60
    """Hands of a block, for the floor of the variance."""

    def __post_init__(self) -> None:
        faults = []
        if not (math.isfinite(self.points0) and math.isfinite(self.points1)):
            faults.append(f"points from {self.points0} to {self.points1} are no numbers")
        elif not self.points0 < self.points1:
            faults.append(
                f"the lead of H1 ({self.points1:g} points a hand) must be above that of H0 "
                f"({self.points0:g})"
            )
        faults += [
            f"{name} must be above 0 and at most 0.4, not {value:g}"
            for name, value in (("alpha", self.alpha), ("beta", self.beta))
            if not 0 < value <= 0.4
        ]
        if self.least < 2:
            faults.append(f"a test has two blocks at least, not {self.least}")
        if self.cap < self.least:
            faults.append(f"the cap must be at least {self.least} blocks, not {self.cap}")
        if self.block_hands < 1:
            faults.append(f"a block has a hand at least, not {self.block_hands}")
        if faults:
            raise SprtError("; ".join(faults) + ".")

    @property
    def lower(self) -> float:
        """The bound at which A is not stronger: ln(β / (1 - α)) < 0.

        >>> round(SequentialTest().lower, 3), round(SequentialTest().upper, 3)
        (-2.944, 2.944)
        """
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The bound at which A is stronger: ln((1 - β) / α) > 0."""
        return math.log((1 - self.beta) / self.alpha)

    @property
    def floor(self) -> float:
        """The least variance of a block's value, in points² a hand²."""
        return FLOOR * HAND_DEVIATION**2 / self.block_hands

    def llr(self, evidence: Evidence) -> float:
        """Return the log-likelihood ratio of H1 to H0; 0 with fewer than two blocks."""
        if evidence.blocks < 2:
            return 0.0
        variance = max(evidence.deviation**2, self.floor)
        beyond = evidence.mean - (self.points0 + self.points1) / 2
        return evidence.blocks * (self.points1 - self.points0) * beyond / variance

    def decide(self, evidence: Evidence) -> Decision:
        """Return how the test stands with the last of these blocks."""
        if evidence.blocks < self.least:
            return Decision.OPEN
        llr = self.llr(evidence)
        if llr >= self.upper:
            return Decision.STRONGER
        if llr <= self.lower:
            return Decision.NOT_STRONGER
        return Decision.CAP if evidence.blocks >= self.cap else Decision.OPEN

    def start(self) -> SprtState:
        """Return the test before its first block."""
        return SprtState(test=self)

    def after(self, values: Iterable[float]) -> SprtState:
        """Return the test after these blocks, in their order; what comes after its end is unused.

        Nothing is taken from `values` beyond the block that ends it.
        """
        state = self.start()
        for value in values:
            state = state.plus(value)
            if state.decision.is_over:
                break
        return state


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What blocks have shown: their number, their mean, and how they vary."""

    blocks: int = 0
    mean: float = 0.0
    """Points a hand by which A was ahead."""
    scatter: float = 0.0
    """Sum of squared deviations from the mean."""

    def plus(self, value: float) -> Evidence:
        """Return it with one block more. Source: Welford, Technometrics 4 (1962) 419-420."""
        blocks = self.blocks + 1
        mean = self.mean + (value - self.mean) / blocks
        scatter = self.scatter + (value - self.mean) * (value - mean)
        return Evidence(blocks=blocks, mean=mean, scatter=scatter)

    @property
    def deviation(self) -> float:
        """Standard deviation of a block's value, in points a hand; 0 with fewer than two blocks."""
        return math.sqrt(self.scatter / (self.blocks - 1)) if self.blocks > 1 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtState:
    """A test as it stands. It ends at the first block that reaches a bound, or at the cap."""

    test: SequentialTest
    evidence: Evidence = Evidence()

    @property
    def decision(self) -> Decision:
        """Whether it is over, and how."""
        return self.test.decide(self.evidence)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of H1 to H0."""
        return self.test.llr(self.evidence)

    def plus(self, value: float) -> SprtState:
        """Return it with the next block's value. A test that is over stays as it was."""
        if self.decision.is_over:
            return self
        if not math.isfinite(value):
            raise SprtError(f"a block's value is a number of points a hand, not {value}.")
        return replace(self, evidence=self.evidence.plus(value))

    def to_json(self) -> dict[str, Any]:
        """Return values for `json.dumps`; `state_from_json` gives back an equal state."""
        test, evidence = self.test, self.evidence
        return {
            "points0": test.points0,
            "points1": test.points1,
            "alpha": test.alpha,
            "beta": test.beta,
            "cap": test.cap,
            "least": test.least,
            "block_hands": test.block_hands,
            "blocks": evidence.blocks,
            "mean": evidence.mean,
            "scatter": evidence.scatter,
        }


def state_from_json(data: dict[str, Any]) -> SprtState:
    """Return the state that `SprtState.to_json` wrote. Raises `SprtError` for anything else."""
    try:
        test = SequentialTest(
            points0=_number(data, "points0"),
            points1=_number(data, "points1"),
            alpha=_number(data, "alpha"),
            beta=_number(data, "beta"),
            cap=_count(data, "cap"),
            least=_count(data, "least"),
            block_hands=_count(data, "block_hands"),
        )
        evidence = Evidence(
            blocks=_count(data, "blocks"),
            mean=_number(data, "mean"),
            scatter=_number(data, "scatter"),
        )
    except (KeyError, TypeError) as error:
        raise SprtError(f"this is no kept test: {error}.") from error
    if evidence.scatter < 0 or not math.isfinite(evidence.mean + evidence.scatter):
        raise SprtError("this is no kept test: its blocks cannot have been.")
    return SprtState(test=test, evidence=evidence)


def _number(data: dict[str, Any], name: str) -> float:
    value = data[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number")
    return float(value)


def _count(data: dict[str, Any], name: str) -> int:
    value = data[name]
    if type(value) is not int or value < 0:
        raise TypeError(f"{name} must be a whole number from 0 on")
    return value


def in_words(decision: Decision) -> str:
    """Return how a test stands in two words or three."""
    match decision:
        case Decision.OPEN:
            return "not decided yet"
        case Decision.STRONGER:
            return "stronger"
        case Decision.NOT_STRONGER:
            return "not stronger"
        case Decision.CAP:
            return "not decided"
        case _:
            assert_never(decision)
