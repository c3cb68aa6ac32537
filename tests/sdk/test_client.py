"""A bot's connection, against a scripted referee over real gRPC."""

import logging
import random
import threading
from asyncio import CancelledError
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import grpc
import pytest

from euchre.v1 import play_pb2, types_pb2
from euchre_sdk import Action, BotBase, GameEnd, GameStart, HandResult, Kind, View, fallback
from euchre_sdk.client import Counts, NoEntry, Security, run
from euchre_sdk.client_errors import ConnectError
from euchre_sdk.game import PRESETS, SEATS, STANDARD, Hand, RuleSet, Session
from euchre_sdk.testing import ScriptedReferee, game_start, goodbye, offer, question
from euchre_sdk.wire_events import write_hand_end

NORMAL = [types_pb2.TERMINATION_NORMAL] * 3
DONE = goodbye(play_pb2.GOODBYE_REASON_DONE)


class First:
    """Takes the first legal action."""

    def act(self, view: View) -> Action:
        return view.legal[0]


def views(rules: RuleSet = STANDARD, seed: int = 1) -> list[View]:
    """Return what the three seats are asked in one hand of first actions, then fallbacks."""
    deck = list(rules.deck)
    random.Random(seed).shuffle(deck)
    hand = Hand(rules, SEATS[0], deck)
    seen = []
    while (view := hand.view) is not None:
        seen.append(view.freeze())
        hand.apply(Action.ORDER_UP if view.kind is Kind.ORDER_UP else fallback(view))
    return seen


def notice(slot: int, **event: Any) -> play_pb2.PlayResponse:
    return play_pb2.PlayResponse(notices=[play_pb2.Notice(slot=slot, **event)])


@pytest.fixture
def referee():
    with ScriptedReferee() as scripted:
        yield scripted


def play(referee: ScriptedReferee, bot=First, **options) -> Counts:
    counts = run(bot, arena=referee.address, token=referee.token, **options)
    referee.assert_done()
    return counts


def start_game(referee: ScriptedReferee, *, slot: int = 1, rules: RuleSet = STANDARD) -> None:
    referee.expect_hello()
    referee.send(offer(slot=slot, seat=0, rules=rules))
    referee.expect_ready(slot=slot)
    referee.send(game_start(slot))


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


# A bot that fails


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


# Streams that end


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


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (play_pb2.GOODBYE_REASON_TAKEN_OVER, NoEntry.TAKEN_OVER),
        (play_pb2.GOODBYE_REASON_REVOKED, NoEntry.REVOKED),
        (play_pb2.GOODBYE_REASON_QUARANTINED, NoEntry.QUARANTINED),
        (play_pb2.GOODBYE_REASON_LINK_LIMIT, NoEntry.LINK_LIMIT),
    ],
)
def test_it_does_not_dial_again_where_it_is_not_wanted(referee, said, reason):
    referee.expect_hello()
    referee.send(goodbye(said, "The owner did it."))
    with pytest.raises(ConnectError, match=r"The owner did it\.") as refused:
        run(First, arena=referee.address, token=referee.token)
    assert refused.value.reason is reason
    referee.assert_done()
    assert referee.streams == 1


def test_a_wrong_token_is_one_sentence(referee):
    with pytest.raises(ConnectError, match="does not know this token") as refused:
        run(First, arena=referee.address, token="another")
    assert refused.value.reason is NoEntry.WRONG_TOKEN
    # It dialled once. Where the refusal cut the greeting short, a second stream of that same
    # connection asked for the reason.
    assert len(referee.peers) == 1
    assert referee.streams <= 2


def test_too_old_a_protocol_says_what_to_do(referee):
    referee.expect("a hello", lambda part: isinstance(part, play_pb2.Hello))
    referee.refuse(
        grpc.StatusCode.FAILED_PRECONDITION,
        "revision 1 is too old",
        reason="PROTOCOL_TOO_OLD",
        minimum="4",
    )
    with pytest.raises(ConnectError, match=r"needs revision 4: upgrade") as refused:
        run(First, arena=referee.address, token=referee.token)
    assert refused.value.reason is NoEntry.PROTOCOL_TOO_OLD


def test_an_arena_that_stops_says_so_in_its_own_words(referee):
    referee.expect("a hello", lambda part: isinstance(part, play_pb2.Hello))
    referee.refuse(grpc.StatusCode.UNAVAILABLE, "The arena is stopping.", reason="STOPPING")
    with pytest.raises(ConnectError, match=r"ends the call: The arena is stopping\.$"):
        run(First, arena=referee.address, token=referee.token)


def test_nobody_there_is_one_sentence():
    with ScriptedReferee() as gone:
        address = gone.address
    with pytest.raises(ConnectError, match=r"no arena answers at .*connection refused") as refused:
        run(First, arena=address, token="t")
    assert refused.value.reason is NoEntry.NOBODY_THERE


def test_patience_ends_the_dialling():
    with ScriptedReferee() as gone:
        address = gone.address
    with pytest.raises(ConnectError, match="is gone since"):
        run(
            First,
            arena=address,
            token="t",
            wait_for_arena=True,
            patience=timedelta(milliseconds=10),
        )


def test_another_kind_of_server_is_no_arena():
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with pytest.raises(ConnectError, match="it is no Euchre arena") as refused:
            run(First, arena=f"127.0.0.1:{port}", token="t")
    finally:
        server.stop(None).wait(5)
    assert refused.value.reason is NoEntry.NO_ARENA


# TLS


@pytest.fixture
def certificates(tmp_path):
    trustme = pytest.importorskip("trustme")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    other = trustme.CA()
    other.cert_pem.write_to_path(tmp_path / "other.pem")
    server = authority.issue_cert("localhost", "127.0.0.1")
    chain = b"".join(blob.bytes() for blob in server.cert_chain_pems)
    return grpc.ssl_server_credentials([(server.private_key_pem.bytes(), chain)])


def test_it_plays_over_tls(certificates, tmp_path):
    with ScriptedReferee(credentials=certificates) as referee:
        referee.expect_hello()
        referee.send(DONE)
        play(referee, ca_file=tmp_path / "ca.pem")


def test_plaintext_to_a_tls_arena_says_so(certificates):
    with (
        ScriptedReferee(credentials=certificates) as referee,
        pytest.raises(ConnectError, match="--tls") as refused,
    ):
        run(First, arena=referee.address, token="t")
    assert refused.value.reason is NoEntry.TLS_EXPECTED


def test_tls_to_a_plaintext_arena_says_so(referee):
    with pytest.raises(ConnectError, match="does not use TLS") as refused:
        run(First, arena=referee.address, token="t", security=Security.TLS)
    assert refused.value.reason is NoEntry.PLAINTEXT_EXPECTED


def test_an_untrusted_certificate_says_so(certificates, tmp_path):
    with (
        ScriptedReferee(credentials=certificates) as referee,
        pytest.raises(ConnectError, match="is not trusted here") as refused,
    ):
        run(First, arena=referee.address, token="t", ca_file=tmp_path / "other.pem")
    assert refused.value.reason is NoEntry.CERTIFICATE


# Arguments


@pytest.mark.parametrize("address", ["", "localhost", "localhost:", ":50051", "a b:1", "h:99999"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ConnectError) as refused:
        run(First, arena=address, token="t")
    assert refused.value.reason is NoEntry.BAD_ADDRESS


@pytest.mark.parametrize("token", ["", "two\nlines", "naïve"])
def test_what_is_no_token_is_refused(token):
    with pytest.raises(ValueError, match="a token is a line"):
        run(First, arena="localhost:1", token=token)


def test_what_is_no_bot_is_refused():
    with pytest.raises(TypeError, match="is no bot"):
        run(object(), arena="localhost:1", token="t")  # type: ignore[arg-type]


def test_the_token_may_come_from_the_environment(referee, monkeypatch):
    monkeypatch.setenv("EUCHRE_TOKEN", referee.token)
    referee.expect_hello()
    referee.send(DONE)
    run(First, arena=referee.address)
    referee.assert_done()


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
