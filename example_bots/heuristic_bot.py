"""Plays by rules of thumb: what a good player does without counting long.

Read it top to bottom: bidding, the dummy, then the cards. `BotBase` splits `act` into one method
for each kind of decision; what is not overwritten is answered by the referee's fallback.
"""

from collections.abc import Iterable

from euchre_sdk import Action, BotBase, Card, Rank, Suit, View


class HeuristicBot(BotBase):
    """Bids with the dummy in mind, draws trump as maker, defends as one of a pair."""

    def order_up(self, view: View) -> bool:
        """Make trump early: with ten cards to choose from, a maker wins more often than not."""
        needed = 0.3 if view.seat is view.dealer else 0.8  # the turn-up comes to the dealer's hand
        return tricks(view.hand, view.turn_up.suit) > needed

    def name_trump(self, view: View) -> Suit | None:
        """Name the best suit; pass only with next to nothing."""
        suits = sorted({action.suit for action in view.legal if action is not Action.PASS})
        best = max(suits, key=lambda suit: tricks(view.hand, suit))
        poor = tricks(view.hand, best) < 0.8
        return None if poor and Action.PASS in view.legal else best

    def exchange(self, view: View) -> Card:
        """Take the turn-up, whoever ordered it, and lay down the weakest card."""
        return weakest(view.legal_cards, trump_of(view))

    def play_alone(self, view: View, trump: Suit) -> bool:
        """Leave the dummy only where that pays more, and only with the march in hand."""
        pays = view.rules.points_alone_march > view.rules.points_march
        return pays and tricks(view.hand, trump) > 3.5

    def keep_five(self, view: View) -> Iterable[Card]:
        """Keep trumps, then aces, then whatever is high."""
        trump = trump_of(view)
        return sorted(view.pool, key=lambda card: power(card, trump))[-5:]

    def defend_alone(self, view: View) -> bool:
        """Defend alone only where three tricks of one's own pay more than a common euchre."""
        pays = view.rules.points_lone_defender > view.rules.points_euchred
        return pays and tricks(view.hand, trump_of(view)) > 2.3

    def play_card(self, view: View) -> Card:
        """Lead; or take the trick as cheaply as it can be had; or throw the weakest card."""
        if not view.trick:
            return self.lead(view)
        winning = [card for card in view.legal_cards if view.beats(card)]
        if view.partner is not None and view.winning_seat is view.partner:
            winning = self.overtaking(view, winning)
        return weakest(winning or view.legal_cards, trump_of(view))

    def lead(self, view: View) -> Card:
        """Draw trump as maker; as a defender lead aces, and let the maker spend his trumps."""
        trump = trump_of(view)
        trumps = [card for card in view.legal_cards if card.effective_suit(trump) is trump]
        plain = [card for card in view.legal_cards if card not in trumps]
        if view.is_maker and (len(trumps) >= 2 or not plain):
            return max(trumps, key=view.strength)
        high = [card for card in plain if is_high(card, view)]
        return max(high or plain or trumps, key=view.strength)

    def overtaking(self, view: View, winning: list[Card]) -> list[Card]:
        """Return the cards with which to take a trick from one's partner: none, as a rule.

        Only if the maker plays after us, may beat our partner's card and cannot beat ours.
        """
        best = view.winning_card
        if best is None or len(view.trick) == 2 or is_high(best, view):
            return []
        return [card for card in winning if is_high(card, view)]


def trump_of(view: View) -> Suit:
    """Return trump where it is known: whenever cards are kept, laid down or played."""
    assert view.trump is not None
    return view.trump


def tricks(hand: Iterable[Card], trump: Suit) -> float:
    """Return how many tricks a hand is good for, roughly."""
    good_for = {20: 1.0, 19: 1.0, 18: 0.8, 17: 0.7, 7: 0.3}
    powers = [power(card, trump) for card in hand]
    return sum(good_for.get(p, 0.5 if p >= 10 else 0) for p in powers)


def power(card: Card, trump: Suit) -> int:
    """Return a card's rank from 0 (seven) to 7 (ace), trumps from 10 on: bowers 18 and 19."""
    if card.rank is None:
        return 20  # the joker
    if card.effective_suit(trump) is not trump:
        return int(card.rank)
    if card.rank is Rank.JACK:
        return 19 if card.suit is trump else 18
    return 10 + card.rank


def weakest(cards: Iterable[Card], trump: Suit) -> Card:
    """Return the card that is missed least."""
    return min(cards, key=lambda card: power(card, trump))


def is_high(card: Card, view: View) -> bool:
    """Return whether nobody else can hold a card of the same suit that beats it."""
    trump = trump_of(view)
    seen = {*view.hand, *view.buried, *view.trick, *(c for t in view.tricks for c in t.cards)}
    return not any(
        other.effective_suit(trump) is card.effective_suit(trump)
        and power(other, trump) > power(card, trump)
        for other in view.rules.deck
        if other not in seen
    )
