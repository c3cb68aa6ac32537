"""OpenSpiel's four-handed Euchre agrees where the games are one: following suit, winning tricks.

Only a test: the product never imports it. It is left out where OpenSpiel is not installed.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from euchre_sdk.game import SUITS, Card, Suit
from euchre_sdk.game.cards import cards_of, mask_of
from euchre_sdk.game.compiled import BY_LEAD

pyspiel = pytest.importorskip("pyspiel")

HANDS = 400


def card_of(action: int) -> Card:
    """Our card of an OpenSpiel card, which is written suit first."""
    suit, rank = pyspiel.euchre.card_string(action)
    return Card.parse(rank + suit)


def bid_out(rng: random.Random) -> Any:
    """An OpenSpiel hand in which trump is made and the first card is to be led."""
    while True:
        state = pyspiel.load_game("euchre").new_initial_state()
        while not state.is_terminal():
            if state.current_phase() == pyspiel.euchre.Phase.PLAY:
                return state
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))


def held_by(state: Any, player: int) -> set[Card]:
    """The cards of a player before the first lead."""
    return {card_of(n) for n, holder in enumerate(state.card_holder()) if holder == player}


@pytest.fixture(scope="module")
def hands() -> list[tuple[Suit, list[tuple[int, set[Card], list[Card], Card]]]]:
    """Trump, and of each card played: by whom, out of which hand, the legal cards, the card."""
    rng = random.Random(21)
    played = []
    for _ in range(HANDS):
        state = bid_out(rng)
        trump = SUITS[state.trump_suit()]
        cards = {player: held_by(state, player) for player in range(4)}
        steps = []
        while not state.is_terminal():
            player = state.current_player()
            legal = [card_of(action) for action in state.legal_actions()]
            action = rng.choice(state.legal_actions())
            steps.append((player, set(cards[player]), legal, card_of(action)))
            cards[player].discard(card_of(action))
            state.apply_action(action)
        played.append((trump, steps))
    return played


def test_the_same_cards_may_be_played(hands) -> None:
    followed = voids = lefts = 0
    for trump, steps in hands:
        size = len(steps) // 5
        for place, (_, held, legal, _) in enumerate(steps):
            mask = mask_of(held)
            if place % size:
                led = steps[place // size * size][3]
                following = mask & BY_LEAD[trump][led][0]
                followed += 1
                voids += not following
                lefts += led.effective_suit(trump) is not led.suit
                mask = following or mask
            assert sorted(legal) == list(cards_of(mask))
    assert (followed > 3000, voids > 500, lefts > 100) == (True, True, True)


def test_the_same_player_wins_the_trick(hands) -> None:
    tricks = bowers = 0
    for trump, steps in hands:
        size = len(steps) // 5
        for first in range(0, 4 * size, size):
            trick = steps[first : first + size]
            strength = BY_LEAD[trump][trick[0][3]][1]
            winner, _, _, card = max(trick, key=lambda step: strength[step[3]])
            assert steps[first + size][0] == winner  # who won leads next
            tricks += 1
            bowers += strength[card] >= 30
    assert tricks == 4 * HANDS
    assert bowers > 300
