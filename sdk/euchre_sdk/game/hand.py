"""One hand: from the deal to the points, as a step machine over values.

There is always one pending decision until the hand is over: `view` is the view of the seat that
decides, `view.legal` its legal actions, `apply` carries one out. Randomness is data: the hand
starts from the cut deck and the dealer.

A hand makes views, and a view can be completed to hands: hence both classes stand here. What a view
holds is in `seat_view`, what a decision does in `bidding` and `sides`, but for the play of a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from euchre_sdk.game.bidding import joker_question, order_up
from euchre_sdk.game.cards import JOKER, Action, Card, keep_action
from euchre_sdk.game.compiled import TURN_UP_PLACE, compiled
from euchre_sdk.game.determinise import ImpossibleViewError, check_same, completion
from euchre_sdk.game.draw import draw_view
from euchre_sdk.game.hand_state import HandState, Points
from euchre_sdk.game.held import HIGH_CARDS, LOW_BITS, LOW_CARDS, LOW_SIZE, MASK
from euchre_sdk.game.illegal import IllegalActionError, Reason, refusal
from euchre_sdk.game.public import MakerPlay, Public
from euchre_sdk.game.rules import Format, RuleSet, ToTarget
from euchre_sdk.game.seat_view import SeatView
from euchre_sdk.game.suits import SEATS, Seat

_TO_TARGET = ToTarget()
_SEAT_0, _SEAT_1, _ = SEATS
_ELDEST_MIDDLE = tuple((dealer.left, dealer.right) for dealer in SEATS)
_PLAYS_ALONE = MakerPlay.ALONE
_TAKE, _COMBINE = Action.TAKE, Action.COMBINE


class View(SeatView):
    """Everything one seat may know. Read `kind` and `legal`, return one of `legal`."""

    __slots__ = ()

    def determinise(self, rng: Random) -> Hand:
        """Return a random complete hand consistent with everything this seat knows.

        Uniform over the ways to place the unseen cards that respect hand sizes, known voids and a
        turn-up the dealer is known to hold. For search: play it on, it is yours.

        Raises `ValueError` for a view that no hand gives, wherever it came from.
        """
        public = self.public
        try:
            deck, decisions = completion(self, rng)
            hand = Hand(
                public.rules,
                public.dealer,
                deck,
                score=public.score,
                hand_number=public.hand_number,
                format=public.format,
            )
            for action in decisions:
                hand.apply(action)
            mine = hand.views[self.seat]
            check_same(mine, self)
        except IllegalActionError as error:
            why = f"its history is against the rules, {error}"
        except ImpossibleViewError as error:
            why = str(error)
        except (ValueError, IndexError):
            why = "its cards do not add up"
        else:
            mine.bank, mine.limit = self.bank, self.limit
            return hand
        msg = f"no complete hand looks like this view: {why}"
        raise ValueError(msg)

    def freeze(self) -> View:
        """Return a copy of the view as it is now."""
        return self.copy(self.public.copy())

    def copy(self, public: Public) -> View:
        """Return a copy that shares `public` (the engine's way to clone)."""
        new: View = View.__new__(View)
        new.seat = self.seat
        new.public = public
        new.kind = self.kind
        new.legal = self.legal
        new.hand_mask = self.hand_mask
        new.discard = self.discard
        new.dummy_mask = self.dummy_mask
        new.buried_mask = self.buried_mask
        new.bank = self.bank
        new.limit = self.limit
        return new

    def __str__(self) -> str:
        return draw_view(self)


class Hand(HandState[View]):
    """The whole truth of one hand; what a seat may know of it is in `views`."""

    __slots__ = ()

    def __init__(
        self,
        rules: RuleSet,
        dealer: Seat,
        deck: Sequence[Card],
        *,
        score: Points = (0, 0, 0),
        hand_number: int = 1,
        format: Format = _TO_TARGET,
    ) -> None:
        """Deal `deck`, the cut deck of `rules.deck`'s cards (rules 2.3). The deck is trusted."""
        self._compiled = tables = compiled(rules)
        self.dealer = dealer
        self.deck = deck
        turn_up = deck[TURN_UP_PLACE]
        self.public = public = Public(rules, format, hand_number, dealer, turn_up, score)
        eldest_seat, middle_seat = _ELDEST_MIDDLE[dealer]
        a, b, c, d, e = tables.deal_eldest(deck)
        eldest = View(eldest_seat, public, MASK[a] | MASK[b] | MASK[c] | MASK[d] | MASK[e])
        a, b, c, d, e = tables.deal_middle(deck)
        middle = View(middle_seat, public, MASK[a] | MASK[b] | MASK[c] | MASK[d] | MASK[e])
        a, b, c, d, e = tables.deal_dealer(deck)
        last = View(dealer, public, MASK[a] | MASK[b] | MASK[c] | MASK[d] | MASK[e])
        if dealer is _SEAT_0:
            self.views = (last, eldest, middle)
        elif dealer is _SEAT_1:
            self.views = (middle, last, eldest)
        else:
            self.views = (eldest, middle, last)
        self.points = None
        self._blind_mask = self._kept = 0
        if turn_up is JOKER:
            self.view, last.kind, last.legal, self._step = joker_question(self, last)
            public.kind = last.kind
        else:
            eldest.legal = tables.order_up
            self.view = eldest
            self._step = order_up

    def apply(self, action: Action) -> View | None:  # noqa: PLR0915 - the hot path, in one piece
        """Carry out the decision of the seat to act; returns the next `view`.

        Raises `IllegalActionError` for anything not in `view.legal`; nothing has changed then.
        """
        view: View = self.view  # type: ignore[assignment]  # that it is None shows at the next line
        try:
            legal = view.legal
        except AttributeError:
            msg = f"illegal action {action!s}: the hand is over."
            raise IllegalActionError(Reason.HAND_OVER, None, action, msg) from None
        if action not in legal:
            raise refusal(view, action)
        step = self._step
        if step is not None:
            if not isinstance(action, Action):
                raise refusal(view, action)
            view.legal = ()
            question = step(self, view, action)
            if question is None:
                self.view = None
                return None
            view, view.kind, view.legal, self._step = question
            self.view = view
            self.public.kind = view.kind
            return view
        # The play of a card (rules 2.10) stands here, not in a step: it is what is done most.
        card: Card = action  # type: ignore[assignment]  # legal actions are cards now
        try:
            view.hand_mask ^= card.mask
        except AttributeError:  # a bare number that equals a card's
            raise refusal(view, action) from None
        view.legal = ()
        self._plays.append(card)
        to_follow = self._to_follow
        if not to_follow:
            self._follow, strength = self._by_lead[card]
            self._strength = strength
            self._best = strength[card]
            self._winner = view
            to_follow = self._size
        elif (power := self._strength[card]) > self._best:
            self._best = power
            self._winner = view
        self._to_follow = to_follow = to_follow - 1
        if to_follow:
            self.view = view = self._after[view.seat]
            mask = view.hand_mask
            mask = mask & self._follow or mask
        else:
            self.view = view = self._winner
            self.public.leaders.append(view.seat)
            mask = view.hand_mask
            if not mask:
                self._score()
                self.view = None
                return None
        if mask <= LOW_BITS:
            view.legal = LOW_CARDS[mask]
        else:
            view.legal = LOW_CARDS[mask & LOW_BITS] + HIGH_CARDS[mask >> LOW_SIZE]
        return view

    def act(self, seat: Seat, action: Action) -> None:
        """Carry out a decision of `seat`, refusing it out of turn; otherwise as `apply`."""
        view = self.view
        if view is not None and view.seat is not seat:
            msg = f"illegal action {action!s} of seat {seat}: it is seat {view.seat}'s turn."
            raise IllegalActionError(Reason.NOT_YOUR_TURN, seat, action, msg)
        self.apply(action)

    def clone(self) -> Hand:
        """Return an independent copy at the same decision."""
        new: Hand = Hand.__new__(Hand)
        new.dealer = self.dealer
        new.deck = self.deck
        new.points = self.points
        new.public = public = self.public.copy()
        first, second, third = self.views
        new.views = views = (first.copy(public), second.copy(public), third.copy(public))
        new.view = None if self.view is None else views[self.view.seat]
        new._compiled = self._compiled
        new._kept = self._kept
        new._blind_mask = self._blind_mask
        new._step = self._step
        if self._step is None:
            first, second, third = self._after
            new._after = (views[first.seat], views[second.seat], views[third.seat])
            new._size = self._size
            new._by_lead = self._by_lead
            new._plays = public.plays
            new._to_follow = self._to_follow
            if self._to_follow:
                new._follow = self._follow
                new._strength = self._strength
                new._best = self._best
                new._winner = views[self._winner.seat]
        return new

    @property
    def decisions(self) -> tuple[Action, ...]:
        """Every decision in order, the hidden ones too: what a record keeps."""
        hidden = {_COMBINE: keep_action(self._kept)}
        discard = self.views[self.dealer].discard
        if discard is not None:
            hidden[_TAKE] = discard
        calls = [hidden.get(action, action) for _, action in self.public.calls]
        return (*calls, *self.public.plays)

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self.public.rules

    @property
    def is_over(self) -> bool:
        """Whether all has been decided."""
        return self.view is None

    @property
    def is_passed_out(self) -> bool:
        """Whether everybody passed twice (A17)."""
        return self.view is None and self.public.maker is None

    @property
    def dummy(self) -> tuple[Card, ...]:
        """The dummy's five cards as dealt."""
        return self._compiled.deal_dummy(self.deck)

    @property
    def stock(self) -> tuple[Card, ...]:
        """The cards under the turn-up."""
        return tuple(self.deck[TURN_UP_PLACE + 1 :])

    def _score(self) -> None:
        public = self.public
        maker = public.maker
        assert maker is not None  # trump has been made
        key = (public.maker_plays is _PLAYS_ALONE, public.lone_defender is not None)
        to_maker, to_defender = self._compiled.awards[key][public.leaders[1:].count(maker)]
        if maker is _SEAT_0:
            self.points = (to_maker, to_defender, to_defender)  # A28: both defenders alike
        elif maker is _SEAT_1:
            self.points = (to_defender, to_maker, to_defender)
        else:
            self.points = (to_defender, to_defender, to_maker)
