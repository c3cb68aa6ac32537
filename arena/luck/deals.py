"""Dealt hands as arrays: N hands of one rule set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from arena.luck.cards import Ints
from arena.luck.errors import LuckError
from euchre_sdk.game import SEATS, Action, Card, Hand, Kind, MakerPlay, RuleSet, Seat
from euchre_sdk.game.compiled import TURN_UP_PLACE, deal_places

POSITIONS = 3
"""Eldest, middle, dealer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Deals:
    """What was dealt, and nothing of what was done with it."""

    rules: RuleSet
    hands: Ints
    """(N, 3, 5): cards by position."""
    dummy: Ints
    """(N, 5)"""
    turn_up: Ints
    """(N,)"""

    @classmethod
    def of(cls, rules: RuleSet, decks: Sequence[Sequence[Card]]) -> Self:
        """Deal cut decks. Raises `LuckError` for one that is none of the rule set's."""
        whole = sorted(rules.deck)
        for number, deck in enumerate(decks):
            if sorted(deck) != whole:
                raise LuckError(
                    f"deck {number} has other cards than the rule set's {len(whole)}; "
                    "accepted are those, each once"
                )
        cards = np.array(decks, dtype=np.int64).reshape(len(decks), len(whole))
        eldest, middle, dummy, dealer = deal_places(rules.deal_pattern)
        return cls(
            rules=rules,
            hands=np.stack([cards[:, list(at)] for at in (eldest, middle, dealer)], axis=1),
            dummy=cards[:, list(dummy)],
            turn_up=cards[:, TURN_UP_PLACE],
        )

    def __len__(self) -> int:
        return len(self.turn_up)

    def part(self, rows: slice) -> Deals:
        """Return some of the hands."""
        return Deals(
            rules=self.rules,
            hands=self.hands[rows],
            dummy=self.dummy[rows],
            turn_up=self.turn_up[rows],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Looks:
    """The L hands in which the maker looked at the dummy, just before he did."""

    row: Ints
    """(L,): which hand of the `Deals`, ascending."""
    maker: Ints
    """(L,): his position."""
    trump: Ints
    """(L,)"""
    hands: Ints
    """(L, 3, 5): cards by position, after the dealer's exchange."""

    @classmethod
    def of(cls, rules: RuleSet, played: Sequence[tuple[Sequence[Card], Sequence[Action]]]) -> Self:
        """Replay hands, each given as its cut deck and its decisions, up to the maker's look.

        Raises `IllegalActionError` for decisions that the rules do not allow.
        """
        looks = [(row, *look) for row, hand in enumerate(played) if (look := _look(rules, *hand))]
        return cls(
            row=np.array([row for row, *_ in looks], dtype=np.int64),
            maker=np.array([maker for _, maker, _, _ in looks], dtype=np.int64),
            trump=np.array([trump for _, _, trump, _ in looks], dtype=np.int64),
            hands=np.array([held for *_, held in looks], dtype=np.int64).reshape(-1, POSITIONS, 5),
        )

    def part(self, rows: slice) -> Looks:
        """Return those in some of the hands, counted from the first of these."""
        first, last = np.searchsorted(self.row, [rows.start, rows.stop])
        return Looks(
            row=self.row[first:last] - rows.start,
            maker=self.maker[first:last],
            trump=self.trump[first:last],
            hands=self.hands[first:last],
        )


DEALER = SEATS[2]
"""Who deals in replays: so that seats are positions."""


def _look(
    rules: RuleSet, deck: Sequence[Card], decisions: Sequence[Action]
) -> tuple[Seat, int, list[tuple[Card, ...]]] | None:
    """Return maker, trump and the three hands when he looks; None if he does not."""
    hand = Hand(rules, DEALER, deck)
    for action in decisions:
        asked = hand.view
        if asked is None or asked.kind is Kind.KEEP_FIVE:
            break
        hand.apply(action)
    public = hand.public
    asked = hand.view
    if asked is None or asked.kind is not Kind.KEEP_FIVE or public.trump is None:
        return None
    assert public.maker_plays is MakerPlay.WITH_DUMMY  # or nobody would be asked what to keep
    return asked.seat, int(public.trump), [view.hand for view in hand.views]
