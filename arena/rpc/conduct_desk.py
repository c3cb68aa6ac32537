"""What owners ask about their bots' conduct: what was decided, and to decide otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.rpc.paging import page_size, read_offset, write_token
from arena.rpc.roles import TheOrganiser
from arena.rpc.values import write_time
from arena.store import Store, bot_events
from arena.store.bot_events import BotEventKind
from arena.tournaments.quarantine import Actor
from euchre.v1 import bots_pb2 as pb

if TYPE_CHECKING:
    from arena.rpc.roles import Caller
    from arena.store.bots import RegisteredBot
    from arena.tournaments.quarantine import Quarantine

_KIND = {
    BotEventKind.TAKEN_OVER: pb.BOT_EVENT_KIND_TAKEN_OVER,
    BotEventKind.QUARANTINED: pb.BOT_EVENT_KIND_QUARANTINED,
    BotEventKind.CHECK_FAILED: pb.BOT_EVENT_KIND_CHECK_FAILED,
    BotEventKind.LIFTED: pb.BOT_EVENT_KIND_LIFTED,
}


class ConductDesk:
    """Tells events of a bot, hands its games on, lets it out of quarantine.

    Who asks owns the bot: the gate has seen to that.
    """

    def __init__(self, store: Store, quarantine: Quarantine) -> None:
        self._store = store
        self._quarantine = quarantine

    async def events(
        self, request: pb.ListBotEventsRequest, bot: RegisteredBot
    ) -> pb.ListBotEventsResponse:
        """Return a page of what was decided about a bot."""
        size = page_size(request.page_size if request.HasField("page_size") else None)
        before = read_offset("events", request.page_token)
        found = await self._store.read(
            bot_events.page_of_events, bot.bot_id, before=before or None, limit=size + 1
        )
        response = pb.ListBotEventsResponse(
            events=[
                pb.BotEvent(
                    event_time=write_time(event.time),
                    kind=_KIND[event.kind],
                    message=event.message,
                )
                for event in found[:size]
            ]
        )
        if len(found) > size:
            response.next_page_token = write_token("events", str(found[size - 1].number))
        return response

    async def take_over(self, bot: RegisteredBot, caller: Caller) -> pb.TakeOverResponse:
        """End a bot's links; its running games wait for the next one."""
        links, games = await self._quarantine.take_over(bot, _actor(caller))
        return pb.TakeOverResponse(links=links, games=games)

    async def lift(self, bot: RegisteredBot, caller: Caller) -> RegisteredBot:
        """Check a bot and lift its quarantine; return it as it is then."""
        return await self._quarantine.lift(bot, _actor(caller))


def _actor(caller: Caller) -> Actor:
    return Actor.ORGANISER if isinstance(caller, TheOrganiser) else Actor.OWNER
