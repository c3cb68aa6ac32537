"""A check: a bot in quarantine plays some hands against house bots that are in this process."""

from __future__ import annotations

from datetime import UTC, datetime

import trio

from arena.house_answers import HouseAnswers
from arena.referee import ForcedCause, Termination
from arena.store.bots import Author, RegisteredBot
from arena.store.states import BotState
from arena.tournaments.quarantine import CHECK_HANDS, check_of
from arena.tournaments.spec import TournamentSpec
from euchre.v1 import play_pb2
from tests.arena.rpc.in_process import Bot, room
from tests.integration.raw_bot import Memory

DOT = RegisteredBot(
    bot_id="dot",
    name="dot",
    author=Author(author_id="a1", name="dot"),
    state=BotState.QUARANTINED,
    created=datetime(2026, 3, 1, tzinfo=UTC),
    version="v1",
)


async def test_a_connected_bot_plays_its_check_alone_and_no_house_bot_counts_as_late() -> None:
    late: list[object] = []

    def told(*what: object) -> None:
        late.append(what)

    async with room(house_answer=HouseAnswers(), on_late_house=told) as here:
        bot = await here.bot("dot")
        journal = here.start(check_of(DOT, TournamentSpec()))
        bot.take(await bot.hears("offers"))
        over = await here.go_on(bot, until="game_over")
        assert over.notices
        assert journal.outcome is not None
        assert set(journal.outcome.terminations) == {Termination.NORMAL}
        assert journal.outcome.hands_counted == CHECK_HANDS
        assert journal.outcome.faults == (0, 0, 0)
        causes = {move.cause for hand in journal.hands for move in hand.forced}
        assert causes == {ForcedCause.HOUSE_LATE}
    assert not late


async def test_the_first_fault_ends_a_check() -> None:
    async with room(house_answer=HouseAnswers()) as here:
        bot = await here.bot("dot")
        journal = here.start(check_of(DOT, TournamentSpec()))
        bot.take(await bot.hears("offers"))
        (question,) = (await bot.hears("questions")).questions
        bot.say(answers=[play_pb2.Answer(slot=question.slot, seq=question.seq)])
        await bot.told("game_over")
        assert journal.outcome is not None
        assert journal.outcome.terminations[0] is Termination.MALFORMED
        assert journal.outcome.hands_counted == 1


async def test_who_is_not_ready_in_time_fails_its_check() -> None:
    async with room(house_answer=HouseAnswers()) as here:
        journal = Memory()
        outcome = await here.play.play(check_of(DOT, TournamentSpec()), journal)
        assert outcome.not_ready == (0,), "it is not even connected"
        await trio.lowlevel.checkpoint()
        silent = Bot(here.play, "dot")
        silent.hello()
        await silent.hears("welcome")
        assert here.play.presence("dot") == 1
