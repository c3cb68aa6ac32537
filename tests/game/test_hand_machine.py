"""Games driven by Hypothesis under random rule sets: what must hold at every step."""

from __future__ import annotations

import random
from itertools import chain

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from euchre_sdk.game import (
    SEATS,
    SUITS,
    Action,
    Card,
    Game,
    Hand,
    IllegalActionError,
    Kind,
    RuleSet,
    Seat,
    SeededDeals,
    Suit,
    ToTarget,
    fallback,
)
from euchre_sdk.game.cards import BY_BIT, cards_of, mask_of
from euchre_sdk.game.replay import replay_hand
from tests import strategies


class Table(RuleBasedStateMachine):
    """Deals and plays hand after hand of a game."""

    hand: Hand
    game: Game
    taken: list[Action]

    @initialize(
        rules=strategies.rule_sets(), seed=st.integers(0, 2**32), format=strategies.formats()
    )
    def sit_down(self, rules: RuleSet, seed: int, format) -> None:
        self.game = Game(rules, SeededDeals(seed), format)
        self._deal()

    def _deal(self) -> None:
        self.hand = self.game.start_hand()
        self.taken = []

    @precondition(lambda self: self.hand.view is not None)
    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        view = self.hand.view
        assert view is not None
        action = view.legal[data.draw(st.integers(0, len(view.legal) - 1))]
        self.taken.append(action)
        self.hand.apply(action)

    @precondition(lambda self: self.hand.view is not None)
    @rule()
    def be_forced(self) -> None:
        view = self.hand.view
        assert view is not None
        action = fallback(view)
        assert action in view.legal
        self.taken.append(action)
        self.hand.apply(action)

    @precondition(lambda self: self.hand.view is not None)
    @rule(action=strategies.actions())
    def try_anything(self, action: Action) -> None:
        view = self.hand.view
        assert view is not None
        if action in view.legal:
            return
        before = [watching.freeze() for watching in self.hand.views]
        try:
            self.hand.apply(action)
        except IllegalActionError:
            pass
        else:
            raise AssertionError(f"{action} was accepted")
        assert list(self.hand.views) == before

    @precondition(lambda self: self.hand.view is None)
    @rule()
    def next_hand(self) -> None:
        before = self.game.score
        points = self.game.finish_hand()
        assert self.game.score == tuple(a + b for a, b in zip(before, points, strict=True))
        if self.game.result is not None:
            assert self.game.result.score == self.game.score
            self.game = Game(
                self.game.rules, self.game.deals, ToTarget(), first_dealer=self.game.dealer
            )
        self._deal()

    @precondition(lambda self: self.hand.view is not None)
    @rule()
    def lose_the_hand(self) -> None:
        dealer, number = self.game.dealer, self.game.hand_number
        self.game.void_hand()
        self._deal()
        assert (self.hand.dealer, self.hand.public.hand_number) == (dealer, number)

    @invariant()
    def some_action_is_legal_until_the_hand_is_over(self) -> None:
        hand = self.hand
        if hand.view is None:
            assert hand.points is not None
            assert all(points >= 0 for points in hand.points)
        else:
            assert hand.points is None
            assert len(hand.view.legal) > 0
            assert hand.view.kind is hand.public.kind

    @invariant()
    def cards_are_conserved(self) -> None:
        hand = self.hand
        public = hand.public
        held = [card for view in hand.views for card in view.hand]
        assert len(held) == len(set(held))
        assert not set(held) & set(public.plays)
        assert len(set(public.plays)) == len(public.plays)
        for view in hand.views:
            played = [card for seat, card in public.seated_plays() if seat is view.seat]
            if public.trump is not None:
                assert len(view.hand) + len(played) == 5
        in_sight = set(held) | set(public.plays) | set(hand.stock) | {public.turn_up}
        assert in_sight | set(hand.dummy) <= set(hand.deck)
        assert sorted(hand.deck) == sorted(hand.rules.deck)
        assert not set(hand.stock) & (set(held) | set(public.plays))

    @invariant()
    def replay_equals_play(self) -> None:
        hand = self.hand
        assert hand.decisions == tuple(self.taken)
        public = hand.public
        again = replay_hand(
            hand.rules,
            hand.dealer,
            hand.deck,
            hand.decisions,
            score=public.score,
            hand_number=public.hand_number,
            format=public.format,
        )
        assert again.views == hand.views
        assert again.points == hand.points

    @invariant()
    def tricks_add_up(self) -> None:
        public = self.hand.public
        size = len(public.active)
        assert sum(public.tricks_won) == len(public.tricks) == len(public.plays) // size
        assert len(public.trick) == len(public.plays) % size or len(public.tricks) == 5


Table.TestCase.settings = settings(max_examples=60, stateful_step_count=60)
TestTable = Table.TestCase


# Symmetries.


def turned(seat: Seat, by: int) -> Seat:
    return SEATS[(seat + by) % 3]


@settings(max_examples=60)
@given(strategies.rule_sets(), st.integers(0, 2**32), st.integers(1, 2))
def test_turning_the_table_turns_everything(rules: RuleSet, seed: int, by: int) -> None:
    hand = strategies.played(rules, random.Random(seed))
    other = replay_hand(rules, turned(hand.dealer, by), hand.deck, hand.decisions)
    assert hand.points is not None
    assert other.points is not None
    for seat in SEATS:
        assert other.points[turned(seat, by)] == hand.points[seat]
        assert other.views[turned(seat, by)].hand == hand.views[seat].hand
    assert [(turned(t.leader, by), t.cards, turned(t.winner, by)) for t in hand.public.tricks] == [
        (t.leader, t.cards, t.winner) for t in other.public.tricks
    ]


RECOLOURINGS = [
    {Suit.CLUBS: a, Suit.SPADES: a.same_colour, Suit.DIAMONDS: b, Suit.HEARTS: b.same_colour}
    for a in SUITS
    for b in SUITS
    if b not in (a, a.same_colour)
]
"""The eight ways to rename suits that keep the colours together (rules §7)."""


def recoloured(action: Action, names: dict[Suit, Suit]) -> Action:
    if isinstance(action, Card):
        if action.is_joker:
            return action
        return next(
            c
            for c in BY_BIT
            if not c.is_joker and (c.rank, c.suit) == (action.rank, names[action.suit])
        )
    if action.is_keep:
        return Action.keep(
            card for c in action.cards if isinstance(card := recoloured(c, names), Card)
        )
    text = str(action)
    if text.startswith("name "):
        return Action.parse(f"name {names[action.suit]}{text[6:]}")
    return action


@settings(max_examples=60)
@given(strategies.rule_sets(), st.integers(0, 2**32), st.sampled_from(RECOLOURINGS))
def test_renaming_suits_of_equal_standing_changes_nothing_else(
    rules: RuleSet, seed: int, names: dict[Suit, Suit]
) -> None:
    hand = strategies.played(rules, random.Random(seed))
    deck = [recoloured(card, names) for card in hand.deck]
    decisions = [recoloured(action, names) for action in hand.decisions]
    other = replay_hand(rules, hand.dealer, deck, decisions)  # type: ignore[arg-type]
    assert other.points == hand.points
    assert [t.winner for t in other.public.tricks] == [t.winner for t in hand.public.tricks]
    assert other.public.leaders == hand.public.leaders


def test_there_are_eight_renamings() -> None:
    assert len(RECOLOURINGS) == 8


# Non-leakage.


@settings(max_examples=80)
@given(strategies.rule_sets(), st.integers(0, 2**32))
def test_a_view_stays_when_what_the_seat_cannot_see_is_dealt_anew(
    rules: RuleSet, seed: int
) -> None:
    """Swap two cards that nobody has shown between places a seat cannot see; replay; compare."""
    rng = random.Random(seed)
    hand = strategies.played(rules, rng, rng.randrange(4, 26))
    swaps = 0
    for view in hand.views:
        known = mask_of(chain(hand.public.plays, [hand.public.turn_up], view.dummy, view.buried))
        known |= view.hand_mask | (0 if view.discard is None else view.discard.mask)
        unseen = [card for card in hand.deck if not card.mask & known]
        for _ in range(6):
            first, second = rng.sample(unseen, 2)
            deck = [{first: second, second: first}.get(card, card) for card in hand.deck]
            swapped = {first: second, second: first}
            decisions = [_swapped(action, swapped) for action in hand.decisions]
            try:
                other = replay_hand(
                    rules,
                    hand.dealer,
                    deck,
                    decisions,
                    score=hand.public.score,
                    hand_number=hand.public.hand_number,
                    format=hand.public.format,
                )
            except IllegalActionError:
                continue  # the swap put a card where a void was shown
            swaps += 1
            assert other.views[view.seat] == view
            assert other.public == hand.public
    assert swaps


def _swapped(action: Action, swapped: dict[Card, Card]) -> Action:
    if action.is_keep:
        return Action.keep(swapped.get(card, card) for card in action.cards)
    return swapped.get(action, action) if isinstance(action, Card) else action


def test_bits_and_cards_are_told_apart() -> None:
    assert cards_of(mask_of(BY_BIT)) == tuple(sorted(BY_BIT))
    assert [card.mask for card in BY_BIT] == [1 << n for n in range(33)]
    assert Kind.PLAY.value == "play"
