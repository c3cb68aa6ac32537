"""What an arena shows of its deals, and when; and its records verified by the commands."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio
from sqlalchemy import Connection, update

from arena.store import games, tables
from arena.store.games import StoredGame
from arena.store.states import GameState
from euchre.v1 import matches_pb2
from euchre_sdk.cli_group import run
from euchre_sdk.game import read_record, write_record
from euchre_sdk.game.record import ENGINE_VERSION, VerifiableSource
from euchre_sdk.revision import REVISION
from euchre_sdk.verify import Verdict, verify_record
from tests.integration.served import Served, create, served

SERVICE = "/euchre.v1.MatchService/"
CATS = {"lynx": 1, "puma": 1, "ocelot": 1}


async def begin(arena: Served) -> None:
    await arena.ask(lambda c: create(c, "spring", *CATS))
    await arena.ask(lambda c: c.start_tournament("spring"))


async def stored(arena: Served, *states: GameState) -> StoredGame:
    """Wait for a game in one of these states."""
    with trio.fail_after(10):
        while True:
            await trio.lowlevel.checkpoint()
            for order in arena.playroom.orders:
                game = await arena.store.read(games.game_with_id, order.game_id)
                if game is not None and game.state in states:
                    return game


async def is_open(arena: Served, game: StoredGame) -> bool:
    """Whether anybody can have the seed of a game, by each of the ways there are."""
    seed = next(o.seed for o in arena.playroom.orders if o.game_id == game.game_id)
    asked = matches_pb2.GetVerificationRequest(game_id=game.game_id)
    proof = await arena.call(f"{SERVICE}GetVerification", asked, None)
    wanted = matches_pb2.GetMatchRecordRequest(game_id=game.game_id)
    listed = matches_pb2.ListMatchesRequest(tournament="spring")
    answers = [proof, await arena.call(f"{SERVICE}ListMatches", listed, None)]
    try:
        answers.append(await arena.call(f"{SERVICE}GetMatchRecord", wanted, None))
    except grpc.RpcError as error:
        code: Any = error
        assert code.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert not proof.HasField("seed")
    else:
        assert proof.seed == seed
        record = read_record(answers[-1].record)
        assert isinstance(record.source, VerifiableSource)
        assert record.source.seed == seed
        assert verify_record(record).verdict is Verdict.TRUE, verify_record(record).sentence
    told = b"".join(answer.SerializeToString() for answer in answers)
    assert (seed in told or seed.hex().encode() in told) is proof.HasField("seed")
    return bool(proof.HasField("seed"))


async def test_the_seed_of_a_running_game_is_closed_also_while_its_tournament_is_paused(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, **CATS) as arena:
        arena.playroom.gate = trio.Event()
        await begin(arena)
        game = await stored(arena, GameState.RUNNING)
        assert not await is_open(arena, game)
        await arena.ask(lambda c: c.pause_tournament("spring"))
        assert not await is_open(arena, game)
        arena.playroom.gate.set()
        assert await is_open(arena, await stored(arena, GameState.FINISHED))


async def test_the_seed_of_a_forfeited_game_is_open(tmp_path: Path) -> None:
    async with served(tmp_path, **CATS) as arena:
        arena.playroom.gate = trio.Event()
        await begin(arena)
        game = await stored(arena, GameState.RUNNING)
        await arena.ask(lambda c: c.withdraw_entry("spring", "puma"))
        assert not await is_open(arena, game)
        arena.playroom.gate.set()
        assert await is_open(arena, await stored(arena, GameState.FINISHED))


async def test_the_seed_of_a_cancelled_game_is_open_once_it_has_stopped(tmp_path: Path) -> None:
    async with served(tmp_path, **CATS) as arena:
        arena.playroom.gate = trio.Event()
        await begin(arena)
        game = await stored(arena, GameState.RUNNING)
        await arena.ask(lambda c: c.cancel_tournament("spring"))
        assert not await is_open(arena, game)
        arena.playroom.gate.set()
        assert await is_open(arena, await stored(arena, GameState.VOID))


async def test_the_seed_of_a_game_that_a_restart_interrupted_stays_closed_until_it_is_over(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, **CATS) as arena:
        arena.playroom.gate = trio.Event()
        await begin(arena)
        game = await stored(arena, GameState.RUNNING)
        ids = {bot.name: bot.bot_id for bot in await arena.ask(lambda c: c.list_bots())}
    async with served(tmp_path) as arena:
        arena.playroom.gate = trio.Event()
        with trio.fail_after(10):
            while not arena.playroom.orders:
                await trio.lowlevel.checkpoint()
        assert not await is_open(arena, game)
        arena.playroom.gate.set()
        for name in CATS:
            arena.playroom.come(ids[name])
        again = await stored(arena, GameState.FINISHED)
        assert again.game_id == game.game_id
        assert await is_open(arena, again)


def played_by_an_older_engine(connection: Connection) -> None:
    connection.execute(update(tables.games).values(engine_version="0"))


async def test_a_game_of_another_rules_engine_is_not_gone_on_with_but_offered_anew(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, **CATS) as arena:
        arena.playroom.gate = trio.Event()
        await begin(arena)
        game = await stored(arena, GameState.RUNNING)
        assert (game.engine_version, game.protocol_revision) == (ENGINE_VERSION, REVISION)
        await arena.store.write(played_by_an_older_engine)
        ids = {bot.name: bot.bot_id for bot in await arena.ask(lambda c: c.list_bots())}
    async with served(tmp_path) as arena:
        for name in CATS:
            arena.playroom.come(ids[name])
        again = await stored(arena, GameState.FINISHED)
        assert (again.block_id, again.number) == (game.block_id, game.number)
        assert (again.offer, again.deal_set != game.deal_set) == (2, True)
        broken_off = await arena.store.read(games.game_with_id, game.game_id)
        assert broken_off is not None
        assert broken_off.state is GameState.VOID


async def test_the_seed_of_an_offer_that_did_not_start_is_never_told(tmp_path: Path) -> None:
    async with served(tmp_path, **CATS) as arena:
        ids = {bot.name: bot.bot_id for bot in await arena.ask(lambda c: c.list_bots())}
        arena.playroom.misses[ids["puma"]] = 1
        await begin(arena)
        game = await stored(arena, GameState.NOT_STARTED)
        for method in ("GetVerification", "GetMatchRecord"):
            request = getattr(matches_pb2, f"{method}Request")(game_id=game.game_id)
            code = await arena.code(f"{SERVICE}{method}", request, None)
            assert code is grpc.StatusCode.NOT_FOUND


async def in_thread(*arguments: object) -> int:
    return await trio.to_thread.run_sync(partial(run, [str(each) for each in arguments]))


async def test_records_are_fetched_and_verified_by_the_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with served(tmp_path / "data", **CATS) as arena:
        await begin(arena)
        await arena.ask(lambda c: list(c.watch_rankings("spring")), None)
        to = tmp_path / "games"
        assert await in_thread("record", arena.address, "--tournament", "spring", "--to", to) == 0
        assert capsys.readouterr().out == f"6 records in {to}\n"
        files = sorted(to.glob("g*.jsonl"))
        assert len(files) == 6
        assert await in_thread("verify", to, "--arena", arena.address) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[-1] == "6 records: 6 ok"
        assert all("as the arena gives it out" in line for line in lines[:-1])

        game = files[0].stem
        assert await in_thread("verify", game, "--arena", arena.address) == 0
        assert capsys.readouterr().out.startswith(f"{game}: ok: 3 hands, 3 decks from the seed")
        assert await in_thread("record", arena.address, game, "--to", to) == 0  # the same again
        capsys.readouterr()

        record = read_record(files[0].read_bytes())
        names = ("eve", *record.names[1:])
        files[0].write_text(
            write_record(record).replace(f'"{record.names[0]}"', f'"{names[0]}"', 1)
        )
        assert await in_thread("verify", files[0]) == 0, "no record proves who played"
        assert await in_thread("verify", files[0], "--arena", arena.address) == 1
        assert "WRONG: first line: sign " in capsys.readouterr().out
        other = tmp_path / "other.jsonl"
        other.write_text(write_record(replace(record, game_id="g0")))
        assert await in_thread("verify", other, "--arena", arena.address) == 3
        assert "the arena does not show it: there is no match 'g0'" in capsys.readouterr().out
        assert await in_thread("record", arena.address, game, "--to", to) == 1
        assert "is there already and differs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("record", "ADDRESS", "g0"), 1, "there is no match 'g0'."),
        (("record", "ADDRESS", "../x"), 2, "'../x' is no id of a game"),
        (("record", "ADDRESS"), 2, "say which games: their ids, or --tournament NAME"),
        (("record", "ADDRESS", "--tournament", "autumn"), 1, "no tournament"),
        (("verify", "g0", "--arena", "ADDRESS"), 1, "there is no match 'g0'."),
    ],
)
async def test_what_an_arena_does_not_have_is_said_in_a_sentence(
    tmp_path: Path, capsys, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    async with served(tmp_path) as arena:
        words = [arena.address if word == "ADDRESS" else word for word in arguments]
        assert await in_thread(*words) == code
    printed = capsys.readouterr()
    assert sentence in printed.err.replace("\n", " ")
    assert printed.out == ""
