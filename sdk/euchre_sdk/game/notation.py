"""Hands of cards and series of decisions as text, both ways.

Single cards and actions have their notation in `cards`: `str` writes it, `parse` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from euchre_sdk.game.cards import Action, Card, show_cards
from euchre_sdk.game.compiled import card_strength
from euchre_sdk.game.suits import Suit


def show_hand(cards: Iterable[Card], trump: Suit | None = None) -> str:
    """Return a hand as a player sorts it: trump first, then suit by suit, each from the top.

    >>> from euchre_sdk.game.cards import (parse_cards)
    >>> show_hand(parse_cards("9S JD AH JH AD"), Suit.HEARTS)
    'JH JD AH AD 9S'
    """
    return show_cards(sorted_hand(cards, trump))


def sorted_hand(cards: Iterable[Card], trump: Suit | None = None) -> list[Card]:
    """Return cards as a player sorts them; before trump is made the joker stands first."""

    def place(card: Card) -> tuple[bool, int, int]:
        if trump is None:
            return not card.is_joker, 0 if card.is_joker else card.suit, -card
        suit = card.effective_suit(trump)
        return suit is not trump, suit, -card_strength(card, suit, trump)

    return sorted(cards, key=place)


def show_decisions(decisions: Iterable[Action]) -> str:
    """Return decisions with commas between them: `pass, order, 9C, dummy, keep JH JD AH AC KC`."""
    return ", ".join(map(str, decisions))


def parse_decisions(text: str) -> tuple[Action, ...]:
    """Return decisions written with commas between them. Raises `NotationError`."""
    words = [word.strip() for word in text.split(",")]
    return tuple(Action.parse(word) for word in words) if text.strip() else ()


def show_triple(numbers: Sequence[int]) -> str:
    """Return the numbers of seats 0, 1, 2 as scores are written: `6-8-3`."""
    return "-".join(map(str, numbers))
