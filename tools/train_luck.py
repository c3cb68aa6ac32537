"""Makes arena/luck/value_model.json from hands that a house bot plays against itself.

    python tools/train_luck.py [--hands 300000] [--check]

Everything is a function of the settings, which stand in the file's head; on another machine the
last digits of the coefficients may differ, as sums are rounded in another order. `--check` compares
the head of the committed file with the settings and makes nothing.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

import click
import numpy as np

from arena.luck.cards import POWERS
from arena.luck.deals import DEALER
from arena.luck.model import FILE, ValueModel, value_model
from arena.luck.training import Lessons, train
from euchre_sdk.bots.heuristic_1 import JOKER_OUT, NAME_NEEDS, ORDER_NEEDS, SIDE, TRUMP, Heuristic1
from euchre_sdk.game import PRESETS, STANDARD, Action, Card, Hand, Kind, RuleSet, View

TARGET = Path(__file__).parents[1] / "arena" / "luck" / FILE
VERSION = 1
POSITION_NAMES = ("eldest", "middle", "dealer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """From what the model is made."""

    bot: str = "heuristic@1"
    hands: int = 300_000
    noise: float = 0.35
    """Share of bids drawn at random, so that every contract is learned, not only good ones."""
    units: int = 24
    steps: int = 200
    seed: int = 20_261_201

    @property
    def head(self) -> dict[str, object]:
        """What the file says of its making."""
        return {**asdict(self), "rules": [name for name, _, _ in DECKS]}


DECKS: tuple[tuple[str, RuleSet, float], ...] = (
    ("24 cards", STANDARD, 0.6),
    ("25 cards", PRESETS["british"], 0.1),
    ("28 cards", replace(STANDARD, lowest_rank=8), 0.1),
    ("32 cards", replace(STANDARD, lowest_rank=7), 0.1),
    ("33 cards", replace(STANDARD, lowest_rank=7, joker=True), 0.1),
)
"""Name, rule set and share of the hands. All else is as in `standard`."""


class Noisy:
    """A house bot that bids at random now and then."""

    def __init__(self, noise: float, random: Random) -> None:
        self._bot = Heuristic1()
        self._noise = noise
        self._random = random

    def act(self, view: View) -> Action:
        """Ask the bot, or chance."""
        if view.kind in (Kind.ORDER_UP, Kind.NAME_TRUMP) and self._random.random() < self._noise:
            return self._random.choice(view.legal)
        return self._bot.act(view)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One hand to learn from."""

    maker: int
    trump: int
    hands: tuple[tuple[Card, ...], ...]
    dummy: tuple[Card, ...]
    tricks: int


def lessons(rules: RuleSet, hands: int, noise: float, random: Random) -> Iterator[Lesson]:
    """Play hands; yield those with a maker who looked at the dummy and nobody alone."""
    bot = Noisy(noise, random)
    deck = list(rules.deck)
    for _ in range(hands):
        random.shuffle(deck)
        hand = Hand(rules, DEALER, tuple(deck))
        held: tuple[tuple[Card, ...], ...] = ()
        while (view := hand.view) is not None:
            if view.kind is Kind.KEEP_FIVE:
                held = tuple(each.hand for each in hand.views)
            hand.apply(bot.act(view))
        public = hand.public
        if held and public.lone_defender is None:
            assert public.maker is not None
            assert public.trump is not None
            tricks = public.tricks_won[public.maker]
            yield Lesson(int(public.maker), int(public.trump), held, hand.dummy, tricks)


def make(settings: Settings) -> ValueModel:
    """Play, learn, and return the model."""
    random = Random(settings.seed)
    found = [
        lesson
        for _, rules, share in DECKS
        for lesson in lessons(rules, round(share * settings.hands), settings.noise, random)
    ]
    network = train(
        Lessons(
            maker=np.array([each.maker for each in found]),
            trump=np.array([each.trump for each in found]),
            hands=np.array([each.hands for each in found]),
            dummy=np.array([each.dummy for each in found]),
            tricks=np.array([each.tricks for each in found]),
        ),
        units=settings.units,
        steps=settings.steps,
        seed=settings.seed,
    )
    worth = np.zeros(POWERS, dtype=np.float32)
    worth[: len(SIDE)] = SIDE
    worth[10 : 10 + len(TRUMP)] = TRUMP
    return ValueModel(
        version=VERSION,
        trained=settings.head,
        network=network,
        worth=worth,
        joker_out=JOKER_OUT,
        order_needs=_by_position(ORDER_NEEDS),
        name_needs=_by_position(NAME_NEEDS),
    )


def _by_position(needs: Mapping[str, int]) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array([needs[name] for name in POSITION_NAMES], dtype=np.float32)


@click.command()
@click.option("--hands", default=Settings().hands, show_default=True, help="Hands to play.")
@click.option("--to", "target", default=TARGET, type=click.Path(path_type=Path), help="The file.")
@click.option("--check", is_flag=True, help="Only compare the committed file with the settings.")
def main(*, hands: int, target: Path, check: bool) -> None:
    """Make the value model of the luck correction."""
    settings = Settings(hands=hands)
    if check:
        if value_model().trained != settings.head:
            sys.exit(f"{TARGET} was made from {value_model().trained}, not from {settings.head}")
        return
    target.write_text(make(settings).write(), encoding="utf-8")
    click.echo(f"{target}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
