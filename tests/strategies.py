"""Generators of rule sets, deals, actions and played hands."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from euchre_sdk.game import (
    CARDS,
    SEATS,
    SUITS,
    Action,
    Card,
    Format,
    Hand,
    RuleSet,
    Session,
    ToTarget,
)
from euchre_sdk.game.rules import LOWEST_RANKS, OPTIONS


def rule_sets(*, most_points: int = 12) -> st.SearchStrategy[RuleSet]:
    """Any rule set that can be made, with small numbers."""
    chosen: dict[str, st.SearchStrategy[object]] = {}
    for option in OPTIONS:
        kind: Any = type(option.default)
        if option.name == "lowest_rank":
            chosen[option.name] = st.sampled_from(LOWEST_RANKS)
        elif option.name in ("target", "points_make"):
            chosen[option.name] = st.integers(1, most_points)
        elif kind is int:
            chosen[option.name] = st.integers(0, most_points)
        elif kind is bool:
            chosen[option.name] = st.booleans()
        else:
            chosen[option.name] = st.sampled_from(list(kind))
    return st.builds(RuleSet, **chosen)


def formats() -> st.SearchStrategy[Format]:
    """Games to the target and sessions."""
    return st.one_of(st.just(ToTarget()), st.builds(Session, st.integers(1, 60)))


def decks(rules: RuleSet) -> st.SearchStrategy[list[Card]]:
    """A shuffled deck of these rules."""
    return st.permutations(rules.deck)


def seats() -> st.SearchStrategy[Any]:
    """Any seat."""
    return st.sampled_from(SEATS)


def suits() -> st.SearchStrategy[Any]:
    """Any suit."""
    return st.sampled_from(SUITS)


def cards() -> st.SearchStrategy[Any]:
    """Any of the 33 cards."""
    return st.sampled_from(CARDS)


ALL_ACTIONS: tuple[Action, ...] = (
    *CARDS,
    Action.PASS,
    Action.ORDER_UP,
    Action.ORDER_UP_ALONE,
    *(Action.name_trump(suit) for suit in SUITS),
    *(Action.name_trump_alone(suit) for suit in SUITS),
    Action.DECLINE,
    Action.ALONE,
    Action.WITH_DUMMY,
    Action.TOGETHER,
    Action.TAKE,
    Action.COMBINE,
)
"""Every action but the choices of five cards."""


def actions() -> st.SearchStrategy[Action]:
    """Any action, choices of five cards among them."""
    fives = st.lists(cards(), min_size=5, max_size=5, unique=True)
    return st.one_of(st.sampled_from(ALL_ACTIONS), fives.map(Action.keep))


def dealt(rules: RuleSet, rng: random.Random) -> Hand:
    """A fresh hand with a random dealer, deck, score and format."""
    deck = list(rules.deck)
    rng.shuffle(deck)
    formats: tuple[Format, ...] = (ToTarget(), Session(30))
    return Hand(
        rules,
        rng.choice(SEATS),
        deck,
        score=(rng.randrange(9), rng.randrange(9), rng.randrange(9)),
        hand_number=rng.randrange(1, 99),
        format=rng.choice(formats),
    )


def played(rules: RuleSet, rng: random.Random, decisions: int = 99) -> Hand:
    """A hand after that many random decisions, or at its end."""
    hand = dealt(rules, rng)
    for _ in range(decisions):
        if hand.view is None:
            break
        hand.apply(rng.choice(hand.view.legal))
    return hand


HOSTILE = (
    "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
    "a\rb",
    "two\nlines",
    "tab\tbed",
    "nul\x00",
    "\x9b31m",
    "xnyl\u202e",
    "\u2066lynx\u2069",
    "ly\u200bnx",
    "lynx\ufeff",
    "l\u0443nx",
    "\uff4c\uff59\uff4e\uff58",
    "lynx\u0301",
    "\U0001f43a",
    "\ud800",
    "<script>alert(1)</script>",
    "&lt;",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "[red]x[/red]",
    "[/]",
    ":smile:",
    "%s%n",
    "{0}",
    "${HOME}",
    "`id`",
    "$(id)",
    "a;b",
    "a|b",
    "'; drop table bots; --",
    "../../etc/passwd",
    ".",
    "..",
    "-rf",
    "a/b",
    "a\\b",
    " ",
    "",
    "x" * 65,
)
"""Names that somebody would give who means harm, or pastes without looking."""
