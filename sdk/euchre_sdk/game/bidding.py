"""The steps that make trump: two rounds, or a joker turned up (rules 2.4, 2.6, A12)."""

from __future__ import annotations

from euchre_sdk.game.cards import Action
from euchre_sdk.game.hand_state import LEFT, HandState, Question, V
from euchre_sdk.game.public import Kind, MakerPlay, TurnUp
from euchre_sdk.game.rules import JokerTurnedUp
from euchre_sdk.game.sides import exchange_question, maker_question

# An attribute of a class costs several times a global's look-up: hence these names.
_ORDER_UP, _NAME_TRUMP = Kind.ORDER_UP, Kind.NAME_TRUMP
_PASS = Action.PASS
_ORDERED, _TURNED_DOWN = TurnUp.ORDERED, TurnUp.TURNED_DOWN
_ALONE, _WITH_DUMMY = MakerPlay.ALONE, MakerPlay.WITH_DUMMY


def order_up(hand: HandState[V], view: V, action: Action) -> Question[V] | None:
    """Take a bid of the first round."""
    public, tables = hand.public, hand._compiled
    seat = view.seat
    public.calls.append((seat, action))
    if action is not _PASS:
        public.trump = public.turn_up.suit
        public.turn_up_state = _ORDERED
        _set_maker(hand, view, action)
        own = seat is hand.dealer
        declines = tables.accept_declines if own else tables.order_declines  # A13
        return exchange_question(hand, can_decline=declines)
    after = hand.views[LEFT[seat]]
    if seat is not hand.dealer:
        return after, _ORDER_UP, tables.order_up, order_up
    public.turn_up_state = _TURNED_DOWN
    return after, _NAME_TRUMP, tables.name_first[public.turn_up.suit], name_trump


def name_trump(hand: HandState[V], view: V, action: Action) -> Question[V] | None:
    """Take a bid of the second round."""
    public, tables = hand.public, hand._compiled
    seat = view.seat
    public.calls.append((seat, action))
    if action is not _PASS:
        public.trump = action.suit
        _set_maker(hand, view, action)
        return maker_question(hand)
    if seat is hand.dealer:  # A17
        hand.points = (0, 0, 0)
        return None
    after = hand.views[LEFT[seat]]
    names = tables.name_last if after.seat is hand.dealer else tables.name_first  # A18
    return after, _NAME_TRUMP, names[public.turn_up.suit], name_trump


def joker_question(hand: HandState[V], view: V) -> Question[V]:
    """Skip both rounds: the dealer is maker and names any suit, blind by default (A12)."""
    if hand.public.rules.joker_turned_up is JokerTurnedUp.BLIND:
        hand._blind_mask = view.hand_mask
        view.hand_mask = 0
    return view, _NAME_TRUMP, hand._compiled.joker_names, name_joker


def name_joker(hand: HandState[V], view: V, action: Action) -> Question[V] | None:
    """Take the suit that the dealer names for the joker, and show him his hand."""
    public = hand.public
    public.calls.append((view.seat, action))
    if hand._blind_mask:
        view.hand_mask = hand._blind_mask
        hand._blind_mask = 0
    public.trump = action.suit
    public.turn_up_state = _ORDERED
    _set_maker(hand, view, action)
    return exchange_question(hand, can_decline=False)


def _set_maker(hand: HandState[V], view: V, bid: Action) -> None:
    public = hand.public
    public.maker = view.seat
    if hand._compiled.alone_with_bid:  # A23
        public.maker_plays = _ALONE if bid.is_alone else _WITH_DUMMY
    elif not hand._compiled.maker_asked:  # A27
        public.maker_plays = _WITH_DUMMY
