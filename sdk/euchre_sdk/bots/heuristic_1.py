"""`heuristic@1`: bids on a count of points, combines, and plays its cards with care.

A hand is worth the sum of its cards; a card is worth what it adds, in hundredths of a point, to
what a maker with the dummy gains on the others. Weights, needs and chances were fitted to deals
that the bot played against itself both ways: bidding and passing, alone and together.
"""

from __future__ import annotations

from collections.abc import Iterable

from euchre_sdk import Action, Card, Kind, MakerPlay, Suit, View
from euchre_sdk.bots.card_play_1 import choose_card
from euchre_sdk.bots.power import OF_SUIT, POWER

#        7   8   9   T      Q   K   A  left right joker
TRUMP = (50, 50, 52, 55, 0, 63, 70, 85, 105, 170, 190)
SIDE = (0, 0, 0, 0, 0, 0, 2, 30)
WORTH = tuple(
    {card: (TRUMP[p - 10] if p >= 10 else SIDE[p]) for card, p in POWER[trump].items()}
    for trump in range(4)
)
"""`WORTH[trump][card]`."""
JOKER_OUT = 25
"""What a hand loses by a joker in the deck: it is above everything else."""
ORDER_NEEDS = {"eldest": 95, "middle": 95, "dealer": 60}
"""Worth needed to make the turn-up trump: the middle hand fears the trump it gives the dealer."""
NAME_NEEDS = {"eldest": 60, "middle": 60, "dealer": 110}


class Heuristic1:
    """Makes trump whenever the dummy's five cards should do the rest."""

    def act(self, view: View) -> Action:
        """Return one of `view.legal`."""
        kind = view.kind
        if kind is Kind.PLAY:
            return choose_card(view)
        if kind is Kind.ORDER_UP:
            return order_up(view)
        if kind is Kind.NAME_TRUMP:
            return name_trump(view)
        trump = view.trump
        assert trump is not None  # it is known from here on
        if kind is Kind.EXCHANGE:
            return worst_card(view, trump)
        if kind is Kind.KEEP_FIVE:
            return Action.keep(by_keeping(view.pool, trump)[:5])
        worth = hand_worth(view, trump)
        if kind is Kind.MAKER_ALONE:
            return Action.ALONE if pays_alone(view, worth) else Action.WITH_DUMMY
        return Action.ALONE if pays_to_defend_alone(view, worth) else Action.TOGETHER


def order_up(view: View) -> Action:
    """Return the bid of the first round."""
    worth = hand_worth(view, view.turn_up.suit)
    if worth < ORDER_NEEDS[position(view)]:
        return Action.PASS
    alone = Action.ORDER_UP_ALONE in view.legal and pays_alone(view, worth)
    return Action.ORDER_UP_ALONE if alone else Action.ORDER_UP


def name_trump(view: View) -> Action:
    """Return the bid of the second round, or the suit of a joker's dealer."""
    worth, suit = max(
        (hand_worth(view, bid.suit), bid.suit) for bid in view.legal if bid is not Action.PASS
    )
    if Action.PASS in view.legal and worth < NAME_NEEDS[position(view)]:
        return Action.PASS
    alone = Action.name_trump_alone(suit)
    return alone if alone in view.legal and pays_alone(view, worth) else Action.name_trump(suit)


def position(view: View) -> str:
    """Return where one sits from the dealer."""
    if view.seat is view.dealer:
        return "dealer"
    return "eldest" if view.seat is view.dealer.left else "middle"


def hand_worth(view: View, trump: Suit) -> int:
    """Return what one's hand is worth, with the turn-up if one will take it."""
    worth = WORTH[trump]
    values = [worth[card] for card in view.hand]
    takes = view.kind is Kind.ORDER_UP or view.turn_up.is_joker
    if takes and view.seat is view.dealer and view.trump is None and values:
        values.append(worth[view.turn_up] - min(values))
    return sum(values) - (JOKER_OUT if view.rules.joker else 0)


def chance(worth: int, none: int, certain: int) -> float:
    """Return a chance that grows evenly from 0 at `none` to 1 at `certain`."""
    return min(1.0, max(0.0, (worth - none) / (certain - none)))


def pays_alone(view: View, worth: int) -> bool:
    """Return whether a march alone is likely enough for what it pays beyond one with the dummy."""
    rules = view.rules
    alone, with_dummy = chance(worth, 300, 445), chance(worth, 100, 430)
    gain = alone * (rules.points_alone_march - rules.points_make)
    return worth > 300 and gain > with_dummy * (rules.points_march - rules.points_make)


def pays_to_defend_alone(view: View, worth: int) -> bool:
    """Return whether three tricks of one's own pay more than a euchre with the other's help."""
    rules = view.rules
    is_alone = view.maker_plays is MakerPlay.ALONE
    together = rules.points_alone_euchred if is_alone else rules.points_euchred
    march = chance(worth, 370, 450) * (
        rules.points_lone_defender_march - rules.points_lone_defender
    )
    gain = chance(worth, 210, 350) * rules.points_lone_defender + march
    return gain > chance(worth, 130, 350) * together


def worst_card(view: View, trump: Suit) -> Card:
    """Return the card to lay down for the turn-up: a low one, better the last of its suit."""
    power, held = POWER[trump], view.hand_mask
    return min(
        view.legal_cards,
        key=lambda card: (
            2 * power[card] + (held & OF_SUIT[trump][card.effective_suit(trump)]).bit_count()
        ),
    )


def by_keeping(pool: Iterable[Card], trump: Suit) -> list[Card]:
    """Return cards as they are kept: trumps, aces, kings beside their ace, then few suits."""
    power = POWER[trump]
    length, has_ace = [0] * 4, [False] * 4
    for card in pool:
        suit = card.effective_suit(trump)
        length[suit] += 1
        has_ace[suit] |= power[card] == 7

    def keeping(card: Card) -> int:
        value = power[card]
        if value >= 10:
            return 100 + value
        suit = card.effective_suit(trump)
        winner = 50 if value == 7 else 20 if value == 6 and has_ace[suit] else 0
        return winner + value + length[suit]

    return sorted(pool, key=keeping, reverse=True)
