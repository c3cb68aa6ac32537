"""Streams that are lost, and what a bot comes back to."""

import logging
from datetime import timedelta

from euchre.v1 import play_pb2
from euchre_sdk import Action, BotBase, GameStart, View, fallback
from euchre_sdk.client_games import Games
from euchre_sdk.game import SEATS, STANDARD
from euchre_sdk.testing import game_start, goodbye, offer, question
from tests.sdk.scripted import DONE, play, views


def test_a_lost_stream_is_dialled_again_with_the_links_secret(referee):
    secret = bytes(range(32))
    asked = views()[0]
    first = offer(slot=1, seat=0, rules=STANDARD).offers[0]
    saved = play_pb2.SnapshotGame(
        offer=first,
        ready=True,
        start=game_start(1).notices[0].game_start,
        question=question(1, 4, asked).questions[0],
    )
    started = []

    class Counting(BotBase):
        def game_started(self, start: GameStart) -> None:
            started.append(start)

    referee.expect_hello(secret=secret)
    referee.send(offer(slot=1, seat=0, rules=STANDARD))
    referee.expect_ready(slot=1)
    referee.send(game_start(1))
    referee.end_stream()
    referee.expect_hello(
        resume_secret=secret, secret=secret, snapshot=play_pb2.Snapshot(games=[saved])
    )
    referee.expect_answer(1, 4, asked.kind, fallback(asked))
    referee.send(DONE)
    play(referee, Counting)
    assert len(started) == 1
    assert referee.streams == 2


def test_a_game_offered_anew_goes_on_with_its_bot_which_is_told_of_one_start():
    asked = views()[0]
    made, started, acted = [], [], []

    class Counting(BotBase):
        def __init__(self) -> None:
            made.append(self)

        def __bool__(self) -> bool:
            return False

        def game_started(self, start: GameStart) -> None:
            started.append(self)

        def act(self, view: View) -> Action:
            acted.append(self)
            return view.legal[0]

    games = Games(Counting)
    for _ in range(2):
        assert len(games.readies(offer(slot=1, seat=0, rules=STANDARD))) == 1
        assert not list(games.answers(game_start(1)))
        assert len(list(games.answers(question(1, 1, asked)))) == 1
        games.forget()
    assert len(made) == 1
    assert started == made
    assert acted == made * 2


def test_a_snapshot_brings_back_a_game_this_process_never_saw(referee):
    asked = views()[0]
    saved = play_pb2.SnapshotGame(
        offer=offer(slot=6, seat=0, rules=STANDARD).offers[0],
        ready=False,
    )
    referee.expect_hello(snapshot=play_pb2.Snapshot(games=[saved]))
    referee.expect_ready(slot=6)
    referee.send(game_start(6))
    referee.send(question(6, 1, asked))
    referee.expect_answer(6, 1, asked.kind, asked.legal[0])
    referee.send(DONE)
    play(referee)


def test_a_new_link_that_numbers_the_games_anew_gives_each_bot_its_own_game(referee, caplog):
    caplog.set_level(logging.INFO)
    asked = views()
    by_seat = [next(view for view in asked if view.seat == seat) for seat in SEATS]
    sat_at = []

    class Rooted(BotBase):
        def game_started(self, start: GameStart) -> None:
            self.seat = start.seat

        def act(self, view: View) -> Action:
            sat_at.append((self.seat, view.seat))
            return view.legal[0]

    games = [offer(slot=slot, seat=seat, rules=STANDARD) for slot, seat in ((1, 0), (2, 1), (3, 2))]
    referee.expect_hello(secret=bytes(32))
    for slot, game in enumerate(games, 1):
        referee.send(game)
        referee.expect_ready(slot=slot)
        referee.send(game_start(slot))
    referee.end_stream()
    referee.expect("a hello", lambda part: isinstance(part, play_pb2.Hello))
    referee.send(goodbye(play_pb2.GOODBYE_REASON_LINK_ENDED))
    saved = []
    for slot, seat in ((2, 0), (1, 1)):
        again = play_pb2.SnapshotGame(
            offer=games[seat].offers[0],
            ready=True,
            start=game_start(slot).notices[0].game_start,
            question=question(slot, 1, by_seat[seat]).questions[0],
        )
        again.offer.slot = slot
        saved.append(again)
    referee.expect_hello(
        resume_secret=None, link_id="another", snapshot=play_pb2.Snapshot(games=saved)
    )
    for slot, seat in ((2, 0), (1, 1)):
        view = by_seat[seat]
        referee.expect_answer(slot, 1, view.kind, view.legal[0])
    referee.send(DONE)
    play(referee, Rooted, games=3)
    assert sat_at == [(0, 0), (1, 1)]
    assert [told for told in caplog.messages if "while the bot was away" in told] == [
        "game game-3 ended while the bot was away"
    ]


def test_after_the_link_has_ended_it_is_dialled_anew(referee):
    referee.expect_hello(secret=bytes(32))
    referee.end_stream()
    referee.expect("a hello", lambda part: isinstance(part, play_pb2.Hello))
    referee.send(goodbye(play_pb2.GOODBYE_REASON_LINK_ENDED))
    referee.expect_hello(resume_secret=None, link_id="another")
    referee.send(DONE)
    play(referee)


def test_it_waits_where_the_arena_says_how_long(referee):
    referee.expect("a hello", lambda part: isinstance(part, play_pb2.Hello))
    wait = timedelta(milliseconds=30)
    referee.send(goodbye(play_pb2.GOODBYE_REASON_LINK_LIMIT, retry=wait))
    referee.expect_hello()
    referee.send(DONE)
    play(referee)
    assert referee.streams == 2


def test_a_greeted_bot_whose_stream_just_ends_says_so_and_dials_again(referee, caplog):
    secret = bytes(range(32))
    referee.expect_hello(secret=secret)
    referee.end_stream()
    referee.expect_hello(resume_secret=secret, secret=secret)
    referee.send(DONE)
    play(referee)
    assert [
        record.getMessage() for record in caplog.records if record.levelno == logging.WARNING
    ] == [f"the arena at {referee.address} hangs up without saying why. Dialling again."]
