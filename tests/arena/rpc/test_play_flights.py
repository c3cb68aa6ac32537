"""What a seat's flight recorder holds is what crossed the wire, byte for byte, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from time import monotonic_ns

import pytest
import trio
from google.protobuf.empty_pb2 import Empty
from google.protobuf.unknown_fields import UnknownFieldSet
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from arena.referee import TimeControl
from arena.referee.flight import ANSWERS, FlightEntry, FlightKind, FlightRecord
from arena.rpc.play.answer_bytes import _answers_in, _Cut, pick_answer
from arena.tournaments.playroom import GameOrder
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import SEATS, Seat, Session
from tests.arena.rpc.test_play_without_network import Table, seated
from tests.integration.raw_bot import Arena, first_legal

QUESTIONS = play_pb2.PlayResponse.QUESTIONS_FIELD_NUMBER
NOTICES = play_pb2.PlayResponse.NOTICES_FIELD_NUMBER


def parts(message: bytes, number: int) -> list[bytes]:
    """Cut the submessages of one field out of a message, without understanding it."""
    fields = UnknownFieldSet(Empty.FromString(message))
    found = map(fields.__getitem__, range(len(fields)))
    return [field.data for field in found if field.field_number == number]


class Wire:
    """Keeps the bytes of everything that crosses it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.sent: list[list[bytes]] = [[], [], []]
        self.said: list[list[bytes]] = [[], [], []]

    def hear(self, seat: int) -> list[play_pb2.PlayResponse]:
        stream = self.table.streams[seat]
        self.sent[seat] += [data for data, _ in stream.outbox]
        return self.table.hear(stream)

    async def asked(self) -> Iterator[tuple[int, play_pb2.Question]]:
        """Return who is asked what next; nothing once the game is over."""
        with trio.fail_after(5):
            while True:
                heard = [(seat, self.hear(seat)) for seat in range(3)]
                asked = [(s, q) for s, responses in heard for r in responses for q in r.questions]
                if asked or any(
                    n.HasField("game_over") for _, rs in heard for r in rs for n in r.notices
                ):
                    return iter(asked)
                await trio.lowlevel.checkpoint()

    def say(self, seat: int, *answers: play_pb2.Answer) -> None:
        self.said[seat] += [answer.SerializeToString() for answer in answers]
        self.table.say(self.table.streams[seat], play_pb2.PlayRequest(answers=answers))

    def told(self, seat: int, number: int) -> list[bytes]:
        return [part for message in self.sent[seat] for part in parts(message, number)]


def order(hands: int) -> GameOrder:
    return Arena.order(None, format=Session(hands), control=TimeControl())  # type: ignore[arg-type]


def of(record: FlightRecord, kind: FlightKind) -> list[bytes]:
    return [entry.raw for entry in record.entries if entry.kind is kind]


async def test_all_that_a_seat_was_told_and_said_is_there_byte_for_byte() -> None:
    kept: list[tuple[str, Seat, FlightRecord]] = []

    async def keep(order: GameOrder, seat: Seat, record: FlightRecord) -> None:
        await trio.lowlevel.checkpoint()
        kept.append((order.game_id, seat, record))

    async with seated(order(3), keep_flight=keep, keep_every_flight=True) as table:
        wire = Wire(table)
        turn = 0
        while asked := list(await wire.asked()):
            for seat, question in asked:
                turn += 1
                answer = first_legal(question)
                if turn == 4:
                    wire.say(seat, play_pb2.Answer(slot=answer.slot, seq=answer.seq, kind=99))
                if turn == 9:
                    wire.say(seat, answer, answer)
                else:
                    wire.say(seat, answer)
        for seat in range(3):
            wire.hear(seat)
    records = {seat: record for _, seat, record in kept}
    assert [game_id for game_id, _, _ in kept] == ["g1"] * len(kept)
    assert set(records) == set(SEATS)
    assert all(15 < len(said) < ANSWERS for said in wire.said), "much, and nothing is left out"
    for seat in SEATS:
        record = records[seat]
        assert of(record, FlightKind.ANSWER) == wire.said[seat]
        assert of(record, FlightKind.QUESTION) == wire.told(seat, QUESTIONS)
        assert of(record, FlightKind.NOTICE) == wire.told(seat, NOTICES)
        assert record.entries == tuple(sorted(record.entries, key=lambda entry: entry.at_us))
    verdicts = [e.verdict for record in records.values() for e in record.entries]
    assert verdicts.count("MALFORMED") == 2
    assert verdicts.count("DUPLICATE") == 2


async def test_a_running_game_can_be_looked_at_and_ordinary_play_is_not_kept() -> None:
    kept: list[Seat] = []

    async def keep(_order: GameOrder, seat: Seat, _record: FlightRecord) -> None:
        await trio.lowlevel.checkpoint()
        kept.append(seat)

    async with seated(order(1), keep_flight=keep) as table:
        wire = Wire(table)
        ((seat, question),) = await wire.asked()
        found = table.play.flight("g1", SEATS[seat])
        assert found is not None
        _, record = found
        assert of(record, FlightKind.QUESTION) == wire.told(seat, QUESTIONS)
        wire.say(seat, play_pb2.Answer(slot=question.slot, seq=question.seq, kind=99))
        wire.say(seat, first_legal(question))
        while asked := list(await wire.asked()):
            for who, question in asked:
                wire.say(who, first_legal(question))
    assert set(kept) == {SEATS[seat]}


async def test_evidence_is_stored_while_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.rpc.play.flights.SOON", 0.01)
    kept: list[tuple[FlightEntry, ...]] = []
    stored = trio.Event()

    async def keep(_order: GameOrder, _seat: Seat, record: FlightRecord) -> None:
        await trio.lowlevel.checkpoint()
        kept.append(record.entries)
        stored.set()

    async with seated(order(1), keep_flight=keep) as table:
        wire = Wire(table)
        ((seat, question),) = await wire.asked()
        wire.say(seat, play_pb2.Answer(slot=question.slot, seq=question.seq, kind=99))
        with trio.fail_after(5):
            await stored.wait()
        assert "g1" in table.play._tables.games
    assert [e.verdict for e in kept[0] if e.is_refusal] == ["MALFORMED"]


async def test_what_a_bot_can_make_as_much_of_as_it_likes_is_stored_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.rpc.play.flights.SOON", 0.001)
    kept: list[FlightRecord] = []

    async def keep(_order: GameOrder, _seat: Seat, record: FlightRecord) -> None:
        await trio.lowlevel.checkpoint()
        kept.append(record)

    async with seated(order(1), keep_flight=keep) as table:
        wire = Wire(table)
        ((seat, question),) = await wire.asked()
        flight = table.play._tables.games["g1"].flights[seat]
        with trio.fail_after(5):
            for number in range(1, 30):
                flight.strayed(question.seq + number, b"", 0, monotonic_ns())
                flight.dropped("UNKNOWN", b"", monotonic_ns())
                while not kept:
                    await trio.lowlevel.checkpoint()
                for _ in range(20):
                    await trio.lowlevel.checkpoint()
        assert len(kept) == 1
        wire.say(seat, play_pb2.Answer(slot=question.slot, seq=question.seq, kind=99))
        with trio.fail_after(5):
            while len(kept) == 1:
                await trio.lowlevel.checkpoint()
    assert [e.verdict for e in kept[1].entries].count("UNKNOWN") == 58


async def test_what_cannot_be_stored_costs_no_game_anything() -> None:
    async def keep(_order: GameOrder, _seat: Seat, _record: FlightRecord) -> None:
        await trio.lowlevel.checkpoint()
        raise OSError("the disk is gone")

    with capture_logs() as logged:
        async with seated(order(1), keep_flight=keep, keep_every_flight=True) as table:
            wire = Wire(table)
            while asked := list(await wire.asked()):
                for who, question in asked:
                    wire.say(who, first_legal(question))
            with trio.fail_after(5):
                while table.play.presence("a") == 0:
                    await table.play.wait_change()
    assert [each["event"] for each in logged].count("flight_not_stored") == 3


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(b"\xff" * 40 + b"secret", id="no request at all"),
        pytest.param(
            play_pb2.PlayRequest(
                hello=play_pb2.Hello(resume_secret=b"secret" * 6)
            ).SerializeToString(),
            id="a second Hello",
        ),
    ],
)
async def test_of_a_message_that_breaks_the_protocol_the_hash_is_kept(message: bytes) -> None:
    async with seated(order(1)) as table:
        stream = table.streams[1]
        stream.inbox.append((message, monotonic_ns()))
        table.play.woken(stream)
        table.play.settled()
        found = table.play.flight("g1", SEATS[1])
    assert found is not None
    _, record = found
    events = {e.verdict: e.why for e in record.entries if e.kind is FlightKind.EVENT}
    assert sha256(message).hexdigest() in str(events["BROKEN_MESSAGE"])
    assert "STREAM_LOST" in events
    assert all(b"secret" not in entry.raw for entry in record.entries)


async def test_a_bot_that_is_ready_again_and_again_fills_no_record() -> None:
    async with seated(order(1)) as table:
        for _ in range(100):
            ready = play_pb2.Ready(slot=1, nonce=b"n" * 32)
            table.say(table.streams[1], play_pb2.PlayRequest(readies=[ready]))
        found = table.play.flight("g1", SEATS[1])
    assert found is not None
    _, record = found
    assert [entry.verdict for entry in record.entries].count("READY") == 1


ANSWER = play_pb2.Answer(slot=3, seq=9, kind=types_pb2.ACTION_KIND_PLAY, cards=[types_pb2.CARD_JH])


def field(number: int, content: bytes) -> bytes:
    return bytes([number << 3 | 2, len(content)]) + content


ODD = bytes.fromhex("2803 10898000 0803 1807".replace(" ", ""))
"""The same kind of answer as nobody would write it: fields in another order, a list not packed, a
number in more bytes than it needs."""


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(ANSWER.SerializeToString(), id="as a library writes it"),
        pytest.param(ODD, id="as nobody would write it"),
        pytest.param(b"", id="an empty one"),
    ],
)
def test_an_answer_is_cut_out_as_it_came(raw: bytes) -> None:
    other = play_pb2.Answer(slot=1, seq=1).SerializeToString()
    request = field(3, other) + field(2, b"") + field(3, raw) + field(15, b"new") + field(3, other)
    assert [pick_answer(request, i) for i in range(3)] == [
        (other, len(other)),
        (raw, len(raw)),
        (other, len(other)),
    ]
    assert len(play_pb2.PlayRequest.FromString(request).answers) == 3


@given(
    st.lists(st.one_of(st.binary(max_size=200), st.integers(0, 2**64 - 1)), max_size=20), st.data()
)
def test_answers_are_cut_out_of_whatever_else_a_request_has(
    values: list[bytes | int], data: st.DataObject
) -> None:
    """The library's own parser is the oracle."""
    request = b""
    for value in values:
        number = data.draw(st.sampled_from([2, 3, 3, 7, 2000]))
        if isinstance(value, bytes):
            request += encoded(number << 3 | 2) + encoded(len(value)) + value
        else:
            wire = data.draw(st.sampled_from([0, 1, 5, 3]))
            body = {
                0: encoded(value),
                1: value.to_bytes(8, "little"),
                5: (value & 0xFFFFFFFF).to_bytes(4, "little"),
                3: field(3, b"in a group") + encoded(number << 3 | 4),
            }[wire]
            request += encoded(number << 3 | wire) + body
    fields = UnknownFieldSet(Empty.FromString(request))
    found = [fields[index] for index in range(len(fields))]
    right = [f.data for f in found if (f.field_number, f.wire_type) == (3, 2)]
    assert list(_answers_in(request)) == right


def encoded(number: int) -> bytes:
    """Return a number as protobuf writes it."""
    groups = [number >> shift & 0x7F for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])


def test_of_thousands_of_answers_only_those_looked_at_are_cut_out() -> None:
    request = field(3, ANSWER.SerializeToString()) * 9000
    cut = _Cut(request)
    assert cut.answer(5) == ANSWER.SerializeToString()
    assert len(cut._found) == 6
    assert cut.answer(2) == cut.answer(8999)
    assert cut.answer(9000) == b""


def test_what_the_contract_does_not_know_is_left_out_of_an_answer() -> None:
    secret = b"s" * 32
    raw = ANSWER.SerializeToString() + field(14, secret) + bytes([13 << 3 | 3, 13 << 3 | 4])
    kept, size = pick_answer(field(3, raw), 0)
    assert play_pb2.Answer.FromString(kept) == ANSWER
    assert secret not in kept
    assert size == len(raw)


def test_no_secret_of_a_link_gets_into_a_record() -> None:
    """A Hello is no answer, whatever it is wrapped in."""
    hello = play_pb2.Hello(resume_secret=b"s" * 32, ticket=b"t" * 32).SerializeToString()
    for request in (field(3, hello), field(1, hello) + field(3, b"\x08\x01")):
        try:
            answers = len(play_pb2.PlayRequest.FromString(request).answers)
        except Exception:  # noqa: BLE001 - it is no request then, and nothing of it is kept
            continue
        for index in range(answers):
            kept, _ = pick_answer(request, index)
            assert b"s" * 8 not in kept
            assert b"t" * 8 not in kept


async def test_the_records_of_a_game_go_to_the_store_together() -> None:
    on_their_way: set[Seat] = set()
    together = trio.Event()

    async def keep(_order: GameOrder, seat: Seat, _record: FlightRecord) -> None:
        on_their_way.add(seat)
        if len(on_their_way) == 3:
            together.set()
        await together.wait()  # for ever, if one waited for the other

    async with seated(order(3), keep_flight=keep, keep_every_flight=True) as table:
        wire = Wire(table)
        while asked := list(await wire.asked()):
            for seat, question in asked:
                wire.say(seat, first_legal(question))
        with trio.fail_after(5):
            await together.wait()
