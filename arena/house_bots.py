"""House bots: the arena's own programs, started as processes that connect like any other bot."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import structlog
import trio

from arena.rpc.auth import Doorkeeper
from arena.store import Store, bots
from arena.store.bots import Credential, RegisteredBot, house_bot_id
from arena.store.links import forget_links_of
from arena.store.states import BotState
from arena.tokens import TokenKind, bot_environment, hash_token, new_token
from arena.tournaments.fleet import Fleet
from euchre_sdk.bots import BUILT_IN

log = structlog.get_logger(__name__)

LONGEST_BACK_OFF = 15.0
"""Seconds between two starts of a house bot that keeps ending, at most."""
STEADY = 30.0
"""Seconds after which a house bot that ends is started again at once."""
ORPHANED = 30
"""Seconds after which a house bot ends by itself when its arena is gone."""
FAREWELL = 0.5
"""Seconds a house bot has to end by itself when it is no longer needed."""

HOUSE_BOTS = tuple(name for name in BUILT_IN if "@" in name)
"""The pinned versions: names that end in their version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseBot:
    """One house bot, and how it is let in. Its token is made at each start and kept nowhere."""

    name: str
    token: str


async def register_house_bots(
    store: Store, doorkeeper: Doorkeeper, *, now: datetime
) -> tuple[HouseBot, ...]:
    """Make sure that the store knows the house bots; return them with fresh tokens."""
    known = {bot.name: bot for bot in await store.read(bots.all_bots)}
    found = []
    for name in HOUSE_BOTS:
        bot = known.get(name)
        if bot is None:
            bot = RegisteredBot(
                bot_id=house_bot_id(name),
                name=name,
                author=None,
                state=BotState.ACTIVE,
                created=now,
                version=None,
            )
            await store.write(bots.add_bot, bot)
        await store.write(forget_links_of, bot.bot_id)  # its token is a new one
        token = new_token(TokenKind.BOT)
        doorkeeper.add(Credential(hash_token(token), bot.bot_id, None))
        found.append(HouseBot(name=name, token=token))
    return tuple(found)


async def keep_house_bots(
    fleet: Fleet, house: tuple[HouseBot, ...], *, address: str, games_at_once: int
) -> None:
    """Run those house bots that running tournaments need, as long as they need them."""
    running: dict[str, trio.CancelScope] = {}
    async with trio.open_nursery() as nursery:
        while True:
            wanted = fleet.house_bots()
            for bot in house:
                if bot.name in wanted and bot.name not in running:
                    scope = running[bot.name] = trio.CancelScope()
                    nursery.start_soon(partial(_keep, bot, scope, address, games_at_once))
                elif bot.name not in wanted and bot.name in running:
                    running.pop(bot.name).cancel()
            await fleet.wait_house_change()


async def _keep(bot: HouseBot, scope: trio.CancelScope, address: str, games_at_once: int) -> None:
    """Run one house bot, again and again, until the scope is cancelled."""
    with scope:
        pause = 0.0
        while True:
            began = trio.current_time()
            try:
                status: int | str = await _run(bot, address, games_at_once)
            except OSError as error:  # this machine has no room for one more process or file
                status = str(error)
            pause = (
                0.0
                if trio.current_time() - began > STEADY
                else min(max(2 * pause, 0.5), LONGEST_BACK_OFF)
            )
            log.warning("house_bot_ended", bot=bot.name, status=status, again_in_s=pause)
            await trio.sleep(pause)


async def _run(bot: HouseBot, address: str, games_at_once: int) -> int:
    """Run one process of a house bot to its end, or end it with this task."""
    command = [
        *(sys.executable, "-m", "euchre_sdk", "connect", address, bot.name),
        *("--games", str(games_at_once), "--version-label", bot.name, "--wait", "--quiet"),
        *("--patience", str(ORPHANED)),
    ]
    log.info("house_bot_started", bot=bot.name)
    done = await trio.run_process(
        command,
        env=bot_environment(bot.token),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=None,
        check=False,
        start_new_session=True,
        deliver_cancel=_end,
    )
    return done.returncode


async def _end(process: trio.Process) -> None:
    """End a process, first by asking."""
    process.terminate()
    with trio.move_on_after(FAREWELL):
        await process.wait()
        return
    process.kill()
