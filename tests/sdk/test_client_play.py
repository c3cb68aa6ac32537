"""A bot plays on its connection, against a scripted referee over real gRPC."""

import logging
import threading

import pytest

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk import BotBase, GameEnd, GameStart, HandResult, Kind, fallback
from euchre_sdk.game import PRESETS, SEATS, STANDARD, Session
from euchre_sdk.testing import game_start, offer, question
from euchre_sdk.wire_events import write_hand_end
from tests.sdk.scripted import DONE, NORMAL, First, notice, play, start_game, views


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_question_of_a_hand_is_answered_with_the_bots_action(referee, rules):
    asked = views(rules)
    start_game(referee, rules=rules)
    for seq, view in enumerate(asked, 1):
        referee.send(question(1, seq, view))
        referee.expect_answer(1, seq, view.kind, view.legal[0])
    referee.send(DONE)
    assert play(referee).decisions == len(asked)


def test_hello_says_who_calls(referee):
    referee.expect_hello()
    referee.send(DONE)
    play(referee, games=7, version="v3")
    hello = referee.received[0]
    assert isinstance(hello, play_pb2.Hello)
    assert (hello.games_at_once, hello.version_label, hello.protocol_revision) == (7, "v3", 1)
    assert hello.sdk_name == "euchre-sdk"


def test_nonces_are_fresh_for_each_game(referee):
    referee.expect_hello()
    for slot in (1, 2):
        referee.send(offer(slot=slot, seat=0, rules=STANDARD))
        referee.expect_ready(slot=slot)
    referee.send(DONE)
    play(referee)
    nonces = {part.nonce for part in referee.received if isinstance(part, play_pb2.Ready)}
    assert len(nonces) == 2


def test_a_batch_of_many_games_is_answered_game_by_game(referee):
    asked = views()[0]
    referee.expect_hello()
    for slot in range(1, 65):
        referee.send(offer(slot=slot, seat=0, rules=STANDARD))
    for slot in range(1, 65):
        referee.expect_ready(slot=slot)
    batch = play_pb2.PlayResponse()
    for slot in range(1, 65):
        batch.MergeFrom(question(slot, 1, asked))
    referee.send(batch)
    for slot in range(1, 65):
        referee.expect_answer(slot, 1, asked.kind, asked.legal[0])
    referee.send(DONE)
    assert play(referee, games=64).decisions == 64


def test_hooks_hear_of_start_hands_and_end(referee):
    heard: list[object] = []

    class Listener(BotBase):
        def game_started(self, start: GameStart) -> None:
            heard.append((start.seat, start.rules, start.format, start.names))

        def hand_ended(self, result: HandResult) -> None:
            heard.append(result)

        def game_ended(self, end: GameEnd) -> None:
            heard.append(end)

    asked = views()
    public = asked[-1].public.copy()
    result = HandResult(points=(1, 0, 0), score=(1, 0, 0), public=public)
    referee.expect_hello()
    referee.send(offer(slot=1, seat=2, rules=STANDARD, format=Session(3)))
    referee.expect_ready(slot=1)
    referee.send(game_start(1))
    public.format = Session(3)
    referee.send(notice(1, hand_end=write_hand_end(result)))
    over = play_pb2.GameOver(points=[1, 0, 0], places=[1, 2, 2], terminations=NORMAL, hands=3)
    referee.send(notice(1, game_over=over))
    referee.send(DONE)
    assert play(referee, Listener).games == 1
    assert heard == [
        (SEATS[2], STANDARD, Session(3), ("a", "b", "c")),
        result,
        GameEnd(score=(1, 0, 0), places=(1, 2, 2), hands=3),
    ]


@pytest.mark.parametrize(
    ("places", "shown"),
    [([1, 2, 3], "place 2"), ([1, 1, 3], "shared place 1"), ([], "no places")],
)
def test_a_line_tells_how_each_game_ended(referee, caplog, places, shown):
    caplog.set_level(logging.INFO, "euchre_sdk")
    referee.expect_hello()
    referee.send(offer(slot=1, seat=1, rules=STANDARD))
    referee.expect_ready(slot=1)
    referee.send(game_start(1))
    over = play_pb2.GameOver(points=[10, 7, 0], places=places, terminations=NORMAL, hands=12)
    referee.send(notice(1, game_over=over))
    referee.send(DONE)
    play(referee)
    (told,) = [record for record in caplog.records if "is over" in record.getMessage()]
    assert told.levelno == logging.INFO
    assert told.getMessage() == (
        f"game game-1 is over: {shown}; points: seat 0 a 10, seat 1 b 7 (you), seat 2 c 0; "
        "hands: 12"
    )


def test_after_a_forfeit_it_is_told_once_in_a_game_that_the_arena_answers(referee, caplog):
    caplog.set_level(logging.INFO, "euchre_sdk")
    referee.expect_hello()
    for slot in (1, 2):
        referee.send(offer(slot=slot, seat=0, rules=STANDARD))
        referee.expect_ready(slot=slot)
        referee.send(game_start(slot))
        for seq in (5, 6, 7):
            forced = play_pb2.MoveForced(
                seq=seq, cause=play_pb2.FORCED_CAUSE_FORFEIT, faults=0, fault_limit=54
            )
            referee.send(notice(slot, move_forced=forced))
    referee.send(DONE)
    assert play(referee).forced == 6
    assert [told for told in caplog.messages if "forfeit" in told] == [
        f"game game-{slot}: the bot's seat is forfeit; the arena answers for it from question 5 on"
        for slot in (1, 2)
    ]
    assert "fault 0" not in caplog.text


@pytest.mark.parametrize(
    ("cause", "faults", "said"),
    [
        (play_pb2.FORCED_CAUSE_TIME, 2, " (fault 2 of 54)"),
        (play_pb2.FORCED_CAUSE_HOUSE_LATE, 0, ""),
    ],
)
def test_each_answer_of_the_arena_is_told_with_the_fault_it_was(
    referee, caplog, cause, faults, said
):
    start_game(referee)
    forced = play_pb2.MoveForced(seq=3, cause=cause, faults=faults, fault_limit=54)
    referee.send(notice(1, move_forced=forced))
    referee.send(DONE)
    play(referee)
    assert f"game game-1: the arena answered question 3 for the bot{said}" in caplog.messages


def test_each_game_gets_a_bot_of_its_own(referee):
    made = []

    def factory() -> First:
        made.append(First())
        return made[-1]

    referee.expect_hello()
    for slot in (1, 2):
        referee.send(offer(slot=slot, seat=0, rules=STANDARD))
        referee.expect_ready(slot=slot)
    referee.send(DONE)
    play(referee, factory)
    assert len(made) == 2


def test_one_bot_object_plays_all_games(referee):
    asked = views()[0]
    start_game(referee)
    referee.send(question(1, 1, asked))
    referee.expect_answer(1, 1, asked.kind, asked.legal[0])
    referee.send(DONE)
    play(referee, First())


def test_a_refused_answer_is_given_again_modestly_but_only_once(referee):
    asked = next(view for view in views() if view.kind is Kind.EXCHANGE)
    refused = play_pb2.AnswerRefused(
        seq=1, reason=play_pb2.REFUSAL_REASON_WRONG_KIND, message="no.", faults=1, fault_limit=3
    )
    start_game(referee)
    referee.send(question(1, 1, asked))
    referee.expect_answer(1, 1, asked.kind, asked.legal[0])
    referee.send(notice(1, answer_refused=refused))
    referee.expect_answer(1, 1, asked.kind, fallback(asked))
    referee.send(notice(1, answer_refused=refused))
    referee.send(DONE)
    assert play(referee).refused == 2


def test_what_this_package_does_not_know_is_answered_unsupported_or_counted(referee):
    unknown = question(1, 1, views()[0])
    unknown.questions[0].kind = 99  # type: ignore[assignment]
    start_game(referee)
    referee.send(unknown)
    referee.expect(
        "unsupported",
        lambda part: part == play_pb2.Answer(slot=1, seq=1, kind=types_pb2.ACTION_KIND_UNSUPPORTED),
    )
    new_notice = play_pb2.PlayResponse.FromString(b"\x22\x05\x08\x01\xfa\x07\x00")
    assert new_notice.notices[0].WhichOneof("event") is None
    referee.send(new_notice)
    referee.send(notice(5, hand_voided=play_pb2.HandVoided(hand_number=1)))
    referee.send(DONE)
    counts = play(referee)
    assert (counts.unsupported, counts.unknown) == (1, 1)


def test_a_game_at_another_address_is_not_taken(referee):
    elsewhere = offer(slot=1, seat=0, rules=STANDARD)
    elsewhere.offers[0].address = "127.0.0.1:1"
    referee.expect_hello()
    referee.send(elsewhere)
    referee.send(offer(slot=2, seat=0, rules=STANDARD))
    referee.expect_ready(slot=2)
    referee.send(DONE)
    play(referee)


def test_it_plays_outside_the_main_thread(referee):
    asked = views()[0]
    start_game(referee)
    referee.send(question(1, 1, asked))
    referee.expect_answer(1, 1, asked.kind, asked.legal[0])
    referee.send(DONE)
    thread = threading.Thread(target=play, args=(referee,))
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
    referee.assert_done()


def test_what_the_arena_remarks_is_said_in_one_line_each(referee, caplog):
    referee.expect_hello(remarks=["spring has version 'v1'\nof this bot.", "Second."])
    referee.send(DONE)
    play(referee)
    said = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(said) == 2
    assert said[0].startswith("the arena says: spring has version 'v1'")
    assert "\n" not in said[0]
