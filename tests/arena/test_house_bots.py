"""House bots are started again, whatever ends them or keeps them from starting."""

from __future__ import annotations

import errno
from functools import partial
from typing import Any

import pytest
import trio
import trio.testing

from arena.house_bots import HouseBot, keep_house_bots


class Organiser:
    """Wants one house bot for ever."""

    def house_bots(self) -> frozenset[str]:
        return frozenset({"random@1"})

    async def wait_house_change(self) -> None:
        await trio.sleep_forever()


async def test_a_house_bot_that_cannot_be_started_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    tries = 0
    enough = trio.Event()

    async def no_room(*_command: object, **_options: object) -> None:
        nonlocal tries
        await trio.lowlevel.checkpoint()
        tries += 1
        if tries == 3:
            enough.set()
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("arena.house_bots.trio.run_process", no_room)
    house = (HouseBot(name="random@1", token="t"),)
    organiser: Any = Organiser()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            partial(keep_house_bots, organiser, house, address="127.0.0.1:1", games_at_once=1)
        )
        await enough.wait()
        nursery.cancel_scope.cancel()


async def test_a_house_bot_is_given_nothing_of_the_arenas(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[dict[str, str]] = []
    running = trio.Event()

    async def run(*_command: object, env: dict[str, str], **_options: object) -> None:
        started.append(env)
        running.set()
        await trio.sleep_forever()

    monkeypatch.setenv("ARENA_TOKEN", "the organiser's")
    monkeypatch.setenv("ARENA_TLS_KEY", "key.pem")
    monkeypatch.setenv("EUCHRE_TOKEN", "somebody's")
    monkeypatch.setenv("EUCHRE_CA", "ca.pem")
    monkeypatch.setattr("arena.house_bots.trio.run_process", run)
    house = (HouseBot(name="random@1", token="its own"),)
    organiser: Any = Organiser()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            partial(keep_house_bots, organiser, house, address="127.0.0.1:1", games_at_once=1)
        )
        with trio.fail_after(5):
            await running.wait()
        nursery.cancel_scope.cancel()
    (given,) = started
    assert not [name for name in given if name.startswith("ARENA_")]
    assert (given["EUCHRE_TOKEN"], given["EUCHRE_CA"]) == ("its own", "ca.pem")
