"""How `monte_carlo@1` imagines the cards it does not see.

A deal that merely fits is not yet a likely one: whoever ordered up had reason to, a maker kept the
best five of his ten, a dealer laid down his worst.
"""

from __future__ import annotations

from random import Random

from euchre_sdk import Action, Bot, Card, Kind, Seat, Suit, View
from euchre_sdk.bots.heuristic_1 import by_keeping
from euchre_sdk.game import Hand

TRIES = 6
DOUBTED = 0.25
"""How much less likely a deal is for each bid that the heuristic would not have made with it."""
_BIDS = (Kind.ORDER_UP, Kind.NAME_TRUMP)


def guess(view: View, rng: Random, heuristic: Bot) -> Hand:
    """Return a hand as `view.determinise` does, but one in which the others had their reasons."""
    hand, likelihood = _reasoned(view, rng, heuristic)
    for _ in range(TRIES - 1):
        if rng.random() < likelihood:
            break
        hand, likelihood = _reasoned(view, rng, heuristic)
    return hand


def _reasoned(view: View, rng: Random, heuristic: Bot) -> tuple[Hand, float]:
    """Return a hand with the others' hidden choices mended, and how likely their bids make it."""
    drawn = view.determinise(rng)
    if not view.public.calls:
        return drawn, 1.0
    hand = Hand(
        view.rules,
        view.dealer,
        drawn.deck,
        score=view.score,
        hand_number=view.hand_number,
        format=view.format,
    )
    likelihood = 1.0
    for action in drawn.decisions:
        asked = hand.view
        assert asked is not None  # every decision but the last has one after it
        done = action
        if asked.seat is not view.seat:
            kind = asked.kind
            if kind in _BIDS:
                if heuristic.act(asked) != action:
                    likelihood *= DOUBTED
            elif kind is Kind.EXCHANGE and isinstance(action, Card):
                done = _discard(view, asked, action, heuristic)
            elif kind is Kind.KEEP_FIVE:
                done = _keep(view, asked, action)
        hand.apply(done)
    return hand, likelihood


def _discard(view: View, asked: View, drawn: Card, heuristic: Bot) -> Action:
    """Return the worst card, if the dealer did not play it and need not be rid of `drawn`."""
    worst = heuristic.act(asked)
    if worst in played_by(view, asked.seat) or _suit(view, drawn) in view.voids(asked.seat):
        return drawn
    return worst


def _keep(view: View, asked: View, drawn: Action) -> Action:
    """Return the best five that the maker can have kept, seeing what he played."""
    trump = view.trump
    assert trump is not None  # a maker made it
    played, voids = played_by(view, asked.seat), view.voids(asked.seat)
    rest = [
        c for c in by_keeping(asked.pool, trump) if c not in played and _suit(view, c) not in voids
    ]
    five = [*played, *rest][:5]
    return Action.keep(five) if len(five) == 5 else drawn


def _suit(view: View, card: Card) -> Suit:
    trump = view.trump
    assert trump is not None  # cards are laid down and kept once it is made
    return card.effective_suit(trump)


def played_by(view: View, seat: Seat) -> list[Card]:
    """Return the cards a seat has played."""
    return [card for who, card in view.public.seated_plays() if who is seat]
