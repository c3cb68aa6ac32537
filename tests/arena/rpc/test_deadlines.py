"""The queue of the tables' deadlines."""

from __future__ import annotations

import gc
import weakref
from types import SimpleNamespace
from typing import Any

from arena.metrics import Metrics
from arena.referee.clock import NEVER
from arena.rpc.play.tables import Tables


class _Game:
    """As much of a game as the queue looks at."""

    def __init__(self, game_id: str, deadline: int) -> None:
        self.order = SimpleNamespace(game_id=game_id)
        self.table = SimpleNamespace(deadline=deadline)
        self.due = NEVER


def a_game(game_id: str, deadline: int) -> Any:
    return _Game(game_id, deadline)


def tables(*games: Any) -> Tables:
    made = Tables(
        misbehaved=lambda _: None,
        late_house=lambda *_: None,
        woken=lambda: None,
        metrics=Metrics(),
    )
    for game in games:
        made.games[game.order.game_id] = game
        made.schedule(game)
    return made


def test_the_earliest_deadline_comes_first_and_only_when_it_is_due() -> None:
    late, soon = a_game("late", 20), a_game("soon", 10)
    due = tables(late, soon)
    assert due.next_due == 10
    assert due.overdue(9) is None
    assert due.overdue(30) is soon
    assert due.overdue(30) is late
    assert due.overdue(30) is None


def test_a_deadline_that_was_put_off_is_waited_for_anew() -> None:
    game = a_game("game", 10)
    due = tables(game)
    game.table.deadline = 20
    assert due.overdue(15) is None
    assert due.next_due == 20
    assert due.overdue(20) is game


def test_a_game_that_is_over_is_forgotten_before_its_deadline() -> None:
    game = a_game("game", 10)
    due = tables(game)
    kept = weakref.ref(game)
    del due.games["game"], game
    gc.collect()
    assert kept() is None
    assert due.overdue(10) is None
    assert due.next_due == NEVER
