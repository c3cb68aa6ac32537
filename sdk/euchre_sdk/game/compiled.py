"""A rule set resolved into tables, so that an option that is off costs nothing during play.

Cards, seats and suits index the tables by number. Each table is computed from the plain statement
of its rule, which stands beside it as a function of its own and is what the tests read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final

from euchre_sdk.game.cards import CARDS, JOKER, NAME_ACTIONS, NAME_ALONE_ACTIONS, Action, Card
from euchre_sdk.game.rules import AloneTiming, DealPattern, Exchange, LeadRule, RuleSet
from euchre_sdk.game.suits import SEATS, SUITS, Rank, Seat, Suit


def card_strength(card: Card, led: Suit, trump: Suit) -> int:
    """Return how strong a card is in a trick, 0 for one that cannot win (rules 1.2, 2.10).

    Trump, high to low: joker, right bower, left bower, A K Q T 9 8 7; then the led suit by rank.
    """
    if card is JOKER:
        return 32
    suit, rank = card.suit, card.rank
    assert rank is not None  # only the joker has none
    if rank is Rank.JACK and suit is trump:
        return 31
    if rank is Rank.JACK and suit is trump.same_colour:
        return 30
    if suit is trump:
        return 20 + rank
    return 10 + rank if suit is led else 0


SUIT_MASK: Final = tuple(
    tuple(sum(c.mask for c in CARDS if c.effective_suit(trump) is suit) for suit in SUITS)
    for trump in SUITS
)
"""`SUIT_MASK[trump][suit]`: the cards whose effective suit is `suit`."""
FOLLOW: Final = tuple(
    {card: SUIT_MASK[trump][card.effective_suit(trump)] for card in CARDS} for trump in SUITS
)
"""`FOLLOW[trump][card led]`: the cards that follow it."""
STRENGTH: Final = tuple(
    {
        led: {card: card_strength(card, led.effective_suit(trump), trump) for card in CARDS}
        for led in CARDS
    }
    for trump in SUITS
)
"""`STRENGTH[trump][card led][card]`: see `card_strength`."""


BY_LEAD: Final = tuple(
    {led: (FOLLOW[trump][led], STRENGTH[trump][led]) for led in CARDS} for trump in SUITS
)
"""`BY_LEAD[trump][card led]`: the cards that follow it, and every card's strength then."""


def deal_places(pattern: DealPattern) -> tuple[tuple[int, ...], ...]:
    """Return the places in the cut deck of the cards of E, M, X and D (rules 2.3, A10, A11)."""
    packets = {
        DealPattern.P32: ((3, 3, 3, 3), (2, 2, 2, 2)),
        DealPattern.P23: ((2, 2, 2, 2), (3, 3, 3, 3)),
        DealPattern.ALT32: ((3, 2, 3, 2), (2, 3, 2, 3)),
        DealPattern.ALT23: ((2, 3, 2, 3), (3, 2, 3, 2)),
        DealPattern.SINGLES: ((1, 1, 1, 1),) * 5,
    }[pattern]
    places: list[list[int]] = [[], [], [], []]
    top = 0
    for round_ in packets:
        for place, size in zip(places, round_, strict=True):
            place.extend(range(top, top + size))
            top += size
    return tuple(map(tuple, places))


TURN_UP_PLACE: Final = 20


def next_active(seat: Seat, out: Seat | None) -> Seat:
    """Return the next seat clockwise that is still in the hand."""
    return seat.left if seat.left is not out else seat.left.left


def opening_leader(
    rules: RuleSet,
    dealer: Seat,
    maker: Seat,
    *,
    maker_alone: bool,
    lone_defender: Seat | None,
) -> Seat:
    """Return who leads to the first trick (rules 2.9, A29, A30)."""
    out = None if lone_defender is None else sitting_out(maker, lone_defender)
    reference = dealer
    if rules.lead_rule is LeadRule.LEFT_OF_LONER:
        if maker_alone:
            reference = maker
        elif lone_defender is not None:
            reference = lone_defender
    return next_active(reference, out)


def _opening(
    rules: RuleSet, dealer: Seat, maker: Seat, *, maker_alone: bool, lone_defender: Seat | None
) -> tuple[Seat, int, tuple[int, int, int]]:
    """Return who leads, the cards of a trick, and who plays after each seat (2 places, or 3).

    The place after the partner who sits out is never looked at: he is never asked.
    """
    leader = opening_leader(
        rules, dealer, maker, maker_alone=maker_alone, lone_defender=lone_defender
    )
    out = None if lone_defender is None else sitting_out(maker, lone_defender)
    first, second, third = (int(next_active(seat, out)) for seat in SEATS)
    return leader, 3 if out is None else 2, (first, second, third)


def sitting_out(maker: Seat, lone_defender: Seat) -> Seat:
    """Return the partner of a lone defender, who lays his hand down (rules 2.8)."""
    return SEATS[3 - maker - lone_defender]


def awards(
    rules: RuleSet, maker_tricks: int, *, maker_alone: bool, lone_defender: bool
) -> tuple[int, int]:
    """Return the points of the maker and of each defender (rules 2.11, A28, A32–A37)."""
    if maker_tricks == 5:
        return (rules.points_alone_march if maker_alone else rules.points_march), 0
    if maker_tricks >= 3:
        return rules.points_make, 0
    if lone_defender:
        won_all = maker_tricks == 0
        return (
            0,
            rules.points_lone_defender_march if won_all else rules.points_lone_defender,
        )
    return 0, rules.points_alone_euchred if maker_alone else rules.points_euchred


class Compiled:
    """The tables of one rule set."""

    __slots__ = (
        "accept_declines",
        "alone_with_bid",
        "awards",
        "deal_dealer",
        "deal_dummy",
        "deal_eldest",
        "deal_middle",
        "defender_asked",
        "joker_names",
        "maker_asked",
        "name_first",
        "name_last",
        "openings",
        "order_declines",
        "order_up",
    )

    def __init__(self, rules: RuleSet) -> None:
        with_bid = rules.alone_timing is AloneTiming.WITH_BID and rules.maker_alone_allowed
        self.alone_with_bid = with_bid
        self.maker_asked = rules.maker_alone_allowed and not with_bid
        self.defender_asked = rules.defender_alone_allowed
        self.order_up = (
            (Action.PASS, Action.ORDER_UP, Action.ORDER_UP_ALONE)
            if with_bid
            else (Action.PASS, Action.ORDER_UP)
        )
        self.joker_names = _names(SUITS, alone=with_bid)
        turned_down = {
            up: _names(
                [s for s in SUITS if s is not up or rules.turned_down_suit_allowed],
                alone=with_bid,
            )
            for up in SUITS
        }
        self.name_first = {up: (Action.PASS, *names) for up, names in turned_down.items()}
        """Legal bids of the second round by the turned-down suit, for E and M (A15)."""
        self.name_last = turned_down if rules.stick_the_dealer else self.name_first
        """The same for the dealer (A18)."""
        self.order_declines = rules.exchange_on_order is Exchange.OPTIONAL
        self.accept_declines = rules.exchange_on_accept is Exchange.OPTIONAL
        eldest, middle, dummy, dealer = map(_taker, deal_places(rules.deal_pattern))
        self.deal_eldest, self.deal_middle, self.deal_dealer = eldest, middle, dealer
        """Functions from the cut deck to the five cards of E, M and D."""
        self.deal_dummy = dummy
        """The same for the dummy."""
        self.openings = {
            (dealer, maker, alone, lone): _opening(
                rules, dealer, maker, maker_alone=alone, lone_defender=lone
            )
            for dealer in SEATS
            for maker in SEATS
            for alone in (False, True)
            for lone in (None, *(s for s in SEATS if s is not maker))
        }
        """How play opens by (dealer, maker, maker alone, lone defender); see `_opening`."""
        self.awards = {
            (alone, lone): tuple(
                awards(rules, tricks, maker_alone=alone, lone_defender=lone) for tricks in range(6)
            )
            for alone in (False, True)
            for lone in (False, True)
        }
        """Points (maker, each defender) by (maker alone, a lone defender), then maker's tricks."""


def _names(suits: Sequence[Suit], *, alone: bool) -> tuple[Action, ...]:
    names = [NAME_ACTIONS[s] for s in suits]
    return (*names, *(NAME_ALONE_ACTIONS[s] for s in suits)) if alone else tuple(names)


def _taker(places: tuple[int, ...]) -> Callable[[Sequence[Card]], tuple[Card, ...]]:
    return itemgetter(*places)


def compiled(rules: RuleSet) -> Compiled:
    """Return the tables of a rule set, made once for equal rule sets."""
    tables = rules.tables
    if isinstance(tables, Compiled):
        return tables
    made = _compiled(rules)
    object.__setattr__(rules, "tables", made)
    return made


@lru_cache(maxsize=256)
def _compiled(rules: RuleSet) -> Compiled:
    return Compiled(rules)
