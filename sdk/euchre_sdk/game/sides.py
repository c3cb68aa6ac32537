"""The steps between trump and the first lead: who plays against whom, and with which cards.

The dealer's exchange (rules 2.5), the maker alone or with the dummy (2.7), the defenders alone or
together (2.8), and who leads (2.9).
"""

from __future__ import annotations

from euchre_sdk.game.cards import CARD_BITS, Action, Card
from euchre_sdk.game.choices import KeepChoices
from euchre_sdk.game.compiled import BY_LEAD
from euchre_sdk.game.hand_state import LEFT, HandState, Question, V
from euchre_sdk.game.held import HIGH_CARDS, LOW_BITS, LOW_CARDS, LOW_SIZE, MASK
from euchre_sdk.game.public import Kind, MakerPlay, TurnUp

# The tamer choice first, as everywhere: pass, decline, with the dummy, together.
_MAKER_ACTIONS = (Action.WITH_DUMMY, Action.ALONE)
_DEFENDER_ACTIONS = (Action.TOGETHER, Action.ALONE)
# An attribute of a class costs several times a global's look-up: hence these names.
_EXCHANGE, _MAKER_ALONE, _KEEP_FIVE = Kind.EXCHANGE, Kind.MAKER_ALONE, Kind.KEEP_FIVE
_DEFEND_ALONE, _PLAY = Kind.DEFEND_ALONE, Kind.PLAY
_ALONE, _DECLINE, _TAKE, _COMBINE = Action.ALONE, Action.DECLINE, Action.TAKE, Action.COMBINE
_TAKEN, _DECLINED = TurnUp.TAKEN, TurnUp.DECLINED
_PLAYS_ALONE, _PLAYS_WITH_DUMMY = MakerPlay.ALONE, MakerPlay.WITH_DUMMY
_UNDECIDED = MakerPlay.UNDECIDED


def exchange_question(hand: HandState[V], *, can_decline: bool) -> Question[V]:
    """Ask the dealer what he lays down for the turn-up."""
    view = hand.views[hand.dealer]
    mask = view.hand_mask
    cards = LOW_CARDS[mask & LOW_BITS] + HIGH_CARDS[mask >> LOW_SIZE]
    return view, _EXCHANGE, (_DECLINE, *cards) if can_decline else cards, exchange


def exchange(hand: HandState[V], view: V, action: Action) -> Question[V] | None:
    """Take the dealer's discard, or that he leaves the turn-up."""
    public = hand.public
    if isinstance(action, Card):
        public.calls.append((view.seat, _TAKE))
        public.turn_up_state = _TAKEN
        view.discard = action
        view.hand_mask ^= action.mask | public.turn_up.mask
    else:
        public.calls.append((view.seat, action))
        public.turn_up_state = _DECLINED
    return maker_question(hand)


def maker_question(hand: HandState[V]) -> Question[V]:
    """Ask the maker how he plays, or go on if that is known."""
    public = hand.public
    maker, plays = public.maker, public.maker_plays
    assert maker is not None  # trump has been made
    view = hand.views[maker]
    if plays is _UNDECIDED:
        return view, _MAKER_ALONE, _MAKER_ACTIONS, maker_alone
    return _show_dummy(hand, view) if plays is _PLAYS_WITH_DUMMY else _defenders(hand, view)


def maker_alone(hand: HandState[V], view: V, action: Action) -> Question[V] | None:
    """Take whether the maker plays alone."""
    public = hand.public
    public.calls.append((view.seat, action))
    if action is _ALONE:
        public.maker_plays = _PLAYS_ALONE
        return _defenders(hand, view)
    public.maker_plays = _PLAYS_WITH_DUMMY
    return _show_dummy(hand, view)


def _show_dummy(hand: HandState[V], view: V) -> Question[V]:
    a, b, c, d, e = hand._compiled.deal_dummy(hand.deck)
    view.dummy_mask = dummy = MASK[a] | MASK[b] | MASK[c] | MASK[d] | MASK[e]
    pool = KeepChoices(view.hand_mask | dummy)  # A24: after the exchange
    return view, _KEEP_FIVE, pool, keep_five


def keep_five(hand: HandState[V], view: V, action: Action) -> Question[V] | None:
    """Take the five of ten that the maker keeps."""
    hand.public.calls.append((view.seat, _COMBINE))
    kept = action & CARD_BITS
    view.buried_mask = (view.hand_mask | view.dummy_mask) ^ kept
    hand._kept = view.hand_mask = kept
    return _defenders(hand, view)


def _defenders(hand: HandState[V], maker: V) -> Question[V]:
    if not hand._compiled.defender_asked:  # A27
        return _lead(hand)
    return hand.views[LEFT[maker.seat]], _DEFEND_ALONE, _DEFENDER_ACTIONS, defend_alone


def defend_alone(hand: HandState[V], view: V, action: Action) -> Question[V] | None:
    """Take whether a defender plays alone."""
    public = hand.public
    seat = view.seat
    public.calls.append((seat, action))
    after = hand.views[LEFT[seat]]
    if action is _ALONE:  # A26: the other is not asked
        public.lone_defender = seat
    elif after.seat is not public.maker:
        return after, _DEFEND_ALONE, _DEFENDER_ACTIONS, defend_alone
    return _lead(hand)


def _lead(hand: HandState[V]) -> Question[V]:
    public = hand.public
    maker, trump = public.maker, public.trump
    assert maker is not None  # trump has been made
    assert trump is not None
    alone = public.maker_plays is _PLAYS_ALONE
    opening = hand._compiled.openings[hand.dealer, maker, alone, public.lone_defender]
    leader, hand._size, (after_0, after_1, after_2) = opening
    public.leaders.append(leader)
    hand._by_lead = BY_LEAD[trump]
    hand._plays = public.plays
    hand._to_follow = 0
    views = hand.views
    hand._after = (views[after_0], views[after_1], views[after_2])
    first, second, third = views
    first.kind = second.kind = third.kind = _PLAY
    view = views[leader]
    mask = view.hand_mask
    return view, _PLAY, LOW_CARDS[mask & LOW_BITS] + HIGH_CARDS[mask >> LOW_SIZE], None
