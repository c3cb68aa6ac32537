"""The bot that misbehaves: what its command does and prints."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from euchre.v1 import play_pb2
from euchre_sdk import Action, Kind
from euchre_sdk.game import STANDARD
from euchre_sdk.testing import ScriptedReferee, game_start, offer, question
from euchre_sdk.testing.misbehave_command import misbehave
from tests.sdk.asked import asked
from tests.sdk.scripted import DONE, notice

pytestmark = pytest.mark.cli
ROOT = Path(__file__).parents[2]


def run(*arguments: str, **environment: str):
    runner = CliRunner(env={"EUCHRE_TOKEN": None, **environment})
    return runner.invoke(misbehave, arguments, catch_exceptions=False)


def start_game(referee: ScriptedReferee) -> None:
    referee.expect_hello()
    referee.send(offer(slot=1, seat=0, rules=STANDARD))
    referee.expect_ready(slot=1)
    referee.send(game_start(1))


def test_it_gives_a_wrong_answer_and_the_right_one_when_that_is_refused(referee):
    view = next(view for view, _ in asked() if view.kind is Kind.KEEP_FIVE)
    refused = play_pb2.AnswerRefused(
        seq=1, reason=play_pb2.REFUSAL_REASON_MALFORMED, message="no.", faults=1, fault_limit=3
    )
    start_game(referee)
    referee.send(question(1, 1, view))
    referee.expect("four cards", lambda part: len(part.cards) == 4)
    referee.send(notice(1, answer_refused=refused))
    referee.expect("five cards", lambda part: len(part.cards) == 5)
    referee.send(DONE)
    done = run(referee.address, "--token", "token", "--when", "keep-five", "--do", "keep-four")
    referee.assert_done()
    assert done.exit_code == 0, done.output
    assert "misbehave: did keep-five keep-four game game-1 hand 1 question 1" in done.output
    assert "misbehave: goodbye GOODBYE_REASON_DONE" in done.output


def test_it_answers_again_only_while_the_question_is_open(referee):
    view, _ = asked()[0]
    refused = play_pb2.AnswerRefused(
        seq=1, reason=play_pb2.REFUSAL_REASON_MALFORMED, message="no.", faults=3, fault_limit=3
    )
    start_game(referee)
    referee.send(question(1, 1, view))
    referee.expect("nothing set", lambda part: part == play_pb2.Answer(slot=1, seq=1))
    referee.send(notice(1, answer_refused=refused))
    referee.send(question(1, 2, view))
    referee.expect("nothing set", lambda part: part == play_pb2.Answer(slot=1, seq=2))
    referee.send(DONE)
    run(referee.address, "--token", "token", "--do", "empty-answer", "--times", "always")
    referee.assert_done()


def test_it_is_late_exactly_when_it_is_told_that_it_is(referee):
    view, _ = asked()[0]
    forced = play_pb2.MoveForced(seq=1, cause=play_pb2.FORCED_CAUSE_TIME, faults=1, fault_limit=3)
    start_game(referee)
    referee.send(question(1, 1, view))
    referee.send(notice(1, move_forced=forced))
    referee.expect("the late answer", lambda part: (part.slot, part.seq) == (1, 1))
    referee.send(DONE)
    run(referee.address, "--token", "token", "--when", "bid", "--do", "late")
    referee.assert_done()


def test_it_behaves_without_a_misdeed_and_before_its_hand(referee):
    view, _ = asked()[0]
    start_game(referee)
    referee.send(question(1, 1, view))
    referee.expect_answer(1, 1, view.kind, Action.ORDER_UP)
    referee.send(DONE)
    options = ("--token", "token", "--when", "bid", "--do", "mute", "--from-hand", "2")
    done = run(referee.address, *options)
    referee.assert_done()
    assert done.exit_code == 1
    assert "Error: the moment to misbehave never came for misbehave." in done.output


def test_the_token_may_have_a_variable_of_its_own(referee):
    referee.expect_hello()
    referee.send(DONE)
    assert run(referee.address, "--token-env", "MINE", MINE="token").exit_code == 0
    referee.assert_done()


def test_one_process_runs_a_bot_for_each_line_of_a_file(referee, tmp_path):
    file = tmp_path / "bots"
    file.write_text("# two\n--token token --label one\n\n--token token --label two\n")
    for _ in range(2):
        referee.expect("a hello", lambda part: isinstance(part, play_pb2.Hello))
        referee.end_stream()
    done = run(referee.address, "--bots", str(file))
    assert done.exit_code == 0, done.output
    labels = {part.version_label for part in referee.received}
    assert labels == {"one", "two"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--do", "crash"], "a token is needed: set the variable EUCHRE_TOKEN"),
        (["--token-env", "NONE"], "the environment has no variable NONE."),
        (["--token", "t", "--times", "0"], "'0' is neither a number from 1 nor always"),
        (["--token", "t", "--do", "cheat"], "no misdeed is called 'cheat'"),
        (["--bots", "{file}"], "line 1 of {file}: No such option '--nonsense'"),
        (["--bots", "{crash}"], "crash is done to a process, which the bots of --bots share"),
    ],
)
def test_what_is_mistyped_is_said_in_a_sentence(options, said, tmp_path):
    files = {"file": tmp_path / "file", "crash": tmp_path / "crash"}
    files["file"].write_text("--nonsense\n")
    files["crash"].write_text("--token t --do crash\n")
    done = run("localhost:1", *(each.format(**files) for each in options))
    assert done.exit_code in (1, 2)
    assert said.format(**files) in " ".join(done.output.split())
    assert "Traceback" not in done.output


def test_nobody_there_is_said_once():
    with ScriptedReferee() as gone:
        address = gone.address
    done = run(address, "--token", "t")
    assert done.output.count("stream ended: UNAVAILABLE") == 1
