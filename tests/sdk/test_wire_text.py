"""What an arena says cannot take over the terminal of who looks on."""

import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from euchre.v1 import bots_pb2, play_pb2, tournaments_pb2
from euchre_sdk.cli_watch import watch
from euchre_sdk.client import run
from euchre_sdk.client_errors import ConnectError
from euchre_sdk.testing import ScriptedReferee, goodbye
from euchre_sdk.wire_text import make_printable
from tests.sdk.scripted import First
from tests.strategies import HOSTILE

pytestmark = pytest.mark.cli

ESCAPES = "\x1b[2J\x1b]0;owned\x07\u202e"


def row(name):
    entry = tournaments_pb2.Entry(name=name, version_label=name)
    return tournaments_pb2.RankingRow(entry=entry, rank=1)


@given(st.text(max_size=50))
def test_whatever_a_message_says_is_printable_afterwards(text):
    text = text.encode(errors="ignore").decode()
    said = tournaments_pb2.Rankings(tournament=text, rows=[row(text)])
    make_printable(said)
    for told in (said.tournament, said.rows[0].entry.name):
        assert told.isprintable()
        assert told == text or not text.isprintable()
    assert said.rows[0].rank == 1


def test_every_kind_of_field_is_looked_into():
    many = tournaments_pb2.CreateTournamentRequest(name=ESCAPES, bots=["lynx", ESCAPES])
    assert all(each.isprintable() for each in make_printable(many).bots)
    listed = bots_pb2.ListBotsResponse(bots=[bots_pb2.Bot(name=ESCAPES, author=ESCAPES)])
    (bot,) = make_printable(listed).bots
    assert bot.name.isprintable()
    assert bot.author.isprintable()


@contextmanager
def hostile_arena(name: str):
    def rankings(request, _context):
        table = tournaments_pb2.Rankings(
            tournament=name,
            anchor=name,
            state=tournaments_pb2.TOURNAMENT_STATE_FINISHED,
            rows=[row(name)] * 3,
        )
        yield tournaments_pb2.WatchRankingsResponse(rankings=table)

    server = grpc.server(ThreadPoolExecutor(2))
    handler = grpc.unary_stream_rpc_method_handler(
        rankings,
        request_deserializer=tournaments_pb2.WatchRankingsRequest.FromString,
        response_serializer=tournaments_pb2.WatchRankingsResponse.SerializeToString,
    )
    service = grpc.method_handlers_generic_handler(
        "euchre.v1.TournamentService", {"WatchRankings": handler}
    )
    server.add_generic_rpc_handlers((service,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(0).wait()


def test_a_ranking_of_hostile_names_is_shown_without_obeying_them():
    for name in (ESCAPES, "[red]x[/red]", "[/]", ":smile:", *HOSTILE[:12]):
        with hostile_arena(name) as address:
            result = CliRunner().invoke(watch, (address, "spring"), catch_exceptions=False)
        assert result.exit_code == 0
        assert all(line.isprintable() for line in result.output.splitlines()), ascii(name)


def test_a_greeting_and_a_goodbye_of_a_hostile_arena_are_told_in_plain_signs(caplog):
    with ScriptedReferee() as referee, caplog.at_level(logging.INFO):
        referee.expect("a hello", lambda part: isinstance(part, play_pb2.Hello))
        limits = play_pb2.Limits(games_at_once=1)
        referee.send(
            play_pb2.PlayResponse(
                welcome=play_pb2.Welcome(bot_name=ESCAPES, link_id="link", limits=limits)
            )
        )
        last = goodbye(play_pb2.GOODBYE_REASON_QUARANTINED)
        last.goodbye.message = ESCAPES
        referee.send(last)
        with pytest.raises(ConnectError) as caught:
            run(First, arena=referee.address, token="t")
    assert str(caught.value).isprintable()
    assert all(record.getMessage().isprintable() for record in caplog.records)


def test_a_token_on_the_command_line_is_warned_of_and_one_in_the_environment_is_not():
    with hostile_arena("spring") as address:
        warned = CliRunner().invoke(watch, (address, "spring", "--token", "t0ken"))
        quiet = CliRunner(env={"EUCHRE_TOKEN": "t0ken"}).invoke(watch, (address, "spring"))
    assert "list of processes" in warned.stderr
    assert "t0ken" not in warned.stderr
    assert "list of processes" not in quiet.stderr
