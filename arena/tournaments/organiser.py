"""What organisers ask of tournaments: create, start, pause, cancel, enter, withdraw, look."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime, timedelta

import structlog
import trio

from arena.scheduling import Entry, EntryId, OwnerId, ScheduleError
from arena.store import Store, audit, bots, tournaments
from arena.store.annulments import Annulment
from arena.store.bots import NameTakenError, RegisteredBot
from arena.store.states import BotState, EntryState, TournamentState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.annulling import Target, annul, reason_faults
from arena.tournaments.changes import (
    change_state,
    create_tournament,
    drop_entry,
    enter_bot,
    unfit,
)
from arena.tournaments.director import Director
from arena.tournaments.errors import Refusal, RefusedRequestError
from arena.tournaments.fleet import Fleet
from arena.tournaments.lookup import bot_named, entry_named, tournament_named
from arena.tournaments.names import label_faults, name_faults, shown
from arena.tournaments.playroom import Playroom
from arena.tournaments.scoreboard import Scoreboard
from arena.tournaments.spec import TournamentSpec, decode_spec, encode_spec

log = structlog.get_logger(__name__)

MOST_ENTRIES = 1_000
"""Bots that a tournament is created with."""


class Organiser:
    """All tournaments of the arena. Made by `open_tournaments`, which runs the directors."""

    def __init__(
        self,
        store: Store,
        playroom: Playroom,
        *,
        nursery: trio.Nursery,
        now: Callable[[], datetime],
        games_at_once: int,
    ) -> None:
        self._store = store
        self._now = now
        self.fleet = Fleet(store, playroom, nursery=nursery, now=now, games_at_once=games_at_once)
        """The tournaments that run."""
        self.scoreboard = Scoreboard(store, playroom, self.fleet, now=now)
        """How tournaments stand."""

    async def create(
        self, name: str, spec: TournamentSpec, entered: tuple[str, ...], *, seed: str | None
    ) -> StoredTournament:
        """Make a tournament with some first entries.

        Raises `RefusedRequestError` with everything that is wrong.
        """
        faults = name_faults("name", name)
        known = {bot.name: bot for bot in await self._store.read(bots.all_bots)}
        faults += [
            f"there is no bot named {shown(bot)}; register it first"
            for bot in entered
            if bot not in known
        ]
        if len(entered) > MOST_ENTRIES:
            fault = f"{len(entered):,} bots are to be entered; accepted are at most {MOST_ENTRIES}"
            raise RefusedRequestError(Refusal.INVALID, [fault])
        twice = sorted(bot for bot, times in Counter(entered).items() if times > 1)
        faults += [f"{shown(bot)} is entered twice; accepted is once" for bot in twice]
        faults += [fault for bot in entered if bot in known for fault in unfit(known[bot])]
        if spec.deadline is not None and spec.deadline <= self._now():
            faults.append("the deadline is in the past; accepted is any later time")
        if faults:
            raise RefusedRequestError(Refusal.INVALID, faults)
        tournament = StoredTournament(
            tournament_id="t" + secrets.token_hex(6),
            name=name,
            state=TournamentState.CREATED,
            spec=encode_spec(spec),
            public_seed=str(secrets.randbits(63)) if seed is None else seed,
            secret=secrets.token_bytes(32),
            created=self._now(),
        )
        field = tuple(known[bot] for bot in entered)
        try:
            await self._store.write(create_tournament, tournament, field, now=self._now())
        except NameTakenError as error:
            raise RefusedRequestError(Refusal.TAKEN, [str(error).removesuffix(".")]) from error
        return tournament

    async def start(self, name: str) -> StoredTournament:
        """Start a tournament, or go on with a paused one."""
        async with self.fleet.changing:
            tournament = await self.named(name)
            match tournament.state:
                case TournamentState.CREATED:
                    await self._check_field(tournament)
                    await self._check_schedule(tournament)
                    await self._set_state(tournament, TournamentState.RUNNING)
                    await self.fleet.launch(await self.named(name))
                case TournamentState.PAUSED:
                    await self._set_state(tournament, TournamentState.RUNNING)
                    self._running(tournament).set_state(TournamentState.RUNNING)
                case _:
                    raise _not_now(tournament, "started", "created or paused")
            return await self.named(name)

    async def pause(self, name: str) -> StoredTournament:
        """Begin no new blocks; those that are begun are finished."""
        async with self.fleet.changing:
            tournament = await self.named(name)
            if tournament.state is not TournamentState.RUNNING:
                raise _not_now(tournament, "paused", "running")
            await self._set_state(tournament, TournamentState.PAUSED)
            self._running(tournament).set_state(TournamentState.PAUSED)
            return await self.named(name)

    async def cancel(self, name: str) -> StoredTournament:
        """Stop a tournament for good: running games stop after the hand, results so far stay."""
        async with self.fleet.changing:
            tournament = await self.named(name)
            if tournament.state.over:
                raise _not_now(tournament, "cancelled", "created, running or paused")
            await self._set_state(tournament, TournamentState.CANCELLED)
            if director := self.fleet.director(tournament):
                director.set_state(TournamentState.CANCELLED)
            return await self.named(name)

    async def enter(
        self, name: str, bot_name: str, version: str | None, *, actor: str = "organiser"
    ) -> StoredEntry:
        """Enter a bot, also into a tournament that runs if its schedule can still take it."""
        async with self.fleet.changing:
            tournament = await self.named(name)
            bot = await bot_named(self._store, bot_name)
            faults = [] if version is None else label_faults("version label", version)
            if bot.house and version is not None:
                faults.append("a house bot's version is part of its name; accepted is no label")
            faults += unfit(bot)
            if faults:
                raise RefusedRequestError(Refusal.INVALID, faults)
            director = self.fleet.director(tournament)
            if director is None and tournament.state is not TournamentState.CREATED:
                raise _not_now(tournament, "entered", "created, running or paused")
            if any(entry.bot_id == bot.bot_id for entry in await self.entries(tournament)):
                fault = f"{bot.name} is already entered in {tournament.name}"
                raise RefusedRequestError(Refusal.TAKEN, [fault])
            line = self._line("entered", f"{tournament.name}/{bot.name}", actor=actor)
            now = self._now()
            if director is not None:
                self._check_late(director, bot)
                # Late is who entered after the start, whatever became of the machine's clock.
                now = max(now, (tournament.started or now) + timedelta(microseconds=1))
            with nullcontext() if director is None else director.kept_open():
                entry_id = await self._store.write(
                    enter_bot, tournament.tournament_id, bot, version, line=line, now=now
                )
                entered = await self.entries(tournament)
                entry = next(each for each in entered if each.entry_id == entry_id)
                if director is not None:
                    director.enter(entry)
                    self.fleet.field_changed()
            self.fleet.feed(tournament).changed(results=True)
            return entry

    def _check_late(self, director: Director, bot: RegisteredBot) -> None:
        """Refuse a bot that a tournament which has begun can no longer take."""
        tournament = director.tournament
        if not director.begins_blocks:
            raise _not_now(tournament, "entered", "created, running or paused")
        owner = None if bot.author is None else OwnerId(bot.author.author_id)
        if faults := director.in_play.plan.late_faults(Entry(EntryId(""), owner)):
            faults = [f"{bot.name} cannot enter {tournament.name} now: {fault}" for fault in faults]
            raise RefusedRequestError(Refusal.NOT_NOW, faults)

    async def withdraw(self, name: str, bot_name: str, *, actor: str = "organiser") -> StoredEntry:
        """Take a bot out: before the start for good, later as the conduct says."""
        async with self.fleet.changing:
            tournament = await self.named(name)
            entry = await entry_named(self._store, tournament, bot_name)
            if tournament.state.over:
                raise _not_now(tournament, "left", "created, running or paused")
            line = self._line("withdrew", f"{tournament.name}/{entry.name}", actor=actor)
            if director := self.fleet.director(tournament):
                if not entry.state.is_out:
                    await director.withdraw(entry.entry_id, line=line)
            else:
                tid = tournament.tournament_id
                await self._store.write(drop_entry, tid, entry.entry_id, line=line)
            self.fleet.feed(tournament).changed(results=True)
            return replace(entry, state=EntryState.WITHDRAWN)

    async def annul(self, name: str, target: Target, *, reason: str, replay: bool) -> Annulment:
        """Strike a game or a block from the results; what was played is kept.

        With `replay` a block is played again, as a new attempt with deals of its own.
        """
        if faults := reason_faults(reason):
            raise RefusedRequestError(Refusal.INVALID, faults)
        async with self.fleet.changing:
            tournament = await self.named(name)
            director = self.fleet.director(tournament)
            ends = director is not None and not director.begins_blocks
            if replay and ends and not tournament.state.over:
                fault = f"nothing more is begun in {name}: it can be annulled but not replayed"
                raise RefusedRequestError(Refusal.NOT_NOW, [fault])
            with nullcontext() if director is None else director.kept_open():
                annulment = await self._store.write(
                    annul,
                    tournament,
                    target,
                    reason=reason,
                    replay=replay,
                    actor="organiser",
                    now=self._now(),
                )
                if director is not None:
                    await director.annulled(annulment)
            self.fleet.feed(tournament).changed(results=True)
            return annulment

    async def withdraw_everywhere(self, *bot_ids: str) -> None:
        """Take bots out of every tournament that is not over."""
        for tournament in await self._store.read(tournaments.all_tournaments):
            if not tournament.state.over:
                for entry in await self.entries(tournament):
                    if entry.bot_id in bot_ids and entry.state is EntryState.PLAYING:
                        with suppress(RefusedRequestError):  # it has ended meanwhile
                            await self.withdraw(tournament.name, entry.name)

    async def named(self, name: str) -> StoredTournament:
        """Return the tournament of that name. Raises `RefusedRequestError` (NOT_FOUND)."""
        return await tournament_named(self._store, name)

    async def entries(self, tournament: StoredTournament) -> tuple[StoredEntry, ...]:
        """Return the entries of a tournament."""
        return await self._store.read(tournaments.entries_of, tournament.tournament_id)

    async def wait_change(self, tournament: StoredTournament, revision: int) -> None:
        """Return when a tournament has changed beyond that revision."""
        await self.fleet.feed(tournament).wait_beyond(revision)

    async def take_up(self) -> None:
        """Go on with what was running when the arena stopped, and end what was being ended."""
        await self.fleet.take_up()
        known = await self._store.read(bots.all_bots)
        gone = (bot.bot_id for bot in known if bot.state is BotState.DEACTIVATED)
        await self.withdraw_everywhere(*gone)
        await self.fleet.take_out_quarantined()

    async def _check_field(self, tournament: StoredTournament) -> None:
        known = {bot.bot_id: bot for bot in await self._store.read(bots.all_bots)}
        entered = await self.entries(tournament)
        faults = [fault for entry in entered for fault in unfit(known[entry.bot_id])]
        if faults:
            faults = [f"{tournament.name} cannot start: {fault}" for fault in faults]
            raise RefusedRequestError(Refusal.NOT_NOW, faults)

    async def _check_schedule(self, tournament: StoredTournament) -> None:
        spec = decode_spec(tournament.spec)
        try:
            spec.course(tournament, await self.entries(tournament))
        except ScheduleError as error:
            faults = [f"{tournament.name} cannot start: {fault}" for fault in error.faults]
            raise RefusedRequestError(Refusal.NOT_NOW, faults) from error

    async def _set_state(self, tournament: StoredTournament, state: TournamentState) -> None:
        line = self._line(state.value, tournament.name)
        await self._store.write(change_state, tournament, state, line=line, now=self._now())
        self.fleet.feed(tournament).changed()

    def _running(self, tournament: StoredTournament) -> Director:
        """Return the director of a tournament that runs or is paused."""
        director = self.fleet.director(tournament)
        assert director is not None
        return director

    def _line(self, action: str, subject: str, *, actor: str = "organiser") -> audit.AuditLine:
        return audit.AuditLine(time=self._now(), actor=actor, action=action, subject=subject)


@asynccontextmanager
async def open_tournaments(
    store: Store,
    playroom: Playroom,
    *,
    now: Callable[[], datetime],
    games_at_once: int,
) -> AsyncIterator[Organiser]:
    """Run the directors of all tournaments as long as the body runs; leave them resumable."""
    async with trio.open_nursery() as nursery:
        organiser = Organiser(
            store, playroom, nursery=nursery, now=now, games_at_once=games_at_once
        )
        await organiser.take_up()
        nursery.start_soon(organiser.fleet.guard_host)
        yield organiser
        nursery.cancel_scope.cancel()


def _not_now(tournament: StoredTournament, done: str, accepted: str) -> RefusedRequestError:
    fault = (
        f"{tournament.name} is {tournament.state.value} and cannot be {done}; "
        f"accepted is one that is {accepted}"
    )
    return RefusedRequestError(Refusal.NOT_NOW, [fault])
