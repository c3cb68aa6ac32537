"""Evidence from a real arena: who gets it, what it says, and that it outlives a crash."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner, Result

from arena.rpc.client import ArenaClient, connect
from arena.server import running_arena
from arena.settings import load_settings
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.cli_flight import flight
from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.game import STANDARD, Session
from tests.integration.raw_bot import RawBot, first_legal

Decide = Callable[[play_pb2.Question], list[play_pb2.Answer]]
NAMES = ("lynx", "puma", "ocelot")


class Field:
    """A running arena with three bots, whose tokens are known."""

    def __init__(self, address: str, organiser: str) -> None:
        self.address = address
        self.organiser = organiser
        self.tokens: dict[str, str] = {}

    async def ask(self, question: Callable[[ArenaClient], Any], token: str | None = None) -> Any:
        def in_thread() -> Any:
            dial = Dial(address=Address(self.address))
            with connect(dial, token=token or self.organiser) as client:
                return question(client)

        return await trio.to_thread.run_sync(in_thread)

    async def flight(self, *arguments: str, token: str | None) -> Result:
        """Type `euchre flight` with a token."""
        runner = CliRunner(env={"EUCHRE_TOKEN": token, "COLUMNS": "100"})
        call = partial(runner.invoke, flight, [self.address, *arguments])
        result = await trio.to_thread.run_sync(call)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            return Result(
                runner, b"", b"", str(result.exception).encode(), None, 1, result.exception
            )
        return result

    async def games(self, token: str) -> list[str]:
        listed = await self.flight("--json", token=token)
        assert listed.exit_code == 0, listed.output
        return [each["game_id"] for each in json.loads(listed.stdout)]


@asynccontextmanager
async def field(data: Path) -> AsyncIterator[Field]:
    settings = load_settings({"address": "127.0.0.1:0", "data": data, "log_level": "error"})
    async with running_arena(settings) as running:
        it = Field(running.address, running.token_file.read_text().strip())
        for name in NAMES:
            made = await it.ask(partial(_register, name))
            it.tokens[name] = made.token
        yield it


def _register(name: str, client: ArenaClient) -> Any:
    return client.register_bot(name, None)


def _begin(client: ArenaClient) -> None:
    client.create_tournament(
        "spring",
        bots=NAMES,
        policy="all-trios",
        cycles=1,
        rules=STANDARD,
        format=Session(3),
        owners_apart=False,
    )
    client.start_tournament("spring")


@asynccontextmanager
async def playing(it: Field, misbehave: Decide) -> AsyncIterator[None]:
    """Let all three play; lynx answers as it is told."""
    async with trio.open_nursery() as nursery:
        for name in NAMES:
            bot = RawBot(it.address, name, token=it.tokens[name])
            bot.say_hello(games=1)
            decide = misbehave if name == "lynx" else (lambda q: [first_legal(q)])
            nursery.start_soon(bot.play, partial(_decide, decide))
        await it.ask(_begin)
        yield
        nursery.cancel_scope.cancel()


async def _decide(decide: Decide, question: play_pb2.Question) -> list[play_pb2.Answer]:
    await trio.lowlevel.checkpoint()
    return decide(question)


async def _until_over(it: Field) -> None:
    with trio.fail_after(30):
        while (await it.ask(lambda c: c.get_tournament("spring"))).progress.blocks_complete < 1:  # noqa: ASYNC110 - nobody else tells
            await trio.sleep(0.05)


def once_each() -> Decide:
    """Answer wrongly once in each way, and well ever after."""
    wrong = {
        "malformed": lambda a: play_pb2.Answer(slot=a.slot, seq=a.seq, kind=99),
        "illegal": lambda a: play_pb2.Answer(
            slot=a.slot, seq=a.seq, kind=types_pb2.ACTION_KIND_ALONE
        ),
        "duplicate": lambda a: play_pb2.Answer(slot=a.slot, seq=a.seq, kind=a.kind),
    }

    def decide(question: play_pb2.Question) -> list[play_pb2.Answer]:
        answer = first_legal(question)
        if "malformed" in wrong:
            return [wrong.pop("malformed")(answer), answer]
        if question.kind == types_pb2.QUESTION_KIND_PLAY and "illegal" in wrong:
            return [wrong.pop("illegal")(answer), answer]
        if question.kind == types_pb2.QUESTION_KIND_PLAY and "duplicate" in wrong:
            return [answer, wrong.pop("duplicate")(answer)]
        return [answer]

    return decide


async def test_the_owner_sees_what_was_refused_and_nobody_else_does(tmp_path: Path) -> None:
    async with field(tmp_path / "data") as it:
        async with playing(it, once_each()):
            await _until_over(it)
        mine = it.tokens["lynx"]
        with trio.fail_after(10):
            while not (found := await it.games(mine)):  # noqa: ASYNC110 - nobody else tells
                await trio.sleep(0.05)
        listed = await it.flight(token=mine)
        assert found[0] in listed.output
        assert await it.games(it.tokens["puma"]) == [], "ordinary play is not kept"

        told = (await it.flight(found[-1], token=mine)).output
        assert "lynx at seat" in told
        assert "2 answers refused" in told
        assert "refused, MALFORMED: no kind of action has the number 99" in told
        assert "refused, WRONG_KIND: illegal action alone" in told
        assert "Legal:" in told
        assert "dropped, DUPLICATE, its question was answered already" in told
        assert "18 63" in told, "the very bytes"
        assert "you are seat" in told, "the view at that moment"
        assert "(--all shows them)" in told
        more = (await it.flight(found[-1], "--all", token=mine)).output
        assert len(more) > len(told)

        data = json.loads((await it.flight(found[-1], "--json", token=mine)).output)
        refused = [e for e in data["entries"] if e["kind"] == "answer" and e["message"]]
        assert [e["verdict"] for e in refused] == ["MALFORMED", "WRONG_KIND"]
        assert all(e["legal"] and e["charged"] > 0 for e in refused)
        assert data["running"] is False
        for secret in (*it.tokens.values(), it.organiser):
            assert secret not in json.dumps(data)
            assert secret.encode().hex() not in json.dumps(data)

        for token, words in (
            (it.tokens["puma"], "there is no game 'g0'"),
            (it.organiser, "there is no bot named ''"),
            ("x" * 43, "token is not known"),
            (None, "a token is needed"),
        ):
            refusal = await it.flight("g0", token=token)
            assert refusal.exit_code != 0
            assert words in refusal.output
        refusal = await it.flight(found[-1], "--bot", "lynx", token=it.tokens["puma"])
        assert "the token given is another's" in refusal.output
        refusal = await it.flight(found[-1], token=it.tokens["puma"])
        assert "nothing is kept" in refusal.output
        seen = await it.flight(found[-1], "--bot", "lynx", token=it.organiser)
        assert "2 answers refused" in seen.output


async def test_a_running_game_is_its_owners_alone_and_a_crash_loses_no_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.rpc.play.flights.SOON", 0.02)
    data, crashed = tmp_path / "data", tmp_path / "crashed"

    def decide(question: play_pb2.Question) -> list[play_pb2.Answer]:
        """Answer nonsense once, then nothing at all."""
        if question.seq > 1:
            return []
        answer = first_legal(question)
        return [play_pb2.Answer(slot=answer.slot, seq=answer.seq, kind=99), answer]

    async with field(data) as it:
        tokens, organiser = it.tokens, it.organiser
        async with playing(it, decide):
            with trio.fail_after(20):
                while not (games := await it.games(tokens["lynx"])):  # noqa: ASYNC110 - nobody else tells
                    await trio.sleep(0.02)
            shown = await it.flight(games[0], token=tokens["lynx"])
            assert "being played" in shown.output
            assert "1 answer refused" in shown.output
            refusal = await it.flight(games[0], "--bot", "lynx", token=organiser)
            assert "until it is over its flight record opens" in refusal.output
            shutil.copytree(data, crashed)
    settings = load_settings({"address": "127.0.0.1:0", "data": crashed, "log_level": "error"})
    async with running_arena(settings) as running:
        again = Field(running.address, organiser)
        shown = await again.flight(games[0], token=tokens["lynx"])
        assert "refused, MALFORMED" in shown.output
