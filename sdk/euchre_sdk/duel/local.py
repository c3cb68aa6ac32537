"""What a duel on this machine is: a value that any process can carry out in part.

A block is six sessions, one for each seating, with one third bot; with several third bots the
blocks take them in turn. What a block of some number is follows from the duel and the number alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from hashlib import sha256

from euchre_sdk.duel.gsprt import SequentialTest
from euchre_sdk.game import SEATS, STANDARD, RuleSet, Session
from euchre_sdk.game.rules import FirstDealer
from euchre_sdk.series import SESSION_HANDS, Series
from euchre_sdk.tally import BLOCK


@unique
class DealsUse(Enum):
    """Which deals the six sessions of a block get."""

    SAME = "same"
    """The same ones: luck with the cards cancels. Only for instances that can keep nothing."""
    FRESH = "fresh"
    """Each its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalDuel:
    """Who plays whom, and what is asked."""

    first: str
    """The bot of which is asked whether it is stronger, as `load_bot` takes it."""
    second: str
    thirds: tuple[str, ...] = ("heuristic",)
    """Who else sits at the table, by turns of blocks."""
    rules: RuleSet = STANDARD
    hands: int = SESSION_HANDS
    """Hands of a session."""
    deals: DealsUse = DealsUse.FRESH
    seed: int = 1
    test: SequentialTest

    def bots_of(self, block: int) -> tuple[str, str, str]:
        """Return who plays the block of this number, from 0."""
        return self.first, self.second, self.thirds[block % len(self.thirds)]

    def names_of(self, block: int) -> tuple[str, ...]:
        """Return different names to show the bots of a block under."""
        return self.series_of(block).names

    def series_of(self, block: int) -> Series:
        """Return all blocks of this duel as if they had the same bots as this one."""
        return Series(
            bots=self.bots_of(block),
            rules=self.rules,
            format=Session(self.hands),
            blocks=self.test.cap,
            seed=self.seed,
        )

    def first_dealer(self, block: int) -> int | None:
        """Return the seat that deals first in every session of a block; `None` if rules say."""
        if self.rules.first_dealer is not FirstDealer.RANDOM:
            return None
        return self.numbers(f"block {block}")[0] % len(SEATS)

    def numbers(self, what: str) -> tuple[int, int, int, int]:
        """Return four independent 64-bit numbers that follow from the seed."""
        digest = sha256(f"euchre duel {self.seed} {what}".encode()).digest()
        a, b, c, d = (int.from_bytes(digest[at : at + 8]) for at in (0, 8, 16, 24))
        return a, b, c, d


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockResult:
    """What was played in one block. First, second and third bot, in this order."""

    points: tuple[int, int, int]
    hands: int
    faults: tuple[int, int, int] = (0, 0, 0)
    described: tuple[str, ...] = ()
    """The first faults, in words."""

    @property
    def lead(self) -> float:
        """Points a hand by which the first bot was ahead of the second."""
        return (self.points[0] - self.points[1]) / self.hands

    @classmethod
    def of(cls, sessions: Sequence[BlockResult]) -> BlockResult:
        """Return the block of six sessions."""
        assert len(sessions) == BLOCK
        a, b, c = (sum(each.points[bot] for each in sessions) for bot in range(3))
        x, y, z = (sum(each.faults[bot] for each in sessions) for bot in range(3))
        return cls(
            points=(a, b, c),
            hands=sum(each.hands for each in sessions),
            faults=(x, y, z),
            described=tuple(line for each in sessions for line in each.described),
        )
