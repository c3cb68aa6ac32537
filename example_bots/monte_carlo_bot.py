"""Thinks by playing: tries every choice on deals that fit what it knows, and takes the best.

You do not see the others' cards, but you can imagine them. `view.determinise` deals the unseen
cards at random so that everything you know holds: your hand, what was played, who could not follow
suit. The result is a complete hand that can be played on, by whatever policy you like. What does
best on average over many such deals is probably right.

The better the policy, the better the bot: it believes that everybody plays like `quick` below.
"""

from collections.abc import Iterable
from itertools import combinations
from math import inf
from random import Random
from time import perf_counter

from euchre_sdk import Action, Card, GameStart, Kind, Rank, Suit, View, fallback

DEALS = 30
"""Deals to try for a decision. Twice as many take twice as long and are a little better."""
HEAD_START = 8
"""Points, over all deals, that a choice must gain more than the quick one: small leads are luck."""


class MonteCarloBot:
    """Plays every choice to the end of the hand on imagined deals."""

    def game_started(self, start: GameStart) -> None:
        """Take the game's seed, so that a run can be repeated."""
        self.random = Random(start.seed)

    def act(self, view: View) -> Action:
        """Return the choice that did best."""
        choices = worth_trying(view)
        if len(choices) == 1:
            return choices[0]
        gains = dict.fromkeys(choices, 0.0)
        gains[quick(view)] = HEAD_START
        end = perf_counter() + thinking_seconds(view)
        for _ in range(DEALS):
            # Every choice is tried on the same deals: that compares choices, not luck.
            deal = view.determinise(self.random)
            for choice in choices:
                hand = deal.clone()
                hand.apply(choice)
                while (asked := hand.view) is not None:
                    hand.apply(quick(asked))
                assert hand.points is not None  # nobody is asked any more
                points = hand.points[view.seat]
                others = (sum(hand.points) - points) / 2
                gains[choice] += points - others
            if perf_counter() > end:
                break
        return max(choices, key=gains.__getitem__)


def worth_trying(view: View) -> list[Action]:
    """Return the legal actions; of the 252 ways to keep five, those about the last two cards.

    Imagined makers have kept any five cards, not their best, so they look weak: who believes in
    them defends alone far too often. Mending that is a good next step; here it is left out.
    """
    if view.kind is Kind.DEFEND_ALONE:
        return [Action.TOGETHER]
    if view.kind is Kind.KEEP_FIVE:
        best = by_strength(view, view.pool)
        return [Action.keep([*best[:3], *two]) for two in combinations(best[3:7], 2)]
    return list(view.legal)


def thinking_seconds(view: View) -> float:
    """Return how long to think: never more than a fiftieth of what is left for the game.

    A fiftieth can be spent again and again without running out. A late answer is a fault, and the
    referee then plays something modest for you.
    """
    if view.bank is None or view.limit is None:
        return inf  # no clock: try all the deals
    return min(view.bank / 50, view.limit / 2).total_seconds()


def quick(view: View) -> Action:
    """Return a reasonable action at once: it is asked for thousands of times."""
    match view.kind:
        case Kind.ORDER_UP:
            trumps = count(view.hand, view.turn_up.suit) + (view.seat is view.dealer)
            return Action.ORDER_UP if trumps >= 2 else Action.PASS
        case Kind.NAME_TRUMP:
            bids = [bid for bid in view.legal if bid is not Action.PASS and not bid.is_alone]
            best = max(bids, key=lambda bid: count(view.hand, bid.suit))
            weak = count(view.hand, best.suit) < 2
            return Action.PASS if weak and Action.PASS in view.legal else best
        case Kind.EXCHANGE:
            return by_strength(view, view.legal_cards)[-1]
        case Kind.KEEP_FIVE:
            return Action.keep(by_strength(view, view.pool)[:5])
        case Kind.MAKER_ALONE:
            return Action.WITH_DUMMY
        case Kind.PLAY if view.trump is not None:
            return play(view, view.trump)
        case _:
            return fallback(view)


def play(view: View, trump: Suit) -> Card:
    """Lead high, trumps only as maker; win cheaply; leave the other defender's tricks alone."""
    best_first = by_strength(view, view.legal_cards)
    if not view.trick:
        plain = [card for card in best_first if card.effective_suit(trump) is not trump]
        return best_first[0] if view.is_maker or not plain else plain[0]
    winning = [card for card in best_first if view.beats(card)]
    if not winning or (view.partner is not None and view.winning_seat is view.partner):
        return best_first[-1]
    return winning[-1]


def by_strength(view: View, cards: Iterable[Card]) -> list[Card]:
    """Return the cards from strong to weak in the trick; those that cannot win it by rank."""
    strength = view.strength
    return sorted(cards, key=lambda c: (strength(c), c.rank or Rank.SEVEN), reverse=True)


def count(hand: Iterable[Card], trump: Suit) -> int:
    """Return how many trumps a hand would have."""
    return sum(card.effective_suit(trump) is trump for card in hand)
