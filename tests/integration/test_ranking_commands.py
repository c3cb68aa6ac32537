"""What is known of a ranking, from the arena to the terminal and to JSON, by both programs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import cast

import trio

from arena.tournaments.history import HistoryKeeper, Watched
from tests.integration.served import START, Served, served
from tests.integration.test_commands import said

NAMES = ("lynx", "puma", "ocelot", "genet")


async def euchre(arena: Served, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "euchre_sdk", command, arena.address, *arguments]
    called = partial(subprocess.run, words, capture_output=True, text=True, check=False, timeout=60)
    return await trio.to_thread.run_sync(called)


@asynccontextmanager
async def played(path: Path) -> AsyncIterator[Served]:
    """Give an arena in which four bots have finished a tournament, and its history is kept."""
    async with served(path) as arena:
        for name in NAMES:
            await said(arena, "bot", "register", name)
        for bot in json.loads((await said(arena, "bot", "list", "--json")).output):
            arena.playroom.come(bot["bot_id"])
        entered = [word for name in NAMES for word in ("--bot", name)]
        await said(
            arena,
            *("tournament", "create", "spring", "--hands", "3", "--format", "all-trios"),
            *(*entered, "--owners-together"),
        )
        await said(arena, "tournament", "start", "spring")
        await said(arena, "watch", "spring")
        unwatched = cast("Watched", None)  # it is over: nothing changes any more
        keeper = HistoryKeeper(arena.store, unwatched, now=lambda: START + timedelta(hours=1))
        await keeper.catch_up()
        yield arena


async def test_a_ranking_is_told_once_with_every_pair_compared(tmp_path: Path) -> None:
    async with played(tmp_path) as arena:
        shown = await said(arena, "tournament", "ranking", "spring", "--matrix", "--bot", "genet")
        assert shown.exit_code == 0, shown.output
        assert all(name in shown.output for name in NAMES)
        assert "Likelihood in percent" in shown.output
        told = json.loads(
            (await said(arena, "tournament", "ranking", "spring", "--matrix", "--json")).output
        )
        assert len(told["superiorities"]) == 6
        assert all(0 <= pair["likelihood"] <= 1 for pair in told["superiorities"])
        assert {row["group"] for row in told["rows"]} == {1}
        assert told["rows"][0]["separated"] is True
        theirs = await euchre(arena, "watch", "spring", "--matrix", "--json")
        same = json.loads(theirs.stdout)
        assert [(pair["first"], pair["second"]) for pair in same["pairs"]] == [
            (pair["first"], pair["second"]) for pair in told["superiorities"]
        ]
        assert [row["elo"] for row in same["rows"]] == [row["elo"] for row in told["rows"]]
        without = json.loads((await euchre(arena, "watch", "spring", "--json")).stdout)
        assert without["pairs"] == []


async def test_forfeits_may_be_left_out_by_both_programs(tmp_path: Path) -> None:
    async with played(tmp_path) as arena:
        left_out = ("--forfeits", "left-out")
        for output in (
            (await said(arena, "tournament", "ranking", "spring", *left_out)).output,
            (await said(arena, "watch", "spring", *left_out)).output,
            (await euchre(arena, "watch", "spring", *left_out)).stdout,
        ):
            assert "Forfeits are left out of the ratings." in output
        counted = (await said(arena, "tournament", "ranking", "spring")).output
        assert "left out" not in counted


async def test_a_history_is_told_by_both_programs(tmp_path: Path) -> None:
    async with played(tmp_path) as arena:
        (spring,) = json.loads((await said(arena, "bot", "history", "lynx", "--json")).output)
        (same,) = json.loads((await euchre(arena, "history", "lynx", "--json")).stdout)
        assert spring["tournament"] == same["tournament"] == "spring"
        assert spring["points"][-1]["elo"] == same["points"][-1]["elo"]
        ranking = json.loads(
            (await said(arena, "tournament", "ranking", "spring", "--json")).output
        )
        (row,) = [row for row in ranking["rows"] if row["entry"]["name"] == "lynx"]
        assert spring["points"][-1]["elo"] == row["elo"]
        for output in (
            (await said(arena, "bot", "history", "lynx")).output,
            (await euchre(arena, "history", "lynx")).stdout,
        ):
            assert f"{row['rank']}/4" in output
        drawn = (await euchre(arena, "history", "lynx", "--tournament", "spring")).stdout
        assert "lynx in spring · finished" in drawn
        assert "●" in drawn


async def test_what_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    async with played(tmp_path) as arena:
        for result in (
            await said(arena, "bot", "history", "nobody"),
            await said(arena, "tournament", "ranking", "autumn"),
        ):
            assert result.exit_code == 1
            assert result.output.startswith("there is no ")
        theirs = await euchre(arena, "history", "lynx", "--tournament", "autumn")
        assert theirs.returncode == 1
        assert "it has played in spring" in theirs.stderr
        assert "Traceback" not in theirs.stderr
