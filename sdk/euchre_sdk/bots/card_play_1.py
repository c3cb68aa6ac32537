"""How `heuristic@1` plays its cards.

A card is *high* when no card of its suit that somebody else may still hold beats it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from euchre_sdk import Card, Suit, TurnUp, View
from euchre_sdk.bots.power import HIGHER, OF_SUIT, POWER, SAME_SUIT

_DEAD = (TurnUp.DECLINED, TurnUp.TURNED_DOWN)


def choose_card(view: View) -> Card:
    """Return the card to play."""
    legal = cast("tuple[Card, ...]", view.legal)  # one is asked for nothing but cards in play
    if len(legal) == 1:
        return legal[0]
    public = view.public
    trump, maker = public.trump, public.maker
    assert trump is not None  # cards are played once it is made
    unseen = unseen_cards(view)
    trick = public.trick
    if not trick:
        if view.seat is maker:
            return _lead_as_maker(legal, trump, unseen)
        return _lead_as_defender(legal, trump, unseen)
    leader = public.leaders[-1]
    strength = _strengths(trick[0], trump)
    best = max(trick, key=strength.__getitem__)
    winners = [card for card in legal if strength[card] > strength[best]]
    if not winners:
        return _lowest(legal, trump, unseen)
    is_last = len(trick) == (2 if public.lone_defender is None else 1)
    if view.seat is maker:
        return _cheapest(winners, trump)
    winner = leader if best is trick[0] else leader.left
    if winner is maker or winner is public.sitting_out:
        return _cheapest(winners, trump)
    # The other defender is winning: leave him the trick unless the maker may take it from him
    # and cannot take it from us.
    higher = HIGHER[trump]
    if not is_last and higher[best] & unseen:
        safe = [card for card in winners if not higher[card] & unseen]
        if safe:
            return _cheapest(safe, trump)
    return _lowest(legal, trump, unseen)


def unseen_cards(view: View) -> int:
    """Return as bits the cards that somebody else may hold."""
    public = view.public
    seen = view.hand_mask | view.buried_mask
    for card in public.plays:
        seen |= card.mask
    if view.discard is not None:
        seen |= view.discard.mask
    if public.turn_up_state in _DEAD:
        seen |= public.turn_up.mask
    return _deck_mask(public.rules.deck) & ~seen


@cache
def _deck_mask(deck: tuple[Card, ...]) -> int:
    return sum(card.mask for card in deck)


@cache
def _strengths(led: Card, trump: Suit) -> dict[Card, int]:
    """Return what each card can do in a trick to which `led` was led."""
    suit = led.effective_suit(trump)
    return {
        card: power if power >= 10 or card.effective_suit(trump) is suit else -1
        for card, power in POWER[trump].items()
    }


def _cheapest(cards: Sequence[Card], trump: Suit) -> Card:
    return min(cards, key=POWER[trump].__getitem__)


def _lowest(cards: Sequence[Card], trump: Suit, unseen: int) -> Card:
    """Return the card that is missed least."""
    power, higher = POWER[trump], HIGHER[trump]
    return min(cards, key=lambda card: power[card] + (0 if higher[card] & unseen else 3))


def _lead_as_maker(cards: Sequence[Card], trump: Suit, unseen: int) -> Card:
    power, higher = POWER[trump], HIGHER[trump]
    trumps = [card for card in cards if power[card] >= 10]
    if trumps and unseen & OF_SUIT[trump][trump]:
        top = max(trumps, key=power.__getitem__)
        if not higher[top] & unseen or len(trumps) >= 2:
            return top
    side = [card for card in cards if power[card] < 10]
    high = [card for card in side if not higher[card] & unseen]
    if high:
        return max(high, key=lambda card: (SAME_SUIT[trump][card] & unseen).bit_count())
    if trumps:
        return max(trumps, key=power.__getitem__)
    return max(side, key=power.__getitem__)


def _lead_as_defender(cards: Sequence[Card], trump: Suit, unseen: int) -> Card:
    power, higher = POWER[trump], HIGHER[trump]
    side = [card for card in cards if power[card] < 10]
    high = [card for card in side if not higher[card] & unseen]
    if high:
        return max(high, key=lambda card: (SAME_SUIT[trump][card] & unseen).bit_count())
    if side:
        return min(side, key=power.__getitem__)
    return max(cards, key=power.__getitem__)
