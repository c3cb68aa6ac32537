"""Complete hands that fit what one seat knows, drawn uniformly.

Every card the seat does not know lies in one of these places: the hands of the others, the dealer's
discard, the five cards the maker buried, the dummy, the stock. Whoever did not follow a suit holds
none of it (effective suits). A turn-up the dealer took is his until he plays it or, as maker with
the dummy, may have buried it. All ways to put the cards there are equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from operator import itemgetter
from random import Random

from euchre_sdk.game.cards import HAND_SIZE, Action, Card, keep_action, mask_of
from euchre_sdk.game.compiled import FOLLOW, deal_places
from euchre_sdk.game.public import Public
from euchre_sdk.game.rules import DealPattern
from euchre_sdk.game.seat_view import SeatView

Cards = list[Card]
_TAKE, _COMBINE = Action.TAKE, Action.COMBINE


class ImpossibleViewError(ValueError):
    """Why no hand looks like a view."""


def completion(view: SeatView, rng: Random) -> tuple[tuple[Card, ...], list[Action]]:
    """Return a random cut deck, and every decision made with it so far, the hidden ones too.

    The view may come from anywhere, not only from a `Hand` of this process. For one that no hand
    gives it raises `ValueError`, or gives what `check_same` or the rules refuse.
    """
    public, seat = view.public, view.seat
    dealer, maker, turn_up = public.dealer, public.maker, public.turn_up
    said = [action for _, action in public.calls]
    took, combined = _TAKE in said, _COMBINE in said
    played, barred = _plays(public)
    unseen = _unseen(view, rng)
    hands: list[Cards] = [[], [], []]
    hands[seat] = list(view.hand)
    buried = list(view.buried)
    if not view.hand_mask and not public.plays:  # a dealer who has not seen his hand (A12)
        hands[seat] = _take(unseen, HAND_SIZE)

    a, b = others = seat.left, seat.right
    want = [HAND_SIZE - len(played[s]) for s in others]
    if took and dealer is not seat and turn_up not in played[dealer]:
        at = others.index(dealer)
        may_be_buried = combined and maker is dealer
        if may_be_buried and _is_buried(turn_up, unseen, barred, (a, b), want, at, rng):
            buried.append(turn_up)
        else:
            hands[dealer].append(turn_up)
            want[at] -= 1
    of_a, of_b, rest = _split(unseen, barred[a], barred[b], want[0], want[1], rng)
    hands[a] += of_a
    hands[b] += of_b

    discard = view.discard
    if took and discard is None:
        discard = rest.pop()
    fives = [held + gone for held, gone in zip(hands, played, strict=True)]
    kept = 0
    dummy = list(view.dummy)
    if combined and maker is not None:
        kept = mask_of(fives[maker])
        buried += _take(rest, HAND_SIZE - len(buried))
        own = (turn_up,) if took and maker is dealer else ()
        fives[maker], dummy = _unmixed(fives[maker] + buried, dummy, own, rng)
    elif not dummy:
        dummy = _take(rest, HAND_SIZE)
    if took and discard is not None:
        fives[dealer][fives[dealer].index(turn_up)] = discard

    dealt = (*fives[dealer.left], *fives[dealer.right], *dummy, *fives[dealer])
    if len(dealt) + 1 + len(rest) != len(public.rules.deck) or len(dealt) != 4 * HAND_SIZE:
        msg = "its cards do not add up to a deck"
        raise ImpossibleViewError(msg)
    deck = (*_dealing_order(public.rules.deal_pattern)(dealt), turn_up, *rest)
    hidden = {_COMBINE: keep_action(kept)}
    if discard is not None:
        hidden[_TAKE] = discard
    return deck, [*(hidden.get(action, action) for action in said), *public.plays]


def check_same(mine: SeatView, given: SeatView) -> None:
    """Refuse a view that says something else than the seat's own in the completed hand."""
    public, told = mine.public, given.public
    if (
        public.kind is not told.kind
        or public.turn_up_state is not told.turn_up_state
        or public.trump is not told.trump
        or public.maker is not told.maker
        or public.maker_plays is not told.maker_plays
        or public.lone_defender is not told.lone_defender
        or public.leaders != told.leaders
        or mine.hand_mask != given.hand_mask
        or mine.dummy_mask != given.dummy_mask
        or mine.buried_mask != given.buried_mask
        or mine.discard is not given.discard
    ):
        msg = "what it says of cards, maker and leaders does not follow from the calls and plays"
        raise ImpossibleViewError(msg)


def _plays(public: Public) -> tuple[list[Cards], list[int]]:
    """Return what each seat has played, and as bits the cards it has shown not to hold."""
    played: list[Cards] = [[], [], []]
    barred = [0, 0, 0]
    if public.trump is not None:
        follow = FOLLOW[public.trump]
        size = 3 if public.lone_defender is None else 2
        following = 0
        for place, (seat, card) in enumerate(public.seated_plays()):
            played[seat].append(card)
            if place % size == 0:
                following = follow[card]
            elif not card.mask & following:
                barred[seat] |= following
    return played, barred


def _unseen(view: SeatView, rng: Random) -> Cards:
    """Return, shuffled, the cards of which the seat does not know where they are."""
    public = view.public
    known = view.hand_mask | view.dummy_mask | view.buried_mask | public.turn_up.mask
    known |= 0 if view.discard is None else view.discard.mask
    for card in public.plays:
        known |= card.mask
    return _shuffled([card for card in public.rules.deck if not card.mask & known], rng)


def _shuffled(cards: Cards, rng: Random) -> Cards:
    random = rng.random
    return sorted(cards, key=lambda _: random())


def _take(cards: Cards, count: int) -> Cards:
    """Remove the first `count` cards and return them."""
    taken = cards[:count]
    del cards[:count]
    return taken


def _split(
    cards: Cards, barred_a: int, barred_b: int, want_a: int, want_b: int, rng: Random
) -> tuple[Cards, Cards, Cards]:
    """Return a uniform choice of two hands without their barred cards, and the rest, shuffled.

    Counts, for each number of cards that the first hand takes from those both may hold, the ways to
    go on; draws that number accordingly; the choices within are then plain.
    """
    if not barred_a and not barred_b:
        return cards[:want_a], cards[want_a : want_a + want_b], cards[want_a + want_b :]
    both, only_a, only_b, neither = _by_permission(cards, barred_a, barred_b)
    ways = _ways(len(both), len(only_a), len(only_b), want_a, want_b)
    if not any(ways):
        msg = "the unseen cards cannot be placed"
        raise ImpossibleViewError(msg)
    shared = rng.choices(range(len(ways)), ways)[0]
    of_a = _take(both, shared) + _take(only_a, want_a - shared)
    for_b = _shuffled(both + only_b, rng)
    of_b = _take(for_b, want_b)
    return of_a, of_b, _shuffled(for_b + only_a + neither, rng)


def _by_permission(cards: Cards, barred_a: int, barred_b: int) -> tuple[Cards, Cards, Cards, Cards]:
    """Return the cards that both hands may hold, only the first, only the second, neither."""
    both: Cards = []
    only_a: Cards = []
    only_b: Cards = []
    neither: Cards = []
    for card in cards:
        mask = card.mask
        if mask & barred_a:
            (neither if mask & barred_b else only_b).append(card)
        else:
            (only_a if mask & barred_b else both).append(card)
    return both, only_a, only_b, neither


def _ways(both: int, only_a: int, only_b: int, want_a: int, want_b: int) -> list[int]:
    """Return the number of choices of two hands by how many shared cards the first one takes."""
    if want_a < 0 or want_b < 0:
        return []
    return [
        comb(both, shared) * comb(only_a, want_a - shared) * comb(both - shared + only_b, want_b)
        for shared in range(min(both, want_a) + 1)
    ]


def _is_buried(
    turn_up: Card,
    unseen: Cards,
    barred: Sequence[int],
    others: tuple[int, int],
    want: Sequence[int],
    at: int,
    rng: Random,
) -> bool:
    """Return whether to bury the turn-up a maker took as dealer instead of leaving it in his hand.

    Its place is as random as any other card's: in the hand it leaves the hand's other cards and the
    five buried to choose, and the other way round. `at` says which of the others he is.
    """
    a, b = others
    if turn_up.mask & barred[others[at]] or not want[at]:
        return True
    groups = [len(group) for group in _by_permission(unseen, barred[a], barred[b])[:3]]
    held = [n - (place == at) for place, n in enumerate(want)]
    in_hand = sum(_ways(groups[0], groups[1], groups[2], held[0], held[1]))
    outside = sum(_ways(groups[0], groups[1], groups[2], want[0], want[1]))
    # With `left` cards beside the hands there are left · C(left − 1, 5) ways to choose the discard
    # and the buried five if he holds it, (left − 1) · C(left − 2, 4) if not: they are as left to 5.
    left = len(unseen) - sum(held)
    return rng.random() * (in_hand * left + outside * HAND_SIZE) >= in_hand * left


def _unmixed(pool: Cards, dummy: Cards, own: Sequence[Card], rng: Random) -> tuple[Cards, Cards]:
    """Return a maker's ten cards as the five he held, `own` among them, and the dummy's five."""
    if not dummy:
        dummy = _shuffled([card for card in pool if card not in own], rng)[:HAND_SIZE]
    return [card for card in pool if card not in dummy], dummy


@cache
def _dealing_order(pattern: DealPattern) -> Callable[[Sequence[Card]], tuple[Card, ...]]:
    """Return the function from the cards of E, M, X and D, hand by hand, to the deck's first 20."""
    places = [place for hand in deal_places(pattern) for place in hand]
    return itemgetter(*(places.index(n) for n in range(len(places))))
