"""The points that house policies make of the same deal: (b) of docs/ratings.md, "Luck".

The same policy sits on all three seats; no clock, no network, no memory. What it does depends on
the cards only, and so do its points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from arena.luck.cards import POWER, Singles
from arena.luck.deals import DEALER, POSITIONS
from arena.luck.model import ValueModel
from euchre_sdk.game import Action, Card, Hand, Kind, RuleSet, View

Decide = Callable[[View], Action]

CAUTION: Final = 60
"""How much more than the house the second policy needs to bid, in hundredths of a point."""
POLICIES: Final = 2
"""The house bot, and the same with more caution."""


@dataclass(frozen=True, slots=True)
class Cautious:
    """A policy that bids by the value model's worth of a hand, and else as the house does."""

    model: ValueModel
    house: Decide
    _worth: list[list[float]] = field(init=False)

    def __post_init__(self) -> None:
        """Look the worth of every card up once, by trump."""
        object.__setattr__(self, "_worth", self.model.worth[POWER].tolist())

    def __call__(self, view: View) -> Action:
        """Return what to do; a bid that would be made alone is made with the dummy."""
        position = (view.seat - DEALER - 1) % POSITIONS
        match view.kind:
            case Kind.ORDER_UP:
                worth = self._of(view, int(view.turn_up.suit), with_turn_up=position == 2)
                enough = worth >= self.model.order_needs[position] + CAUTION
                return Action.ORDER_UP if enough else Action.PASS
            case Kind.NAME_TRUMP:
                suits = sorted({bid.suit for bid in view.legal if bid is not Action.PASS})
                best = max(suits, key=lambda suit: self._of(view, int(suit)))
                needed = self.model.name_needs[position] + CAUTION
                if Action.PASS in view.legal and self._of(view, int(best)) < needed:
                    return Action.PASS
                return Action.name_trump(best)
            case _:
                return self.house(view)

    def _of(self, view: View, trump: int, *, with_turn_up: bool = False) -> float:
        worth = self._worth[trump]
        cards = [worth[card] for card in view.hand]
        if with_turn_up:
            cards.append(worth[view.turn_up] - min(cards))
        return sum(cards) - (self.model.joker_out if view.rules.joker else 0.0)


def playouts(
    rules: RuleSet, decks: Sequence[Sequence[Card]], model: ValueModel, house: Decide
) -> Singles:
    """Return the points of each policy on cut decks: (N, policies, 3), by position."""
    policies = house, Cautious(model, house)
    points = [[_played(rules, deck, policy) for policy in policies] for deck in decks]
    return np.array(points, dtype=np.float32).reshape(len(decks), POLICIES, POSITIONS)


def _played(rules: RuleSet, deck: Sequence[Card], policy: Decide) -> tuple[int, int, int]:
    """Return the points of eldest, middle and dealer."""
    hand = Hand(rules, DEALER, deck)
    view = hand.view
    while view is not None:
        view = hand.apply(policy(view))
    assert hand.points is not None  # it is over
    return hand.points
