"""What a flight recorder puts down, and what it gives up first."""

from __future__ import annotations

from typing import Any

from arena.referee.clock import Departure
from arena.referee.flight import (
    ANSWERS,
    ENDS,
    LONGEST,
    MOST_ALWAYS,
    NOTICES,
    Flight,
    FlightEntry,
    Weight,
)
from arena.referee.outputs import Question
from euchre_sdk.game import Card, Seat

MS = 1_000_000
NINE, JACK = Card.parse("9S"), Card.parse("JH")


def cut(data: bytes, index: int) -> tuple[bytes, int]:
    """Requests of these tests hold answers of one byte."""
    return data[index : index + 1], 1


class Seated:
    """A recorder and a clock, in milliseconds."""

    def __init__(self) -> None:
        self.now = 1000
        self.flight = Flight(began=self.now * MS, pick=cut)

    def ask(self, seq: int) -> None:
        view: Any = None
        question = Question(Seat(1), seq, view, self.now * MS, 0)
        question.departure = Departure(self.now * MS)
        question.sent = b"q%d" % seq
        self.flight.asked = question

    def hear(self, seq: int, data: bytes = b"a", index: int = 0, card: Card = JACK) -> None:
        self.now += 20
        question = self.flight.asked
        if question is None or question.seq != seq:
            self.flight.strayed(seq, data, index, self.now * MS)
        else:
            self.flight.heard(question, data, index, self.now * MS, card)

    def refuse(self, seq: int) -> None:
        self.hear(seq, b"xyz", 1, NINE)
        self.flight.refused("MUST_FOLLOW_SUIT", "seat 1 holds 9H.", b"refused", self.now * MS)

    def play(self, first: int, last: int) -> None:
        for seq in range(first, last + 1):
            self.ask(seq)
            self.hear(seq)

    @property
    def entries(self) -> tuple[FlightEntry, ...]:
        return self.flight.record().entries

    def rows(self) -> list[tuple[object, ...]]:
        return [(e.kind.value, e.seq, e.raw, e.verdict) for e in self.entries]


def test_an_answer_stands_after_its_question_with_its_bytes_and_times() -> None:
    seat = Seated()
    seat.ask(1)
    seat.hear(1, b"abc", 2)
    question, answer = seat.entries
    assert (question.at_us, question.raw) == (0, b"q1")
    assert (answer.at_us, answer.raw, answer.size) == (20_000, b"c", 1)
    assert (answer.charged_us, answer.action, answer.verdict) == (20_000, "JH", "accepted")
    assert seat.flight.revision == 0


def test_a_refused_answer_stands_between_its_question_and_what_was_said_of_it() -> None:
    seat = Seated()
    seat.ask(1)
    seat.refuse(1)
    seat.refuse(1)
    seat.hear(1)
    assert seat.rows() == [
        ("question", 1, b"q1", None),
        ("answer", 1, b"y", "MUST_FOLLOW_SUIT"),
        ("notice", 1, b"refused", "MUST_FOLLOW_SUIT"),
        ("answer", 1, b"y", "MUST_FOLLOW_SUIT"),
        ("notice", 1, b"refused", "MUST_FOLLOW_SUIT"),
        ("answer", 1, b"a", "accepted"),
    ]
    refused = seat.entries[1]
    assert (refused.action, refused.why, refused.is_refusal) == ("9S", "seat 1 holds 9H.", True)
    assert seat.flight.revision > 0


def test_a_late_answer_stands_after_the_move_that_was_made_for_it() -> None:
    seat = Seated()
    seat.ask(1)
    seat.hear(1)
    seat.now += 1
    seat.flight.forced(1, "TIME", NINE, b"forced", seat.now * MS)
    seat.flight.dropped("LATE", b"dropped", seat.now * MS)
    assert seat.rows() == [
        ("question", 1, b"q1", None),
        ("answer", 1, b"a", "LATE"),
        ("notice", 1, b"forced", "TIME"),
        ("notice", 1, b"dropped", "LATE"),
    ]
    assert [entry.is_forced_move for entry in seat.entries] == [False, False, True, False]


def test_a_pending_question_is_there_before_its_answer() -> None:
    seat = Seated()
    seat.ask(7)
    assert seat.rows() == [("question", 7, b"q7", None)]


def test_a_bot_that_says_it_does_not_know_a_question_is_believed() -> None:
    seat = Seated()
    seat.ask(1)
    seat.hear(1)
    seat.flight.unsupported("UNSUPPORTED")
    odd = Weight.ODD
    seat.flight.forced(1, "UNSUPPORTED", NINE, b"forced", seat.now * MS, weight=odd)
    assert seat.flight.revision > seat.flight.urgent == 0, "it is no fault, and may be said often"
    assert [row[3] for row in seat.rows()] == [None, "UNSUPPORTED", "UNSUPPORTED"]
    assert not any(entry.is_refusal for entry in seat.entries)


def test_the_newest_accepted_answers_are_kept_and_the_others_counted() -> None:
    seat = Seated()
    seat.play(1, ANSWERS + 10)
    record = seat.flight.record()
    assert record.accepted_left_out == 10
    assert [e.seq for e in record.entries][:2] == [11, 11]
    assert len(record.entries) == 2 * ANSWERS


def test_a_refusal_stays_however_much_is_played_after_it() -> None:
    seat = Seated()
    seat.ask(1)
    for _ in range(200):
        seat.refuse(1)
    seat.play(2, 3 * ANSWERS)
    assert sum(entry.is_refusal for entry in seat.entries) == 200
    assert seat.rows()[0] == ("question", 1, b"q1", None)


def test_what_is_always_kept_is_bounded_for_the_most_patient_of_conducts() -> None:
    seat = Seated()
    for seq in range(1, MOST_ALWAYS + 1):
        seat.ask(seq)
        seat.refuse(seq)
    record = seat.flight.record()
    assert len(record.entries) == MOST_ALWAYS + 2 * ENDS
    assert record.odd_left_out == 3 * MOST_ALWAYS - len(record.entries)
    assert record.entries[-1].seq == MOST_ALWAYS, "the newest are there"
    assert seat.flight.urgent == MOST_ALWAYS


def test_of_dropped_answers_the_first_and_the_newest_are_kept() -> None:
    seat = Seated()
    for seq in range(1, 101):
        seat.hear(seq)
        seat.flight.dropped("UNKNOWN", b"dropped", seat.now * MS)
    record = seat.flight.record()
    kept = [e.seq for e in record.entries if e.raw == b"a"]
    assert kept == [*range(1, ENDS // 2 + 1), *range(101 - ENDS // 2, 101)]
    assert record.odd_left_out == 200 - 2 * ENDS


def test_of_notices_the_newest_are_kept_but_always_the_one_that_ends_the_game_for_it() -> None:
    seat = Seated()
    seat.flight.ended("ILLEGAL", b"over", seat.now * MS)
    for _ in range(NOTICES + 5):
        seat.flight.told(b"hand", seat.now * MS)
    record = seat.flight.record()
    assert record.notices_left_out == 5
    assert record.entries[0].verdict == "ILLEGAL"
    assert record.only_always().notices_left_out == NOTICES + 5


def test_of_a_long_message_the_beginning_is_kept_and_its_size() -> None:
    seat = Seated()
    seat.flight = Flight(began=0, pick=lambda data, _: (data[:-1], len(data) - 1))
    seat.ask(1)
    seat.hear(1, b"x" * 5000)
    _, answer = seat.entries
    assert (answer.raw, answer.size) == (b"x" * LONGEST, 4999)
    (heard,) = seat.flight._answers
    assert len(heard[3]) == LONGEST, "no more of it is held"


def test_what_is_least_useful_can_be_given_up_and_is_counted() -> None:
    seat = Seated()
    seat.play(1, 5)
    seat.ask(6)
    seat.refuse(6)
    seat.flight.told(b"hand", seat.now * MS)
    seat.flight.happened("STREAM_LOST", seat.now * MS)
    thin = seat.flight.record().only_always()
    assert {entry.weight for entry in thin.entries} == {Weight.ALWAYS}
    assert [entry.seq for entry in thin.entries] == [6, 6, 6]
    assert (thin.accepted_left_out, thin.notices_left_out, thin.odd_left_out) == (5, 1, 1)
