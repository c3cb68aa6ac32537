"""`arena annul` and `arena audit` against a served arena: what they say, in text and in JSON."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import trio
from click.testing import CliRunner, Result

from arena.cli import main
from arena.rpc.client import ArenaClient
from euchre.v1 import matches_pb2, tournaments_pb2, types_pb2
from euchre_sdk.game import STANDARD, Session
from tests.integration.served import ORGANISER, Served, create, served

MATCHES = "/euchre.v1.MatchService/ListMatches"
ANNUL = "/euchre.v1.TournamentService/AnnulResults"


async def said(arena: Served, *arguments: str) -> Result:
    env = {"ARENA_SERVER": arena.address, "ARENA_TOKEN": ORGANISER, "COLUMNS": "120"}
    run = partial(CliRunner().invoke, main, arguments, env=env)
    return await trio.to_thread.run_sync(run)


def one_block(client: ArenaClient) -> None:
    client.create_tournament(
        "spring",
        bots=("lynx", "puma", "ocelot"),
        policy="all-trios",
        cycles=1,
        rules=STANDARD,
        format=Session(3),
        owners_apart=False,
    )


async def played(arena: Served) -> list[Any]:
    """Play a tournament of one block, and return its matches."""
    await arena.ask(one_block)
    await arena.ask(lambda c: c.start_tournament("spring"))
    await arena.ask(lambda c: list(c.watch_rankings("spring")))
    request = matches_pb2.ListMatchesRequest(tournament="spring")
    return list((await arena.call(MATCHES, request, None)).matches)


async def test_what_is_annulled_is_told_by_every_command(tmp_path: Path) -> None:
    async with served(tmp_path, lynx=1, puma=1, ocelot=1) as arena:
        first, second = await played(arena)
        done = await said(arena, "annul", "spring", first.game_id, "--reason", "power cut")
        assert done.exit_code == 0, done.output
        block = first.block_id
        assert f"game {first.game_id} of block {block} is annulled: power cut." in done.output
        again = await said(arena, "annul", "spring", first.game_id, "--reason", "again")
        assert again.exit_code == 1
        assert "was annulled already, by organiser" in again.output
        assert "power cut" in again.output

        shown = (await said(arena, "tournament", "show", "spring")).output
        assert f"game {first.game_id} of block {block} is annulled: power cut" in shown
        assert "Without 1 game that the organiser annulled." in shown
        done = await said(arena, "annul", "spring", block, "--reason", "all of it", "--json")
        assert json.loads(done.output)["games"] == 2
        data = json.loads((await said(arena, "tournament", "show", "spring", "--json")).output)
        assert [each["reason"] for each in data["tournament"]["annulments"]] == [
            "power cut",
            "all of it",
        ]
        assert data["rankings"]["games_annulled"] == 2
        assert all(row["rank"] is None for row in data["rankings"]["rows"])
        assert data["tournament"]["progress"]["blocks_complete"] == 0

        request = matches_pb2.ListMatchesRequest(tournament="spring")
        matches = (await arena.call(MATCHES, request, None)).matches
        assert {match.state for match in matches} == {matches_pb2.MATCH_STATE_VOID}
        ends = {seat.termination for match in matches for seat in match.seats}
        assert ends == {types_pb2.TERMINATION_ANNULLED}
        assert {match.game_id for match in matches} == {first.game_id, second.game_id}

        told = (await said(arena, "audit", "--about", "spring")).output
        lines = [" ".join(line.split()[2:]) for line in told.splitlines()[1:]]
        assert lines == [
            "organiser created spring",
            "organiser running spring",
            f"organiser annulled spring/{first.game_id} power cut",
            f"organiser annulled spring/{block} all of it",
        ]
        newest = json.loads((await said(arena, "audit", "--last", "1", "--json")).output)
        assert [each["reason"] for each in newest] == ["all of it"]


async def test_what_cannot_be_annulled_is_a_sentence_and_a_code(tmp_path: Path) -> None:
    async with served(tmp_path, lynx=1, puma=1, ocelot=1) as arena:
        first, _ = await played(arena)
        for arguments, words in (
            (("winter", "c1b1"), "there is no tournament named 'winter'"),
            (("spring", "c7b1"), "no block 'c7b1' of spring was played so far"),
            (("spring", "c1b1", "--replay"), "spring is finished"),
            (("spring", first.game_id, "--replay"), "a game is not played again by itself"),
            (("spring", "nonsense"), "there is no game 'nonsense'"),
        ):
            refusal = await said(arena, "annul", *arguments, "--reason", "why not")
            assert refusal.exit_code == 1
            assert words in refusal.output
        missing = await said(arena, "annul", "spring", "c1b1")
        assert missing.exit_code == 2
        assert "--reason" in missing.output
        request = tournaments_pb2.AnnulResultsRequest(name="spring", reason="none")
        code, _, words = await arena.refusal(ANNUL, request)
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert "target is missing" in words


async def test_the_audit_log_says_whose_token_it_was_and_comes_in_pages(tmp_path: Path) -> None:
    async with served(tmp_path, lynx=1) as arena:
        puma = await arena.ask(lambda c: c.register_bot("puma", None))
        for number in range(60):
            await arena.ask(lambda c, n=number: create(c, f"cup-{n}"))
        await arena.ask(lambda c: c.enter_tournament("cup-0", "puma", None), puma.token)
        await arena.ask(lambda c: c.withdraw_entry("cup-0", "puma"), puma.token)
        lines = json.loads(
            (await said(arena, "audit", "--about", "cup-0", "--json", "--last", "9")).output
        )
        assert [(each["actor"], each["action"], each["subject"]) for each in lines] == [
            ("organiser", "created", "cup-0"),
            ("bot puma", "entered", "cup-0/puma"),
            ("bot puma", "withdrew", "cup-0/puma"),
        ]
        told = json.loads((await said(arena, "audit", "--about", "puma", "--json")).output)
        assert [(each["actor"], each["action"]) for each in told] == [
            ("organiser", "registered_bot")
        ]
        every = json.loads((await said(arena, "audit", "--json", "--last", "500")).output)
        assert sum(each["action"] == "created" for each in every) == 60
        times = [each["decide_time"] for each in every]
        assert times == sorted(times)
