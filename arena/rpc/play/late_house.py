"""House bots that are late: their answers are computed in the arena, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import structlog
import trio

from arena.logs import where
from euchre_sdk.game import fallback

if TYPE_CHECKING:
    from arena.referee.outputs import Question
    from arena.rpc.play.link import PlayedGame
    from arena.tournaments.playroom import GameOrder, SeatOrder
    from euchre_sdk.game import Action, Seat, View

log = structlog.get_logger()

HouseAnswer: TypeAlias = "Callable[[SeatOrder, View], Action]"
"""Decides as the house bot on a seat would. Called in a thread."""


def fallback_answer(_seat: SeatOrder, view: View) -> Action:
    """Decide with the fallback action."""
    return fallback(view)


class LateHouse:
    """Computes what late house bots should have answered."""

    def __init__(
        self,
        answer: HouseAnswer,
        on_late: Callable[[GameOrder, Seat], None],
        decided: Callable[[PlayedGame, Question, Action | None], None],
    ) -> None:
        """Make it; `on_late` is told of each late answer, `decided` what was computed for it."""
        self._answer = answer
        self._on_late = on_late
        self._decided = decided
        channel = trio.open_memory_channel["tuple[PlayedGame, Question]"](math.inf)
        self._late, self._next = channel

    def decide(self, game: PlayedGame, question: Question) -> None:
        """Have the answer to a question computed."""
        if not game.order.seats[question.seat].resident:
            log.warning("house_late", game_id=game.order.game_id, seat=int(question.seat))
            self._on_late(game.order, question.seat)
        self._late.send_nowait((game, question))

    async def run(self) -> None:
        """Compute answers until cancelled. Whatever one raises, the fallback is played for it."""
        async for game, question in self._next:
            if question is not game.table.question:
                continue
            seat = game.order.seats[question.seat]
            try:
                action = await trio.to_thread.run_sync(self._answer, seat, question.view)
            except Exception as error:  # noqa: BLE001 - the fallback is played
                place = where(error)  # its words may name cards
                log.error("house_answer_failed", bot_id=seat.bot_id, where=place)  # noqa: TRY400
                action = None
            self._decided(game, question, action)
