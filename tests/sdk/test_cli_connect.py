"""`euchre connect` and `euchre watch` as people type them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import cast

import grpc
import pytest
from click.testing import CliRunner

from euchre.v1 import play_pb2, tournaments_pb2
from euchre_sdk.cli_connect import connect
from euchre_sdk.cli_watch import watch
from euchre_sdk.testing import ScriptedReferee, goodbye
from euchre_sdk.wire_rankings import read_rankings

pytestmark = pytest.mark.cli

DONE = goodbye(play_pb2.GOODBYE_REASON_DONE)
BOT = "class First:\n    def act(self, view):\n        return view.legal[0]\n"


@pytest.fixture
def referee():
    with ScriptedReferee() as scripted:
        yield scripted


@pytest.fixture
def bot(tmp_path):
    file = tmp_path / "first.py"
    file.write_text(BOT, encoding="utf-8")
    return str(file)


def run(command, *arguments: str, **environment: str):
    runner = CliRunner(env={"EUCHRE_TOKEN": None, **environment})
    return runner.invoke(command, arguments, catch_exceptions=False)


def welcomed(referee: ScriptedReferee) -> None:
    referee.expect_hello()
    referee.send(DONE)


def test_connect_plays_and_tells_what_it_did(referee, bot):
    welcomed(referee)
    result = run(connect, referee.address, bot, "--token", "token")
    referee.assert_done()
    assert result.exit_code == 0, result.output
    assert "played 0 games, 0 decisions" in result.output


def test_connect_takes_the_token_from_the_environment(referee, bot):
    welcomed(referee)
    result = run(connect, referee.address, bot, EUCHRE_TOKEN="token")
    referee.assert_done()
    assert result.exit_code == 0, result.output


def test_connect_takes_the_token_from_a_file(referee, bot, tmp_path):
    welcomed(referee)
    (tmp_path / "token").write_text("token\n", encoding="utf-8")
    result = run(connect, referee.address, bot, "--token-file", str(tmp_path / "token"))
    referee.assert_done()
    assert result.exit_code == 0, result.output


def test_connect_without_a_token_asks_nobody_where_nobody_can_answer(bot):
    result = run(connect, "127.0.0.1:1", bot)
    assert result.exit_code == 2
    assert "a token is needed: set the variable EUCHRE_TOKEN" in result.output


@pytest.mark.parametrize("text", ["", "\n", " \nabc"])
def test_connect_refuses_a_file_without_a_token(bot, tmp_path, text):
    (tmp_path / "token").write_text(text, encoding="utf-8")
    result = run(connect, "localhost:1", bot, "--token-file", str(tmp_path / "token"))
    assert result.exit_code == 2
    assert "holds no token" in result.output


def test_connect_reads_no_endless_file_for_a_token(bot):
    result = run(connect, "localhost:1", bot, "--token-file", "/dev/zero")
    assert result.exit_code == 2
    assert "over 1000 characters long" in result.output


def test_connect_says_that_nobody_is_there(bot):
    with ScriptedReferee() as gone:
        address = gone.address
    result = run(connect, address, bot, EUCHRE_TOKEN="token")
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: no arena answers at {address} (connection refused).")
    assert "Traceback" not in result.output


def test_connect_says_that_the_token_is_wrong(referee, bot):
    result = run(connect, referee.address, bot, "--token", "another")
    assert result.exit_code == 1
    assert "does not know this token" in result.output


def test_connect_says_that_a_file_holds_no_bot(tmp_path):
    (tmp_path / "none.py").write_text("x = 1\n", encoding="utf-8")
    result = run(connect, "localhost:1", str(tmp_path / "none.py"), "--token", "token")
    assert result.exit_code == 1
    assert "none.py" in result.output
    assert "act" in result.output


# watch


def rankings() -> tournaments_pb2.Rankings:
    made = tournaments_pb2.Rankings(
        tournament="spring",
        state=tournaments_pb2.TOURNAMENT_STATE_RUNNING,
        schedule=tournaments_pb2.SCHEDULE_ROUND_ROBIN,
        anchor="heuristic@1",
        progress=tournaments_pb2.Progress(
            blocks_complete=690, blocks_total=1320, games_running=41, hands=41_400
        ),
    )
    made.progress.remaining_duration.FromTimedelta(timedelta(minutes=12))
    for place, (name, elo, error) in enumerate(
        (("lynx", 1530.0, 19.0), ("heuristic@1", 1500.0, None), ("random@1", 987.0, 22.0)), 1
    ):
        made.rows.append(
            tournaments_pb2.RankingRow(
                rank=place,
                entry=tournaments_pb2.Entry(entry_id=name, name=name, house="@" in name),
                elo=elo,
                elo_error=error,
                points_per_hand=1.03 - place / 100,
                points_per_hand_error=0.02,
                blocks=172,
                hands=10_320,
                separated=place != 2,
                online=True,
            )
        )
    made.rows.append(
        tournaments_pb2.RankingRow(entry=tournaments_pb2.Entry(entry_id="new", name="newcomer"))
    )
    return made


def test_a_ranking_is_read_as_it_was_sent():
    ranking = read_rankings(rankings())
    assert ranking.schedule == "round robin"
    assert (ranking.blocks_complete, ranking.blocks_total, ranking.hands) == (690, 1320, 41_400)
    assert ranking.remaining == timedelta(minutes=12)
    lynx, anchor, last, newcomer = ranking.rows
    assert (lynx.rank, lynx.name, lynx.elo, lynx.elo_error) == (1, "lynx", 1530.0, 19.0)
    assert (anchor.name, anchor.elo_error, anchor.separated) == (ranking.anchor, None, False)
    assert (last.house, last.points_per_hand, last.blocks) == (True, 1.0, 172)
    assert (newcomer.rank, newcomer.elo, newcomer.online) == (None, None, False)


def test_a_schedule_of_a_newer_arena_is_called_a_tournament():
    newer = rankings()
    newer.schedule = cast("tournaments_pb2.Schedule.ValueType", 99)
    assert read_rankings(newer).schedule == "tournament"


class Tournaments:
    def WatchRankings(self, request, context):  # noqa: N802 - the service's name
        if request.name != "spring":
            context.abort(grpc.StatusCode.NOT_FOUND, f"no tournament is called {request.name}")
        for done in (690, 1320):
            made = rankings()
            made.progress.blocks_complete = done
            yield tournaments_pb2.WatchRankingsResponse(rankings=made)

    def GetRankings(self, request, context):  # noqa: N802 - the service's name
        (first, *_) = self.WatchRankings(request, context)
        return tournaments_pb2.GetRankingsResponse(rankings=first.rankings)


@pytest.fixture
def arena():
    server = grpc.server(ThreadPoolExecutor(2), options=(("grpc.so_reuseport", 0),))
    watch_rankings = grpc.unary_stream_rpc_method_handler(
        Tournaments().WatchRankings,
        request_deserializer=tournaments_pb2.WatchRankingsRequest.FromString,
        response_serializer=tournaments_pb2.WatchRankingsResponse.SerializeToString,
    )
    get_rankings = grpc.unary_unary_rpc_method_handler(
        Tournaments().GetRankings,
        request_deserializer=tournaments_pb2.GetRankingsRequest.FromString,
        response_serializer=tournaments_pb2.GetRankingsResponse.SerializeToString,
    )
    service = grpc.method_handlers_generic_handler(
        "euchre.v1.TournamentService",
        {"WatchRankings": watch_rankings, "GetRankings": get_rankings},
    )
    server.add_generic_rpc_handlers((service,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None).wait(5)


def test_watch_ends_with_the_last_ranking(arena):
    result = run(watch, arena, "spring")
    assert result.exit_code == 0, result.output
    assert "1,320 of 1,320 blocks" in result.output
    assert "lynx" in result.output


def test_watch_once_prints_the_first_one(arena):
    result = run(watch, arena, "spring", "--once")
    assert result.exit_code == 0, result.output
    assert "690 of 1,320 blocks" in result.output


def test_watch_says_that_there_is_no_such_tournament(arena):
    result = run(watch, arena, "sprong")
    assert result.exit_code == 1
    assert "no tournament is called sprong" in result.output


@pytest.mark.parametrize("seconds", ["nan", "1e300", "inf", "-1"])
def test_patience_is_a_number_of_seconds(seconds):
    ended = CliRunner().invoke(
        connect, ["localhost:1", "random", "--token", "t", "--patience", seconds]
    )
    assert ended.exit_code == 2
    assert "--patience" in ended.output
