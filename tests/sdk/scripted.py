"""What the tests of a bot's connection share: a script's parts, and a bot to run through it."""

from __future__ import annotations

import random
from typing import Any

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk import Action, Kind, View, fallback
from euchre_sdk.client import Counts, run
from euchre_sdk.game import SEATS, STANDARD, Hand, RuleSet
from euchre_sdk.testing import ScriptedReferee, game_start, goodbye, offer

NORMAL = [types_pb2.TERMINATION_NORMAL] * 3
DONE = goodbye(play_pb2.GOODBYE_REASON_DONE)


class First:
    """Takes the first legal action."""

    def act(self, view: View) -> Action:
        return view.legal[0]


def views(rules: RuleSet = STANDARD, seed: int = 1) -> list[View]:
    """Return what the three seats are asked in one hand of first actions, then fallbacks."""
    deck = list(rules.deck)
    random.Random(seed).shuffle(deck)
    hand = Hand(rules, SEATS[0], deck)
    seen = []
    while (view := hand.view) is not None:
        seen.append(view.freeze())
        hand.apply(Action.ORDER_UP if view.kind is Kind.ORDER_UP else fallback(view))
    return seen


def notice(slot: int, **event: Any) -> play_pb2.PlayResponse:
    return play_pb2.PlayResponse(notices=[play_pb2.Notice(slot=slot, **event)])


def play(referee: ScriptedReferee, bot=First, **options) -> Counts:
    counts = run(bot, arena=referee.address, token=referee.token, **options)
    referee.assert_done()
    return counts


def start_game(referee: ScriptedReferee, *, slot: int = 1, rules: RuleSet = STANDARD) -> None:
    referee.expect_hello()
    referee.send(offer(slot=slot, seat=0, rules=rules))
    referee.expect_ready(slot=slot)
    referee.send(game_start(slot))
