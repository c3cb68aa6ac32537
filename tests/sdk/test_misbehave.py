"""The bot that misbehaves: what it can be asked for, what it answers, and what it prints."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk import Action, Kind, View
from euchre_sdk.game import PRESETS, SEATS, STANDARD, Hand, IllegalActionError
from euchre_sdk.game.compiled import TURN_UP_PLACE
from euchre_sdk.testing import ScriptedReferee, game_start, offer, question
from euchre_sdk.testing.misbehave_command import misbehave
from euchre_sdk.testing.misdeeds import (
    REFUSED,
    Deed,
    MisdeedError,
    Moment,
    fits,
    read_misdeed,
)
from euchre_sdk.testing.wrong_answers import Style, moment_of, right_answer, wrong_answer
from euchre_sdk.wire_answer import Unsupported, read_answer
from euchre_sdk.wire_question import write_question
from euchre_sdk.wire_values import MalformedMessageError
from tests.sdk.scripted import DONE, notice

pytestmark = pytest.mark.cli
ROOT = Path(__file__).parents[2]


def asked(style: Style = Style.BOLD) -> list[tuple[View, Hand]]:
    """Return what is asked in one hand of right answers, and the hand as it is then."""
    deck = list(STANDARD.deck)
    random.Random(3).shuffle(deck)
    hand = Hand(STANDARD, SEATS[0], deck)
    seen = []
    while (view := hand.view) is not None:
        seen.append((view.freeze(), hand.clone()))
        answer = right_answer(write_question(1, 1, view), style)
        action = read_answer(answer, view.kind, view.seat)
        assert not isinstance(action, Unsupported)
        hand.apply(action)
    return seen


def all_asked() -> list[tuple[View, Hand]]:
    return [*asked(), *asked(style=Style.WAITING)]


def test_right_answers_are_legal_and_come_to_every_moment():
    moments = {moment_of(write_question(1, 1, view)) for view, _ in all_asked()}
    assert moments == {moment for moment in Moment if moment.is_question} - {Moment.ANY}


@pytest.mark.parametrize("deed", sorted(REFUSED, key=str), ids=lambda deed: deed.value)
def test_wrong_answers_are_wrong_at_every_moment(deed):
    occasions = 0
    for view, hand in all_asked():
        answer = wrong_answer(deed, write_question(1, 7, view))
        if answer is None:
            assert deed is Deed.REVOKE
            continue
        occasions += 1
        assert (answer.slot, answer.seq) == (1, 7)
        with pytest.raises((MalformedMessageError, IllegalActionError)):
            hand.apply(read_answer(answer, view.kind, view.seat))
    assert occasions


def test_illegal_is_well_formed_and_answers_the_kind_of_question_where_it_can():
    kinds = {Kind.NAME_TRUMP, Kind.EXCHANGE, Kind.KEEP_FIVE, Kind.PLAY}
    for view, hand in all_asked():
        answer = wrong_answer(Deed.ILLEGAL, write_question(1, 1, view))
        action = read_answer(answer, view.kind, view.seat)
        with pytest.raises(IllegalActionError) as refused:
            hand.apply(action)
        assert (refused.value.reason.name == "WRONG_KIND") == (view.kind not in kinds)


def test_answers_that_go_astray_name_another_question_or_game():
    view, _ = asked()[0]
    right = right_answer(write_question(3, 4, view))
    seq = wrong_answer(Deed.WRONG_SEQ, write_question(3, 4, view))
    slot = wrong_answer(Deed.OTHER_GAME, write_question(3, 4, view))
    assert (seq.slot, seq.kind, seq.seq == 4) == (3, right.kind, False)
    assert (slot.seq, slot.kind, slot.slot == 3) == (4, right.kind, False)


@pytest.mark.parametrize(
    ("moment", "deed", "said"),
    [
        ("midnight", "crash", "no moment is called 'midnight'; there are connect ready bid"),
        ("bid", "cheat", "no misdeed is called 'cheat'; there are crash exit kill"),
        ("bid", "crash=3", "crash takes no amount, and '3' was given"),
        ("bid", "flood=many", "flood takes a whole number from 1, not 'many'"),
        ("bid", "flood=0", "flood takes a whole number from 1, not '0'"),
        ("bid", "slow=soon", "slow takes a time such as 1.5s, 20ms or 110%, not 'soon'"),
        ("ready", "illegal", "illegal makes no sense at ready; what does: crash exit"),
        ("lead", "revoke", "revoke makes no sense at lead"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_can(moment, deed, said):
    with pytest.raises(MisdeedError, match=said):
        read_misdeed(moment, deed)


@pytest.mark.parametrize("deed", Deed, ids=lambda deed: deed.value)
def test_every_misdeed_fits_some_moment_and_is_documented(deed):
    assert any(fits(deed, moment) for moment in Moment)
    page = (ROOT / "docs" / "misbehave.md").read_text(encoding="utf-8")
    assert f"`{deed.value}`" in page or f"`{deed.value}=" in page


@pytest.mark.parametrize("moment", Moment, ids=lambda moment: moment.value)
def test_every_moment_is_documented(moment):
    page = (ROOT / "docs" / "misbehave.md").read_text(encoding="utf-8")
    assert f"`{moment.value}`" in page


# The command


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


def test_an_unknown_number_is_no_legal_answer():
    view, _ = asked()[0]
    answer = wrong_answer(Deed.UNKNOWN_ENUM, write_question(1, 1, view))
    assert answer.kind not in types_pb2.ActionKind.values()


def test_where_every_suit_may_be_named_another_kind_of_answer_is_illegal():
    rules = PRESETS["british"]
    deck = sorted(rules.deck, key=lambda card: card.is_joker)
    deck.insert(TURN_UP_PLACE, deck.pop())  # the joker is turned up: the dealer names any suit
    hand = Hand(rules, SEATS[0], deck)
    view = hand.view
    answer = wrong_answer(Deed.ILLEGAL, write_question(1, 1, view))
    with pytest.raises(IllegalActionError):
        hand.apply(read_answer(answer, view.kind, view.seat))
