"""Links: resume secrets, restarts of the arena, taking over, bans, and what the absent are told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
import trio

from arena.referee import LinkConduct, Termination
from arena.rpc.play.settings import PlaySettings
from euchre.v1 import play_pb2
from euchre_sdk.game import SEATS, Seat, Session
from tests.arena.rpc.in_process import Bot, Room, Shelf, Turned, order, resumed, room, turned_clock

NAMES = ("a", "b", "c")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Turned:
    return turned_clock(monkeypatch)


async def field(here: Room, *, games: int = 1) -> list[Bot]:
    return [await here.bot(name, games=games) for name in NAMES]


async def seated(here: Room, bots: list[Bot], *game_ids: str) -> None:
    """Offer games to three bots and let them be ready."""
    for game_id in game_ids:
        here.start(order(format=Session(3), game_id=game_id))
    for bot in bots:
        taken = 0
        while taken < len(game_ids):
            response = await bot.hears("offers")
            bot.take(response)
            taken += len(response.offers)


async def goodbye(bot: Bot) -> play_pb2.Goodbye:
    return (await bot.hears("goodbye")).goodbye


# -- restarts of the arena


async def test_a_link_comes_back_after_a_restart_with_all_its_games_whatever_it_declares() -> None:
    shelf = Shelf()
    journals = {}
    async with room(keeper=shelf) as before:
        bots = await field(before, games=2)
        for game_id in ("g1", "g2"):
            journals[game_id] = before.start(order(format=Session(3), game_id=game_id))
        for bot in bots:
            while len({o.game_id for r in bot.heard for o in r.offers}) < 2:
                bot.take(await bot.hears("offers"))
        await before.go_on(*bots, until="hand_end")
        links = [bot.heard[0].welcome.link_id for bot in bots]
    assert len(shelf.links) == 3
    async with room(keeper=shelf, links=tuple(shelf.links.values())) as after:
        for game_id, journal in journals.items():
            after.start(order(format=Session(3), game_id=game_id, played=resumed(journal)))
        again = []
        for bot in bots:
            came = await after.bot(bot.name, secret=bot.secret, games=1)
            again.append(came)
            came.take(came.heard[0])
        assert [bot.heard[0].welcome.link_id for bot in again] == links
        for bot in again:
            assert {g.offer.game_id for g in bot.heard[0].snapshot.games} == {"g1", "g2"}
            assert after.play.presence(bot.name) == 0, "it declared one game, and has two"
        over = [await after.go_on(*again, until="game_over") for _ in journals]
        assert over


async def test_only_the_hash_of_a_secret_is_kept() -> None:
    shelf = Shelf()
    async with room(keeper=shelf) as here:
        bot = await here.bot("a")
        (kept,) = shelf.links.values()
        assert bot.secret not in (kept.secret_hash, b"")
        assert len(kept.secret_hash) == 32


async def test_a_game_whose_end_was_stored_is_told_to_those_who_come_back_after_a_restart() -> None:
    shelf = Shelf()
    async with room(keeper=shelf) as before:
        bots = await field(before)
        journal = before.start(order(format=Session(1)))
        for bot in bots:
            bot.take(await bot.hears("offers"))
        await before.go_on(*bots, until="game_over")
    hands = len(journal.hands)
    async with room(keeper=shelf, links=tuple(shelf.links.values())) as after:
        again = after.start(order(format=Session(1), played=resumed(journal)))
        for bot in bots:
            came = await after.bot(bot.name, secret=bot.secret)
            came.take(came.heard[0])
            bots[bots.index(bot)] = came
        for bot in bots:
            assert (await bot.told("game_over")).hands == hands
    assert not again.hands, "nothing more was played"
    assert again.outcome is None, "nor stored anew"


async def test_a_link_without_games_is_forgotten_a_while_after_a_restart(clock: Turned) -> None:
    shelf = Shelf()
    async with room(keeper=shelf) as before:
        bot = await before.bot("a")
    async with room(keeper=shelf, links=tuple(shelf.links.values())) as after:
        clock.turn(61)
        late = Bot(after.play, "a")
        late.hello(secret=bot.secret)
        assert (await goodbye(late)).reason == play_pb2.GOODBYE_REASON_LINK_ENDED
        with trio.fail_after(5):
            while shelf.links:
                await trio.lowlevel.checkpoint()


# -- how links end


async def test_a_link_ends_a_minute_after_its_stream_is_lost_and_the_next_one_gets_its_games(
    clock: Turned,
) -> None:
    async with room() as here:
        bots = await field(here)
        await seated(here, bots, "g1")
        bots[0].vanish()
        clock.turn(59)
        early = Bot(here.play, "a")
        early.hello()
        turned_away = await goodbye(early)
        assert turned_away.reason == play_pb2.GOODBYE_REASON_LINK_LIMIT
        assert turned_away.HasField("retry_duration"), "the lost one may still come back"
        clock.turn(2)
        late = Bot(here.play, "a")
        late.hello(secret=bots[0].secret)
        assert (await goodbye(late)).reason == play_pb2.GOODBYE_REASON_LINK_ENDED
        fresh = await here.bot("a")
        (game,) = fresh.heard[0].snapshot.games
        assert game.offer.game_id == "g1"
        assert fresh.heard[0].welcome.link_id != bots[0].heard[0].welcome.link_id


async def test_a_bot_that_is_here_has_no_second_link() -> None:
    async with room() as here:
        await here.bot("a")
        second = Bot(here.play, "a")
        second.hello()
        turned_away = await goodbye(second)
        assert turned_away.reason == play_pb2.GOODBYE_REASON_LINK_LIMIT
        assert not turned_away.HasField("retry_duration")


async def test_a_rotated_token_voids_the_secret_and_the_next_link_plays_on() -> None:
    shelf = Shelf()
    async with room(keeper=shelf) as here:
        bots = await field(here)
        await seated(here, bots, "g1")
        here.play.revoke("a")
        assert (await goodbye(bots[0])).reason == play_pb2.GOODBYE_REASON_REVOKED
        stale = Bot(here.play, "a")
        stale.hello(secret=bots[0].secret)
        assert (await goodbye(stale)).reason == play_pb2.GOODBYE_REASON_LINK_ENDED
        fresh = await here.bot("a")
        assert [game.offer.game_id for game in fresh.heard[0].snapshot.games] == ["g1"]
        fresh.answer(fresh.heard[0])
        over = await here.go_on(fresh, *bots[1:], until="game_over")
        assert over.notices


async def test_a_link_that_ended_while_it_was_being_kept_is_given_to_nobody() -> None:
    class Slow(Shelf):
        def __init__(self) -> None:
            super().__init__()
            self.asked, self.go_on = trio.Event(), trio.Event()

        async def keep(self, link: object) -> None:  # type: ignore[override]
            self.asked.set()
            await self.go_on.wait()

    slow = Slow()
    async with room(keeper=slow) as here:
        bot = Bot(here.play, "a")
        bot.hello()
        await slow.asked.wait()
        here.play.revoke("a")
        slow.go_on.set()
        with trio.fail_after(5):
            while not bot.stream.closing:
                await trio.lowlevel.checkpoint()
        assert here.play.links == 0
        assert not bot.listen()


@pytest.mark.parametrize("drops", [1, 10, 100])
async def test_a_game_goes_on_after_any_number_of_lost_streams(drops: int) -> None:
    often = PlaySettings(conduct=LinkConduct(reattach_per_minute=10_000))
    async with room(settings=often) as here:
        bots = await field(here)
        journal = here.start(order(format=Session(30)))
        for bot in bots:
            bot.take(await bot.hears("offers"))
        lost = 0
        with trio.fail_after(30):
            while journal.outcome is None:
                for index, bot in enumerate(bots):
                    for response in bot.listen():
                        if response.questions and lost < drops and index == 0:
                            lost += 1
                            bot.vanish()
                            bots[0] = again = await here.bot("a", secret=bot.secret)
                            (game,) = again.heard[0].snapshot.games
                            assert game.question.seq == response.questions[0].seq
                            assert game.question.legal_kinds == response.questions[0].legal_kinds
                            again.answer(again.heard[0])
                            break
                        bot.answer(response)
                await trio.lowlevel.checkpoint()
        assert lost == drops
        assert set(journal.outcome.terminations) == {Termination.NORMAL}
        assert journal.outcome.faults == (0, 0, 0)
        assert len(journal.hands) == 30
        assert not any(hand.forced or hand.void for hand in journal.hands)
        assert here.play.links == 3


# -- taking over


async def test_a_second_stream_with_the_secret_takes_over_and_the_first_is_told() -> None:
    async with room() as here:
        bots = await field(here)
        await seated(here, bots, "g1")
        second = await here.bot("a", secret=bots[0].secret)
        assert (await goodbye(bots[0])).reason == play_pb2.GOODBYE_REASON_TAKEN_OVER
        assert second.heard[0].welcome.link_id == bots[0].heard[0].welcome.link_id
        assert [game.offer.game_id for game in second.heard[0].snapshot.games] == ["g1"]
        bots[0].vanish()
        assert here.play.version("a") == "v1", "the end of the first stream is nothing new"


async def test_the_owner_hands_running_games_to_the_next_link() -> None:
    async with room() as here:
        bots = await field(here)
        await seated(here, bots, "g1")
        assert here.play.take_over("a") == (1, 1)
        assert (await goodbye(bots[0])).reason == play_pb2.GOODBYE_REASON_TAKEN_OVER
        old = Bot(here.play, "a")
        old.hello(secret=bots[0].secret)
        assert (await goodbye(old)).reason == play_pb2.GOODBYE_REASON_TAKEN_OVER
        fresh = await here.bot("a")
        assert [game.offer.game_id for game in fresh.heard[0].snapshot.games] == ["g1"]
        fresh.answer(fresh.heard[0])
        over = await here.go_on(fresh, *bots[1:], until="game_over")
        assert over.notices


async def test_games_that_no_link_takes_over_in_time_are_forfeits(clock: Turned) -> None:
    async with room() as here:
        bots = await field(here)
        journal = here.start(order(format=Session(9)))
        for bot in bots:
            bot.take(await bot.hears("offers"))
        here.play.take_over("a")
        with trio.fail_after(10):
            while journal.outcome is None:
                clock.turn(1)
                for bot in bots[1:]:
                    for response in bot.listen():
                        bot.answer(response)
                here.play._wake()
                await trio.lowlevel.checkpoint()
        assert journal.outcome.terminations[0].is_forfeit
        assert journal.outcome.terminations[1:] == (Termination.NORMAL, Termination.NORMAL)


async def test_games_are_handed_on_three_times_a_minute_at_most(clock: Turned) -> None:
    async with room() as here:
        await here.bot("a")
        assert here.play.take_over("a") == (1, 0)
        assert [here.play.take_over("a") for _ in range(3)] == [(0, 0), (0, 0), None]
        assert here.play.take_over("b") is not None
        clock.turn(21)
        assert here.play.take_over("a") == (0, 0)


async def test_a_house_bot_that_was_started_anew_plays_on_at_once() -> None:
    async with room() as here:
        bots = await field(here)
        game = order(format=Session(3))
        first, second, third = game.seats
        here.start(replace(game, seats=(replace(first, house=True), second, third)))
        for bot in bots:
            bot.take(await bot.hears("offers"))
        bots[0].vanish()
        fresh = await here.bot("a")
        assert [game.offer.game_id for game in fresh.heard[0].snapshot.games] == ["g1"]
        stale = Bot(here.play, "a")
        stale.hello(secret=bots[0].secret)
        assert (await goodbye(stale)).reason == play_pb2.GOODBYE_REASON_LINK_ENDED


# -- versions


async def test_another_version_takes_up_no_game_that_it_did_not_begin() -> None:
    async with room() as here:
        bots = await field(here)
        await seated(here, bots, "g1")
        changed = Bot(here.play, "a")
        changed.hello(secret=bots[0].secret, label="v2")
        refusal = await changed.refused()
        assert refusal.reason == "VERSION_CHANGED"
        assert here.play.version("a") == "v1"


async def test_a_link_without_games_may_come_back_as_another_version_for_more_games() -> None:
    shelf = Shelf()
    async with room(keeper=shelf) as here:
        bot = await here.bot("a")
        again = await here.bot("a", secret=bot.secret, label="v2", games=3)
        assert again.heard[0].welcome.link_id == bot.heard[0].welcome.link_id
        assert (here.play.version("a"), here.play.presence("a")) == ("v2", 3)
        (kept,) = shelf.links.values()
        assert (kept.version_label, kept.games_at_once) == ("v2", 3)


# -- bans


@pytest.mark.parametrize("with_secret", [True, False])
async def test_who_has_flooded_is_not_let_in_for_a_while(
    clock: Turned, *, with_secret: bool
) -> None:
    async with room() as here:
        bot = await here.bot("a")
        bot.say(answers=[play_pb2.Answer(slot=9, seq=1)] * 30)
        flooded = await goodbye(bot)
        assert flooded.reason == play_pb2.GOODBYE_REASON_FLOOD
        assert flooded.retry_duration.ToTimedelta() == timedelta(seconds=5)
        early = Bot(here.play, "a")
        early.hello(secret=bot.secret if with_secret else None)
        refused = await goodbye(early)
        assert refused.reason == play_pb2.GOODBYE_REASON_FLOOD
        assert timedelta(0) < refused.retry_duration.ToTimedelta() <= timedelta(seconds=5)
        await here.bot("b")  # others come and go as they like
        clock.turn(5)
        await here.bot("a")


@pytest.mark.parametrize(
    "idle",
    [
        pytest.param({}, id="nothing said"),
        pytest.param({"readies": [play_pb2.Ready(slot=1, nonce=b"n" * 32)]}, id="ready again"),
        pytest.param({"readies": [play_pb2.Ready(slot=7, nonce=b"n" * 32)]}, id="no such offer"),
        pytest.param({"readies": [play_pb2.Ready(slot=1, nonce=b"n")]}, id="a short nonce"),
        pytest.param({"leave": play_pb2.Leave()}, id="leave again"),
    ],
)
async def test_messages_without_any_use_are_a_flood_as_well(idle: dict[str, object]) -> None:
    async with room() as here:
        bots = await field(here)
        await seated(here, bots, "g1")
        for _ in range(10):
            bots[0].say(**idle)
        assert (await goodbye(bots[0])).reason == play_pb2.GOODBYE_REASON_FLOOD


async def test_a_ready_that_comes_too_late_is_forgiven_once(clock: Turned) -> None:
    settings = PlaySettings(conduct=LinkConduct(flood_burst=1))
    async with room(settings=settings) as here:
        bots = await field(here)
        here.start(order())
        offers = [await bot.hears("offers") for bot in bots]
        for bot, offer in zip(bots[1:], offers[1:], strict=True):
            bot.take(offer)
        clock.turn(11)
        here.play._wake()
        await bots[0].told("offer_withdrawn")
        with trio.fail_after(5):
            while here.play.presence("a") == 0:
                await trio.lowlevel.checkpoint()
        bots[0].take(offers[0])
        assert not bots[0].stream.closing
        for _ in range(3):
            bots[0].take(offers[0])
        assert bots[0].stream.closing


# -- what the absent are told


async def test_who_was_away_when_a_game_ended_hears_how_when_it_is_back() -> None:
    async with room() as here:
        bots = await field(here)
        await seated(here, bots, "g1")
        bots[0].vanish()
        here.play.forfeit("g1", seat=_seat_of("a"))
        await here.go_on(*bots[1:], until="game_over")
        with trio.fail_after(5):
            while here.play.games_running:
                await trio.lowlevel.checkpoint()
        back = await here.bot("a", secret=bots[0].secret)
        (response,) = back.heard
        (game,) = response.snapshot.games
        revealed, notice = response.notices
        assert (game.offer.game_id, game.offer.slot) == ("g1", notice.slot)
        assert (revealed.slot, revealed.WhichOneof("event")) == (notice.slot, "deals_revealed")
        assert notice.game_over.terminations[0] != notice.game_over.terminations[1]
        third = await here.bot("a", secret=bots[0].secret)
        assert not third.heard[0].notices, "it is told once"


async def test_a_link_that_only_waits_to_say_how_its_game_ended_keeps_out_nobody() -> None:
    async with room() as here:
        bots = await field(here)
        await seated(here, bots, "g1")
        bots[0].vanish()
        here.play.forfeit("g1", seat=_seat_of("a"))
        await here.go_on(*bots[1:], until="game_over")
        with trio.fail_after(5):
            while here.play.games_running:
                await trio.lowlevel.checkpoint()
        assert (await here.bot("a")).heard[0].welcome.link_id
        stale = Bot(here.play, "a")
        stale.hello(secret=bots[0].secret)
        assert (await goodbye(stale)).reason == play_pb2.GOODBYE_REASON_LINK_ENDED


def _seat_of(name: str) -> Seat:
    return SEATS[NAMES.index(name)]
