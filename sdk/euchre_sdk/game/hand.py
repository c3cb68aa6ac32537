"""One hand: from the deal to the points, as a step machine over values.

There is always one pending decision until the hand is over: `view` is the view of the seat that
decides, `view.legal` its legal actions, `apply` carries one out. Randomness is data: the hand
starts from the cut deck and the dealer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from euchre_sdk.game.cards import (
    CARDS,
    HIGH_CARDS,
    JOKER,
    LOW_BITS,
    LOW_CARDS,
    LOW_SIZE,
    SEATS,
    Action,
    Card,
    Seat,
    keep_action,
)
from euchre_sdk.game.compiled import BY_LEAD, TURN_UP_PLACE, compiled
from euchre_sdk.game.illegal import IllegalActionError, Reason, refusal
from euchre_sdk.game.public import Kind, MakerPlay, Public, TurnUp
from euchre_sdk.game.rules import Format, JokerTurnedUp, RuleSet, ToTarget
from euchre_sdk.game.view import KeepChoices, Legal, View

Points = tuple[int, int, int]
Step = Callable[["Hand", View, Action], "Question | None"]
Question = tuple[View, Kind, Legal, Step | None]
"""Who is asked next, what, the legal actions, and the step that takes the answer (`None`: play)."""

_LEFT = (1, 2, 0)
_CARD_BITS = (1 << 33) - 1
# The tamer choice first, as everywhere: pass, decline, with the dummy, together.
_MAKER_ACTIONS = (Action.WITH_DUMMY, Action.ALONE)
_DEFENDER_ACTIONS = (Action.TOGETHER, Action.ALONE)
_TO_TARGET = ToTarget()
_SEAT_0, _SEAT_1, _ = SEATS
_BIT = {card: card.mask for card in CARDS}
# An attribute of a class costs as much as a card play's legality check: hence these names.
_NAME_TRUMP, _EXCHANGE, _MAKER_ALONE = Kind.NAME_TRUMP, Kind.EXCHANGE, Kind.MAKER_ALONE
_KEEP_FIVE, _DEFEND_ALONE, _PLAY = Kind.KEEP_FIVE, Kind.DEFEND_ALONE, Kind.PLAY
_ORDER_UP = Kind.ORDER_UP
_PASS, _ALONE, _DECLINE = Action.PASS, Action.ALONE, Action.DECLINE
_TAKE, _COMBINE = Action.TAKE, Action.COMBINE
_ORDERED, _TAKEN, _DECLINED = TurnUp.ORDERED, TurnUp.TAKEN, TurnUp.DECLINED
_TURNED_DOWN = TurnUp.TURNED_DOWN
_PLAYS_ALONE, _PLAYS_WITH_DUMMY = MakerPlay.ALONE, MakerPlay.WITH_DUMMY
_UNDECIDED = MakerPlay.UNDECIDED


class Hand:
    """The whole truth of one hand; what a seat may know of it is in `views`."""

    __slots__ = (
        "_after",
        "_best",
        "_blind_mask",
        "_by_lead",
        "_compiled",
        "_follow",
        "_kept",
        "_plays",
        "_size",
        "_step",
        "_strength",
        "_to_follow",
        "_winner",
        "dealer",
        "deck",
        "points",
        "public",
        "view",
        "views",
    )

    # What the play of a card needs at hand; set when play starts, the last four at each lead.
    _after: tuple[View, View, View]
    _plays: list[Card]
    _size: int
    _by_lead: dict[Card, tuple[int, dict[Card, int]]]
    _to_follow: int
    _follow: int
    _strength: dict[Card, int]
    _best: int
    _winner: View

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
        eldest = View(eldest_seat, public, _BIT[a] | _BIT[b] | _BIT[c] | _BIT[d] | _BIT[e])
        a, b, c, d, e = tables.deal_middle(deck)
        middle = View(middle_seat, public, _BIT[a] | _BIT[b] | _BIT[c] | _BIT[d] | _BIT[e])
        a, b, c, d, e = tables.deal_dealer(deck)
        last = View(dealer, public, _BIT[a] | _BIT[b] | _BIT[c] | _BIT[d] | _BIT[e])
        if dealer is _SEAT_0:
            self.views = (last, eldest, middle)
        elif dealer is _SEAT_1:
            self.views = (middle, last, eldest)
        else:
            self.views = (eldest, middle, last)
        """The three seats' views, kept current."""
        self.points: Points | None = None
        """The awards of the three seats once the hand is over."""
        self._blind_mask = self._kept = 0
        self._step: Step | None = _STEP_ORDER_UP
        self.view: View | None = eldest
        """The view of the seat to decide, `None` once the hand is over."""
        if turn_up is JOKER:
            self._turn_up_joker(last)
        else:
            eldest.legal = tables.order_up

    # Stepping -------------------------------------------------------------------------------

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

    # Bidding (rules 2.4, 2.6) ----------------------------------------------------------------

    def _order_up(self, view: View, action: Action) -> Question | None:
        public, tables = self.public, self._compiled
        seat = view.seat
        public.calls.append((seat, action))
        if action is not _PASS:
            public.trump = public.turn_up.suit
            public.turn_up_state = _ORDERED
            self._set_maker(view, action)
            own = seat is self.dealer
            declines = tables.accept_declines if own else tables.order_declines  # A13
            return self._exchange_question(can_decline=declines)
        after = self.views[_LEFT[seat]]
        if seat is not self.dealer:
            return after, _ORDER_UP, tables.order_up, _STEP_ORDER_UP
        public.turn_up_state = _TURNED_DOWN
        return after, _NAME_TRUMP, tables.name_first[public.turn_up.suit], _STEP_NAME_TRUMP

    def _name_trump(self, view: View, action: Action) -> Question | None:
        public, tables = self.public, self._compiled
        seat = view.seat
        public.calls.append((seat, action))
        if action is not _PASS:
            public.trump = action.suit
            self._set_maker(view, action)
            return self._maker_question()
        if seat is self.dealer:  # A17
            self.points = (0, 0, 0)
            return None
        after = self.views[_LEFT[seat]]
        names = tables.name_last if after.seat is self.dealer else tables.name_first  # A18
        return after, _NAME_TRUMP, names[public.turn_up.suit], _STEP_NAME_TRUMP

    def _turn_up_joker(self, view: View) -> None:
        """Skip both rounds: the dealer is maker and names any suit, blind by default (A12)."""
        self._step = _STEP_NAME_JOKER
        if self.public.rules.joker_turned_up is JokerTurnedUp.BLIND:
            self._blind_mask = view.hand_mask
            view.hand_mask = 0
        self.view = view
        view.kind = self.public.kind = _NAME_TRUMP
        view.legal = self._compiled.joker_names

    def _name_joker(self, view: View, action: Action) -> Question | None:
        public = self.public
        public.calls.append((view.seat, action))
        if self._blind_mask:
            view.hand_mask = self._blind_mask
            self._blind_mask = 0
        public.trump = action.suit
        public.turn_up_state = _ORDERED
        self._set_maker(view, action)
        return self._exchange_question(can_decline=False)

    def _set_maker(self, view: View, bid: Action) -> None:
        public = self.public
        public.maker = view.seat
        if self._compiled.alone_with_bid:  # A23
            public.maker_plays = _PLAYS_ALONE if bid.is_alone else _PLAYS_WITH_DUMMY
        elif not self._compiled.maker_asked:  # A27
            public.maker_plays = _PLAYS_WITH_DUMMY

    # The dealer's exchange (rules 2.5) ---------------------------------------------------------

    def _exchange_question(self, *, can_decline: bool) -> Question:
        view = self.views[self.dealer]
        mask = view.hand_mask
        cards = LOW_CARDS[mask & LOW_BITS] + HIGH_CARDS[mask >> LOW_SIZE]
        return view, _EXCHANGE, (_DECLINE, *cards) if can_decline else cards, _STEP_EXCHANGE

    def _exchange(self, view: View, action: Action) -> Question | None:
        public = self.public
        if isinstance(action, Card):
            public.calls.append((view.seat, _TAKE))
            public.turn_up_state = _TAKEN
            view.discard = action
            view.hand_mask ^= action.mask | public.turn_up.mask
        else:
            public.calls.append((view.seat, action))
            public.turn_up_state = _DECLINED
        return self._maker_question()

    # Alone or with the dummy (rules 2.7) --------------------------------------------------------

    def _maker_question(self) -> Question:
        public = self.public
        maker, plays = public.maker, public.maker_plays
        assert maker is not None  # trump has been made
        view = self.views[maker]
        if plays is _UNDECIDED:
            return view, _MAKER_ALONE, _MAKER_ACTIONS, _STEP_MAKER_ALONE
        return (
            self._show_dummy(view) if plays is _PLAYS_WITH_DUMMY else self._defender_question(view)
        )

    def _maker_alone(self, view: View, action: Action) -> Question | None:
        public = self.public
        public.calls.append((view.seat, action))
        if action is _ALONE:
            public.maker_plays = _PLAYS_ALONE
            return self._defender_question(view)
        public.maker_plays = _PLAYS_WITH_DUMMY
        return self._show_dummy(view)

    def _show_dummy(self, view: View) -> Question:
        a, b, c, d, e = self._compiled.deal_dummy(self.deck)
        view.dummy_mask = dummy = _BIT[a] | _BIT[b] | _BIT[c] | _BIT[d] | _BIT[e]
        pool = KeepChoices(view.hand_mask | dummy)  # A24: after the exchange
        return view, _KEEP_FIVE, pool, _STEP_KEEP_FIVE

    def _keep_five(self, view: View, action: Action) -> Question | None:
        self.public.calls.append((view.seat, _COMBINE))
        kept = action & _CARD_BITS
        view.buried_mask = (view.hand_mask | view.dummy_mask) ^ kept
        self._kept = view.hand_mask = kept
        return self._defender_question(view)

    # Defenders alone or together (rules 2.8) ------------------------------------------------------

    def _defender_question(self, maker: View) -> Question:
        if not self._compiled.defender_asked:  # A27
            return self._lead_question()
        view = self.views[_LEFT[maker.seat]]
        return view, _DEFEND_ALONE, _DEFENDER_ACTIONS, _STEP_DEFEND_ALONE

    def _defend_alone(self, view: View, action: Action) -> Question | None:
        public = self.public
        seat = view.seat
        public.calls.append((seat, action))
        after = self.views[_LEFT[seat]]
        if action is _ALONE:  # A26: the other is not asked
            maker = public.maker
            assert maker is not None  # trump has been made
            public.lone_defender = seat
        elif after.seat is not public.maker:
            return after, _DEFEND_ALONE, _DEFENDER_ACTIONS, _STEP_DEFEND_ALONE
        return self._lead_question()

    # Play (rules 2.9) ---------------------------------------------------------------------------

    def _lead_question(self) -> Question:
        public = self.public
        maker, trump = public.maker, public.trump
        assert maker is not None  # trump has been made
        assert trump is not None
        alone = public.maker_plays is _PLAYS_ALONE
        opening = self._compiled.openings[self.dealer, maker, alone, public.lone_defender]
        leader, self._size, (after_0, after_1, after_2) = opening
        public.leaders.append(leader)
        self._by_lead = BY_LEAD[trump]
        self._plays = public.plays
        self._to_follow = 0
        views = self.views
        self._after = (views[after_0], views[after_1], views[after_2])
        first, second, third = views
        first.kind = second.kind = third.kind = _PLAY
        view = views[leader]
        mask = view.hand_mask
        return view, _PLAY, LOW_CARDS[mask & LOW_BITS] + HIGH_CARDS[mask >> LOW_SIZE], None

    # The points (rules 2.11) ----------------------------------------------------------------------

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


_ELDEST_MIDDLE = tuple((dealer.left, dealer.right) for dealer in SEATS)
_STEP_ORDER_UP: Step = Hand._order_up
_STEP_NAME_TRUMP: Step = Hand._name_trump
_STEP_NAME_JOKER: Step = Hand._name_joker
_STEP_EXCHANGE: Step = Hand._exchange
_STEP_MAKER_ALONE: Step = Hand._maker_alone
_STEP_KEEP_FIVE: Step = Hand._keep_five
_STEP_DEFEND_ALONE: Step = Hand._defend_alone
