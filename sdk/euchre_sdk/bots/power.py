"""How cards stand to each other once trump is known, as tables that the house bots look up."""

from __future__ import annotations

from euchre_sdk import CARDS, SUITS, Card, Rank, Suit


def power(card: Card, trump: Suit) -> int:
    """Return a card's rank within its effective suit, 0 (seven) to 7 (ace); trumps are above 10.

    Trump, high to low: joker 20, right bower 19, left bower 18, ace 17, … (rules 1.2).
    """
    if card.is_joker:
        return 20
    rank = card.rank
    assert rank is not None  # only the joker has none
    if card.effective_suit(trump) is not trump:
        return int(rank)
    if rank is Rank.JACK:
        return 19 if card.suit is trump else 18
    return 10 + rank


POWER = tuple({card: power(card, trump) for card in CARDS} for trump in SUITS)
"""`POWER[trump][card]`: see `power`."""
OF_SUIT = tuple(
    tuple(sum(c.mask for c in CARDS if c.effective_suit(trump) is suit) for suit in SUITS)
    for trump in SUITS
)
"""`OF_SUIT[trump][suit]`: as bits, the cards whose effective suit is `suit`."""
SAME_SUIT = tuple(
    {card: OF_SUIT[trump][card.effective_suit(trump)] for card in CARDS} for trump in SUITS
)
"""`SAME_SUIT[trump][card]`: as bits, the cards of the card's effective suit, itself among them."""
HIGHER = tuple(
    {
        card: sum(
            c.mask
            for c in CARDS
            if c.effective_suit(trump) is card.effective_suit(trump)
            and power(c, trump) > power(card, trump)
        )
        for card in CARDS
    }
    for trump in SUITS
)
"""`HIGHER[trump][card]`: as bits, the cards of the card's effective suit that beat it."""
