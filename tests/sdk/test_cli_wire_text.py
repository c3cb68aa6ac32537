"""What an arena says cannot take over the terminal that `euchre watch` writes to."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest
from click.testing import CliRunner

from euchre.v1 import tournaments_pb2
from euchre_sdk.cli_watch import watch
from tests.strategies import HOSTILE

pytestmark = pytest.mark.cli

ESCAPES = "\x1b[2J\x1b]0;owned\x07\u202e"


def row(name):
    entry = tournaments_pb2.Entry(name=name, version_label=name)
    return tournaments_pb2.RankingRow(entry=entry, rank=1)


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


def test_a_token_on_the_command_line_is_warned_of_and_one_in_the_environment_is_not():
    with hostile_arena("spring") as address:
        warned = CliRunner().invoke(watch, (address, "spring", "--token", "t0ken"))
        quiet = CliRunner(env={"EUCHRE_TOKEN": "t0ken"}).invoke(watch, (address, "spring"))
    assert "list of processes" in warned.stderr
    assert "t0ken" not in warned.stderr
    assert "list of processes" not in quiet.stderr
