"""Where decks come from in local play: a fast seeded generator.

The arena's deals, which anyone can verify afterwards, are in `dealing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import repeat, starmap
from random import Random

from euchre_sdk.game.cards import Card
from euchre_sdk.game.dealing import draw_for_deal
from euchre_sdk.game.game import Draw
from euchre_sdk.game.rules import FirstDealer, RuleSet
from euchre_sdk.game.suits import SEATS, Seat


class SeededDeals:
    """Uniform decks from a seed, drawn one after the other: ask for each hand once, in order.

    A cut of a uniform shuffle is a uniform shuffle, so none is made.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._random = Random(seed)
        # A random key for any card: `next` takes the card for a default, which it never needs.
        self._key = partial(next, starmap(self._random.random, repeat(())))

    def first_dealer(self, rules: RuleSet) -> tuple[Seat, Sequence[Draw]]:
        """Return a uniform dealer, or the draws of the lowest card (A05, A06)."""
        if rules.first_dealer is FirstDealer.DRAW_LOW:
            return draw_for_deal(rules, self._random.randrange)
        return SEATS[int(self._random.random() * len(SEATS))], ()

    def deck(self, rules: RuleSet, hand_number: int, attempt: int) -> Sequence[Card]:
        """Return the next deck; the numbers are not looked at."""
        return sorted(rules.deck, key=self._key)
