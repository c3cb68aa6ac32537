"""All baselines of hands as they were played, in the form in which they are kept."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, unique
from typing import Final

import numpy as np

from arena.luck.bidding import POSTURES, deal_values
from arena.luck.cards import Singles
from arena.luck.deals import POSITIONS, Deals, Looks
from arena.luck.dummy import dummy_luck
from arena.luck.errors import LuckError
from arena.luck.model import ValueModel
from arena.luck.playouts import POLICIES
from euchre_sdk.game import Action, Card, RuleSet

AT_ONCE = 512
"""Hands that are computed together: bounds the memory, some 100 KB each."""


@unique
class BaselineKind(Enum):
    """What is kept apart, as it is computed apart."""

    MODEL = "model"
    """The value of the deal under each posture, then the luck of the dummy."""
    PLAYOUTS = "playouts"
    """The points of each policy."""

    @property
    def terms(self) -> int:
        """How many numbers a position has."""
        return len(POSTURES) + 1 if self is BaselineKind.MODEL else POLICIES


MODEL: Final = BaselineKind.MODEL
PLAYOUTS: Final = BaselineKind.PLAYOUTS

Played = tuple[Sequence[Card], Sequence[Action]]
"""A hand's cut deck and its decisions."""


def model_baselines(model: ValueModel, rules: RuleSet, played: Sequence[Played]) -> Singles:
    """Return the terms of the value model: (N, terms, 3), by position.

    Raises `LuckError` and `IllegalActionError` for hands that were not played by these rules.
    """
    deals = Deals.of(rules, [deck for deck, _ in played])
    looks = Looks.of(rules, played)
    parts = [np.empty((0, MODEL.terms, POSITIONS), dtype=np.float32)]
    for first in range(0, len(deals), AT_ONCE):
        rows = slice(first, min(first + AT_ONCE, len(deals)))
        some = deals.part(rows)
        luck = dummy_luck(model, some, looks.part(rows))
        parts.append(np.concatenate([deal_values(model, some), luck[:, None]], axis=1))
    return np.concatenate(parts)


def to_bytes(terms: Singles) -> bytes:
    """Return baselines, (N, terms, 3), as they are kept: single precision, little-endian."""
    return terms.astype("<f4").tobytes()


def from_bytes(kind: BaselineKind, hands: int, kept: bytes) -> Singles:
    """Return the baselines of so many hands. Raises `LuckError` if it is not what was kept."""
    wanted = hands * kind.terms * POSITIONS * 4
    if len(kept) != wanted:
        raise LuckError(
            f"the {kind.value} baselines of {hands} hands are {len(kept)} bytes; "
            f"accepted are {wanted}"
        )
    terms = np.frombuffer(kept, dtype="<f4").astype(np.float32)
    if not np.isfinite(terms).all():
        raise LuckError(f"the {kind.value} baselines hold what is no number")
    return terms.reshape(hands, kind.terms, POSITIONS)
