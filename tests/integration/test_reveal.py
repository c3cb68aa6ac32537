"""When bots are told the seed of their deals: once nothing of the game can be played any more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio

from arena.referee import Conduct, GameOutcome, Resumed, Termination
from arena.tournaments.playroom import GameOrder
from euchre_sdk.game import SEATS, Session
from tests.integration.raw_bot import SHORT, Arena, Memory, Playing, RawBot, arena

NAMES = ("a", "b", "c")


class Slow(Memory):
    """A journal that takes its time with the end of a game."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = trio.Event()
        self.stored = trio.Event()

    async def over(self, outcome: GameOutcome) -> None:
        self.asked.set()
        await self.stored.wait()
        await super().over(outcome)


async def seated(a: Arena) -> list[RawBot]:
    bots = [await a.greeted(name) for name in NAMES]
    for bot in bots:
        a.nursery.start_soon(bot.play)
    return bots


def start(a: Arena, order: GameOrder) -> tuple[Playing, Slow]:
    """Play in the background with a slow journal."""
    playing, journal = Playing(), Slow()
    playing.journal = journal

    async def run() -> None:
        playing.outcome = await a.play.play(order, journal)
        playing.done.set()

    a.nursery.start_soon(run)
    return playing, journal


def heard(bot: RawBot, seed: bytes) -> bool:
    """Whether the seed was in anything that a bot got."""
    return any(seed in response.SerializeToString() for response in bot.seen)


def forfeit(a: Arena) -> None:
    a.play.forfeit("g1", SEATS[1])


def cancel(a: Arena) -> None:
    a.play.stop_after_hand("g1")


@pytest.mark.parametrize(
    ("hands", "ends", "how"),
    [
        pytest.param(2, None, Termination.NORMAL, id="played to its end"),
        pytest.param(300, forfeit, Termination.FORFEIT, id="forfeited"),
        pytest.param(300, cancel, Termination.VOID, id="cancelled"),
    ],
)
async def test_all_three_are_told_once_the_end_is_stored_and_not_before(
    hands: int, ends: Callable[[Arena], None] | None, how: Termination
) -> None:
    async with arena() as a:
        bots = await seated(a)
        order = a.order(format=Session(hands))
        playing, journal = start(a, order)
        with trio.fail_after(10):
            while not journal.hands:
                await trio.lowlevel.checkpoint()
            if ends is not None:
                ends(a)
            await journal.asked.wait()
        assert not any(heard(bot, order.seed) for bot in bots)
        journal.stored.set()
        outcome = await playing.ended()
        assert how in outcome.terminations
        for bot in bots:
            await bot.told("game_over")
            (revealed,) = bot.notices("deals_revealed")
            assert (revealed.deal_set_id, revealed.seed) == (order.deal_set, order.seed)


async def test_an_interrupted_game_keeps_its_seed_until_it_was_played_on_to_its_end() -> None:
    async with arena() as a:
        bots = await seated(a)
        order = a.order(format=Session(3))
        journal = Memory()
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(a.play.play, order, journal)
                with trio.fail_after(10):
                    while not journal.hands:
                        await trio.lowlevel.checkpoint()
                scope.cancel()
        assert journal.outcome is None
        assert not any(heard(bot, order.seed) for bot in bots)
        resumed = Resumed(nonces=journal.nonces, hands=tuple(journal.hands))
        playing = a.start(a.order(format=Session(3), played=resumed))
        await playing.ended()
        for bot in bots:
            await bot.told("game_over")
            assert len(bot.notices("deals_revealed")) == 1


async def test_an_end_that_was_stored_before_a_restart_is_told_with_the_seed_again() -> None:
    async with arena() as a:
        order = a.order(format=Session(1))
        bots = await seated(a)
        first = a.start(order)
        outcome = await first.ended()
        resumed = Resumed(nonces=first.journal.nonces, hands=outcome.hands, outcome=outcome)
        again = a.start(a.order(format=Session(1), played=resumed))
        assert await again.ended() == outcome
        assert not again.journal.hands
        for bot in bots:
            await bot.hears(lambda bot=bot: len(bot.notices("game_over")) == 2)
            assert len(bot.notices("deals_revealed")) == 2


async def test_the_seed_of_an_offer_that_did_not_start_is_never_told() -> None:
    async with arena() as a:
        bots = [await a.greeted(name) for name in NAMES]
        order = a.order()
        playing = a.start(order)
        for bot in bots:
            await bot.until("offers")
        a.play.stop_after_hand("g1")
        await playing.ended()
        for bot in bots:
            await bot.until("offer_withdrawn")
            assert not heard(bot, order.seed)


async def test_who_was_away_when_the_game_ended_is_told_the_seed_when_he_is_back() -> None:
    async with arena() as a:
        bots = await seated(a)
        order = a.order(format=Session(300), control=SHORT, conduct=Conduct(faults=1))
        playing = a.start(order)
        with trio.fail_after(10):
            while not playing.journal.hands:
                await trio.lowlevel.checkpoint()
        bots[0].crash()
        outcome = await playing.ended()
        assert outcome.terminations[0] is Termination.TIME
        back = a.bot("a")
        back.say_hello(secret=bots[0].secret)
        await back.until("welcome")
        (revealed,) = back.notices("deals_revealed")
        assert revealed.seed == order.seed
        assert len(back.notices("game_over")) == 1
