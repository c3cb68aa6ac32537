"""An arena with four bots and a playroom without a network, for tests of what is directed."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import trio
import trio.testing

from arena.store import block_attempts, bots, games, open_store
from arena.tournaments.organiser import Organiser, open_tournaments
from arena.tournaments.spec import TournamentSpec
from euchre_sdk.game import Session
from tests.arena.fake_playroom import FakePlayroom
from tests.arena.registration import register

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from arena.store import Store

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
SHORT = TournamentSpec(format=Session(3))
ONE_BLOCK = TournamentSpec(format=Session(3), policy="all-trios")
FIELD = ("ada", "bob", "cyd", "dot")


def now() -> datetime:
    return START + timedelta(seconds=trio.current_time())


opened = partial(open_store, now=START, group=timedelta(0))


def present(*names: str, games_at_once: int = 1) -> FakePlayroom:
    return FakePlayroom(**dict.fromkeys(names, games_at_once))


@asynccontextmanager
async def arena(
    path: Path, playroom: FakePlayroom, *, games_at_once: int = 50
) -> AsyncIterator[tuple[Store, Organiser]]:
    """An arena with four registered bots, whose ids are their names."""
    async with opened(path) as store:
        if not await store.read(bots.all_bots):
            await register(store, FIELD, created=START)
        async with open_tournaments(
            store, playroom, now=now, games_at_once=games_at_once
        ) as organiser:
            yield store, organiser


async def play(organiser: Organiser, spec: TournamentSpec = SHORT, *names: str) -> None:
    """Create a tournament, start it, and wait until it is over."""
    await organiser.create("spring", spec, names or FIELD, seed="7")
    await organiser.start("spring")
    await until_over(organiser)


async def until_over(organiser: Organiser) -> None:
    while not (tournament := await organiser.named("spring")).state.over:
        rankings = await organiser.scoreboard.rankings("spring")
        if not rankings.state.over:
            await organiser.wait_change(tournament, rankings.revision)


async def blocks_until(organiser: Organiser, number: int) -> None:
    """Wait until so many blocks of the tournament count."""
    while True:
        rankings = await organiser.scoreboard.rankings("spring")
        if rankings.progress.blocks_complete >= number:
            return
        await organiser.wait_change(rankings.tournament, rankings.revision)


async def stored(store: Store, organiser: Organiser):
    tid = (await organiser.named("spring")).tournament_id
    return await store.read(games.games_of, tid), await store.read(block_attempts.blocks_of, tid)
