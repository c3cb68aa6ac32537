"""What an arena may send to a bot: whatever it is, the bot goes on, or ends in words."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from random import Random

import pytest

from euchre.v1 import play_pb2, tournaments_pb2
from euchre_sdk import Action, View
from euchre_sdk.client import _Link
from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.client_errors import ConnectError
from euchre_sdk.client_games import Games
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import PRESETS, SEATS, STANDARD, Session
from euchre_sdk.testing import game_start, offer, question
from euchre_sdk.wire import read_question
from euchre_sdk.wire_rankings import read_rankings
from euchre_sdk.wire_values import MalformedMessageError
from tests.fuzz.damage import broken_bytes, fuzzed, random_message
from tests.sdk.scripted import views


class First:
    """Takes the first legal action, after looking at everything."""

    def act(self, view: View) -> Action:
        str(view)
        return view.legal[0]


def _asked() -> tuple[tuple[str, bytes], ...]:
    """Return questions of whole hands under several rules, as they cross the wire."""
    found = []
    for name in ("standard", "pub"):
        for seq, view in enumerate(views(PRESETS[name]), 1):
            (message,) = question(1, seq, view).questions
            found.append((name, message.SerializeToString()))
    return tuple(found)


QUESTIONS = _asked()
BEGIN = (offer(slot=1, seat=0, rules=STANDARD), game_start(1))


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger("euchre_sdk"), "disabled", True)


def _hear(games: Games, response: play_pb2.PlayResponse) -> None:
    games.readies(response)
    for answer in games.answers(response):
        assert answer.SerializeToString()


@fuzzed(150)
def test_a_question_with_broken_bytes_is_answered_or_called_unsupported(random: Random) -> None:
    name, valid = random.choice(QUESTIONS)
    try:
        message = play_pb2.Question.FromString(broken_bytes(random, valid))
    except Exception:  # noqa: BLE001 - gRPC ends such a stream
        return
    try:
        view = read_question(message, PRESETS[name], Session(30))
    except MalformedMessageError:
        return
    str(view)
    assert view.seat in SEATS


@fuzzed(150)
def test_messages_of_any_content_leave_a_bot_as_it_was_or_do_what_they_say(random: Random) -> None:
    games = Games(First)
    for response in BEGIN:
        _hear(games, response)
    for _ in range(3):
        _hear(games, random_message(random, play_pb2.PlayResponse()))


@fuzzed(100)
def test_broken_messages_do_no_more(random: Random) -> None:
    games = Games(First)
    for response in BEGIN:
        _hear(games, response)
    for _ in range(3):
        _, valid = random.choice(QUESTIONS)
        whole = play_pb2.PlayResponse(questions=[play_pb2.Question.FromString(valid)])
        data = random.choice((whole, *BEGIN)).SerializeToString()
        try:
            response = play_pb2.PlayResponse.FromString(broken_bytes(random, data))
        except Exception:  # noqa: BLE001 - gRPC ends such a stream
            continue
        _hear(games, response)


@fuzzed(60)
def test_rankings_of_any_content_are_shown_or_refused(random: Random) -> None:
    try:
        read_rankings(random_message(random, tournaments_pb2.Rankings()))
    except EuchreError:
        return


@fuzzed(30)
def test_a_goodbye_of_any_content_is_followed_or_told(random: Random) -> None:
    _bid(random_message(random, play_pb2.Goodbye()))


def test_a_goodbye_whose_retry_time_is_no_time_is_followed() -> None:  # found by fuzzing
    goodbye = play_pb2.Goodbye(reason=play_pb2.GOODBYE_REASON_FLOOD)
    goodbye.retry_duration.seconds = 2**63 - 1
    _bid(goodbye)


def _bid(goodbye: play_pb2.Goodbye) -> None:
    link = object.__new__(_Link)
    link.games, link._hello = Games(First), play_pb2.Hello()
    link._dial, link._leave = Dial(address=Address("localhost:1")), asyncio.Event()
    link._pause = timedelta(0)
    try:
        link._goodbye(goodbye)
    except ConnectError:
        return
    assert link._pause >= timedelta(0)
