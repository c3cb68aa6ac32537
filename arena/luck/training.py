"""Fitting the network to hands that were played: pure numpy and scipy, a function of its arguments.

Maximum likelihood of the three outcomes with a small ridge, by L-BFGS (Liu and Nocedal,
Mathematical Programming 45 (1989) 503-528, as in scipy) from seeded random weights. Each hand is
taken with the suits of the other colour in a random order, so that both orders are learned alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from arena.luck.cards import CARD_COUNT, ORDERS, PLACES, Floats, Ints, Singles
from arena.luck.deals import POSITIONS
from arena.luck.errors import LuckError
from arena.luck.model import OUTCOMES, ROLES, Network

RIDGE = 1e-5
"""Weight of the sum of squares beside the mean negative log-likelihood."""
CARDS_SEEN = len(ROLES) * CARD_COUNT


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lessons:
    """L hands with a maker who looked at the dummy, and what came of them with nobody alone."""

    maker: Ints
    """(L,): position."""
    trump: Ints
    """(L,)"""
    hands: Ints
    """(L, 3, 5): by position, after the exchange."""
    dummy: Ints
    """(L, 5)"""
    tricks: Ints
    """(L,): the maker's, 0 to 5."""

    @property
    def outcome(self) -> Ints:
        """(L,): 0 euchred, 1 made, 2 marched."""
        outcome: Ints = (self.tricks >= 3).astype(np.int64) + (self.tricks == 5)
        return outcome


def train(lessons: Lessons, *, units: int, steps: int, seed: int) -> Network:
    """Return the network that makes the outcomes most probable, after so many steps at most."""
    if not len(lessons.maker):
        raise LuckError("there is no hand to learn from; accepted is at least one")
    random = np.random.default_rng(seed)
    seen = _inputs(lessons, random)
    wanted = np.eye(OUTCOMES, dtype=np.float32)[lessons.outcome]
    inputs = random.normal(0.0, 0.2, (seen.shape[1], units))
    inputs[~seen.any(axis=0)] = 0.0  # what never occurred says nothing
    to_outcomes = random.normal(0.0, 0.3, (units, OUTCOMES))
    first = [inputs, np.zeros(units), to_outcomes, np.zeros(OUTCOMES)]
    shapes = [part.shape for part in first]

    def loss(flat: Floats) -> tuple[float, Floats]:
        inputs, bias, outputs, output_bias = _split(flat.astype(np.float32), shapes)
        hidden = seen @ inputs + bias
        active = np.maximum(hidden, 0)
        scores = active @ outputs + output_bias
        scores -= scores.max(axis=1, keepdims=True)
        chance = np.exp(scores)
        chance /= chance.sum(axis=1, keepdims=True)
        value = -float(np.log((chance * wanted).sum(axis=1) + 1e-9).mean())
        back = (chance - wanted) / np.float32(len(seen))
        back_hidden = (back @ outputs.T) * (hidden > 0)
        slopes = seen.T @ back_hidden, back_hidden.sum(axis=0), active.T @ back, back.sum(axis=0)
        slope = np.concatenate([part.ravel() for part in slopes]).astype(np.float64)
        return value + RIDGE * float(flat @ flat), slope + 2.0 * RIDGE * flat

    start = np.concatenate([part.ravel() for part in first])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps})
    weights, bias, outputs, output_bias = _split(np.asarray(found.x, dtype=np.float32), shapes)
    return Network(
        cards=weights[:CARDS_SEEN].reshape(len(ROLES), CARD_COUNT, units),
        positions=weights[CARDS_SEEN:],
        bias=bias,
        outputs=outputs,
        output_bias=output_bias,
    )


def _inputs(lessons: Lessons, random: np.random.Generator) -> Singles:
    """Return what the network sees of each hand, (L, 4 x 33 + 3)."""
    line = np.arange(len(lessons.maker))
    order = random.integers(ORDERS, size=len(line))
    held = [lessons.hands[line, (lessons.maker + step) % POSITIONS] for step in range(POSITIONS)]
    inputs = np.zeros((len(line), CARDS_SEEN + POSITIONS), dtype=np.float32)
    for number, cards in enumerate((held[0], lessons.dummy, held[1], held[2])):  # as ROLES
        at = PLACES[order[:, None], lessons.trump[:, None], cards] + number * CARD_COUNT
        np.put_along_axis(inputs, at, np.float32(1.0), axis=1)
    inputs[line, CARDS_SEEN + lessons.maker] = 1.0
    return inputs


def _split(flat: Singles, shapes: list[tuple[int, ...]]) -> list[Singles]:
    parts, at = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        parts.append(flat[at : at + size].reshape(shape))
        at += size
    return parts
