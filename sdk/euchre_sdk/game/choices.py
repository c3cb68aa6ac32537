"""What a seat may choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import overload

from euchre_sdk.game.cards import CARD_BITS, Action, Card, cards_of, keep_action

_FIVE_OF_TEN = tuple(combinations(range(10), 5))


class KeepChoices(Sequence[Action]):
    """The 252 ways to keep five of ten cards, made only when looked at."""

    __slots__ = ("_cards", "mask")

    def __init__(self, mask: int) -> None:
        self.mask = mask
        """The ten cards as bits."""
        self._cards: tuple[Card, ...] | None = None

    def __len__(self) -> int:
        return len(_FIVE_OF_TEN)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        cards = self._cards
        if cards is None:
            cards = self._cards = cards_of(self.mask)
        a, b, c, d, e = _FIVE_OF_TEN[index]
        mask = cards[a].mask | cards[b].mask | cards[c].mask | cards[d].mask | cards[e].mask
        return keep_action(mask)

    def __iter__(self) -> Iterator[Action]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action) or not action.is_keep:
            return False
        kept = action & CARD_BITS
        return kept & ~self.mask == 0 and kept.bit_count() == 5


Legal = tuple[Action, ...] | KeepChoices
"""What may be chosen from: a tuple, or the maker's choice of five, which is too long for one."""
