"""Bots that are no relatives of the house bots, for benchmarks/luck.py.

Each has an idea of its own of when to bid, what to keep and how to play; none shares a line or a
table with `euchre_sdk.bots`, with the value model of `arena.luck`, or with another one here beyond
how cards rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from euchre_sdk import Action, BotBase, Card, GameStart, Rank, Suit, View


def height(card: Card, trump: Suit) -> int:
    """Return how high a card stands in its suit, 0 to 7; trumps are 10 to 20."""
    if card.rank is None:
        return 20
    if card.effective_suit(trump) is not trump:
        return int(card.rank)
    if card.rank is Rank.JACK:
        return 19 if card.suit is trump else 18
    return 10 + int(card.rank)


def lowest(cards: Iterable[Card], trump: Suit) -> Card:
    """Return the lowest card."""
    return min(cards, key=lambda card: height(card, trump))


def highest(cards: Iterable[Card], trump: Suit) -> Card:
    """Return the highest card."""
    return max(cards, key=lambda card: height(card, trump))


def trumps(cards: Iterable[Card], trump: Suit) -> list[Card]:
    """Return the trumps among cards."""
    return [card for card in cards if card.effective_suit(trump) is trump]


def lengths(cards: Iterable[Card], trump: Suit) -> Counter[Suit]:
    """Return how many cards of each effective suit there are."""
    return Counter(card.effective_suit(trump) for card in cards)


def suits_to_name(view: View) -> list[Suit]:
    """Return the suits that may be named."""
    return sorted({action.suit for action in view.legal if action is not Action.PASS})


def must_name(view: View) -> bool:
    """Return whether passing is not allowed."""
    return Action.PASS not in view.legal


def trump_of(view: View) -> Suit:
    """Return trump where it is known."""
    assert view.trump is not None
    return view.trump


class Counting(BotBase):
    """Counts trumps and nothing else; plays high whenever that wins, low otherwise."""

    def order_up(self, view: View) -> bool:
        """Order with two trumps, as middle hand with three."""
        held = len(trumps(view.hand, view.turn_up.suit))
        return held + (view.seat is view.dealer) >= (3 if view.seat is view.dealer.right else 2)

    def name_trump(self, view: View) -> Suit | None:
        """Name the longest suit of at least two."""
        suits = suits_to_name(view)
        best = max(suits, key=lambda suit: len(trumps(view.hand, suit)))
        return best if must_name(view) or len(trumps(view.hand, best)) >= 2 else None

    def exchange(self, view: View) -> Card:
        """Lay down the lowest."""
        return lowest(view.legal_cards, trump_of(view))

    def play_alone(self, view: View, trump: Suit) -> bool:
        """Never."""
        return False

    def keep_five(self, view: View) -> Iterable[Card]:
        """Keep the five highest."""
        return sorted(view.pool, key=lambda card: height(card, trump_of(view)))[-5:]

    def defend_alone(self, view: View) -> bool:
        """Never."""
        return False

    def play_card(self, view: View) -> Card:
        """Lead the highest; beat with the highest; else the lowest."""
        trump = trump_of(view)
        winning = [card for card in view.legal_cards if view.beats(card)]
        return highest(winning, trump) if winning else lowest(view.legal_cards, trump)


class Pointed(BotBase):
    """Adds up points for bowers, trumps, aces and empty suits, and bids by position."""

    def points(self, cards: Sequence[Card], trump: Suit) -> int:
        """Return what cards are worth."""
        value = {20: 4, 19: 3, 18: 3, 17: 2}
        held = lengths(cards, trump)
        total = sum(value.get(height(c, trump), 1 if height(c, trump) >= 10 else 0) for c in cards)
        aces = sum(height(card, trump) == 7 for card in cards)
        return 2 * total + 2 * aces + (3 - len([s for s in held if s is not trump]))

    def order_up(self, view: View) -> bool:
        """Order with enough points."""
        trump = view.turn_up.suit
        if view.seat is view.dealer:
            return self.points(sorted([*view.hand, view.turn_up])[-6:], trump) >= 6
        return self.points(view.hand, trump) >= (8 if view.seat is view.dealer.left else 9)

    def name_trump(self, view: View) -> Suit | None:
        """Name the suit of most points."""
        best = max(suits_to_name(view), key=lambda suit: self.points(view.hand, suit))
        return best if must_name(view) or self.points(view.hand, best) >= 6 else None

    def exchange(self, view: View) -> Card | None:
        """Take a trump for the last card of a suit."""
        trump, held = trump_of(view), lengths(view.hand, trump_of(view))
        return min(
            view.legal_cards,
            key=lambda c: (height(c, trump) >= 7, held[c.effective_suit(trump)], height(c, trump)),
        )

    def play_alone(self, view: View, trump: Suit) -> bool:
        """Only with a hand that needs nobody."""
        return self.points(view.hand, trump) >= 19

    def keep_five(self, view: View) -> Iterable[Card]:
        """Keep trumps and aces, then cards of the shortest suit count: few suits."""
        trump = trump_of(view)
        held = lengths(view.pool, trump)

        def wish(card: Card) -> tuple[int, int]:
            tall = height(card, trump)
            if tall >= 10:
                return 3, tall
            return (2, held[card.effective_suit(trump)]) if tall == 7 else (1, tall)

        return sorted(view.pool, key=wish)[-5:]

    def defend_alone(self, view: View) -> bool:
        """With three sure trumps."""
        return self.points(view.hand, trump_of(view)) >= 18

    def play_card(self, view: View) -> Card:
        """Lead trump as maker, an ace or a short suit as defender; win as cheaply as possible."""
        trump, cards = trump_of(view), view.legal_cards
        if not view.trick:
            mine = trumps(cards, trump)
            if view.is_maker and len(mine) >= 3:
                return highest(mine, trump)
            plain = [card for card in cards if card not in mine]
            aces = [card for card in plain if height(card, trump) == 7]
            held = lengths(view.hand, trump)
            if aces or plain:
                return min(
                    aces or plain,
                    key=lambda c: (held[c.effective_suit(trump)], -height(c, trump)),
                )
            return highest(cards, trump)
        winning = [card for card in cards if view.beats(card)]
        if view.partner is not None and view.winning_seat is view.partner:
            return lowest(cards, trump)
        return lowest(winning or cards, trump)


class Daring(BotBase):
    """Makes trump whenever it can be defended before a judge, and goes alone too often."""

    def order_up(self, view: View) -> bool:
        """Order with a bower or an ace of trump; as dealer always with a trump in hand."""
        mine = trumps(view.hand, view.turn_up.suit)
        if view.seat is view.dealer:
            return bool(mine)
        return any(height(card, view.turn_up.suit) >= 17 for card in mine)

    def name_trump(self, view: View) -> Suit | None:
        """Name whatever holds the highest trumps."""
        best = max(
            suits_to_name(view),
            key=lambda suit: sum(height(card, suit) for card in trumps(view.hand, suit)),
        )
        return best if must_name(view) or trumps(view.hand, best) else None

    def exchange(self, view: View) -> Card:
        """Lay down the lowest card that is no ace."""
        trump = trump_of(view)
        return min(view.legal_cards, key=lambda c: (height(c, trump) == 7, height(c, trump)))

    def play_alone(self, view: View, trump: Suit) -> bool:
        """With four trumps, or three of the best."""
        mine = trumps(view.hand, trump)
        return len(mine) >= 4 and any(height(card, trump) == 19 for card in mine)

    def keep_five(self, view: View) -> Iterable[Card]:
        """Keep trumps, then whatever is high and alone in its suit."""
        trump = trump_of(view)
        held = lengths(view.pool, trump)
        return sorted(
            view.pool,
            key=lambda c: (
                height(c, trump) >= 10,
                height(c, trump) - held[c.effective_suit(trump)],
            ),
        )[-5:]

    def defend_alone(self, view: View) -> bool:
        """With three trumps, one of them a bower."""
        mine = trumps(view.hand, trump_of(view))
        return len(mine) >= 3 and any(height(card, trump_of(view)) >= 18 for card in mine)

    def play_card(self, view: View) -> Card:
        """Lead trump until there is none; take every trick that can be taken, with the second."""
        trump, cards = trump_of(view), view.legal_cards
        if not view.trick:
            return highest(trumps(cards, trump) or cards, trump)
        winning = sorted((c for c in cards if view.beats(c)), key=lambda c: height(c, trump))
        if not winning:
            return lowest(cards, trump)
        return winning[0] if len(view.trick) == 2 else winning[-1]


class Waiting(BotBase):
    """Bids late and defends well: lets others make trump, and spares its trumps."""

    def sure(self, cards: Iterable[Card], trump: Suit) -> float:
        """Return how many tricks look safe."""
        total = 0.0
        for card in cards:
            tall = height(card, trump)
            total += 1.0 if tall >= 19 else 0.75 if tall >= 17 else 0.45 if tall >= 10 else 0.0
            total += 0.4 if tall == 7 else 0.1 if tall == 6 else 0.0
        return total

    def order_up(self, view: View) -> bool:
        """Order only what is nearly made."""
        needed = 0.9 if view.seat is view.dealer else 1.8
        return self.sure(view.hand, view.turn_up.suit) >= needed

    def name_trump(self, view: View) -> Suit | None:
        """Name what is safe."""
        best = max(suits_to_name(view), key=lambda suit: self.sure(view.hand, suit))
        return best if must_name(view) or self.sure(view.hand, best) >= 1.3 else None

    def exchange(self, view: View) -> Card | None:
        """Take the turn-up only if it is worth more than what goes."""
        trump = trump_of(view)
        worst = min(view.legal_cards, key=lambda c: (self.sure([c], trump), height(c, trump)))
        gain = self.sure([view.turn_up], trump) - self.sure([worst], trump)
        return worst if gain > 0.2 or Action.DECLINE not in view.legal else None

    def play_alone(self, view: View, trump: Suit) -> bool:
        """Only with five safe tricks, nearly."""
        return self.sure(view.hand, trump) >= 3.9

    def keep_five(self, view: View) -> Iterable[Card]:
        """Keep what is safe, and then the suit of which most is held."""
        trump, held = trump_of(view), lengths(view.pool, trump_of(view))
        return sorted(
            view.pool, key=lambda c: (self.sure([c], trump), held[c.effective_suit(trump)])
        )[-5:]

    def defend_alone(self, view: View) -> bool:
        """Never: the other one may hold what is missing."""
        return False

    def play_card(self, view: View) -> Card:
        """Lead low from length, hold trumps back, take the last place's cheapest trick."""
        trump, cards = trump_of(view), view.legal_cards
        plain = [card for card in cards if height(card, trump) < 10]
        if not view.trick:
            if view.is_maker and len(trumps(cards, trump)) > len(plain):
                return highest(cards, trump)
            aces = [card for card in plain if height(card, trump) == 7]
            held = lengths(view.hand, trump)
            if aces:
                return aces[0]
            if plain:
                return max(plain, key=lambda c: (held[c.effective_suit(trump)], -height(c, trump)))
            return lowest(cards, trump)
        winning = [card for card in cards if view.beats(card)]
        partner_wins = view.partner is not None and view.winning_seat is view.partner
        if not winning or partner_wins:
            return lowest(cards, trump)
        cheap = lowest(winning, trump)
        return (
            cheap if height(cheap, trump) < 18 or len(view.trick) == 2 else highest(winning, trump)
        )


class Wandering(BotBase):
    """Draws its cards' fate: tries every card on a few random deals, with random play to the end.

    Bids by the number of high cards. A searcher, so its play is unlike that of any rule of thumb.
    """

    TRIES = 6

    def game_started(self, start: GameStart) -> None:
        """Take the seed."""
        self._random = Random(start.seed)

    def order_up(self, view: View) -> bool:
        """Order with two trumps and an honour."""
        trump = view.turn_up.suit
        mine = len(trumps(view.hand, trump)) + (view.seat is view.dealer)
        return mine >= 2 and sum(height(c, trump) in (7, 17, 18, 19, 20) for c in view.hand) >= 1

    def name_trump(self, view: View) -> Suit | None:
        """Name the suit with most height."""
        best = max(suits_to_name(view), key=lambda suit: sum(height(c, suit) for c in view.hand))
        enough = len(trumps(view.hand, best)) >= 2
        return best if must_name(view) or enough else None

    def exchange(self, view: View) -> Card:
        """Lay down the lowest."""
        return lowest(view.legal_cards, trump_of(view))

    def play_alone(self, view: View, trump: Suit) -> bool:
        """Never."""
        return False

    def keep_five(self, view: View) -> Iterable[Card]:
        """Keep trumps and then high cards of the longest suit."""
        trump = trump_of(view)
        held = lengths(view.pool, trump)
        return sorted(
            view.pool,
            key=lambda c: (
                height(c, trump) >= 10,
                height(c, trump) + held[c.effective_suit(trump)],
            ),
        )[-5:]

    def defend_alone(self, view: View) -> bool:
        """Never."""
        return False

    def play_card(self, view: View) -> Card:
        """Return the card after which random play ends best."""
        cards = view.legal_cards
        if len(cards) == 1:
            return cards[0]
        total = dict.fromkeys(cards, 0)
        for _ in range(self.TRIES):
            dealt = view.determinise(self._random)
            for card in cards:
                hand = dealt.clone()
                asked = hand.apply(card)
                while asked is not None:
                    asked = hand.apply(self._random.choice(asked.legal))
                assert hand.points is not None
                mine, left, right = (hand.points[(view.seat + step) % 3] for step in range(3))
                total[card] += 2 * mine - left - right
        return max(cards, key=lambda card: total[card])
