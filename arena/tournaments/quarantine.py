"""Quarantine: who forfeits too often plays no more until its owner has mended it.

It is lifted after a check: the bot, connected as ever, plays a few hands against house bots that
are played in this process, by the rules and clocks of the tournament it failed in. They count for
nothing; the bot passes if it makes no fault.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from enum import Enum, unique
from typing import TYPE_CHECKING

import structlog
import trio

from arena.referee import Conduct, GameOutcome
from arena.store import bot_events, bots
from arena.store.bot_events import BotEvent, BotEventKind
from arena.store.bots import house_bot_id
from arena.store.states import BotState
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.playroom import GameOrder, SeatOrder
from arena.tournaments.spec import TournamentSpec, decode_spec
from euchre_sdk.game import Session

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from arena.referee import Fault, Forfeit, HandRecord, Nonces
    from arena.store import Store
    from arena.store.bots import RegisteredBot
    from arena.tournaments.playroom import Playroom

log = structlog.get_logger(__name__)

CHECK_HANDS = 3
"""Hands of a check: each seat deals once."""
CHECKER = "heuristic@1"
"""The house bot that sits at both other seats of a check."""
OWNER_LIFTS = 1
"""So often an owner may lift a quarantine of the same bot; an organiser may always."""


@unique
class Actor(Enum):
    """Who decides about a bot."""

    ARENA = "arena"
    OWNER = "owner"
    ORGANISER = "organiser"


class Quarantine:
    """Puts bots into quarantine, and lets them out. Belongs to the main thread."""

    def __init__(
        self,
        store: Store,
        playroom: Playroom,
        *,
        now: Callable[[], datetime],
        take_out: Callable[[str], Awaitable[None]],
    ) -> None:
        """Make it; `take_out` takes a bot out of every tournament that is running."""
        self._store = store
        self._playroom = playroom
        self._now = now
        self._take_out = take_out
        self._checking: set[str] = set()

    async def judge(self, bot_id: str, limit: int) -> None:
        """Put a bot that has just forfeited a game into quarantine, if it was one too many."""
        count = await self._store.read(bot_events.forfeits_in_a_row, bot_id, most=limit)
        if count < limit:
            return
        why = f"It forfeited its last {count} games." if count > 1 else "It forfeited a game."
        event = self._event(bot_id, BotEventKind.QUARANTINED, Actor.ARENA, why)
        if await self._store.write(bot_events.quarantine, event):
            log.warning("bot_quarantined", bot_id=bot_id, forfeits=count)
            self._playroom.quarantine(bot_id)
            await self._take_out(bot_id)

    async def lift(self, bot: RegisteredBot, actor: Actor) -> RegisteredBot:
        """Check a bot and lift its quarantine; return it as it is then.

        Raises `RefusedRequestError` if it cannot be lifted now, or the bot failed the check.
        """
        if bot.bot_id in self._checking:
            raise RefusedRequestError(Refusal.NOT_NOW, [f"{bot.name} is being checked already"])
        self._checking.add(bot.bot_id)
        try:
            await self._may_lift(bot, actor)
            spec = await self._store.read(bot_events.last_played, bot.bot_id)
            check = check_of(bot, TournamentSpec() if spec is None else decode_spec(spec))
            outcome = await self._playroom.play(check, _Unkept())
        finally:
            self._checking.discard(bot.bot_id)
        if (fault := _failure(outcome)) is not None:
            event = self._event(bot.bot_id, BotEventKind.CHECK_FAILED, actor, fault)
            await self._store.write(bot_events.add_event, event)
            fault = f"{bot.name} failed its check and stays in quarantine: {fault.rstrip('.')}"
            raise RefusedRequestError(Refusal.NOT_NOW, [fault])
        why = f"It passed its check of {CHECK_HANDS} hands."
        event = self._event(bot.bot_id, BotEventKind.LIFTED, actor, why)
        if await self._store.write(bot_events.lift_quarantine, event):
            log.info("quarantine_lifted", bot_id=bot.bot_id, actor=actor.value)
        stands = await self._store.read(bots.bot_with_id, bot.bot_id)
        return bot if stands is None else stands

    async def _may_lift(self, bot: RegisteredBot, actor: Actor) -> None:
        if bot.state is not BotState.QUARANTINED:
            fault = f"{bot.name} is {bot.state.value}; accepted are bots in quarantine"
            raise RefusedRequestError(Refusal.NOT_NOW, [fault])
        if actor is Actor.OWNER:
            lifted = await self._store.read(
                bot_events.times_lifted, bot.bot_id, actor=Actor.OWNER.value
            )
            if lifted >= OWNER_LIFTS:
                fault = f"{bot.name} has been let out by its owner before; ask the organiser"
                raise RefusedRequestError(Refusal.NOT_NOW, [fault])
        if self._playroom.presence(bot.bot_id) < 1:
            fault = f"{bot.name} is not connected, and has to play a check; start it first"
            raise RefusedRequestError(Refusal.NOT_NOW, [fault])

    async def take_over(self, bot: RegisteredBot, actor: Actor) -> tuple[int, int]:
        """Hand a bot's games to the next link it opens; return how many links and games they are.

        Raises `RefusedRequestError` if that was done too often of late.
        """
        handed = self._playroom.take_over(bot.bot_id)
        if handed is None:
            fault = f"the games of {bot.name} were handed on too often; wait a minute"
            raise RefusedRequestError(Refusal.TOO_OFTEN, [fault])
        links, games = handed
        what = f"Ended: {_count(links, 'link')}; waiting for the next one: {_count(games, 'game')}."
        event = self._event(bot.bot_id, BotEventKind.TAKEN_OVER, actor, what)
        await self._store.write(bot_events.add_event, event)
        log.info("games_handed_on", bot_id=bot.bot_id, links=links, games=games)
        return handed

    def _event(self, bot_id: str, kind: BotEventKind, actor: Actor, message: str) -> BotEvent:
        return BotEvent(
            bot_id=bot_id, time=self._now(), kind=kind, actor=actor.value, message=message
        )


class _Unkept:
    """The journal of a check: nothing of it is kept."""

    async def ready(self, nonces: Nonces) -> None:
        """Keep nothing."""
        await trio.lowlevel.checkpoint()

    async def fault(self, hand_number: int, fault: Fault) -> None:
        """Keep nothing."""
        await trio.lowlevel.checkpoint()

    async def forfeit(self, forfeit: Forfeit) -> None:
        """Keep nothing."""
        await trio.lowlevel.checkpoint()

    async def hand(self, record: HandRecord) -> None:
        """Keep nothing."""
        await trio.lowlevel.checkpoint()

    async def over(self, outcome: GameOutcome) -> None:
        """Keep nothing."""
        await trio.lowlevel.checkpoint()


def check_of(bot: RegisteredBot, spec: TournamentSpec) -> GameOrder:
    """Return the order of a check, with rules and clocks of the tournament it failed in.

    The first fault fails it, and nobody is waited for long.
    """
    checker = SeatOrder(
        entry_id="", bot_id=house_bot_id(CHECKER), name=CHECKER, house=True, resident=True
    )
    return GameOrder(
        game_id="check-" + secrets.token_hex(8),
        deal_set="check/" + secrets.token_hex(16),
        rules=spec.rules,
        format=Session(CHECK_HANDS),
        time_control=spec.time_control,
        conduct=Conduct(faults=1, lost=timedelta(seconds=10)),
        seats=(SeatOrder(entry_id="", bot_id=bot.bot_id, name=bot.name), checker, checker),
        seed=secrets.token_bytes(32),
        incarnation=1,
        kept=False,
    )


def _failure(outcome: GameOutcome) -> str | None:
    """Return why a bot failed its check; None if it passed."""
    if not outcome.started:
        return outcome.terminations[0].sentence
    for hand in outcome.hands:
        for fault in hand.faults:
            return f"In hand {hand.hand_number} it made a fault: {fault.kind.sentence}"
    if outcome.hands_counted < CHECK_HANDS:
        return outcome.terminations[0].sentence
    return None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
