"""Deals anyone can verify: commit, reveal, and one shuffle for all (docs/fair-dealing.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from euchre_sdk.game.cards import SEATS, Card, Seat
from euchre_sdk.game.rules import RuleSet


def draw_for_deal(
    rules: RuleSet, uniform: Callable[[int], int]
) -> tuple[Seat, Sequence[tuple[Seat, Card]]]:
    """Return who draws the lowest card, and every card drawn on the way (A05, A06).

    `uniform(n)` gives a number from 0 to n − 1. The joker is left out; the ace is low.
    """
    spread = [card for card in rules.deck if not card.is_joker]
    pack, drawn = list(spread), []
    tied: Sequence[Seat] = SEATS
    while True:
        if len(pack) < len(tied):
            pack = list(spread)
        round_ = [(seat, pack.pop(uniform(len(pack)))) for seat in tied]
        drawn += round_
        lowest = min(_height(card) for _, card in round_)
        tied = [seat for seat, card in round_ if _height(card) == lowest]
        if len(tied) == 1:
            return tied[0], drawn


def _height(card: Card) -> int:
    """Return a drawn card's height: ace low, then 7 to king."""
    assert card.rank is not None  # the joker is not drawn
    return (card.rank + 1) % 8
