"""Cards and actions: a card is an action, too, since playing it is what a seat decides.

Both are integers, so that they index tables, and sets of cards are integers, one bit a card.
"""

from __future__ import annotations

from collections.abc import Iterable

from euchre_sdk.game.named import Interned, NotationError
from euchre_sdk.game.subsets import subsets
from euchre_sdk.game.suits import RANKS, SUITS, Rank, Suit, effective_suit
from euchre_sdk.text import shown


class Action(Interned):
    """What a seat decides. A `Card` is an action too: play it, or lay it down for the turn-up.

    `TAKE` and `COMBINE` are what the others see of a dealer's pick-up and of a maker's choice of
    five; they stand in the public history and are never legal actions.
    """

    PASS: Action
    ORDER_UP: Action
    ORDER_UP_ALONE: Action
    DECLINE: Action
    ALONE: Action
    WITH_DUMMY: Action
    TOGETHER: Action
    TAKE: Action
    COMBINE: Action

    def __new__(cls, number: int) -> Action:  # noqa: PYI034 - a number may be a Card's
        """Return the action of a number, as `int` gives it."""
        member = _ACTIONS.get(number)
        if member is not None:
            return member
        if number >> _KEEP_SHIFT == 1:
            return int.__new__(cls, number)
        msg = f"no action has the number {number}"
        raise ValueError(msg)

    @staticmethod
    def name_trump(suit: Suit) -> Action:
        """Return the bid that makes `suit` trump in the second round."""
        return NAME_ACTIONS[suit]

    @staticmethod
    def name_trump_alone(suit: Suit) -> Action:
        """Return the bid that names `suit` and plays alone (A23: `alone_timing` with the bid)."""
        return NAME_ALONE_ACTIONS[suit]

    @staticmethod
    def keep(cards: Iterable[Card]) -> Action:
        """Return the choice of these five cards out of the maker's ten; order does not matter.

        Raises `NotationError` for anything but five different cards.
        """
        chosen = tuple(cards)
        mask = mask_of(chosen)
        if len(chosen) != HAND_SIZE or mask.bit_count() != HAND_SIZE:
            shown = " ".join(map(str, chosen))
            msg = f"keep takes five different cards, not {shown or 'none'}"
            raise NotationError(msg)
        return keep_action(mask)

    @staticmethod
    def parse(text: str) -> Action:
        """Return the action of a notation, as `str` writes it. Raises `NotationError`."""
        action = _BY_TEXT.get(text)
        if action is not None:
            return action
        if text.startswith("keep "):
            return Action.keep(parse_cards(text[5:]))
        msg = (
            f"no action {shown(text)}: expected a card such as JH, keep with five cards, "
            f"or one of {', '.join(t for t in _BY_TEXT if ' ' not in t and len(t) > 2)}, "
            "order alone, name H, name H alone"
        )
        raise NotationError(msg)

    @property
    def card(self) -> Card:
        """The card played or laid down. Raises `ValueError` for other actions."""
        msg = f"the action {self} names no card"
        raise ValueError(msg)

    @property
    def suit(self) -> Suit:
        """The suit named. Raises `ValueError` for actions that name none."""
        suit = _SUIT_NAMED.get(self)
        if suit is not None:
            return suit
        msg = f"the action {self} names no suit"
        raise ValueError(msg)

    @property
    def is_keep(self) -> bool:
        """Whether this is a choice of five cards out of ten."""
        return self >> _KEEP_SHIFT == 1

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the action in deck order: five to keep, one played, or none."""
        return cards_of(self & CARD_BITS) if self.is_keep else ()

    @property
    def is_alone(self) -> bool:
        """Whether the action declares to play alone."""
        return self in _ALONE_ACTIONS

    def __str__(self) -> str:
        if self.is_keep:
            return "keep " + " ".join(map(str, self.cards))
        return self._text

    def __reduce__(self) -> tuple[type[Action], tuple[int]]:
        return Action, (int(self),)


class Card(Action):
    """One of the 33 cards, numbered in deck order: suit × 8 + rank (7 low), the joker last."""

    __hash__ = int.__hash__

    rank: Rank | None
    """The rank, `None` for the joker."""
    is_joker: bool
    mask: int
    """The card as one bit of a set of cards (its place is not its number)."""
    _suit: Suit | None
    _effective: tuple[Suit, ...]

    def __new__(cls, number: int) -> Card:  # noqa: PYI034 - Card has no subclasses
        """Return the card of a number."""
        if 0 <= number < len(CARDS):
            return CARDS[number]
        msg = f"a card is 0 to {len(CARDS) - 1}, not {number}"
        raise ValueError(msg)

    @staticmethod
    def parse(text: str) -> Card:
        """Return the card of a notation such as `JH` or `XX`. Raises `NotationError`."""
        action = _BY_TEXT.get(text)
        if isinstance(action, Card):
            return action
        msg = (
            f"no card {shown(text)}: "
            "expected a rank 7 8 9 T J Q K A and a suit C D H S, as in JH, or XX"
        )
        raise NotationError(msg)

    @property
    def card(self) -> Card:
        """The card itself, for code that handles any action."""
        return self

    @property
    def cards(self) -> tuple[Card, ...]:
        """The card alone, for code that handles any action."""
        return (self,)

    @property
    def suit(self) -> Suit:
        """The printed suit. Raises `ValueError` for the joker, which has none (A04)."""
        if self._suit is None:
            msg = "the joker has no printed suit; ask is_joker, or effective_suit(trump)"
            raise ValueError(msg)
        return self._suit

    def effective_suit(self, trump: Suit) -> Suit:
        """Return the suit the card belongs to once `trump` is known: bowers and joker are trump."""
        return self._effective[trump]


HAND_SIZE = 5
_KEEP_SHIFT = 40
CARD_BITS = (1 << 33) - 1
"""The part of a choice of five that says which cards; above it a bit says that it is one."""


def _bit(number: int, rank: Rank | None, suit: Suit | None) -> int:
    """Return a card's place in a bit set: the 24 cards of the usual deck come first.

    Their sets then fit one digit of Python's integers, which halves the cost of every operation.
    """
    if rank is None or suit is None:
        return number
    return 6 * suit + rank - 2 if rank >= Rank.NINE else 24 + 2 * suit + rank


def _make_card(number: int, rank: Rank | None, suit: Suit | None) -> Card:
    card = Card._make(number, "XX" if suit is None else f"{rank}{suit}")
    card.rank, card._suit, card.is_joker = rank, suit, suit is None
    card.mask = 1 << _bit(number, rank, suit)
    card._effective = tuple(effective_suit(rank, suit, trump) for trump in SUITS)
    return card


CARDS: tuple[Card, ...] = (
    *(_make_card(8 * suit + rank, rank, suit) for suit in SUITS for rank in RANKS),
    _make_card(32, None, None),
)
"""All 33 cards in deck order: clubs, diamonds, hearts, spades, each 7 to ace; the joker."""
JOKER = CARDS[32]


Action.PASS = Action._make(33, "pass")
Action.ORDER_UP = Action._make(34, "order")
Action.ORDER_UP_ALONE = Action._make(35, "order alone")
NAME_ACTIONS = tuple(Action._make(36 + s, f"name {s}") for s in SUITS)
NAME_ALONE_ACTIONS = tuple(Action._make(40 + s, f"name {s} alone") for s in SUITS)
Action.DECLINE = Action._make(44, "decline")
Action.ALONE = Action._make(45, "alone")
Action.WITH_DUMMY = Action._make(46, "dummy")
Action.TOGETHER = Action._make(47, "together")
Action.TAKE = Action._make(48, "take")
Action.COMBINE = Action._make(49, "combine")
_FIXED = (
    *(
        Action.PASS,
        Action.ORDER_UP,
        Action.ORDER_UP_ALONE,
        *NAME_ACTIONS,
        *NAME_ALONE_ACTIONS,
    ),
    *(Action.DECLINE, Action.ALONE, Action.WITH_DUMMY, Action.TOGETHER, Action.TAKE),
    Action.COMBINE,
)
_ACTIONS: dict[int, Action] = {int(a): a for a in (*CARDS, *_FIXED)}
_BY_TEXT: dict[str, Action] = {str(a): a for a in (*_FIXED, *CARDS)}
_SUIT_NAMED = {
    a: s for names in (NAME_ACTIONS, NAME_ALONE_ACTIONS) for a, s in zip(names, SUITS, strict=True)
}
_ALONE_ACTIONS = frozenset({Action.ORDER_UP_ALONE, Action.ALONE, *NAME_ALONE_ACTIONS})


def keep_action(mask: int) -> Action:
    """Return the choice of the five cards of `mask`, unchecked (the engine checks it)."""
    return int.__new__(Action, 1 << _KEEP_SHIFT | mask)


def mask_of(cards: Iterable[Card]) -> int:
    """Return a set of cards as bits, one bit a card."""
    mask = 0
    for card in cards:
        mask |= card.mask
    return mask


BY_BIT: tuple[Card, ...] = tuple(sorted(CARDS, key=lambda card: card.mask))
"""The cards in the order of their bits: nine to ace of each suit, sevens and eights, the joker."""
# Any set of cards is the join of three of these tuples.
_THIRD = 11
_THIRD_BITS = (1 << _THIRD) - 1
_FIRST, _SECOND, _LAST = (subsets(BY_BIT[n : n + _THIRD], _THIRD) for n in (0, _THIRD, 2 * _THIRD))
_USUAL_CARDS = 1 << 24


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a bit set in deck order."""
    cards = (
        _FIRST[mask & _THIRD_BITS]
        + _SECOND[mask >> _THIRD & _THIRD_BITS]
        + _LAST[mask >> 2 * _THIRD]
    )
    # Sevens, eights and the joker have the highest bits, wherever they stand in the deck.
    return cards if mask < _USUAL_CARDS else tuple(sorted(cards))


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return cards written with spaces between them, in that order. Raises `NotationError`."""
    return tuple(Card.parse(word) for word in text.split())


def show_cards(cards: Iterable[Card]) -> str:
    """Return cards in notation with spaces between them."""
    return " ".join(map(str, cards))
