"""Many games between three bots, in one process or several, with the same result.

A series is made of blocks of six games or sessions, one for each seating; in a block the same seat
deals first, so that all three bots meet every position equally often. Every game has its own seeds,
derived from the series' seed and the game's number alone: whoever plays it, and in whatever order,
it goes the same way. That holds for bots that remember within one game only, and draw their lots
from the seed they are given (`GameStart.seed`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from euchre_sdk.bot import BotFactory
from euchre_sdk.game import SEATS, STANDARD, Format, RuleSet, Session, ToTarget
from euchre_sdk.loading import bot_name
from euchre_sdk.tally import BLOCK
from euchre_sdk.text import one_line

SESSION_HANDS = 10
"""Hands of a session unless said otherwise: a block of six then has sixty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What is to be played: a value that any process can carry out in part."""

    bots: tuple[str | BotFactory, ...]
    """Three bots, by what `load_bot` takes or as what makes them."""
    rules: RuleSet = STANDARD
    format: Format = ToTarget()
    blocks: int = 1
    """Blocks of six games."""
    seed: int = 1
    strict: bool = False
    """Whether the first fault ends the series."""
    record: Path | None = None
    """Directory for one record a game."""

    def __post_init__(self) -> None:
        if len(self.bots) != len(SEATS):
            raise ValueError(f"three bots play, not {len(self.bots)}")
        if self.blocks < 1:
            raise ValueError(f"a series has at least one block, not {self.blocks}")

    @property
    def games(self) -> int:
        """Games or sessions to play."""
        return self.blocks * BLOCK

    def record_file(self, number: int) -> Path:
        """Return the file for the record of the game of this number, from 0."""
        assert self.record is not None  # records are asked for
        return self.record / f"game-{number + 1:0{len(str(self.games))}}.jsonl"

    @property
    def specs(self) -> tuple[str, ...]:
        """How the bots were named; empty for one given as an object."""
        return tuple(bot if isinstance(bot, str) else "" for bot in self.bots)

    @property
    def names(self) -> tuple[str, ...]:
        """Different names to show the bots under."""
        names: list[str] = []
        for bot in self.bots:
            plain = one_line(bot_name(bot) if isinstance(bot, str) else _object_name(bot))
            again = sum(name == plain or name.startswith(f"{plain}#") for name in names)
            names.append(f"{plain}#{again + 1}" if again else plain)
        return tuple(names)


def blocks_for(amount: int, format: Format) -> int:
    """Return how many blocks hold at least so many hands (in sessions) or games (to the target).

    >>> blocks_for(600, Session(10)), blocks_for(601, Session(10)), blocks_for(7, ToTarget())
    (10, 11, 2)
    """
    block = BLOCK * format.hands if isinstance(format, Session) else BLOCK
    return -(-amount // block)


def _object_name(bot: BotFactory) -> str:
    name: str = getattr(bot, "__name__", type(bot).__name__)
    return name
