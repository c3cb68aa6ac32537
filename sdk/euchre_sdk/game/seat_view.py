"""What one seat may know, and the decision it is asked for.

        turn-up QH            seat 1                  clockwise: 0, 1, 2
                           +----------+               the dealer deals; the seat at his
              seat 2       |  trick   |   seat 0      left (the eldest hand) speaks first
                           +----------+
                    each hand 5 cards, the dummy 5, the stock face down

A view holds what the seat has been shown and nothing else: it is never made from a full state by
blanking fields. It is live: the engine keeps it current, so it is valid while `act` runs;
`freeze()` gives a copy that stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from euchre_sdk.game.cards import Action, Card, cards_of
from euchre_sdk.game.choices import KeepChoices, Legal
from euchre_sdk.game.compiled import STRENGTH
from euchre_sdk.game.public import MakerPlay, Public, Trick, TurnUp
from euchre_sdk.game.rules import Format, RuleSet
from euchre_sdk.game.suits import Seat, Suit


class SeatView:
    """Everything one seat may know. Read `kind` and `legal`, return one of `legal`."""

    __slots__ = (
        "bank",
        "buried_mask",
        "discard",
        "dummy_mask",
        "hand_mask",
        "kind",
        "legal",
        "limit",
        "public",
        "seat",
    )

    def __init__(self, seat: Seat, public: Public, hand_mask: int) -> None:
        self.seat = seat
        """Where you sit."""
        self.public = public
        """What everybody at the table knows; its fields can be read from the view itself, too."""
        self.kind = public.kind
        """The decision asked of you; of the last one while `legal` is empty."""
        self.legal: Legal = ()
        """Your legal actions; empty when it is not your turn. For `Kind.KEEP_FIVE` a lazy sequence
        of all 252 choices, in the order of your ten cards."""
        self.hand_mask = hand_mask
        """Your cards as bits: the `mask` of each."""
        self.discard: Card | None = None
        """The card you laid down as dealer for the turn-up."""
        self.dummy_mask = 0
        """The dummy's five as bits once you have been shown them, else 0."""
        self.buried_mask = 0
        """The five you did not keep as bits, once you have kept five of ten, else 0."""
        self.bank: timedelta | None = None
        """Time left for the rest of the game; `None` without a clock."""
        self.limit: timedelta | None = None
        """Time for this decision; `None` without a clock."""

    # What the seat holds ------------------------------------------------------------------

    @property
    def hand(self) -> tuple[Card, ...]:
        """Your cards in deck order; empty for a dealer who names trump blind (A12)."""
        return cards_of(self.hand_mask)

    @property
    def dummy(self) -> tuple[Card, ...]:
        """The dummy's five cards if you, as maker, have been shown them."""
        return cards_of(self.dummy_mask)

    @property
    def buried(self) -> tuple[Card, ...]:
        """The five cards you, as maker, did not keep: nobody else knows them (A25)."""
        return cards_of(self.buried_mask)

    @property
    def pool(self) -> tuple[Card, ...]:
        """The ten cards of which you keep five; empty outside `Kind.KEEP_FIVE`."""
        return cards_of(self.legal.mask) if isinstance(self.legal, KeepChoices) else ()

    @property
    def legal_cards(self) -> tuple[Card, ...]:
        """The legal actions that are cards: to play, or to lay down for the turn-up."""
        if isinstance(self.legal, KeepChoices):
            return ()
        return tuple(action for action in self.legal if isinstance(action, Card))

    # What everybody knows -----------------------------------------------------------------

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self.public.rules

    @property
    def format(self) -> Format:
        """Whether this is a game to the target or a session of hands."""
        return self.public.format

    @property
    def hand_number(self) -> int:
        """The number of this hand in the game, from 1."""
        return self.public.hand_number

    @property
    def dealer(self) -> Seat:
        """Who deals."""
        return self.public.dealer

    @property
    def turn_up(self) -> Card:
        """The card turned up, wherever it is now."""
        return self.public.turn_up

    @property
    def turn_up_state(self) -> TurnUp:
        """Where the turn-up is."""
        return self.public.turn_up_state

    @property
    def score(self) -> tuple[int, int, int]:
        """Points of the three seats before this hand."""
        return self.public.score

    @property
    def trump(self) -> Suit | None:
        """Trump, once it is made."""
        return self.public.trump

    @property
    def maker(self) -> Seat | None:
        """Who made trump."""
        return self.public.maker

    @property
    def maker_plays(self) -> MakerPlay:
        """How the maker plays: undecided, alone, with the dummy."""
        return self.public.maker_plays

    @property
    def lone_defender(self) -> Seat | None:
        """The defender who plays without his partner."""
        return self.public.lone_defender

    @property
    def sitting_out(self) -> Seat | None:
        """The lone defender's partner."""
        return self.public.sitting_out

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats still in the hand."""
        return self.public.active

    @property
    def history(self) -> Sequence[tuple[Seat, Action]]:
        """Everything said and played in this hand, as all saw it."""
        return self.public.history

    @property
    def leader(self) -> Seat | None:
        """Who leads or led to the current trick."""
        return self.public.leader

    @property
    def trick(self) -> Sequence[Card]:
        """The current trick's cards in order of play."""
        return self.public.trick

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks."""
        return self.public.tricks

    @property
    def tricks_won(self) -> Sequence[int]:
        """Tricks of each seat."""
        return self.public.tricks_won

    def voids(self, seat: Seat) -> frozenset[Suit]:
        """Return the effective suits in which `seat` is known to hold nothing."""
        return self.public.voids(seat)

    # What a player works out ----------------------------------------------------------------

    @property
    def is_maker(self) -> bool:
        """Whether you made trump."""
        return self.public.maker is self.seat

    @property
    def partner(self) -> Seat | None:
        """The other defender while you defend and he is in the hand, else `None`."""
        public = self.public
        if public.maker is None or public.maker is self.seat or public.lone_defender is not None:
            return None
        return Seat(3 - public.maker - self.seat)

    @property
    def winning_card(self) -> Card | None:
        """The best card of the current trick so far."""
        trick = self.public.trick
        return max(trick, key=self.strength) if trick else None

    @property
    def winning_seat(self) -> Seat | None:
        """Who wins the current trick so far."""
        card = self.winning_card
        if card is None:
            return None
        return next(seat for seat, played in self.public.seated_plays() if played is card)

    def strength(self, card: Card) -> int:
        """Return how strong a card is in the current trick, 0 if it cannot win it.

        Higher beats lower. On the lead it is measured as if the card were led. Raises `ValueError`
        before trump is made.
        """
        trump = self.public.trump
        if trump is None:
            msg = "no card has a strength before trump is made"
            raise ValueError(msg)
        trick = self.public.trick
        return STRENGTH[trump][trick[0] if trick else card][card]

    def beats(self, card: Card) -> bool:
        """Return whether playing the card now takes the lead in the current trick."""
        best = self.winning_card
        return best is None or self.strength(card) > self.strength(best)

    def __eq__(self, other: object) -> bool:
        """Two views are equal when the seat knows the same and is asked the same."""
        if not isinstance(other, SeatView):
            return NotImplemented
        return (
            all(getattr(self, n) == getattr(other, n) for n in SeatView.__slots__ if n != "legal")
            and len(self.legal) == len(other.legal)
            and self.pool == other.pool
            and (bool(self.pool) or tuple(self.legal) == tuple(other.legal))
        )

    __hash__ = None  # type: ignore[assignment]  # it changes
