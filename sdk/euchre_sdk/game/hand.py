"""One hand: from the deal to the points, as a step machine over values.

There is always one pending decision until the hand is over: `view` is the view of the seat that
decides, `view.legal` its legal actions, `apply` carries one out. Randomness is data: the hand starts
from the cut deck and the dealer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from euchre_sdk.game.cards import (
    HIGH_CARDS,
    LOW_BITS,
    LOW_CARDS,
    LOW_SIZE,
    Action,
    Card,
    Seat,
    Suit,
    keep_action,
)
from euchre_sdk.game.compiled import FOLLOW, STRENGTH, TURN_UP_PLACE, compiled
from euchre_sdk.game.illegal import IllegalActionError, Reason, refusal
from euchre_sdk.game.public import Kind, MakerPlay, Public, TurnUp
from euchre_sdk.game.rules import Format, JokerTurnedUp, RuleSet, ToTarget
from euchre_sdk.game.view import KeepChoices, View

Points = tuple[int, int, int]
Step = Callable[["Hand", View, Action], None]

_LEFT = (1, 2, 0)
_CARD_BITS = (1 << 33) - 1
_MAKER_ACTIONS = (Action.ALONE, Action.WITH_DUMMY)
_DEFENDER_ACTIONS = (Action.ALONE, Action.TOGETHER)
# Looking a member up on an enum's class costs as much as a card play's legality check.
_NAME_TRUMP, _EXCHANGE, _MAKER_ALONE = Kind.NAME_TRUMP, Kind.EXCHANGE, Kind.MAKER_ALONE
_KEEP_FIVE, _DEFEND_ALONE, _PLAY = Kind.KEEP_FIVE, Kind.DEFEND_ALONE, Kind.PLAY
_PASS, _ALONE, _DECLINE, _TAKE = Action.PASS, Action.ALONE, Action.DECLINE, Action.TAKE
_COMBINE, _TO_TARGET = Action.COMBINE, ToTarget()
_NO_CARDS: dict[Card, int] = {}
_NO_STRENGTHS: dict[Card, dict[Card, int]] = {}


class Hand:
    """The whole truth of one hand; what a seat may know of it is in `views`."""

    __slots__ = (
        "_best",
        "_blind_mask",
        "_compiled",
        "_follow",
        "_kept",
        "_left",
        "_size",
        "_step",
        "_strength",
        "_to_follow",
        "_trump_follow",
        "_trump_strength",
        "_turn",
        "_winner",
        "dealer",
        "deck",
        "points",
        "public",
        "rules",
        "view",
        "views",
    )

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
        self.rules = rules
        self.dealer = dealer
        self.deck = deck
        turn_up = deck[TURN_UP_PLACE]
        self.public = public = Public(
            rules, format, hand_number, dealer, turn_up, score
        )
        a, b, c, d, e = tables.deal_eldest(deck)
        eldest = View(dealer.left, public, a.mask | b.mask | c.mask | d.mask | e.mask)
        a, b, c, d, e = tables.deal_middle(deck)
        middle = View(dealer.right, public, a.mask | b.mask | c.mask | d.mask | e.mask)
        a, b, c, d, e = tables.deal_dealer(deck)
        last = View(dealer, public, a.mask | b.mask | c.mask | d.mask | e.mask)
        self.views = (
            (last, eldest, middle),
            (middle, last, eldest),
            (eldest, middle, last),
        )[dealer]
        """The three seats' views, kept current."""
        self.points: Points | None = None
        """The awards of the three seats once the hand is over."""
        self._left: tuple[int, ...] = _LEFT
        self._size = 3
        self._blind_mask = self._kept = 0
        self._trump_follow = self._strength = _NO_CARDS
        self._trump_strength = _NO_STRENGTHS
        self._to_follow = self._follow = self._best = self._winner = 0
        self._step: Step | None = Hand._order_up
        self._turn = _LEFT[dealer]
        self.view: View | None = eldest
        """The view of the seat to decide, `None` once the hand is over."""
        if turn_up.is_joker:
            self._turn_up_joker()
        else:
            eldest.legal = tables.order_up

    # Stepping -------------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Carry out the decision of the seat to act.

        Raises `IllegalActionError` for anything that is not in `view.legal`; nothing has changed then.
        """
        view = self.view
        if view is None:
            msg = f"illegal action {action!s}: the hand is over."
            raise IllegalActionError(Reason.HAND_OVER, None, action, msg)
        if action not in view.legal:
            raise refusal(view, action)
        step = self._step
        if step is not None:
            if not isinstance(action, Action):
                raise refusal(view, action)
            step(self, view, action)
            return
        # The play of a card (rules 2.10) stands here, not in a step of its own: it is what is done most.
        card: Card = action  # type: ignore[assignment]  # legal actions are cards now
        try:
            view.hand_mask ^= card.mask
        except AttributeError:  # a bare number that equals a card's
            raise refusal(view, action) from None
        view.legal = ()
        public = self.public
        public.plays.append(card)
        turn = self._turn
        to_follow = self._to_follow
        if not to_follow:
            self._strength = strength = self._trump_strength[card]
            self._follow = self._trump_follow[card]
            self._best = strength[card]
            self._winner = turn
            to_follow = self._size
        elif (power := self._strength[card]) > self._best:
            self._best = power
            self._winner = turn
        self._to_follow = to_follow = to_follow - 1
        if to_follow:
            self._turn = turn = self._left[turn]
            self.view = view = self.views[turn]
            mask = view.hand_mask
            mask = mask & self._follow or mask
        else:
            self._turn = turn = self._winner
            self.view = view = self.views[turn]
            public.leaders.append(view.seat)
            mask = view.hand_mask
            if not mask:
                self._score()
                return
        view.legal = LOW_CARDS[mask & LOW_BITS] + HIGH_CARDS[mask >> LOW_SIZE]

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
        new.rules = self.rules
        new.dealer = self.dealer
        new.deck = self.deck
        new._kept = self._kept
        new.points = self.points
        new._compiled = self._compiled
        new.public = public = self.public.copy()
        first, second, third = self.views
        new.views = views = (
            first.copy(public),
            second.copy(public),
            third.copy(public),
        )
        turn = self._turn
        new.view = None if self.view is None else views[turn]
        new._turn = turn
        new._left = self._left
        new._size = self._size
        new._step = self._step
        new._blind_mask = self._blind_mask
        new._trump_follow, new._trump_strength = (
            self._trump_follow,
            self._trump_strength,
        )
        new._follow, new._strength = self._follow, self._strength
        new._best, new._winner = self._best, self._winner
        new._to_follow = self._to_follow
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

    def _ask(
        self, turn: int, legal: tuple[Action, ...] | KeepChoices, step: Step | None
    ) -> None:
        view = self.views[turn]
        self._turn = turn
        self.view = view
        view.legal = legal
        self._step = step

    def _enter(self, kind: Kind) -> None:
        first, second, third = self.views
        self.public.kind = first.kind = second.kind = third.kind = kind

    # Bidding (rules 2.4, 2.6) ----------------------------------------------------------------

    def _order_up(self, view: View, action: Action) -> None:
        public = self.public
        public.calls.append((view.seat, action))
        view.legal = ()
        if action is not _PASS:
            self._make(view, public.turn_up.suit, action)
            public.turn_up_state = TurnUp.ORDERED
            tables = self._compiled
            own = view.seat is self.dealer
            declines = tables.accept_declines if own else tables.order_declines  # A13
            self._ask_exchange(can_decline=declines)
        elif view.seat is not self.dealer:
            self._ask(_LEFT[self._turn], self._compiled.order_up, Hand._order_up)
        else:
            public.turn_up_state = TurnUp.TURNED_DOWN
            self._enter(_NAME_TRUMP)
            self._ask(
                _LEFT[self._turn],
                self._compiled.name_first[public.turn_up.suit],
                Hand._name_trump,
            )

    def _name_trump(self, view: View, action: Action) -> None:
        public = self.public
        public.calls.append((view.seat, action))
        view.legal = ()
        if action is not _PASS:
            self._make(view, action.suit, action)
            self._ask_maker()
        elif view.seat is self.dealer:  # A17
            self._end((0, 0, 0))
        else:
            turn = _LEFT[self._turn]
            tables = self._compiled
            last = turn == self.dealer
            names = tables.name_last if last else tables.name_first  # A18
            self._ask(turn, names[public.turn_up.suit], Hand._name_trump)

    def _turn_up_joker(self) -> None:
        """Skip both rounds: the dealer is maker and names any suit, blind by default (A12)."""
        dealer = int(self.dealer)
        step = Hand._name_joker
        if self.rules.joker_turned_up is JokerTurnedUp.BLIND:
            self._blind_mask = self.views[dealer].hand_mask
            self.views[dealer].hand_mask = 0
            step = Hand._name_blind
        self._enter(_NAME_TRUMP)
        self._ask(dealer, self._compiled.joker_names, step)

    def _name_blind(self, view: View, action: Action) -> None:
        view.hand_mask = self._blind_mask
        self._name_joker(view, action)

    def _name_joker(self, view: View, action: Action) -> None:
        self.public.calls.append((view.seat, action))
        view.legal = ()
        self._make(view, action.suit, action)
        self.public.turn_up_state = TurnUp.ORDERED
        self._ask_exchange(can_decline=False)

    def _make(self, view: View, trump: Suit, bid: Action) -> None:
        public = self.public
        public.trump = trump
        public.maker = view.seat
        if self._compiled.alone_with_bid:  # A23
            public.maker_plays = (
                MakerPlay.ALONE if bid.is_alone else MakerPlay.WITH_DUMMY
            )
        elif not self._compiled.maker_asked:  # A27
            public.maker_plays = MakerPlay.WITH_DUMMY

    # The dealer's exchange (rules 2.5) ---------------------------------------------------------

    def _ask_exchange(self, *, can_decline: bool) -> None:
        self._enter(_EXCHANGE)
        mask = self.views[self.dealer].hand_mask
        cards = LOW_CARDS[mask & LOW_BITS] + HIGH_CARDS[mask >> LOW_SIZE]
        legal = (_DECLINE, *cards) if can_decline else cards
        self._ask(int(self.dealer), legal, Hand._exchange)

    def _exchange(self, view: View, action: Action) -> None:
        public = self.public
        view.legal = ()
        if isinstance(action, Card):
            public.calls.append((view.seat, _TAKE))
            public.turn_up_state = TurnUp.TAKEN
            view.discard = action
            view.hand_mask ^= action.mask | public.turn_up.mask
        else:
            public.calls.append((view.seat, action))
            public.turn_up_state = TurnUp.DECLINED
        self._ask_maker()

    # Alone or with the dummy (rules 2.7) --------------------------------------------------------

    def _ask_maker(self) -> None:
        public = self.public
        assert public.maker is not None  # trump has been made
        if public.maker_plays is MakerPlay.UNDECIDED:
            self._enter(_MAKER_ALONE)
            self._ask(int(public.maker), _MAKER_ACTIONS, Hand._maker_alone)
        elif public.maker_plays is MakerPlay.WITH_DUMMY:
            self._show_dummy(self.views[public.maker])
        else:
            self._ask_defenders()

    def _maker_alone(self, view: View, action: Action) -> None:
        public = self.public
        public.calls.append((view.seat, action))
        view.legal = ()
        if action is _ALONE:
            public.maker_plays = MakerPlay.ALONE
            self._ask_defenders()
        else:
            public.maker_plays = MakerPlay.WITH_DUMMY
            self._show_dummy(view)

    def _show_dummy(self, view: View) -> None:
        a, b, c, d, e = self._compiled.deal_dummy(self.deck)
        view.dummy_mask = a.mask | b.mask | c.mask | d.mask | e.mask
        self._enter(_KEEP_FIVE)
        choices = KeepChoices(
            view.hand_mask | view.dummy_mask
        )  # A24: after the exchange
        self._ask(int(view.seat), choices, Hand._keep_five)

    def _keep_five(self, view: View, action: Action) -> None:
        self.public.calls.append((view.seat, _COMBINE))
        view.legal = ()
        self._kept = view.hand_mask = action & _CARD_BITS
        self._ask_defenders()

    # Defenders alone or together (rules 2.8) ------------------------------------------------------

    def _ask_defenders(self) -> None:
        if self._compiled.defender_asked:  # A27
            maker = self.public.maker
            assert maker is not None  # trump has been made
            self._enter(_DEFEND_ALONE)
            self._ask(_LEFT[maker], _DEFENDER_ACTIONS, Hand._defend_alone)
        else:
            self._start_play()

    def _defend_alone(self, view: View, action: Action) -> None:
        public = self.public
        public.calls.append((view.seat, action))
        view.legal = ()
        maker = public.maker
        assert maker is not None  # trump has been made
        if action is _ALONE:  # A26: the other is not asked
            public.lone_defender = view.seat
            self._size = 2
            out = 3 - maker - view.seat
            self._left = tuple(n if n != out else _LEFT[n] for n in _LEFT)
            self._start_play()
        elif self._turn == _LEFT[maker]:
            self._ask(_LEFT[self._turn], _DEFENDER_ACTIONS, Hand._defend_alone)
        else:
            self._start_play()

    # Play (rules 2.9, 2.10) ---------------------------------------------------------------------

    def _start_play(self) -> None:
        public = self.public
        maker, trump = public.maker, public.trump
        assert maker is not None and trump is not None
        alone = public.maker_plays is MakerPlay.ALONE
        leader = self._compiled.leaders[self.dealer, maker, alone, public.lone_defender]
        public.leaders.append(leader)
        self._trump_follow, self._trump_strength = FOLLOW[trump], STRENGTH[trump]
        self._enter(_PLAY)
        mask = self.views[leader].hand_mask
        self._ask(
            int(leader), LOW_CARDS[mask & LOW_BITS] + HIGH_CARDS[mask >> LOW_SIZE], None
        )

    # The points (rules 2.11) ----------------------------------------------------------------------

    def _score(self) -> None:
        public = self.public
        maker = public.maker
        assert maker is not None  # trump has been made
        key = (public.maker_plays is MakerPlay.ALONE, public.lone_defender is not None)
        to_maker, to_defender = self._compiled.awards[key][
            public.leaders[1:].count(maker)
        ]
        points = [to_defender, to_defender, to_defender]  # A28: both defenders alike
        points[maker] = to_maker
        first, second, third = points
        self._end((first, second, third))

    def _end(self, points: Points) -> None:
        self.points = points
        self.view = None
