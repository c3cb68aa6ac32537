"""A game or session: hands one after the other, the score, the end (rules 2.1, 2.12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from euchre_sdk.game.cards import Action, Card
from euchre_sdk.game.compiled import card_strength
from euchre_sdk.game.hand import Hand, View
from euchre_sdk.game.hand_state import Points
from euchre_sdk.game.rules import Format, RuleSet, Session, TieRule, ToTarget
from euchre_sdk.game.suits import SEATS, Seat

MAX_POINTLESS = 100
"""Consecutive hands without a point that end a game as unfinished (A19)."""
MAX_PLAYED_ON = 100
"""Hands played on with the top scorers level, after which they share the win (A44)."""

Draw = tuple[Seat, Card]


class Deals(Protocol):
    """Where cut decks come from; the same arguments always give the same deck."""

    def first_dealer(self, rules: RuleSet) -> tuple[Seat, Sequence[Draw]]:
        """Return the first dealer and the public draws that chose him (A05, A06)."""
        ...

    def deck(self, rules: RuleSet, hand_number: int, attempt: int) -> Sequence[Card]:
        """Return the cut deck of an attempt at a hand.

        Hands count from 1; `attempt`, at most 64 bits, tells deals of the same hand apart.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How a game or session ended."""

    score: Points
    places: tuple[int, int, int] | None
    """Place of each seat from 1, equal scores share the better one; `None` if unfinished (A19)."""
    hands: int
    """Hands played, passed-out ones included, void ones not."""

    @property
    def is_unfinished(self) -> bool:
        """Whether the guard against hands without a point ended it (A19)."""
        return self.places is None


def places(score: Points) -> tuple[int, int, int]:
    """Return each seat's place by score, from 1; equal scores share the better place.

    >>> places((10, 7, 7))
    (1, 2, 2)
    """
    a, b, c = score
    return 1 + (b > a) + (c > a), 1 + (a > b) + (c > b), 1 + (a > c) + (b > c)


class Game:
    """One game or session between three seats; it asks `deals` for decks and nobody for time."""

    def __init__(
        self,
        rules: RuleSet,
        deals: Deals,
        format: Format = ToTarget(),  # noqa: B008 - the field's word; a frozen value
        *,
        first_dealer: Seat | None = None,
    ) -> None:
        """Choose the first dealer by `deals`, unless `first_dealer` is given (a rubber: A08)."""
        self.rules = rules
        self.format = format
        self.deals = deals
        self.draws: Sequence[Draw] = ()
        """The public draws for the first deal (A05), empty unless the rules draw."""
        if first_dealer is None:
            first_dealer, self.draws = deals.first_dealer(rules)
        self.first_dealer = first_dealer
        self.dealer = first_dealer
        """Who deals the current or next hand."""
        self.score: Points = (0, 0, 0)
        self.hand_number = 1
        """The number of the current or next hand, from 1."""
        self.hand: Hand | None = None
        """The hand in progress or the last one."""
        self.result: GameResult | None = None
        self._pointless = 0
        self._played_on = 0
        self._session_hands = format.hands if isinstance(format, Session) else 0

    @property
    def view(self) -> View | None:
        """The view of the seat to decide, `None` between hands and at the end."""
        return None if self.hand is None else self.hand.view

    def start_hand(self, attempt: int = 0) -> Hand:
        """Deal the next hand. `attempt` tells deals of the same hand apart (A43).

        Raises `ValueError` when the game is over or a hand is in progress.
        """
        if self.result is not None or (self.hand is not None and self.hand.view is not None):
            msg = "no hand can start: " + ("the game is over" if self.result else "one is going on")
            raise ValueError(msg)
        deck = self.deals.deck(self.rules, self.hand_number, attempt)
        self.hand = hand = Hand(
            self.rules,
            self.dealer,
            deck,
            score=self.score,
            hand_number=self.hand_number,
            format=self.format,
        )
        return hand

    def void_hand(self) -> None:
        """Drop the hand in progress unscored; the same dealer deals anew (A43)."""
        self.hand = None

    def finish_hand(self) -> Points:
        """Score the finished hand and move on; returns its points.

        Raises `ValueError` while the hand is not over.
        """
        hand = self.hand
        if hand is None or hand.points is None:
            msg = "no finished hand to score"
            raise ValueError(msg)
        self.hand = None
        self.add(hand.points)
        return hand.points

    def add(self, points: Points) -> None:
        """Count a hand that was played elsewhere, as when a game goes on after a restart."""
        old = self.score
        self.score = score = (old[0] + points[0], old[1] + points[1], old[2] + points[2])
        self._pointless = 0 if any(points) else self._pointless + 1
        played = self.hand_number
        self.hand_number = played + 1
        self.dealer = _NEXT_DEALER[self.dealer]
        if self._session_hands:
            over = played == self._session_hands
        else:
            over = max(score) >= self.rules.target and self._is_decided(score)
        if over:
            self.result = GameResult(score=score, places=places(score), hands=played)
        elif self._pointless == MAX_POINTLESS and not self._session_hands:  # A19
            self.result = GameResult(score=score, places=None, hands=played)

    def _is_decided(self, score: Points) -> bool:
        """Return whether a game at its target ends now, counting hands played on (A44)."""
        if is_won(self.rules, score):
            return True
        self._played_on += 1
        return self._played_on > MAX_PLAYED_ON


_NEXT_DEALER = tuple(seat.left for seat in SEATS)


def is_won(rules: RuleSet, score: Points) -> bool:
    """Return whether a game ends at this score: one player alone on top with the target (A31)."""
    best = max(score)
    if best < rules.target:
        return False
    return rules.tie_rule is TieRule.SHARED or score.count(best) == 1


def is_at_the_bridge(rules: RuleSet, score: Points, seat: Seat) -> bool:
    """Return whether a seat is *at the bridge*: one point short, the others at most target − 3."""
    others = [s for n, s in enumerate(score) if n != seat]
    return score[seat] == rules.target - 1 and max(others) <= rules.target - 3


def fallback(view: View) -> Action:
    """Return the forced move of a seat that does not decide (rules §4).

    Pass; if stuck or a joker is turned the first suit in the order C D H S; decline, or if the
    pick-up is required lay the lowest card down; with the dummy, keep the original five; together;
    the lowest legal card.
    """
    legal = view.legal
    for action in (Action.PASS, Action.DECLINE, Action.WITH_DUMMY, Action.TOGETHER):
        if action in legal:
            return action
    if view.pool:
        return Action.keep(view.hand)
    cards = view.legal_cards
    if not cards:
        return legal[0]
    trump = view.trump
    assert trump is not None  # cards are asked for only once trump is made

    def height(card: Card) -> tuple[bool, int, Card]:
        suit = card.effective_suit(trump)
        return suit is trump, card_strength(card, suit, trump), card

    return min(cards, key=height)
