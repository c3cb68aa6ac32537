"""What is decided for house bots that are late."""

from __future__ import annotations

import pytest

from arena.house_answers import HouseAnswers
from arena.house_bots import HOUSE_BOTS
from arena.store.bots import house_bot_id
from arena.tournaments.playroom import SeatOrder
from euchre_sdk.bots import make_bot
from tests.arena.referee.seating_plan import Played


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_each_house_bot_is_decided_for_as_it_decides_itself(name: str) -> None:
    answers = HouseAnswers()
    seat = SeatOrder(entry_id="e1", bot_id=house_bot_id(name), name="a pseudonym", house=True)
    bot = make_bot(name)
    game = Played(seed=3).begin()
    for _ in range(5):
        view = game.question.view
        decided = answers(seat, view)
        assert decided in view.legal
        view.limit = view.bank = None
        assert decided == bot.act(view)
        game.answer(decided)
