"""The services over real gRPC on a real database; only the games are played without bots."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from arena.rpc.client import CallError
from arena.store import bots
from euchre.v1 import bots_pb2, matches_pb2, tournaments_pb2, types_pb2
from euchre_sdk.client_errors import ConnectError, NoEntry
from euchre_sdk.game import STANDARD
from euchre_sdk.game.dealing import commitment
from euchre_sdk.game.record import VerifiableSource
from euchre_sdk.game.record_reading import read_record
from euchre_sdk.wire import write_rules
from tests.integration.served import SERVICES, Served, create, served


def request_for(method: str) -> Any:
    service, _, name = method.rpartition("/")
    module = SERVICES[service.rpartition(".")[2]][0]
    return getattr(module, name + "Request")()


async def test_of_a_token_only_the_hash_is_stored(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        token = (await arena.ask(lambda c: c.register_bot("lynx", None))).token
    stored = [file.read_bytes() for file in tmp_path.iterdir() if file.is_file()]  # noqa: ASYNC240
    assert stored
    assert not any(token.encode() in content for content in stored)


async def test_a_rotated_token_is_no_good_and_its_links_end(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        made = await arena.ask(lambda c: c.register_bot("lynx", None))
        fresh = await arena.ask(lambda c: c.rotate_token("lynx"), made.token)
        assert arena.revoked == [made.bot.bot_id]
        with pytest.raises(CallError) as caught:
            await arena.ask(lambda c: c.rotate_token("lynx"), made.token)
        assert caught.value.reason == "WRONG_TOKEN"
        assert await arena.ask(lambda c: c.rotate_token("lynx"), fresh) != fresh


async def test_an_invitation_lets_one_author_in(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        invitation = await arena.ask(lambda c: c.invite_author())
        author = await arena.ask(lambda c: c.register_author("ada", invitation), None)
        assert (await arena.ask(lambda c: c.register_bot("lynx", None), author.token)).token
        for used in (invitation, "made up"):
            with pytest.raises(CallError) as caught:
                await arena.ask(lambda c, i=used: c.register_author("bob", i), None)
            assert caught.value.reason == "INVITATION"
        with pytest.raises(CallError, match="invitation is missing"):
            await arena.ask(lambda c: c.register_author("bob", None), None)


async def test_a_deactivated_bot_is_out_of_everything(tmp_path: Path) -> None:
    async with served(tmp_path, lynx=1, puma=1, ocelot=1) as arena:
        await arena.ask(lambda c: create(c, "spring", "lynx", "puma", "ocelot"))
        gone = await arena.ask(lambda c: c.deactivate_bot("lynx"))
        assert gone.state == bots_pb2.BOT_STATE_DEACTIVATED
        entries = (await arena.ask(lambda c: c.get_tournament("spring"))).entries
        assert [entry.name for entry in entries] == ["ocelot", "puma"]
        assert [each.bot_id for each in await arena.store.read(bots.credentials)].count(
            gone.bot_id
        ) == 0
        with pytest.raises(CallError, match="deactivated"):
            await arena.ask(lambda c: c.enter_tournament("spring", "lynx", None))


async def test_lists_come_in_pages_that_miss_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        for number in range(7):
            await arena.ask(lambda c, n=number: c.register_bot(f"bot-{n}", None))
            await arena.ask(lambda c, n=number: create(c, f"cup-{n}"))
        for method, field in (
            ("/euchre.v1.BotService/ListBots", "bots"),
            ("/euchre.v1.TournamentService/ListTournaments", "tournaments"),
        ):
            seen, sizes = [], []
            request = request_for(method)
            request.page_size = 3
            while True:
                page = await arena.call(method, request, None)
                found = [each.name for each in getattr(page, field)]
                seen += found
                sizes.append(len(found))
                if not page.HasField("next_page_token"):
                    break
                request.page_token = page.next_page_token
            assert sizes == [3, 3, 1]
            assert len(set(seen)) == 7


@pytest.mark.parametrize(
    ("method", "request_", "code", "says"),
    [
        pytest.param(
            "BotService/RegisterBot",
            bots_pb2.RegisterBotRequest(name="\x1b[31mred"),
            grpc.StatusCode.INVALID_ARGUMENT,
            "letters, digits",
            id="a name with terminal escapes",
        ),
        pytest.param(
            "BotService/RegisterBot",
            bots_pb2.RegisterBotRequest(name="x" * 33, author="<b>"),
            grpc.StatusCode.INVALID_ARGUMENT,
            "name must be 1 to 32.*author must be",
            id="a long name and an author in HTML, both listed",
        ),
        pytest.param(
            "BotService/RegisterBot",
            bots_pb2.RegisterBotRequest(name="lynx"),
            grpc.StatusCode.ALREADY_EXISTS,
            "already a bot named lynx",
            id="a name that is taken",
        ),
        pytest.param(
            "BotService/RegisterAuthor",
            bots_pb2.RegisterAuthorRequest(name=""),
            grpc.StatusCode.INVALID_ARGUMENT,
            "name must be",
            id="an author without a name",
        ),
        pytest.param(
            "BotService/InviteAuthor",
            bots_pb2.InviteAuthorRequest(valid_duration={"seconds": -1}),
            grpc.StatusCode.INVALID_ARGUMENT,
            "valid_duration",
            id="an invitation good for less than nothing",
        ),
        pytest.param(
            "BotService/GetBot",
            bots_pb2.GetBotRequest(name="eve"),
            grpc.StatusCode.NOT_FOUND,
            "no bot named 'eve'",
            id="a bot that is not there",
        ),
        pytest.param(
            "BotService/RotateToken",
            bots_pb2.RotateTokenRequest(name="eve"),
            grpc.StatusCode.NOT_FOUND,
            "no bot named",
            id="a new token for nobody",
        ),
        pytest.param(
            "BotService/DeactivateBot",
            bots_pb2.DeactivateBotRequest(name=""),
            grpc.StatusCode.NOT_FOUND,
            "no bot named ''",
            id="nobody deactivated",
        ),
        pytest.param(
            "BotService/ListBots",
            bots_pb2.ListBotsRequest(page_token="!!"),
            grpc.StatusCode.INVALID_ARGUMENT,
            "page_token",
            id="a page token of nothing",
        ),
        pytest.param(
            "BotService/ListBots",
            bots_pb2.ListBotsRequest(page_size=0),
            grpc.StatusCode.INVALID_ARGUMENT,
            "page_size must be 1",
            id="a page of nothing",
        ),
        pytest.param(
            "BotService/SubmitVersion",
            None,
            grpc.StatusCode.UNIMPLEMENTED,
            "does not offer",
            id="a method that is not offered",
        ),
        pytest.param(
            "TournamentService/CreateTournament",
            tournaments_pb2.CreateTournamentRequest(
                name="cup",
                plan=tournaments_pb2.TournamentPlan(
                    rules=types_pb2.RuleSet(),
                    format=types_pb2.Format(),
                    time_control={"ready_duration": {"seconds": -1}},
                    conduct=types_pb2.Conduct(),
                ),
            ),
            grpc.StatusCode.INVALID_ARGUMENT,
            "schedule.*rules.*format.*time_control.*conduct.*cycles",
            id="a plan that is wrong everywhere, all listed",
        ),
        pytest.param(
            "TournamentService/CreateTournament",
            tournaments_pb2.CreateTournamentRequest(
                name="cup",
                bots=["eve", "lynx", "lynx"],
                plan=tournaments_pb2.TournamentPlan(
                    schedule=tournaments_pb2.SCHEDULE_ROUND_ROBIN,
                    cycles=1,
                    rules=write_rules(STANDARD),
                    deadline_time={"seconds": 1},
                ),
            ),
            grpc.StatusCode.INVALID_ARGUMENT,
            "'eve'; register.*entered twice.*in the past",
            id="entries that cannot be and a deadline that was",
        ),
        pytest.param(
            "TournamentService/CreateTournament",
            tournaments_pb2.CreateTournamentRequest(
                plan=tournaments_pb2.TournamentPlan(schedule=99, cycles=10**9)
            ),
            grpc.StatusCode.INVALID_ARGUMENT,
            "schedule must be one of.*cycles",
            id="an unknown schedule for ever",
        ),
        *(
            pytest.param(
                f"TournamentService/{method}",
                getattr(tournaments_pb2, f"{method}Request")(name="none\n"),
                grpc.StatusCode.NOT_FOUND,
                r"no tournament named 'none\\n'",
                id=f"{method} of no tournament",
            )
            for method in (
                "StartTournament",
                "PauseTournament",
                "CancelTournament",
                "GetTournament",
                "GetRankings",
                "WatchRankings",
            )
        ),
        pytest.param(
            "TournamentService/EnterTournament",
            tournaments_pb2.EnterTournamentRequest(name="none", bot="lynx"),
            grpc.StatusCode.NOT_FOUND,
            "no tournament",
            id="an entry nowhere",
        ),
        pytest.param(
            "TournamentService/EnterTournament",
            tournaments_pb2.EnterTournamentRequest(name="spring", bot="lynx", version_label="v 1"),
            grpc.StatusCode.INVALID_ARGUMENT,
            "version label must be",
            id="a version label with a space",
        ),
        pytest.param(
            "TournamentService/WithdrawEntry",
            tournaments_pb2.WithdrawEntryRequest(name="spring", bot="lynx"),
            grpc.StatusCode.NOT_FOUND,
            "not entered",
            id="a withdrawal of who is not in",
        ),
        pytest.param(
            "TournamentService/ListTournaments",
            tournaments_pb2.ListTournamentsRequest(page_token="Ym90czp4"),
            grpc.StatusCode.INVALID_ARGUMENT,
            "page_token",
            id="a page token of another list",
        ),
        pytest.param(
            "TournamentService/StartTournament",
            tournaments_pb2.StartTournamentRequest(name="spring"),
            grpc.StatusCode.FAILED_PRECONDITION,
            "0 entries; accepted are three or more",
            id="a start with nobody",
        ),
        pytest.param(
            "TournamentService/PauseTournament",
            tournaments_pb2.PauseTournamentRequest(name="spring"),
            grpc.StatusCode.FAILED_PRECONDITION,
            "created and cannot be paused",
            id="a pause before the start",
        ),
        pytest.param(
            "MatchService/ListMatches",
            matches_pb2.ListMatchesRequest(tournament="spring", bot="eve"),
            grpc.StatusCode.NOT_FOUND,
            "not entered",
            id="matches of who is not in",
        ),
        *(
            pytest.param(
                f"MatchService/{method}",
                getattr(matches_pb2, f"{method}Request")(game_id="g0"),
                grpc.StatusCode.NOT_FOUND,
                "no match 'g0'",
                id=f"{method} of no match",
            )
            for method in ("GetVerification", "GetMatchRecord", "WatchMatch")
        ),
    ],
)
async def test_bad_requests_are_refused_with_what_would_be_accepted(
    tmp_path: Path, method: str, request_: Any, code: grpc.StatusCode, says: str
) -> None:
    async with served(tmp_path, lynx=1) as arena:
        await arena.ask(create)
        request = iter(()) if request_ is None else request_
        got, reason, sentence = await arena.refusal(f"/euchre.v1.{method}", request)
    assert got is code
    assert reason
    assert re.search(says, sentence), sentence
    assert "\x1b" not in sentence
    assert sentence.endswith(".")


async def test_a_tournament_is_watched_until_it_is_over(tmp_path: Path) -> None:
    async with served(tmp_path, lynx=2, puma=2, ocelot=2) as arena:
        await arena.ask(lambda c: create(c, "spring", "lynx", "puma", "ocelot"))
        await arena.ask(lambda c: c.start_tournament("spring"))
        tables = await arena.ask(lambda c: list(c.watch_rankings("spring")), None)
        last = tables[-1]
        assert last.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
        assert last.progress.blocks_complete == last.progress.blocks_total == 3
        assert last.progress.hands == 18
        assert sorted(row.entry.name for row in last.rows) == ["lynx", "ocelot", "puma"]
        assert {row.blocks for row in last.rows} == {3}
        now = await arena.ask(lambda c: c.get_rankings("spring"), None)
        assert now.rows == last.rows


async def test_matches_are_listed_and_their_deals_proved_when_they_are_over(tmp_path: Path) -> None:
    async with served(tmp_path, lynx=1, puma=1, ocelot=1) as arena:
        arena.playroom.gate = trio.Event()
        await arena.ask(lambda c: create(c, "spring", "lynx", "puma", "ocelot"))
        await arena.ask(lambda c: c.start_tournament("spring"))
        while not (found := await matches(arena)):
            await trio.lowlevel.checkpoint()
        running = found[0]
        assert running.state == matches_pb2.MATCH_STATE_RUNNING
        before = await verification(arena, running.game_id)
        assert not before.HasField("seed")
        code, _, sentence = await arena.refusal(
            "/euchre.v1.MatchService/GetMatchRecord",
            matches_pb2.GetMatchRecordRequest(game_id=running.game_id),
            None,
        )
        assert code is grpc.StatusCode.FAILED_PRECONDITION
        assert "opens when it is over" in sentence
        secret = arena.playroom.orders[0].seed
        assert secret not in before.SerializeToString()
        arena.playroom.gate.set()
        await arena.ask(lambda c: list(c.watch_rankings("spring")), None)
        after = await verification(arena, running.game_id)
        assert after.seed == secret
        assert after.commitment == before.commitment == commitment(after.deal_set_id, after.seed)
        assert [len(nonce) for nonce in after.nonces] == [32, 32, 32]
        request = matches_pb2.GetMatchRecordRequest(game_id=running.game_id)
        answer = await arena.call("/euchre.v1.MatchService/GetMatchRecord", request, None)
        record = read_record(answer.record)
        assert sorted(record.names) == ["lynx", "ocelot", "puma"]
        assert isinstance(record.source, VerifiableSource)
        assert record.source.seed == secret
        assert len(record.hands) == 3
        assert record.result is not None
        assert record.result.is_normal
        over = {match.game_id: match for match in await matches(arena)}
        assert len(over) == 6
        assert over[running.game_id].state == matches_pb2.MATCH_STATE_FINISHED
        assert over[running.game_id].hands == 3


async def test_nobody_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        address = arena.address
    arena.address = address
    with pytest.raises(ConnectError, match="Is `arena serve` running") as caught:
        await arena.ask(lambda c: c.list_bots())
    assert caught.value.reason is NoEntry.NOBODY_THERE


async def matches(arena: Served) -> Any:
    request = matches_pb2.ListMatchesRequest(tournament="spring")
    return (await arena.call("/euchre.v1.MatchService/ListMatches", request, None)).matches


async def verification(arena: Served, game_id: str) -> Any:
    request = matches_pb2.GetVerificationRequest(game_id=game_id)
    return await arena.call("/euchre.v1.MatchService/GetVerification", request, None)


async def test_a_refusal_with_very_many_faults_still_reaches_its_caller(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        plan = tournaments_pb2.TournamentPlan(schedule=1, cycles=1)
        request = tournaments_pb2.CreateTournamentRequest(
            name="spring", plan=plan, bots=[f"unknown-{number}" for number in range(900)]
        )
        code, reason, said = await arena.refusal("TournamentService/CreateTournament", request)
        assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID")
        assert "there is no bot named 'unknown-0'" in said
        told = said.count("there is no bot")
        assert said.endswith(f"; and {900 - told} more faults.")
        request.bots.extend(["lynx"] * 101)
        _, _, said = await arena.refusal("TournamentService/CreateTournament", request)
        assert said == "1,001 bots are to be entered; accepted are at most 1000."
