"""The value of a deal to each position, whoever makes trump: (a) of docs/ratings.md, "Luck".

Contracts are weighed by how a cautious or an eager table would bid: a position bids with a
probability that grows with the worth of its hand. Several such *postures* are baselines side by
side; which of them tells most about the bots at hand is left to the fit. Everything here is a
function of the cards, so nothing that anybody did can move its mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.luck.cards import EFFECTIVE, JOKER_NUMBER, POWER, Ints, Singles
from arena.luck.deals import POSITIONS, Deals
from arena.luck.model import ValueModel, points
from euchre_sdk.game import SUITS

TRUMPS = len(SUITS)
DEALER = 2
RANKS_OF_A_SUIT = 8


@dataclass(frozen=True, slots=True)
class Posture:
    """How much more than the house a table needs to bid, and how gradually it decides."""

    caution: float
    """In hundredths of a point, beyond the model's needs."""
    scale: float
    """Of the logistic curve, in the same unit."""


POSTURES: Final = (Posture(0, 8), Posture(30, 8), Posture(60, 8), Posture(90, 12))
"""From eager to cautious. Chosen once on tables of unlike bots; one more gained nothing."""


def deal_values(model: ValueModel, deals: Deals) -> Singles:
    """Return what deals are worth under each posture: (N, postures, 3)."""
    values = contract_values(model, deals)
    bids = _Bids.of(model, deals)
    return np.stack([_weighed(bids, values, posture) for posture in POSTURES], axis=1)


def contract_values(model: ValueModel, deals: Deals) -> Singles:
    """Return the points of each position by maker and contract: (N, makers, 5, 3).

    The contracts: each suit named, and the turn-up ordered, which the dealer then has in hand (of a
    joker turned up: the mean over the suits).
    """
    n, network = len(deals), model.network
    taken = deals.hands.copy()
    taken[:, DEALER] = exchanged(deals)
    joker = deals.turn_up == JOKER_NUMBER
    up = np.where(joker, 0, deals.turn_up // RANKS_OF_A_SUIT)
    roles = ("maker", "left", "right")
    dummy = model.added("dummy", deals.dummy)
    named = {role: model.added(role, deals.hands) for role in roles}
    ordered = {role: model.added(role, taken[:, DEALER]) for role in roles}
    values = np.empty((n, POSITIONS, TRUMPS + 1, POSITIONS), dtype=np.float32)
    for maker in range(POSITIONS):
        seats = dict(zip(roles, (maker, (maker + 1) % 3, (maker + 2) % 3), strict=True))
        rest = dummy + network.bias + network.positions[maker]
        without = rest + sum(named[role][:, seat] for role, seat in seats.items())
        with_it = rest + sum(
            ordered[role] if seat == DEALER else named[role][:, seat]
            for role, seat in seats.items()
        )
        chosen = np.take_along_axis(with_it, up[:, None, None, None], axis=2)
        outcomes = network.outcomes(np.concatenate([without, chosen], axis=2)).mean(axis=1)
        if joker.any():
            outcomes[joker, TRUMPS] = network.outcomes(with_it[joker]).mean(axis=(1, 2))
        own, others = points(deals.rules, outcomes)
        values[:, maker] = others[..., None]
        values[:, maker, :, maker] = own
    return values


def exchanged(deals: Deals) -> Ints:
    """Return the dealer's five once he has the turn-up, for a low card of a short suit: (N, 5)."""
    joker = deals.turn_up == JOKER_NUMBER
    trump = np.where(joker, 0, deals.turn_up // RANKS_OF_A_SUIT)[:, None]
    own = deals.hands[:, DEALER]
    suit = EFFECTIVE[trump, own]
    held = (suit[:, :, None] == suit[:, None, :]).sum(axis=2)
    worst = (2 * POWER[trump, own] + held).argmin(axis=1)
    after = own.copy()
    after[np.arange(len(own)), worst] = deals.turn_up
    return after


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Bids:
    """How far each position is beyond what the model needs to bid."""

    joker: Ints
    """(N,): 1 where the joker is turned up and nobody bids."""
    order: Singles
    """(N, 3)"""
    name: Singles
    """(N, 3, 4): very low where a suit may not be named."""
    must_name: bool

    @classmethod
    def of(cls, model: ValueModel, deals: Deals) -> _Bids:
        rules, rows = deals.rules, np.arange(len(deals))
        joker = deals.turn_up == JOKER_NUMBER
        up = np.where(joker, 0, deals.turn_up // RANKS_OF_A_SUIT)
        worths = model.worths(deals.hands, rules)
        order = worths[rows, :, up]
        order[:, DEALER] = model.worths(exchanged(deals), rules)[rows, up]
        name = worths - model.name_needs[:, None]
        if not rules.turned_down_suit_allowed:
            name[rows, :, up] = -1e6
        return cls(
            joker=joker.astype(np.int64),
            order=order - model.order_needs,
            name=name,
            must_name=rules.stick_the_dealer,
        )


def _weighed(bids: _Bids, values: Singles, posture: Posture) -> Singles:
    """Return the mean over contracts as a posture bids them: (N, 3)."""
    left = np.where(bids.joker == 1, 0.0, 1.0).astype(np.float32)
    total: Singles = bids.joker.astype(np.float32)[:, None] * values[:, DEALER, TRUMPS]
    for position in range(POSITIONS):
        bid = left * _rises(bids.order[:, position], posture)
        total = total + bid[:, None] * values[:, position, TRUMPS]
        left = left - bid
    for position in range(POSITIONS):
        excess = bids.name[:, position]
        best = excess.max(axis=1)
        bid = left * _rises(best, posture)
        if bids.must_name and position == DEALER:
            bid = left
        wish = np.exp(np.maximum((excess - best[:, None]) / np.float32(posture.scale), -80.0))
        wish = wish / wish.sum(axis=1, keepdims=True)
        chosen = (wish[:, :, None] * values[:, position, :TRUMPS]).sum(axis=1)
        total = total + bid[:, None] * chosen
        left = left - bid
    return total


def _rises(excess: Singles, posture: Posture) -> Singles:
    """Return the probability of a bid, for a hand so far beyond the model's needs."""
    steps = np.clip((excess - posture.caution) / posture.scale, -80.0, 80.0)
    chance: Singles = (1.0 / (1.0 + np.exp(-steps))).astype(np.float32)
    return chance
