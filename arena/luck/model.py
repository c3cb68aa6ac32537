"""The value of a deal to each position: a small network, and its coefficients in a file.

It sees all twenty cards by their places (`arena.luck.cards`), for one maker and one trump, and says
how probably the maker, who has the dummy, takes 0 to 2, 3 or 4, or 5 tricks when house bots play.
One hidden layer:

    z = bias + position of the maker + sum of the weights of the cards, by who holds them
    p = softmax(max(z, 0) . outputs + output bias)

averaged over the two orders of the suits of the other colour, so that it does not hang on the names
of suits. Trained by tools/train_luck.py from hands that `heuristic@1` played against itself; under
other rules and among other bots it is merely less useful, as whatever it says is fitted to the
results before it is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, Self

import numpy as np

from arena.luck.cards import CARD_COUNT, ORDERS, PLACES, POWER, POWERS, Ints, Singles, marks
from arena.luck.errors import LuckError
from euchre_sdk.game import SUITS, RuleSet

FILE = "value_model.json"
FORMAT = 1
ROLES: Final = ("maker", "dummy", "left", "right")
"""Whose cards: the maker's five, the dummy's, the defenders' at his left and right."""
OUTCOMES = 3
"""The maker is euchred, makes it, or marches."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Network:
    """The coefficients. H hidden units."""

    cards: Singles
    """(4, 33, H): by role and place."""
    positions: Singles
    """(3, H): where the maker sits."""
    bias: Singles
    """(H,)"""
    outputs: Singles
    """(H, 3)"""
    output_bias: Singles
    """(3,)"""

    def outcomes(self, hidden: Singles) -> Singles:
        """Return the probabilities of the three outcomes, (..., 3), from z, (..., H)."""
        scores: Singles = np.maximum(hidden, np.float32(0.0)) @ self.outputs + self.output_bias
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        return scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ValueModel:
    """The network, and what the bidding of `arena.luck.bidding` goes by."""

    version: int
    """Raised whenever it says anything else: stored baselines of another one are computed anew."""
    trained: Mapping[str, Any]
    """From what it was made: the settings of the script."""
    network: Network
    worth: Singles
    """(21,): what a card adds to a maker's hand by its `power`, in hundredths of a point."""
    joker_out: float
    """What a hand loses by a joker in the deck."""
    order_needs: Singles
    """(3,): worth at which a position orders up half of the time."""
    name_needs: Singles
    """(3,): the same for naming a suit."""

    def by_trump(self, role: str) -> Singles:
        """Return what each card adds to z in a role, (33, orders x trumps x H)."""
        weights = self.network.cards[ROLES.index(role)][PLACES]  # order, trump, card, unit
        return np.ascontiguousarray(weights.transpose(2, 0, 1, 3)).reshape(CARD_COUNT, -1)

    def added(self, role: str, cards: Ints) -> Singles:
        """Return what hands (..., k) add to z in a role: (..., orders, trumps, H)."""
        total = marks(cards) @ self.by_trump(role)
        return total.reshape(*cards.shape[:-1], ORDERS, len(SUITS), -1)

    def worths(self, cards: Ints, rules: RuleSet) -> Singles:
        """Return what hands (..., k) are worth by trump: (..., 4)."""
        out = np.float32(self.joker_out if rules.joker else 0.0)
        worth: Singles = marks(cards) @ self.worth[POWER].T - out
        return worth

    @classmethod
    def read(cls, text: str) -> Self:
        """Return a model from its file. Raises `LuckError` for anything else."""
        try:
            data = json.loads(text)
            if data["format"] != FORMAT:
                raise LuckError(
                    f"the value model has format {data['format']}; accepted is {FORMAT}"
                )
            model = cls(
                version=int(data["version"]),
                trained=dict(data["trained"]),
                network=Network(
                    **{
                        name: np.array(data["network"][name], dtype=np.float32)
                        for name in Network.__slots__
                    }
                ),
                worth=np.array(data["worth"], dtype=np.float32),
                joker_out=float(data["joker_out"]),
                order_needs=np.array(data["order_needs"], dtype=np.float32),
                name_needs=np.array(data["name_needs"], dtype=np.float32),
            )
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, LuckError):
                raise
            raise LuckError(f"this is no value model: {error!r}") from error
        model.check()
        return model

    def check(self) -> None:
        """Raise `LuckError` unless all coefficients are there and are numbers."""
        units = self.network.bias.size
        shapes = {
            "cards": (self.network.cards, (len(ROLES), CARD_COUNT, units)),
            "positions": (self.network.positions, (3, units)),
            "bias": (self.network.bias, (units,)),
            "outputs": (self.network.outputs, (units, OUTCOMES)),
            "output_bias": (self.network.output_bias, (OUTCOMES,)),
            "worth": (self.worth, (POWERS,)),
            "order_needs": (self.order_needs, (3,)),
            "name_needs": (self.name_needs, (3,)),
        }
        for name, (values, shape) in shapes.items():
            if values.shape != shape or not np.isfinite(values).all():
                raise LuckError(
                    f"{name} of the value model is {values.shape}; accepted are numbers, {shape}"
                )

    def write(self) -> str:
        """Return the file: numbers with four digits, a line for each row of units."""
        net = self.network
        data = {
            "format": FORMAT,
            "version": self.version,
            "trained": self.trained,
            "network": {name: getattr(net, name) for name in Network.__slots__},
            "worth": self.worth,
            "joker_out": self.joker_out,
            "order_needs": self.order_needs,
            "name_needs": self.name_needs,
        }
        return _lines(data) + "\n"


def _lines(value: Any) -> str:
    """Return a value as JSON in which the innermost lists have a line each."""
    if isinstance(value, Mapping):
        return "{\n" + ",\n".join(f"{json.dumps(k)}: {_lines(v)}" for k, v in value.items()) + "\n}"
    if isinstance(value, np.ndarray):
        if value.ndim > 1:
            return "[\n" + ",\n".join(map(_lines, value)) + "\n]"
        return "[" + ", ".join(f"{number:.4g}" for number in value.tolist()) + "]"
    return json.dumps(value)


def points(rules: RuleSet, outcomes: Singles) -> tuple[Singles, Singles]:
    """Return the points of the maker and of each defender, from probabilities (..., 3).

    Nobody plays alone. Source: docs/rules.md 2.11.
    """
    euchred, made, marched = outcomes[..., 0], outcomes[..., 1], outcomes[..., 2]
    maker = made * np.float32(rules.points_make) + marched * np.float32(rules.points_march)
    return maker, euchred * np.float32(rules.points_euchred)


@lru_cache(maxsize=1)
def value_model() -> ValueModel:
    """Return the model that the arena works with."""
    return ValueModel.read(files("arena.luck").joinpath(FILE).read_text(encoding="utf-8"))
