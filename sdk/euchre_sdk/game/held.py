"""Tables from which a hand of up to five cards is looked up by its bits, and the other way round.

A hand is the join of two tuples: `LOW_CARDS[mask & LOW_BITS] + HIGH_CARDS[mask >> LOW_SIZE]`. This
stands in the engine's hottest lines as it is: a call would cost more than the look-up.
"""

from __future__ import annotations

from euchre_sdk.game.cards import BY_BIT, HAND_SIZE
from euchre_sdk.game.subsets import subsets

LOW_SIZE = 15
LOW_BITS = (1 << LOW_SIZE) - 1
LOW_CARDS = subsets(BY_BIT[:LOW_SIZE], HAND_SIZE)
HIGH_CARDS = subsets(BY_BIT[LOW_SIZE:], HAND_SIZE)

MASK = {card: card.mask for card in BY_BIT}
"""The `mask` of each card: quicker to look up here than at the card."""
