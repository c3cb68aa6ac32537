"""Seats, suits and ranks: what is printed on cards, and who holds them."""

from __future__ import annotations

from euchre_sdk.game.named import Named, NotationError
from euchre_sdk.text import shown


class Seat(Named):
    """A place at the table: 0, 1, 2 clockwise."""

    left: Seat
    """The next seat clockwise."""
    right: Seat
    """The next seat counter-clockwise."""


Seat._members = SEATS = tuple(Seat._make(n, str(n)) for n in range(3))
for _seat in SEATS:
    _seat.left, _seat.right = SEATS[(_seat + 1) % 3], SEATS[(_seat + 2) % 3]


class Suit(Named):
    """A printed or effective suit, in the order C D H S; its text is its letter."""

    CLUBS: Suit
    DIAMONDS: Suit
    HEARTS: Suit
    SPADES: Suit

    word: str
    """The suit's name in lower case, plural: `hearts`."""
    same_colour: Suit
    """The other suit of the same colour, whose jack is the left bower when this one is trump."""

    @classmethod
    def parse(cls, text: str) -> Suit:
        """Return the suit of a letter. Raises `NotationError`."""
        for suit in SUITS:
            if text == str(suit):
                return suit
        msg = f"no suit {shown(text)}: expected C, D, H or S"
        raise NotationError(msg)


Suit._members = SUITS = tuple(Suit._make(n, letter) for n, letter in enumerate("CDHS"))
Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES = SUITS
for _suit, _word in zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True):
    _suit.word, _suit.same_colour = _word, SUITS[3 - _suit]


class Rank(Named):
    """A rank, low to high by its plain order: 7 8 9 T J Q K A."""

    SEVEN: Rank
    EIGHT: Rank
    NINE: Rank
    TEN: Rank
    JACK: Rank
    QUEEN: Rank
    KING: Rank
    ACE: Rank


Rank._members = RANKS = tuple(Rank._make(n, letter) for n, letter in enumerate("789TJQKA"))
(
    Rank.SEVEN,
    Rank.EIGHT,
    Rank.NINE,
    Rank.TEN,
    Rank.JACK,
    Rank.QUEEN,
    Rank.KING,
    Rank.ACE,
) = RANKS


def effective_suit(rank: Rank | None, suit: Suit | None, trump: Suit) -> Suit:
    """Return the effective suit of a printed card; no suit is the joker's (rules 1.2, A04)."""
    if suit is None:
        return trump
    if rank is Rank.JACK and suit in (trump, trump.same_colour):
        return trump
    return suit
