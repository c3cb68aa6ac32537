"""Arenas that refuse a bot, wrong arguments, and TLS: each is one sentence with a reason."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import grpc
import pytest

from euchre.v1 import play_pb2
from euchre_sdk import Action, View
from euchre_sdk.client import NoEntry, Security, run
from euchre_sdk.client_errors import ConnectError
from euchre_sdk.testing import ScriptedReferee, goodbye, question
from tests.sdk.scripted import DONE, First, notice, play, start_game, views


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


def test_an_arena_that_hangs_up_without_a_greeting_is_not_dialled_for_ever(referee):
    referee.end_stream()
    with pytest.raises(ConnectError, match="hangs up without saying why") as caught:
        run(First, arena=referee.address, token=referee.token)
    assert caught.value.reason is NoEntry.REFUSED
    assert referee.streams <= 2


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


def test_a_goodbye_is_heard_by_a_bot_that_was_thinking_when_the_stream_ended(referee):
    class Thinks(First):
        def act(self, view: View) -> Action:
            time.sleep(0.2)  # longer than the arena takes to say all of what follows
            return super().act(view)

    start_game(referee)
    referee.send(question(1, 1, views()[0]))
    for seq in range(1, 6):
        referee.send(notice(1, answer_dropped=play_pb2.AnswerDropped(seq=seq)))
    referee.send(goodbye(play_pb2.GOODBYE_REASON_TAKEN_OVER))
    with pytest.raises(ConnectError) as caught:
        play(referee, Thinks)
    assert caught.value.reason is NoEntry.TAKEN_OVER
