"""A duel on this machine as it is played."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from enum import Enum, unique

from euchre_sdk.duel.effect import Effect
from euchre_sdk.duel.fresh_deals import play_fresh_deals
from euchre_sdk.duel.gsprt import SprtState
from euchre_sdk.duel.kept import KeptDuel
from euchre_sdk.duel.local import BlockResult, DealsUse, LocalDuel
from euchre_sdk.duel.same_deals import can_be_shut_in, play_same_deals
from euchre_sdk.duel.view import DuelView
from euchre_sdk.isolation.fresh import NotIsolatedError
from euchre_sdk.loading import load_bot

MOST_DESCRIBED = 3
"""Faults that are told in words."""
ON_SAME_DEALS = "the same deals in all six seatings, each in a new process that can keep nothing"
ON_FRESH_DEALS = "new deals in every session"


@unique
class DealsWish(Enum):
    """Which deals a user wants."""

    AUTO = "auto"
    """The same ones where that can be, else fresh ones."""
    SAME = "same"
    FRESH = "fresh"


@dataclass(frozen=True, slots=True, kw_only=True)
class DealsChoice:
    """Which deals are used, and why."""

    use: DealsUse
    clause: str


def choose_deals(duel: LocalDuel, wish: DealsWish) -> DealsChoice:
    """Return which deals a duel is to have.

    Raises `NotIsolatedError` if SAME cannot be had, `BotLoadError` for a bot that loads nowhere.
    """
    if wish is DealsWish.FRESH:
        return DealsChoice(use=DealsUse.FRESH, clause=f"{ON_FRESH_DEALS}, as asked for")
    try:
        can_be_shut_in(duel)
    except NotIsolatedError as error:
        for spec in (duel.first, duel.second, *duel.thirds):
            load_bot(spec)  # what is wrong with a bot everywhere is said as it is
        if wish is DealsWish.SAME:
            raise NotIsolatedError(
                f"the same deals cannot be played again here: {error}. Fresh ones can: "
                "--deals fresh."
            ) from error
        return DealsChoice(use=DealsUse.FRESH, clause=f"{ON_FRESH_DEALS}, as {error}")
    return DealsChoice(use=DealsUse.SAME, clause=ON_SAME_DEALS)


class DuelRun:
    """A duel that is played, from its first block or from where it was kept."""

    def __init__(self, duel: LocalDuel, *, kept: KeptDuel | None = None, clause: str = "") -> None:
        self.duel = duel
        self.state: SprtState = duel.test.start()
        self.described: list[str] = []
        """The first faults, in words."""
        self._kept = kept
        self._clause = clause
        self._hands = 0
        self._faults = [0, 0, 0]
        for block in kept.blocks if kept is not None else ():
            self._count(block)

    def play(self, *, jobs: int = 1) -> Generator[BlockResult, None, None]:
        """Play until the test is over, and yield each block once it is counted and kept."""
        if self.is_over():
            return
        begin = self.state.evidence.blocks
        how = play_same_deals if self.duel.deals is DealsUse.SAME else play_fresh_deals
        with closing(how(self.duel, begin=begin, jobs=jobs)) as blocks:
            for block in blocks:
                self._count(block)
                if self._kept is not None:
                    self._kept.add(block)
                yield block
                if self.is_over():
                    return

    def is_over(self) -> bool:
        """Return whether nothing more is to be played."""
        return self.state.decision.is_over

    def _count(self, block: BlockResult) -> None:
        if self.is_over():
            return
        self.state = self.state.plus(block.lead)
        self._hands += block.hands
        self._faults = [sum(pair) for pair in zip(self._faults, block.faults, strict=True)]
        room = MOST_DESCRIBED - len(self.described)
        self.described += block.described[: max(room, 0)]

    def view(self) -> DuelView:
        """Return how it stands."""
        duel, evidence = self.duel, self.state.evidence
        names = [duel.names_of(number) for number in range(len(duel.thirds))]
        x, y, z = self._faults
        return DuelView(
            first=names[0][0],
            second=names[0][1],
            thirds=tuple(three[2] for three in names),
            test=duel.test,
            decision=self.state.decision,
            llr=self.state.llr,
            effect=Effect.of(evidence),
            hands=self._hands,
            faults=(x, y, z),
            same_deals=duel.deals is DealsUse.SAME,
            deals=self._clause,
            is_running=not self.state.decision.is_over,
        )

    def stopped(self) -> DuelView:
        """Return how it stands, for one that is not played on now."""
        return replace(self.view(), is_running=False)
