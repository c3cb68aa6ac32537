"""`arena duel` against a served arena, and against a real one with its house bots."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path

import pytest
import trio

from tests.integration.served import served
from tests.integration.test_arena_process import BOT, play, started
from tests.integration.test_commands import said

FIELD = ("lynx", "puma", "ocelot")
SHORT = ("--hands", "3", "--points", "2")
"""Blocks of six hands, and a lead that bots which play at random do not have."""


async def test_a_duel_is_played_and_shown_until_its_verdict(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        for name in FIELD:
            await said(arena, "bot", "register", name, "--token-to", str(tmp_path / name))
        for bot in json.loads((await said(arena, "bot", "list", "--json")).output):
            arena.playroom.come(bot["bot_id"], 4)
        first = await said(arena, "duel", "lynx", "puma", "--third", "ocelot", *SHORT)
        assert first.exit_code == 0, first.output
        words = " ".join(first.output.split())
        assert "duel-1: Is lynx stronger than puma, by 2 points a hand? Third: ocelot." in words
        assert "lynx is not stronger than puma: a lead of 2 points a hand" in words
        assert "The ratings: arena watch duel-1" in words
        again = await said(arena, "duel", "puma", "lynx", "--third", "ocelot", *SHORT, "--json")
        told = json.loads(again.output)
        assert told["tournament"] == "duel-2"
        assert (told["first"], told["second"], told["thirds"]) == ("puma", "lynx", ["ocelot"])
        assert (told["decision"], told["blocks"]) == ("not_stronger", 16)
        assert told["hands"] == 96
        shown = await said(arena, "duel", "--show", "duel-1", "--json")
        assert json.loads(shown.output)["verdict"] in words
        watched = await said(arena, "watch", "duel-1")
        assert watched.exit_code == 0, watched.output
        table = await said(arena, "tournament", "show", "duel-1")
        assert table.output.startswith("duel-1 · finished · 3 entries (")
        assert (
            "duel: is lynx stronger than puma by 2 points a hand and not 0? α 0.05, β 0.05, at most"
        ) in table.output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("lynx",), "two bots play a duel, not 1: arena duel A B"),
        (("lynx", "puma", "--show", "duel-1"), "say which bots are to play, or --show NAME"),
        (("lynx", "puma", "--hands", "4"), "--hands must be a multiple of 3"),
        (("lynx", "puma", "--points", "0"), "must be above that of H0 (0)"),
        (("lynx", "puma", "--cap", "3"), "expected a whole number from 16 to 200,000"),
        (("lynx", "nobody"), "nobody"),
        (("lynx", "lynx"), "lynx"),
        (("--show", "winter"), "winter"),
    ],
)
async def test_duels_that_cannot_be_are_refused_in_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    async with served(tmp_path) as arena:
        await said(arena, "bot", "register", "lynx", "--token-to", str(tmp_path / "lynx"))
        refused = await said(arena, "duel", *arguments)
    assert refused.exit_code in (1, 2)
    assert sentence in refused.output
    assert "Traceback" not in refused.output


async def test_another_tournament_is_no_duel(tmp_path: Path) -> None:
    async with served(tmp_path) as arena:
        for name in FIELD:
            await said(arena, "bot", "register", name, "--token-to", str(tmp_path / name))
        bots = [word for name in FIELD for word in ("--bot", name)]
        await said(arena, "tournament", "create", "spring", "--hands", "3", *bots)
        refused = await said(arena, "duel", "--show", "spring")
    assert refused.exit_code == 1
    assert (
        "spring is no duel, or a blind one: arena watch spring shows its table." in refused.output
    )


@pytest.mark.slow
async def test_house_bots_play_a_duel_in_a_real_arena(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    async with started(tmp_path) as arena, trio.open_nursery() as guests:
        made = await arena.ask(lambda client: client.register_bot("lynx", None))
        guests.start_soon(play, tmp_path, made.token, arena.address)
        token = tmp_path / "data" / "organiser-token"
        command = [sys.executable, "-m", "arena", "duel", "lynx", "heuristic@1", "--json"]
        command += ["--third", "random@1", "--hands", "3", "--points", "0.2"]
        environment = {
            **os.environ,
            "ARENA_SERVER": arena.address,
            "ARENA_TOKEN": token.read_text().strip(),
        }
        run = partial(trio.run_process, command, capture_stdout=True, env=environment)
        told = json.loads((await run()).stdout)
        assert "Traceback" not in arena.output
        guests.cancel_scope.cancel()
    assert told["decision"] == "not_stronger"
    assert told["lead_points"] < 0
    assert told["blocks"] >= 16
