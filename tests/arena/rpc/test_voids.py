"""Hands that are void through the arena are counted for each bot that was there."""

from __future__ import annotations

from dataclasses import replace

from structlog.testing import capture_logs

from arena.rpc.play.voids import EXCESS, Voids
from tests.arena.rpc.in_process import order


def test_an_excess_of_void_hands_is_told_of_each_bot_and_again_when_it_has_doubled() -> None:
    voids = Voids()
    game = order()
    first, second, third = game.seats
    with_house = replace(game, seats=(first, replace(second, house=True), third))
    with capture_logs() as told:
        for _ in range(EXCESS - 1):
            voids.note(with_house)
        assert not told
        for _ in range(3 * EXCESS + 1):
            voids.note(with_house)
    assert {line["event"] for line in told} == {"voids_in_excess"}
    assert [(line["bot_id"], line["voids"]) for line in told] == [
        (bot, EXCESS * times) for times in (1, 2, 4) for bot in ("a", "c")
    ]
