"""What the arena tells bots, as messages."""

from __future__ import annotations

import pytest

from arena.referee import Termination
from arena.referee.outcome import GameOutcome
from arena.referee.outputs import GameEnded
from arena.rpc.play.messages import write_game_over

NORMAL, FORFEIT, VOID = Termination.NORMAL, Termination.FORFEIT, Termination.VOID


@pytest.mark.parametrize(
    ("terminations", "message"),
    [
        pytest.param((NORMAL, NORMAL, NORMAL), "", id="a normal end needs no words"),
        pytest.param(
            (NORMAL, FORFEIT, NORMAL), f"Seat 1: {FORFEIT.sentence}", id="a forfeit is a seat's"
        ),
        pytest.param((VOID, VOID, VOID), VOID.sentence, id="what befell all is said once"),
    ],
)
def test_the_end_of_a_game_is_told_in_words(
    terminations: tuple[Termination, Termination, Termination], message: str
) -> None:
    notice = write_game_over(GameEnded(GameOutcome(terminations=terminations)))
    assert notice.game_over.message == message
