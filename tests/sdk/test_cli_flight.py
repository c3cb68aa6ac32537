"""A flight record as a story: everything odd is told with what led to it, nothing else is."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from click.testing import CliRunner

from euchre_sdk.cli_flight import flight
from euchre_sdk.errors import EuchreError
from euchre_sdk.flight import FlightEntry, FlightKind, FlightRecord
from euchre_sdk.flight_story import plain_flight, tell_flight
from euchre_sdk.game import SEATS, STANDARD, Hand, Seat

pytestmark = pytest.mark.cli

VIEW = Hand(STANDARD, SEATS[0], STANDARD.deck).view


def entry(kind: FlightKind, at: float = 0, **fields) -> FlightEntry:
    blank = {
        "incarnation": 1,
        "elapsed": timedelta(seconds=at),
        "seq": None,
        "raw": b"",
        "action": None,
        "legal": (),
        "verdict": None,
        "message": None,
        "charged": None,
        "view": None,
        "told": None,
    } | fields
    return FlightEntry(kind=kind, **{"size": len(blank["raw"]), **blank})


def asked(seq: int, at: float = 0) -> FlightEntry:
    return entry(FlightKind.QUESTION, at, seq=seq, raw=b"\x08\x01", view=VIEW)


def answered(seq: int, at: float, verdict: str = "accepted", **fields) -> FlightEntry:
    charged = timedelta(milliseconds=25)
    return entry(
        FlightKind.ANSWER, at, seq=seq, raw=b"\x10\x02", verdict=verdict, charged=charged, **fields
    )


def record(*entries: FlightEntry, running: bool = False, left_out: int = 0) -> FlightRecord:
    return FlightRecord(
        game_id="g1",
        tournament="spring",
        bot="lynx",
        seat=Seat(1),
        running=running,
        entries=entries,
        accepted_dropped=left_out,
        notices_dropped=0,
        odd_dropped=0,
        engine_version="1",
        protocol_revision=1,
    )


def test_ordinary_play_is_only_counted() -> None:
    story = tell_flight(record(asked(1), answered(1, 1), asked(2, 2), answered(2, 3)))
    assert "lynx at seat 1 · spring · over" in story
    assert "… 2 answers accepted (--all shows them)" in story
    assert "nothing but ordinary play." in story
    assert "question" not in story


def test_a_refusal_is_told_with_its_question_its_bytes_and_its_reason() -> None:
    refused = answered(2, 3, "MUST_FOLLOW_SUIT", action="9S", message="seat 1 holds 9H.")
    story = tell_flight(
        record(asked(1), answered(1, 1), asked(2, 2), refused, answered(2, 4, action="9H"))
    )
    assert "1 answer refused" in story
    assert "question 2" in story
    assert str(VIEW).splitlines()[0] in story
    assert "answer to 2, 25.0 ms after it: 9S" in story
    assert "10 02" in story
    assert "refused, MUST_FOLLOW_SUIT: seat 1 holds 9H." in story
    assert "question 1" not in story
    assert story.count("accepted (--all") == 1
    assert "question 1" in tell_flight(record(asked(1), answered(1, 1)), everything=True)


def test_a_move_that_the_arena_made_is_told_also_to_who_was_not_there() -> None:
    forced = entry(FlightKind.NOTICE, 5, seq=1, action="pass", verdict="TIME", told="move_forced")
    lost = entry(FlightKind.EVENT, 1, verdict="STREAM_LOST")
    story = tell_flight(record(asked(1), lost, forced, running=True, left_out=1234))
    assert "being played" in story
    assert "1 move made by the arena" in story
    assert "STREAM_LOST, the connection was lost" in story
    assert "the arena played pass for it: TIME, the time was up" in story
    assert "it was not told: there was no connection" in story
    assert "left out, as it was too much: 1,234 accepted answers" in story


def test_how_a_game_was_forfeited_and_why_it_never_began_are_told() -> None:
    over = entry(FlightKind.NOTICE, 9, raw=b"\x01", verdict="TIME", told="game_over")
    assert "it forfeited the game: its last fault was a decision" in tell_flight(record(over))
    away = entry(FlightKind.NOTICE, 9, verdict="NOT_READY", told="offer_withdrawn")
    assert "NOT_READY, it was not ready in time" in tell_flight(record(away))


def test_a_restart_of_the_arena_is_told_and_numbers_begin_again_after_it() -> None:
    first, again = asked(1, 50), replace(asked(1), incarnation=2)
    refused = replace(answered(1, 1, "WRONG_KIND", message="no"), incarnation=2)
    story = tell_flight(record(first, answered(1, 51), again, refused))
    assert story.index("started anew") < story.index("question 1")
    assert story.count("question 1") == 1, "the one before was ordinary play"


def test_a_long_message_says_how_much_of_it_is_there() -> None:
    long = answered(9, 1, "UNKNOWN", size=60_000)
    assert "10 02 … (60,000 bytes, of which 2 are kept)" in tell_flight(record(long))


def test_what_a_newer_arena_says_is_shown_harmlessly() -> None:
    odd = entry(FlightKind.UNKNOWN, verdict="\x1b[2J", message="new\x1b[31m")
    story = tell_flight(record(odd))
    assert "\x1b" not in story
    assert "\\x1b[2J" in story


def test_as_json_it_has_bytes_times_and_the_view() -> None:
    data = json.loads(json.dumps(plain_flight(record(asked(1), answered(1, 1.5)))))
    question, answer = data["entries"]
    assert question["view"] == str(VIEW)
    assert (answer["raw"], answer["elapsed"], answer["charged"]) == ("1002", 1.5, 0.025)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["g1", "g2"], "expected one ADDRESS", id="two games"),
        pytest.param(["a:1", "b:1", "g1"], "expected one ADDRESS", id="two addresses"),
        pytest.param([":x", "g1"], "is no address of an arena", id="no address"),
    ],
)
def test_what_is_mistyped_is_told_before_anybody_is_dialled(
    arguments: list[str], words: str
) -> None:
    result = CliRunner(env={"EUCHRE_TOKEN": "t"}).invoke(flight, arguments)
    assert isinstance(result.exception, EuchreError)
    assert words in str(result.exception)


def test_a_token_is_asked_for() -> None:
    result = CliRunner(env={"EUCHRE_TOKEN": None}).invoke(flight, ["g1"])
    assert result.exit_code == 2
    assert "a token is needed" in result.output
