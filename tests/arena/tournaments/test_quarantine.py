"""Quarantine: three forfeits in a row, what becomes of the tournament, and how it is lifted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import trio
import trio.testing

from arena.referee import Conduct, Fault, FaultKind, Termination, TimeControl
from arena.store import audit, block_attempts, bot_events, bots, games
from arena.store.bot_events import BotEventKind
from arena.store.bots import RegisteredBot
from arena.store.states import BlockState, BotState, EntryState, TournamentState
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.organiser import Organiser
from arena.tournaments.quarantine import CHECK_HANDS, Actor
from arena.tournaments.spec import TournamentSpec
from euchre_sdk.game import PRESETS, SEATS, Seat, Session
from tests.arena.fake_playroom import FakePlayroom
from tests.arena.tournaments.one_arena import FIELD, START, arena, now

if TYPE_CHECKING:
    from pathlib import Path

    from arena.referee import GameOutcome
    from arena.store import Store
    from arena.tournaments.playroom import GameOrder, Journal

SHORT = TournamentSpec(format=Session(3), cycles=4)


class Room(FakePlayroom):
    """Some of whose bots forfeit every game; checks end as the test says."""

    def __init__(self, *, bad: set[str]) -> None:
        super().__init__(**dict.fromkeys(FIELD, 1))
        self.bad = bad
        self.check: tuple[Termination, tuple[Fault, ...]] = (Termination.NORMAL, ())
        self.gate_of_checks = trio.Event()
        self.gate_of_checks.set()

    async def play(self, order: GameOrder, journal: Journal) -> GameOutcome:
        if not order.kept:
            await self.gate_of_checks.wait()
        outcome = await super().play(order, journal)
        if order.kept:
            return outcome
        how, faults = self.check
        if faults:
            first, *others = outcome.hands
            outcome = replace(outcome, hands=(replace(first, faults=faults), *others))
        _, second, third = outcome.terminations
        return replace(outcome, terminations=(how, second, third))

    async def _before_hand(self, order: GameOrder) -> None:
        await super()._before_hand(order)
        for seat in SEATS:
            if order.kept and order.seats[seat].bot_id in self.bad:
                self.forfeit(order.game_id, seat)


async def bot_named(store: Store, name: str) -> RegisteredBot:
    found = await store.read(bots.bot_named, name)
    assert found is not None
    return found


async def until_over(organiser: Organiser, name: str = "spring") -> None:
    while not (tournament := await organiser.named(name)).state.over:
        rankings = await organiser.scoreboard.rankings(name)
        if not rankings.state.over:
            await organiser.wait_change(tournament, rankings.revision)


async def in_quarantine(store: Store) -> None:
    """Wait until dot is in quarantine: that is decided a moment after its last game."""
    with trio.fail_after(10):
        while (await bot_named(store, "dot")).state is BotState.ACTIVE:
            await trio.lowlevel.checkpoint()


async def put_into_quarantine(store: Store) -> None:
    """Store that dot is in quarantine, without any game."""
    event = bot_events.BotEvent(
        bot_id="dot",
        time=START,
        kind=BotEventKind.QUARANTINED,
        actor="arena",
        message="It forfeited its last 3 games.",
    )
    assert await store.write(bot_events.quarantine, event)


async def quarantined(store: Store, organiser: Organiser, spec: TournamentSpec = SHORT) -> None:
    """Play a tournament in which dot forfeits every game."""
    await organiser.create("spring", spec, FIELD, seed="7")
    await organiser.start("spring")
    await until_over(organiser)
    await in_quarantine(store)


async def test_three_forfeits_in_a_row_end_in_quarantine_and_drop_the_other_blocks(
    tmp_path: Path,
) -> None:
    playroom = Room(bad={"dot"})
    async with arena(tmp_path, playroom) as (store, organiser):
        await quarantined(store, organiser)
        assert playroom.quarantined == ["dot"]
        assert (await bot_named(store, "dot")).state is BotState.QUARANTINED
        (event,) = await store.read(bot_events.page_of_events, "dot", before=None, limit=9)
        assert (event.kind, event.actor) == (BotEventKind.QUARANTINED, "arena")
        assert "last 3 games" in event.message
        tournament = await organiser.named("spring")
        assert tournament.state is TournamentState.FINISHED
        entry = next(e for e in await organiser.entries(tournament) if e.bot_id == "dot")
        assert entry.state is EntryState.QUARANTINED
        played = await store.read(games.games_of, tournament.tournament_id)
        mine = [game for game in played if entry.entry_id in game.entries]
        assert 3 <= len(mine) < 10, "the rest of its 72 games was not played"
        blocks = await store.read(block_attempts.blocks_of, tournament.tournament_id)
        dropped = [block for block in blocks if block.state is BlockState.INCOMPLETE]
        assert dropped
        assert {block.reason for block in dropped} == {"dot was put into quarantine"}
        lines = await store.read(audit.lines, subject="spring/dot")
        assert [(line.actor, line.action) for line in lines] == [("arena", "quarantined")]


async def test_a_check_has_the_rules_and_clocks_of_the_tournament_it_was_failed_in(
    tmp_path: Path,
) -> None:
    playroom = Room(bad={"dot"})
    async with arena(tmp_path, playroom) as (store, organiser):
        quick = TimeControl(increment=timedelta(milliseconds=70))
        spec = replace(SHORT, time_control=quick, rules=PRESETS["pub"], cycles=2)
        assert spec.rules != SHORT.rules
        await quarantined(store, organiser, spec)
        await organiser.fleet.quarantine.lift(await bot_named(store, "dot"), Actor.OWNER)
        check = playroom.orders[-1]
        assert (check.time_control, check.rules) == (quick, spec.rules)


async def test_how_many_forfeits_are_too_many_is_a_value_of_the_tournament(tmp_path: Path) -> None:
    playroom = Room(bad={"dot"})
    async with arena(tmp_path, playroom) as (store, organiser):
        spec = replace(SHORT, cycles=1, conduct=Conduct(forfeits=1000))
        await organiser.create("spring", spec, FIELD, seed="7")
        await organiser.start("spring")
        await until_over(organiser)
        await trio.testing.wait_all_tasks_blocked()
        assert (await bot_named(store, "dot")).state is BotState.ACTIVE
        assert await store.read(bot_events.forfeits_in_a_row, "dot", most=3) == 3
        assert await store.read(bot_events.forfeits_in_a_row, "ada", most=3) == 0


async def test_forfeits_of_who_was_withdrawn_say_nothing_about_its_conduct(tmp_path: Path) -> None:
    playroom = Room(bad=set())
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", SHORT, FIELD, seed="7")
        await organiser.start("spring")
        await trio.testing.wait_all_tasks_blocked()
        await organiser.withdraw("spring", "dot")
        playroom.gate.set()
        await until_over(organiser)
        assert await store.read(bot_events.forfeits_in_a_row, "dot", most=3) == 0
        assert (await bot_named(store, "dot")).state is BotState.ACTIVE


async def test_a_bot_in_quarantine_is_entered_nowhere_and_no_tournament_starts_with_it(
    tmp_path: Path,
) -> None:
    async with arena(tmp_path, Room(bad={"dot"})) as (store, organiser):
        await organiser.create("autumn", SHORT, FIELD, seed="7")
        await put_into_quarantine(store)
        with pytest.raises(RefusedRequestError, match="dot is quarantined"):
            await organiser.create("winter", SHORT, FIELD, seed="7")
        with pytest.raises(RefusedRequestError, match="cannot start: dot is quarantined"):
            await organiser.start("autumn")


async def test_a_restart_takes_out_who_is_in_quarantine(tmp_path: Path) -> None:
    playroom = Room(bad=set())
    playroom.gate = trio.Event()
    async with arena(tmp_path, playroom) as (store, organiser):
        await organiser.create("spring", SHORT, FIELD, seed="7")
        await organiser.start("spring")
        await trio.testing.wait_all_tasks_blocked()
        await put_into_quarantine(store)
    async with arena(tmp_path, Room(bad=set())) as (store, organiser):
        await until_over(organiser)
        entries = await organiser.entries(await organiser.named("spring"))
        assert {e.bot_id for e in entries if e.state is EntryState.QUARANTINED} == {"dot"}


# -- lifting


async def test_an_owner_lifts_a_quarantine_once_after_a_passed_check(tmp_path: Path) -> None:
    playroom = Room(bad={"dot"})
    async with arena(tmp_path, playroom) as (store, organiser):
        await put_into_quarantine(store)
        lifted = await organiser.fleet.quarantine.lift(await bot_named(store, "dot"), Actor.OWNER)
        assert lifted.state is BotState.ACTIVE
        check = playroom.orders[-1]
        assert check.seats[0].bot_id == "dot"
        assert [seat.resident for seat in check.seats] == [False, True, True]
        assert not check.kept
        assert check.format == Session(CHECK_HANDS)
        assert await store.read(bot_events.forfeits_in_a_row, "dot", most=3) == 0
        await put_into_quarantine(store)
        with pytest.raises(RefusedRequestError, match="let out by its owner before"):
            await organiser.fleet.quarantine.lift(await bot_named(store, "dot"), Actor.OWNER)
        by_organiser = await organiser.fleet.quarantine.lift(
            await bot_named(store, "dot"), Actor.ORGANISER
        )
        assert by_organiser.state is BotState.ACTIVE


@pytest.mark.parametrize(
    ("check", "why"),
    [
        pytest.param(
            (
                Termination.NORMAL,
                (Fault(seat=Seat(0), kind=FaultKind.TIME, decision=0, reason="TIME"),),
            ),
            "In hand 1 it made a fault: a decision that was not made in time",
            id="a fault",
        ),
        pytest.param((Termination.NOT_STARTED, ()), "not everybody was ready", id="not ready"),
    ],
)
async def test_a_failed_check_lifts_nothing_and_its_owner_is_told(
    tmp_path: Path, check: tuple[Termination, tuple[Fault, ...]], why: str
) -> None:
    playroom = Room(bad={"dot"})
    playroom.check = check
    async with arena(tmp_path, playroom) as (store, organiser):
        await put_into_quarantine(store)
        with pytest.raises(RefusedRequestError, match=f"failed its check .*{why}") as refused:
            await organiser.fleet.quarantine.lift(await bot_named(store, "dot"), Actor.OWNER)
        assert refused.value.refusal is Refusal.NOT_NOW
        assert (await bot_named(store, "dot")).state is BotState.QUARANTINED
        newest, *_ = await store.read(bot_events.page_of_events, "dot", before=None, limit=9)
        assert newest.kind is BotEventKind.CHECK_FAILED
        assert why in newest.message


async def test_who_is_absent_or_free_or_being_checked_cannot_be_let_out(tmp_path: Path) -> None:
    playroom = Room(bad={"dot"})
    async with arena(tmp_path, playroom) as (store, organiser):
        await put_into_quarantine(store)
        with pytest.raises(RefusedRequestError, match="ada is active"):
            await organiser.fleet.quarantine.lift(await bot_named(store, "ada"), Actor.ORGANISER)
        dot = await bot_named(store, "dot")
        playroom.come("dot", 0)
        with pytest.raises(RefusedRequestError, match="dot is not connected"):
            await organiser.fleet.quarantine.lift(dot, Actor.OWNER)
        playroom.come("dot")
        playroom.gate_of_checks = trio.Event()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(organiser.fleet.quarantine.lift, dot, Actor.OWNER)
            await trio.testing.wait_all_tasks_blocked()
            with pytest.raises(RefusedRequestError, match="being checked already"):
                await organiser.fleet.quarantine.lift(dot, Actor.OWNER)
            playroom.gate_of_checks.set()
        assert (await bot_named(store, "dot")).state is BotState.ACTIVE


async def test_games_that_are_handed_on_are_told_to_the_owner(tmp_path: Path) -> None:
    playroom = Room(bad=set())
    async with arena(tmp_path, playroom) as (store, organiser):
        ada = await bot_named(store, "ada")
        assert await organiser.fleet.quarantine.take_over(ada, Actor.OWNER) == (1, 2)
        (event,) = await store.read(bot_events.page_of_events, "ada", before=None, limit=9)
        assert (event.kind, event.actor) == (BotEventKind.TAKEN_OVER, "owner")
        assert event.message == "Ended: 1 link; waiting for the next one: 2 games."
        playroom.handed_on = None
        with pytest.raises(RefusedRequestError, match="too often") as refused:
            await organiser.fleet.quarantine.take_over(ada, Actor.OWNER)
        assert refused.value.refusal is Refusal.TOO_OFTEN


# -- deadlines


async def test_a_paused_tournament_ends_at_its_deadline(
    tmp_path: Path, mock_clock: trio.testing.MockClock
) -> None:
    playroom = Room(bad=set())
    playroom.games_at_once.clear()
    async with arena(tmp_path, playroom) as (_store, organiser):
        spec = replace(SHORT, deadline=now() + timedelta(hours=1))
        await organiser.create("spring", spec, FIELD, seed="7")
        await organiser.start("spring")
        await organiser.pause("spring")
        mock_clock.jump(3601)
        await until_over(organiser)
        assert (await organiser.named("spring")).state is TournamentState.FINISHED


async def test_a_paused_tournament_whose_deadline_came_while_the_arena_was_down_ends(
    tmp_path: Path, mock_clock: trio.testing.MockClock
) -> None:
    playroom = Room(bad=set())
    playroom.games_at_once.clear()
    async with arena(tmp_path, playroom) as (_store, organiser):
        spec = replace(SHORT, deadline=now() + timedelta(hours=1))
        await organiser.create("spring", spec, FIELD, seed="7")
        await organiser.start("spring")
        await organiser.pause("spring")
    mock_clock.jump(3601)
    async with arena(tmp_path, playroom) as (_store, organiser):
        await until_over(organiser)
