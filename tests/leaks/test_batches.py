"""Which questions share a message on a stream with many games depends on instants, not on cards."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from arena.rpc.play.link import Link
from tests.leaks import batches
from tests.leaks.batches import Asked, deviation, hidden_facts, play

SURE = 4.0
"""Standard deviations that chance gives once in sixteen thousand times."""


@pytest.fixture(scope="module")
def asked() -> list[Asked]:
    return play(seed=1)


def test_questions_do_share_messages_and_not_all_of_them(asked: list[Asked]) -> None:
    assert len(asked) >= 500
    messages = len({each.message for each in asked})
    assert 1.2 < len(asked) / messages < 6
    for fact in asked[0].facts:
        assert 0.3 < fmean(each.facts[fact] for each in asked) < 0.7, fact


def test_what_shares_a_message_is_independent_of_what_is_hidden(asked: list[Asked]) -> None:
    for fact in asked[0].facts:
        assert abs(deviation(asked, fact)) < SURE, fact


@pytest.mark.parametrize("fact", hidden_facts(["9C"] * 24, 0))
def test_an_arena_is_found_out_that_batches_by_what_is_hidden(
    fact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Link.ask

    def alone(link: Link, slot: int, question: Any) -> None:
        """Send what waits before a question about a game in which the fact holds."""
        game = link.chairs[slot].game
        view = question.view
        deck = batches.Decks(f"2/{game.order.game_id[1:]}").texts(view.hand_number)
        if hidden_facts(deck, view.dealer)[fact]:
            link.send()
            link.pending()
        ask(link, slot, question)

    monkeypatch.setattr(Link, "ask", alone)
    assert abs(deviation(play(seed=2), fact)) > SURE
