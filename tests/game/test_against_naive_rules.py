"""The engine and the naive program play the same hands in lock-step and agree on everything."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_sdk.game import PRESETS, Action, Card, Hand, RuleSet, Seat
from euchre_sdk.game.replay import replay_hand
from euchre_sdk.game.rules_file import rules_from_fields, rules_to_fields
from tests import strategies
from tests.game import naive_rules

PERFT = Path(__file__).parents[1] / "data" / "perft"


def play_in_lock_step(rules: RuleSet, rng: random.Random) -> Hand:
    hand = strategies.dealt(rules, rng)
    fields = rules_to_fields(rules)
    table = naive_rules.play_hand(fields, hand.dealer, [str(card) for card in hand.deck])
    asked = next(table)
    outcome: naive_rules.Outcome | None = None
    while outcome is None:
        view = hand.view
        assert view is not None
        assert (view.seat, view.kind.value) == (asked.seat, asked.kind)
        assert sorted(map(str, view.hand)) == sorted(asked.hand)
        if asked.kind == "keep_five":
            # Both list 252 choices, in different orders; compare them now and then.
            assert len(view.legal) == len(asked.options) == 252
            if rng.random() < 0.05:
                assert set(map(str, view.legal)) == {
                    str(Action.parse(option)) for option in asked.options
                }
        else:
            assert sorted(map(str, view.legal)) == sorted(asked.options)
        choice = rng.choice(asked.options)
        hand.apply(Action.parse(choice))
        try:
            asked = table.send(choice)
        except StopIteration as end:
            outcome = end.value
    assert hand.view is None
    assert hand.points == outcome.points
    assert hand.is_passed_out is outcome.passed_out
    assert outcome.tricks == [
        (trick.leader, [str(card) for card in trick.cards], trick.winner)
        for trick in hand.public.tricks
    ]
    return hand


@settings(max_examples=400)
@given(strategies.rule_sets(), st.integers(0, 2**32))
def test_any_rule_set_is_played_alike(rules: RuleSet, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(3):
        play_in_lock_step(rules, rng)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_played_alike(rules: RuleSet) -> None:
    rng = random.Random(20)
    hands = [play_in_lock_step(rules, rng) for _ in range(400)]
    played = [hand for hand in hands if not hand.is_passed_out]
    assert len({hand.public.maker for hand in played}) == 3
    assert {hand.public.lone_defender is None for hand in played} == {True, False}
    assert {hand.public.tricks_won[hand.public.maker or Seat(0)] for hand in played} == set(
        range(6)
    )


def count_series(hand: Hand, depth: int) -> int:
    """How many series of exactly `depth` legal decisions can follow."""
    if hand.view is None:
        return 1 if depth == 0 else 0
    if depth <= 1:
        return len(hand.view.legal) if depth else 1
    total = 0
    for action in hand.view.legal:
        after = hand.clone()
        after.apply(action)
        total += count_series(after, depth - 1)
    return total


def perft_positions() -> list[ParameterSet]:
    """The positions of tests/data/perft: rules, dealer, deck, decisions, and counts by depth."""
    rows = []
    for path in sorted(PERFT.glob("*.txt")):
        for block in path.read_text().strip().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if line[0] != "#")
            rows.append(pytest.param(fields, id=fields["position"]))
    return rows


@pytest.mark.parametrize("position", perft_positions())
def test_as_many_series_of_decisions_are_legal_as_the_naive_program_counted(
    position: dict[str, str],
) -> None:
    options = dict(word.split("=") for word in position["rules"].split())
    fields = {name: _value(text) for name, text in options.items() if name != "standard"}
    hand = replay_hand(
        rules_from_fields(fields),
        Seat(int(position["dealer"])),
        [Card.parse(word) for word in position["deck"].split()],
        [Action.parse(word) for word in position["decisions"].split(", ") if word != "none"],
    )
    counts = [int(number) for number in position["counts"].split()]
    assert [count_series(hand, depth) for depth in range(1, len(counts) + 1)] == counts


def _value(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text
