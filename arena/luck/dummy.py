"""The luck of the dummy: (c) of docs/ratings.md, "Luck".

Just before a maker looks, the dummy is uniform over the five-card sets of all cards outside the
three hands as dealt and the turn-up, whatever was done before: nobody had seen any of them. So the
value of the dummy he saw minus the mean value of all he could have seen has mean zero given
everything before the look, and no play can change that. Where there are many sets the mean is taken
over a sample, drawn by a hash of the cards already known: it does not know which dummy was seen.

Source: a chance correction of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, AAAI 2018).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from arena.luck.cards import CARD_COUNT, ORDERS, PLACES, Ints, Singles
from arena.luck.deals import POSITIONS, Deals, Looks
from arena.luck.model import ROLES, ValueModel, points
from euchre_sdk.game.cards import HAND_SIZE

ALL_SETS = 64
"""Up to so many sets are all taken; of more, a sample of so many."""

Words = npt.NDArray[np.uint64]


def dummy_luck(model: ValueModel, deals: Deals, looks: Looks) -> Singles:
    """Return what the dummy added to each position's expectation: (N, 3); 0 where nobody looked."""
    luck = np.zeros((len(deals), POSITIONS), dtype=np.float32)
    if not len(looks.row):
        return luck
    network, line = model.network, np.arange(len(looks.row))
    hidden = network.bias + network.positions[looks.maker]
    hidden = np.repeat(hidden[:, None], ORDERS, axis=1)
    for role, step in (("maker", 0), ("left", 1), ("right", 2)):
        held = looks.hands[line, (looks.maker + step) % 3]
        hidden = hidden + model.added(role, held)[line, :, looks.trump]
    unseen = unseen_cards(deals, looks.row)
    weights = network.cards[ROLES.index("dummy")]
    at = PLACES[:, looks.trump[:, None], unseen].transpose(1, 0, 2)
    each = weights[at]  # line, order, unseen card, unit
    sets = dummy_sets(unseen, deals, looks.row)
    possible = network.outcomes(hidden[:, :, None] + sets[:, None] @ each)
    own, others = points(deals.rules, possible)
    seen = (unseen[:, :, None] == deals.dummy[looks.row][:, None, :]).any(axis=2)
    added = (seen[:, None, None, :].astype(np.float32) @ each)[:, :, 0]
    own_seen, others_seen = points(deals.rules, network.outcomes(hidden + added))
    others_luck = others_seen.mean(axis=1) - others.mean(axis=(1, 2))
    own_luck = own_seen.mean(axis=1) - own.mean(axis=(1, 2))
    luck[looks.row] = others_luck[:, None]
    luck[looks.row, looks.maker] = own_luck
    return luck


def unseen_cards(deals: Deals, row: Ints) -> Ints:
    """Return the cards outside the three hands as dealt and the turn-up: (L, 8 or more), sorted."""
    free = np.zeros(CARD_COUNT, dtype=bool)
    free[[int(card) for card in deals.rules.deck]] = True
    unseen = np.repeat(free[None], len(row), axis=0)
    dealt = deals.hands[row].reshape(len(row), -1)
    np.put_along_axis(unseen, dealt, values=False, axis=1)
    np.put_along_axis(unseen, deals.turn_up[row][:, None], values=False, axis=1)
    return np.nonzero(unseen)[1].reshape(len(row), -1)


def dummy_sets(unseen: Ints, deals: Deals, row: Ints) -> Singles:
    """Return possible dummies as marks of unseen cards: (1 or L, sets, unseen cards)."""
    size = unseen.shape[1]
    if comb(size, HAND_SIZE) <= ALL_SETS:
        return _every_set(size)[None]
    keys = _hashes(deals, row, size)
    ranks = np.argsort(np.argsort(keys, axis=2), axis=2)
    return (ranks < HAND_SIZE).astype(np.float32)


@lru_cache(maxsize=4)
def _every_set(size: int) -> Singles:
    chosen = list(combinations(range(size), HAND_SIZE))
    sets = np.zeros((len(chosen), size), dtype=np.float32)
    np.put_along_axis(sets, np.array(chosen), np.float32(1.0), axis=1)
    return sets


def _hashes(deals: Deals, row: Ints, size: int) -> Words:
    """Return random numbers that are a function of hands and turn-up alone: (L, ALL_SETS, size)."""
    known = np.concatenate(
        [deals.hands[row].reshape(len(row), -1), deals.turn_up[row][:, None]], axis=1
    )
    seed = np.zeros(len(row), dtype=np.uint64)
    for column in known.T.astype(np.uint64):
        seed = _mixed(seed ^ column)
    number = np.arange(ALL_SETS * size, dtype=np.uint64).reshape(ALL_SETS, size)
    return _mixed(seed[:, None, None] + _mixed(number)[None])


def _mixed(words: Words) -> Words:
    """Return SplitMix64's next output from each state.

    Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
    """
    mixed = words + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
