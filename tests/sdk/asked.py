"""Every question of one hand of right answers, for the tests of the bot that misbehaves."""

from __future__ import annotations

import random

from euchre_sdk import View
from euchre_sdk.game import SEATS, STANDARD, Hand
from euchre_sdk.testing.wrong_answers import Style, right_answer
from euchre_sdk.wire_answer import Unsupported, read_answer
from euchre_sdk.wire_question import write_question


def asked(style: Style = Style.BOLD) -> list[tuple[View, Hand]]:
    """Return what is asked in one hand of right answers, and the hand as it is then."""
    deck = list(STANDARD.deck)
    random.Random(3).shuffle(deck)
    hand = Hand(STANDARD, SEATS[0], deck)
    seen = []
    while (view := hand.view) is not None:
        seen.append((view.freeze(), hand.clone()))
        answer = right_answer(write_question(1, 1, view), style)
        action = read_answer(answer, view.kind, view.seat)
        assert not isinstance(action, Unsupported)
        hand.apply(action)
    return seen
