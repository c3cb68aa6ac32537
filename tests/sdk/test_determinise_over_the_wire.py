"""A bot at the other end of the wire can deal the unseen cards, too."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from euchre.v1 import play_pb2
from euchre_sdk import wire
from euchre_sdk.game import RuleSet
from tests import strategies


@settings(max_examples=40)
@given(strategies.rule_sets(), st.integers(0, 2**32))
def test_a_question_holds_all_that_a_completion_needs(rules: RuleSet, seed: int) -> None:
    rng = random.Random(seed)
    hand = strategies.dealt(rules, rng)
    while (view := hand.view) is not None:
        sent = wire.write_question(1, 1, view).SerializeToString()
        received = wire.read_question(play_pb2.Question.FromString(sent), rules, view.format)
        assert received.determinise(rng).views[view.seat] == view
        hand.apply(rng.choice(view.legal))
