"""A bot whose code fails, against a scripted referee over real gRPC."""

import logging
from asyncio import CancelledError
from typing import Any

import pytest

from euchre_sdk import Action, BotBase, GameStart, Kind, View, fallback
from euchre_sdk.game import STANDARD
from euchre_sdk.testing import offer, question
from tests.sdk.scripted import DONE, First, play, start_game, views


def test_a_bot_that_raises_is_shown_once_with_its_traceback_and_the_position(referee, caplog):
    class Broken:
        def act(self, view: View) -> Action:
            book: dict[str, Action] = {}
            return book["oops"]

    first, second = views()[0], views(seed=2)[0]
    start_game(referee)
    for seq, view in enumerate((first, second), 1):
        referee.send(question(1, seq, view))
        referee.expect_answer(1, seq, view.kind, fallback(view))
    referee.send(DONE)
    with caplog.at_level(logging.ERROR, "euchre_sdk"):
        counts = play(referee, Broken)
    assert counts.bot_errors == 2
    (shown,) = caplog.records
    assert "Broken.act raised KeyError" in shown.getMessage()
    assert str(first) in shown.getMessage()
    assert 'return book["oops"]' in shown.getMessage()
    assert "client_games.py" not in shown.getMessage()


@pytest.mark.parametrize("wrong", [None, 33, "pass", Action.TAKE])
def test_an_illegal_choice_is_not_sent(referee, caplog, wrong):
    class Wrong:
        def act(self, view: View) -> Any:
            return wrong

    asked = views()[0]
    start_game(referee)
    referee.send(question(1, 1, asked))
    referee.expect_answer(1, 1, asked.kind, fallback(asked))
    referee.send(DONE)
    assert play(referee, Wrong).bot_errors == 1
    assert "illegal action" in caplog.text


@pytest.mark.parametrize("ending", [SystemExit, GeneratorExit, CancelledError])
def test_a_bot_that_would_end_the_program_is_at_fault(referee, caplog, ending):
    class Ends:
        def act(self, view: View) -> Action:
            raise ending

    asked = views()[0]
    start_game(referee)
    referee.send(question(1, 1, asked))
    referee.expect_answer(1, 1, asked.kind, fallback(asked))
    referee.send(DONE)
    assert play(referee, Ends).bot_errors == 1
    assert f"Ends.act raised {ending.__name__}" in caplog.text


@pytest.mark.parametrize("returns", ["nothing", "a legal action"])
def test_a_bot_that_spoils_its_view_is_answered_for_from_the_question(referee, caplog, returns):
    class Spoils:
        def act(self, view: View) -> Any:
            modest = fallback(view)
            view.legal, view.kind, view.hand_mask = (), Kind.KEEP_FIVE, 0
            view.public.calls.clear()
            return modest if returns == "a legal action" else None

    asked = views()[0]
    start_game(referee)
    referee.send(question(1, 1, asked))
    referee.expect_answer(1, 1, asked.kind, fallback(asked))
    referee.send(DONE)
    assert play(referee, Spoils).bot_errors == (returns == "nothing")


def test_a_hook_that_raises_does_not_stop_the_game(referee, caplog):
    class Broken(BotBase):
        def game_started(self, start: GameStart) -> None:
            raise OSError("no book")

    asked = views()[0]
    start_game(referee)
    referee.send(question(1, 1, asked))
    referee.expect_answer(1, 1, asked.kind, fallback(asked))
    referee.send(DONE)
    assert play(referee, Broken).bot_errors == 1
    assert "Broken.game_started raised OSError" in caplog.text


def test_a_bot_that_cannot_be_made_takes_no_game(referee, caplog):
    made = []

    def factory() -> First:
        made.append(1)
        if len(made) == 1:
            raise OSError("no model file")
        return First()

    referee.expect_hello()
    for slot in (1, 2):
        referee.send(offer(slot=slot, seat=0, rules=STANDARD))
    referee.expect_ready(slot=2)
    referee.send(DONE)
    assert play(referee, factory).bot_errors == 1
    assert "no model file" in caplog.text
