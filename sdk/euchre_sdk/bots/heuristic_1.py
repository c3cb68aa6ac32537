"""`heuristic@1`: bids by counting points, combines, draws trump, and defends as a pair."""

from __future__ import annotations

from euchre_sdk import SUITS, Action, Card, Kind, Suit, View
from euchre_sdk.bots.card_play_1 import choose_card
from euchre_sdk.bots.power import OF_SUIT, POWER

TRUMP_POINTS = {20: 44, 19: 40, 18: 35, 17: 30, 16: 25, 15: 22, 13: 20, 12: 19, 11: 18, 10: 17}
SIDE_POINTS = (0, 0, 0, 1, 2, 3, 5, 14)
BID, MARCH_ALONE = 60, 165


class Heuristic1:
    """Makes trump whenever the dummy's five cards should do the rest."""

    def act(self, view: View) -> Action:
        """Return one of `view.legal`."""
        kind = view.kind
        if kind is Kind.PLAY:
            return choose_card(view)
        if kind is Kind.ORDER_UP:
            return self._order_up(view)
        if kind is Kind.NAME_TRUMP:
            return self._name_trump(view)
        trump = view.trump
        assert trump is not None  # it is known from here on
        if kind is Kind.EXCHANGE:
            return min(view.legal_cards, key=lambda card: keeping(card, trump, view.hand_mask))
        if kind is Kind.KEEP_FIVE:
            return Action.keep(best_five(view.pool, trump))
        return Action.WITH_DUMMY if kind is Kind.MAKER_ALONE else Action.TOGETHER

    def _order_up(self, view: View) -> Action:
        suit = view.turn_up.suit
        worth = points(view.hand, suit)
        if view.seat is view.dealer:
            worth += TRUMP_POINTS[POWER[suit][view.turn_up]]
        return Action.ORDER_UP if worth >= BID else Action.PASS

    def _name_trump(self, view: View) -> Action:
        legal = [suit for suit in SUITS if Action.name_trump(suit) in view.legal]
        best = max(legal, key=lambda suit: points(view.hand, suit))
        if Action.PASS in view.legal and points(view.hand, best) < BID:
            return Action.PASS
        return Action.name_trump(best)


def card_points(card: Card, trump: Suit) -> int:
    """Return what a card is worth in a hand."""
    power = POWER[trump][card]
    return TRUMP_POINTS[power] if power >= 10 else SIDE_POINTS[power]


def points(hand: tuple[Card, ...], trump: Suit) -> int:
    """Return what a hand is worth if `trump` were trump."""
    return sum(card_points(card, trump) for card in hand)


def keeping(card: Card, trump: Suit, held: int) -> int:
    """Return how much a card is worth keeping; the last low card of a side suit goes first."""
    suit = OF_SUIT[trump][card.effective_suit(trump)]
    return 3 * card_points(card, trump) + 2 * (held & suit).bit_count()


def best_five(pool: tuple[Card, ...], trump: Suit) -> list[Card]:
    """Return the five best cards of ten."""
    return sorted(pool, key=POWER[trump].__getitem__)[5:]
