"""What owners ask about their bots' conduct, over gRPC and by the commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio
from click.testing import CliRunner

from arena.cli import main
from arena.rpc.client import CallError
from arena.store import bot_events, bots
from arena.store.bot_events import BotEvent, BotEventKind
from arena.store.states import BotState
from euchre.v1 import bots_pb2
from tests.integration.served import START, Served, served

COUNT = 60
"""More events than a page has."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Served]:
    async with served(tmp_path) as it:
        yield it


async def put_into_quarantine(here: Served, bot_id: str) -> None:
    event = BotEvent(
        bot_id=bot_id,
        time=START,
        kind=BotEventKind.QUARANTINED,
        actor="arena",
        message="It forfeited its last 3 games.",
    )
    assert await here.store.write(bot_events.quarantine, event)


async def registered(here: Served, name: str = "ada") -> tuple[str, str]:
    """Register a bot that is here; return its id and its token."""
    response: Any = await here.ask(lambda client: client.register_bot(name, None))
    here.playroom.come(response.bot.bot_id)
    return response.bot.bot_id, response.token


async def test_an_owner_lets_his_bot_out_once_it_has_passed_its_check(here: Served) -> None:
    bot_id, token = await registered(here)
    await put_into_quarantine(here, bot_id)
    lifted = await here.ask(lambda client: client.lift_quarantine("ada"), token)
    assert lifted.state == bots_pb2.BOT_STATE_ACTIVE
    stored = await here.store.read(bots.bot_named, "ada")
    assert stored is not None
    assert stored.state is BotState.ACTIVE
    events = await here.ask(lambda client: client.bot_events("ada"), token)
    assert [event.kind for event in events] == [
        bots_pb2.BOT_EVENT_KIND_LIFTED,
        bots_pb2.BOT_EVENT_KIND_QUARANTINED,
    ]
    await put_into_quarantine(here, bot_id)
    with pytest.raises(CallError, match="ask the organiser"):
        await here.ask(lambda client: client.lift_quarantine("ada"), token)
    assert await here.ask(lambda client: client.lift_quarantine("ada"))


async def test_what_cannot_be_lifted_is_refused_in_a_sentence(here: Served) -> None:
    await registered(here)
    with pytest.raises(CallError, match="ada is active; accepted are bots in quarantine"):
        await here.ask(lambda client: client.lift_quarantine("ada"))


async def test_running_games_are_handed_on_and_the_owner_can_read_of_it(here: Served) -> None:
    _, token = await registered(here)
    handed = await here.ask(lambda client: client.take_over("ada"), token)
    assert (handed.links, handed.games) == (1, 2)
    (event,) = await here.ask(lambda client: client.bot_events("ada"), token)
    assert event.kind == bots_pb2.BOT_EVENT_KIND_TAKEN_OVER
    here.playroom.handed_on = None
    code = await here.code("BotService/TakeOver", bots_pb2.TakeOverRequest(name="ada"), token)
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_events_come_in_pages_newest_first(here: Served) -> None:
    bot_id, token = await registered(here)
    for number in range(COUNT):
        event = BotEvent(
            bot_id=bot_id,
            time=START,
            kind=BotEventKind.TAKEN_OVER,
            actor="owner",
            message=f"number {number}",
        )
        await here.store.write(bot_events.add_event, event)
    events = await here.ask(lambda client: client.bot_events("ada"), token)
    assert [event.message for event in events] == [f"number {n}" for n in reversed(range(COUNT))]


async def test_the_commands_say_what_was_done(here: Served) -> None:
    bot_id, token = await registered(here)
    await put_into_quarantine(here, bot_id)

    def run(*words: str) -> str:
        result = CliRunner().invoke(
            main,
            ["bot", *words, "ada", "--arena", here.address],
            env={"ARENA_TOKEN": token},
        )
        assert result.exit_code == 0, result.output
        return result.output

    lifted = await trio.to_thread.run_sync(run, "lift")
    assert lifted == "ada has passed its check and may play again.\n"
    handed = await trio.to_thread.run_sync(run, "take-over")
    assert "connections ended: 1" in handed
    told = await trio.to_thread.run_sync(run, "events")
    kinds = [line.split(":")[2].split("  ")[1] for line in told.splitlines()]
    assert kinds == ["taken over", "lifted", "quarantined"]
