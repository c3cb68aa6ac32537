"""Cards as numbers in arrays, and what they are once trump is known.

A card's number is that of `euchre_sdk.game.CARDS`, 0 to 32. Once trump is known it is named by its
*place*: the trump suit 0 to 7 (the right bower is its jack, 4), the other suit of its colour 8 to
15 (the left bower is 12), the two suits of the other colour 16 to 23 and 24 to 31, the joker 32.
Which of those two suits comes first means nothing, so everything is computed both ways round.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from euchre_sdk.game import CARDS, RANKS, SUITS, Card, Rank, Suit

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

CARD_COUNT: Final = len(CARDS)
JOKER_NUMBER: Final = CARD_COUNT - 1
ORDERS: Final = 2
"""Ways round in which the two suits of the other colour can be taken."""


def place(card: Card, trump: Suit, order: int) -> int:
    """Return the place of a card, with the suits of the other colour one way round or the other."""
    if card.rank is None:
        return JOKER_NUMBER
    others = [suit for suit in SUITS if suit not in (trump, trump.same_colour)]
    suits = [trump, trump.same_colour, *(others if order == 0 else others[::-1])]
    return len(RANKS) * suits.index(card.suit) + int(card.rank)


def power(card: Card, trump: Suit) -> int:
    """Return a card's rank in its effective suit, 0 to 7; trumps 10 to 17, bowers 18, 19, joker 20.

    Source: docs/rules.md 1.2.
    """
    if card.rank is None:
        return 20
    if card.effective_suit(trump) is not trump:
        return int(card.rank)
    if card.rank is Rank.JACK:
        return 19 if card.suit is trump else 18
    return 10 + int(card.rank)


POWERS: Final = 21
"""Numbers that `power` may return, and more."""

PLACES: Final[Ints] = np.array(
    [[[place(card, trump, order) for card in CARDS] for trump in SUITS] for order in range(ORDERS)]
)
"""(order, trump, card): see `place`."""
POWER: Final[Ints] = np.array([[power(card, trump) for card in CARDS] for trump in SUITS])
"""(trump, card): see `power`."""
EFFECTIVE: Final[Ints] = np.array(
    [[int(card.effective_suit(trump)) for card in CARDS] for trump in SUITS]
)
"""(trump, card): the effective suit."""


def marks(cards: Ints) -> Singles:
    """Return rows of cards, (..., k), as rows of 0 and 1, (..., 33)."""
    marked = np.zeros((*cards.shape[:-1], CARD_COUNT), dtype=np.float32)
    np.put_along_axis(marked, cards, np.float32(1.0), axis=-1)
    return marked
