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

from arena.ratings import Forfeits
from arena.scheduling import Entry, EntryId, OwnerId, ScheduleError
from arena.store import Store, audit, bots, games, tournaments
from arena.store.annulments import Annulment
from arena.store.bots import NameTakenError, RegisteredBot
from arena.store.states import BlockState, BotState, EntryState, TournamentState
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
from arena.tournaments.feed import Feed
from arena.tournaments.gallery import Gallery
from arena.tournaments.host_guard import HostGuard, keep_guard
from arena.tournaments.names import label_faults, name_faults, shown
from arena.tournaments.pace import Pace
from arena.tournaments.playroom import Playroom
from arena.tournaments.pseudonyms import is_veiled
from arena.tournaments.quarantine import Quarantine
from arena.tournaments.reservations import Reservations
from arena.tournaments.spec import TournamentSpec, decode_spec, encode_spec
from arena.tournaments.standings import Progress, Rankings
from arena.tournaments.table_cache import TableCache
from arena.tournaments.tabling import rounds_over, with_pairs

log = structlog.get_logger(__name__)

MOST_ENTRIES = 1_000
"""Bots that a tournament is created with."""
MOST_COMPARED = 200
"""Entries of which every pair is compared, if somebody asks for it."""


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
        self._playroom = playroom
        self._nursery = nursery
        self._now = now
        self.guard = HostGuard(games_at_once)
        """Says how many games may run at once; whoever sees a house bot late tells it."""
        self._reservations = Reservations(playroom, self.guard)
        self._directors: dict[str, Director] = {}
        self._paces: dict[str, Pace] = {}
        self._tables: dict[tuple[str, Forfeits], TableCache] = {}
        self._changing = trio.Lock()
        self._feeds: dict[str, Feed] = {}
        self._house_wanted = trio.Event()
        self.quarantine = Quarantine(store, playroom, now=now, take_out=self._take_out)
        """Who may not play for now."""
        self.gallery = Gallery()
        """What spectators may see."""

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
        async with self._changing:
            tournament = await self.named(name)
            match tournament.state:
                case TournamentState.CREATED:
                    await self._check_field(tournament)
                    await self._check_schedule(tournament)
                    await self._set_state(tournament, TournamentState.RUNNING)
                    self._direct(await self._director(await self.named(name)))
                case TournamentState.PAUSED:
                    await self._set_state(tournament, TournamentState.RUNNING)
                    self._directors[tournament.tournament_id].set_state(TournamentState.RUNNING)
                case _:
                    raise _not_now(tournament, "started", "created or paused")
            return await self.named(name)

    async def pause(self, name: str) -> StoredTournament:
        """Begin no new blocks; those that are begun are finished."""
        async with self._changing:
            tournament = await self.named(name)
            if tournament.state is not TournamentState.RUNNING:
                raise _not_now(tournament, "paused", "running")
            await self._set_state(tournament, TournamentState.PAUSED)
            self._directors[tournament.tournament_id].set_state(TournamentState.PAUSED)
            return await self.named(name)

    async def cancel(self, name: str) -> StoredTournament:
        """Stop a tournament for good: running games stop after the hand, results so far stay."""
        async with self._changing:
            tournament = await self.named(name)
            if tournament.state.over:
                raise _not_now(tournament, "cancelled", "created, running or paused")
            await self._set_state(tournament, TournamentState.CANCELLED)
            if director := self._directors.get(tournament.tournament_id):
                director.set_state(TournamentState.CANCELLED)
            return await self.named(name)

    async def enter(
        self, name: str, bot_name: str, version: str | None, *, actor: str = "organiser"
    ) -> StoredEntry:
        """Enter a bot, also into a tournament that runs if its schedule can still take it."""
        async with self._changing:
            tournament = await self.named(name)
            bot = await self.bot_named(bot_name)
            faults = [] if version is None else label_faults("version label", version)
            if bot.house and version is not None:
                faults.append("a house bot's version is part of its name; accepted is no label")
            faults += unfit(bot)
            if faults:
                raise RefusedRequestError(Refusal.INVALID, faults)
            director = self._directors.get(tournament.tournament_id)
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
                    self._house_wanted.set()
            self._feed(tournament).changed(results=True)
            return entry

    def _check_late(self, director: Director, bot: RegisteredBot) -> None:
        """Refuse a bot that a tournament which has begun can no longer take."""
        tournament = director.tournament
        if not director.begins_blocks:
            raise _not_now(tournament, "entered", "created, running or paused")
        owner = None if bot.author is None else OwnerId(bot.author.author_id)
        if faults := director.plan.late_faults(Entry(EntryId(""), owner)):
            faults = [f"{bot.name} cannot enter {tournament.name} now: {fault}" for fault in faults]
            raise RefusedRequestError(Refusal.NOT_NOW, faults)

    async def withdraw(self, name: str, bot_name: str, *, actor: str = "organiser") -> StoredEntry:
        """Take a bot out: before the start for good, later as the conduct says."""
        async with self._changing:
            tournament = await self.named(name)
            entry = await self._entry(tournament, bot_name)
            if tournament.state.over:
                raise _not_now(tournament, "left", "created, running or paused")
            line = self._line("withdrew", f"{tournament.name}/{entry.name}", actor=actor)
            if director := self._directors.get(tournament.tournament_id):
                if not entry.state.is_out:
                    await director.withdraw(entry.entry_id, line=line)
            else:
                tid = tournament.tournament_id
                await self._store.write(drop_entry, tid, entry.entry_id, line=line)
            self._feed(tournament).changed(results=True)
            return replace(entry, state=EntryState.WITHDRAWN)

    async def annul(self, name: str, target: Target, *, reason: str, replay: bool) -> Annulment:
        """Strike a game or a block from the results; what was played is kept.

        With `replay` a block is played again, as a new attempt with deals of its own.
        """
        if faults := reason_faults(reason):
            raise RefusedRequestError(Refusal.INVALID, faults)
        async with self._changing:
            tournament = await self.named(name)
            director = self._directors.get(tournament.tournament_id)
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
            self._feed(tournament).changed(results=True)
            return annulment

    async def withdraw_everywhere(self, *bot_ids: str) -> None:
        """Take bots out of every tournament that is not over."""
        for tournament in await self._store.read(tournaments.all_tournaments):
            if not tournament.state.over:
                for entry in await self.entries(tournament):
                    if entry.bot_id in bot_ids and entry.state is EntryState.PLAYING:
                        with suppress(RefusedRequestError):  # it has ended meanwhile
                            await self.withdraw(tournament.name, entry.name)

    async def _take_out(self, bot_id: str) -> None:
        """Take a bot that is in quarantine out of every tournament that has begun."""
        async with self._changing:
            for director in tuple(self._directors.values()):
                for entry in director.entries:
                    mine = entry.bot_id == bot_id and not entry.state.is_out
                    if mine and not director.state.over:
                        name = f"{director.tournament.name}/{entry.name}"
                        line = self._line("quarantined", name, actor="arena")
                        gone = EntryState.QUARANTINED
                        await director.withdraw(entry.entry_id, gone, line=line)
                        self._feed(director.tournament).changed(results=True)

    def _forfeited(self, bot_id: str, limit: int) -> None:
        self._nursery.start_soon(self.quarantine.judge, bot_id, limit)

    async def named(self, name: str) -> StoredTournament:
        """Return the tournament of that name.

        Raises `RefusedRequestError` (NOT_FOUND).
        """
        tournament = await self._store.read(tournaments.tournament_named, name)
        if tournament is None:
            fault = f"there is no tournament named {shown(name)}"
            raise RefusedRequestError(Refusal.NOT_FOUND, [fault])
        return tournament

    async def entries(self, tournament: StoredTournament) -> tuple[StoredEntry, ...]:
        """Return the entries of a tournament."""
        return await self._store.read(tournaments.entries_of, tournament.tournament_id)

    async def rankings(
        self, name: str, *, forfeits: Forfeits = Forfeits.COUNTED, matrix: bool = False
    ) -> Rankings:
        """Return the table of a tournament as it is now, every pair compared if `matrix`."""
        tournament = await self.named(name)
        tid = tournament.tournament_id
        cache = self._tables.setdefault(
            (tid, forfeits), TableCache(self._store, tournament, forfeits=forfeits)
        )
        feed = self._feed(tournament)
        # Before all that is told is read, so that no change falls between the two.
        revision = feed.revision
        rounds = await rounds_over(self._store, tournament) if is_veiled(tournament) else None
        table = await cache.table(feed.results, rounds=rounds)
        if matrix:
            if len(table.rows) > MOST_COMPARED:
                fault = (
                    f"{name} has {len(table.rows):,} entries, and every pair is compared for up "
                    f"to {MOST_COMPARED}; its ranking compares each entry with the next"
                )
                raise RefusedRequestError(Refusal.NOT_NOW, [fault])
            table = await trio.to_thread.run_sync(with_pairs, table)
        tournament = await self.named(name)
        return Rankings(
            tournament=tournament,
            spec=decode_spec(tournament.spec),
            state=tournament.state,
            progress=await self.progress(tournament),
            table=table,
            computed=self._now(),
            revision=revision,
        )

    async def progress(self, tournament: StoredTournament) -> Progress:
        """Return how much of a tournament is played."""
        tid = tournament.tournament_id
        director = self._directors.get(tid)
        if director is not None:
            complete = director.blocks_complete
            total = director.plan.total
            if tournament.state is not TournamentState.CANCELLED:
                total -= director.plan.given_up
            remaining = None
            if tournament.state is TournamentState.RUNNING and not self._waits(director):
                remaining = self._paces[tid].remaining(complete, total, now=self._now())
            return Progress(
                blocks_complete=complete,
                blocks_total=total,
                games_running=len(director.running),
                remaining=remaining,
            )
        stored = await self._store.read(games.blocks_of, tid)
        complete = sum(block.state is BlockState.COMPLETE for block in stored)
        total = complete
        if tournament.state in {TournamentState.CREATED, TournamentState.CANCELLED}:
            spec = decode_spec(tournament.spec)
            try:
                entries = await self.entries(tournament)
                total = spec.course(tournament, entries).total
            except ScheduleError:
                total = 0
        return Progress(
            blocks_complete=complete, blocks_total=total, games_running=0, remaining=None
        )

    def _waits(self, director: Director) -> bool:
        """Return whether nothing is played while somebody of the field is absent."""
        playing = (each for each in director.entries if each.state is EntryState.PLAYING)
        return not director.running and any(
            self._playroom.version(entry.bot_id) is None for entry in playing
        )

    async def wait_change(self, tournament: StoredTournament, revision: int) -> None:
        """Return when a tournament has changed beyond that revision."""
        await self._feed(tournament).wait_beyond(revision)

    def results_so_far(self) -> dict[str, tuple[int, bool]]:
        """Return how often the results of each tournament have changed, and whether it is over."""
        over = {tid: director.state.over for tid, director in self._directors.items()}
        return {tid: (feed.results, over.get(tid, True)) for tid, feed in self._feeds.items()}

    def luck_known(self, tournament_id: str) -> None:
        """Note that results of a tournament can be corrected by more than before."""
        if (feed := self._feeds.get(tournament_id)) is not None:
            feed.changed(results=True)

    @property
    def tournaments_running(self) -> int:
        """How many tournaments are directed and not over."""
        return sum(not each.state.over for each in tuple(self._directors.values()))

    @property
    def blocks_left(self) -> int:
        """Blocks that running tournaments still have to complete."""
        plans = [each.plan for each in tuple(self._directors.values()) if not each.state.over]
        return sum(plan.total - plan.complete - plan.given_up for plan in plans)

    @property
    def games_limit(self) -> int:
        """How many games may run at once at the moment."""
        return self.guard.limit

    @property
    def games_allowed(self) -> int:
        """How many games may run at once while the machine keeps up."""
        return self.guard.allowed

    def _feed(self, tournament: StoredTournament) -> Feed:
        return self._feeds.setdefault(tournament.tournament_id, Feed())

    def house_bots(self) -> frozenset[str]:
        """Return the names of the house bots that running tournaments need."""
        return frozenset(
            entry.name
            for director in self._directors.values()
            if not director.state.over
            for entry in director.entries
            if entry.house
        )

    async def wait_house_change(self) -> None:
        """Return when tournaments have begun or ended since the last call."""
        await self._house_wanted.wait()
        self._house_wanted = trio.Event()

    async def take_up(self) -> None:
        """Go on with what was running when the arena stopped, and end what was being ended."""
        going_on = []
        for tournament in await self._store.read(tournaments.all_tournaments):
            if tournament.state in {TournamentState.RUNNING, TournamentState.PAUSED}:
                going_on.append(await self._director(tournament))
            elif tournament.state is TournamentState.CANCELLED:
                tid = tournament.tournament_id
                await self._store.write(games.give_up_all, tid, now=self._now())
        # Not before all have kept the seats of what goes on, or one would take another's.
        for director in going_on:
            self._direct(director)
        known = await self._store.read(bots.all_bots)
        gone = (bot.bot_id for bot in known if bot.state is BotState.DEACTIVATED)
        await self.withdraw_everywhere(*gone)
        for bot in known:
            if bot.state is BotState.QUARANTINED:
                await self._take_out(bot.bot_id)

    async def guard_host(self) -> None:
        """Let fewer games run while this machine is too slow, until cancelled."""
        raised = self._reservations.raised
        await keep_guard(self.guard, self._store, now=self._now, raised=raised)

    async def _director(self, tournament: StoredTournament) -> Director:
        return await Director.take_up(
            tournament,
            store=self._store,
            playroom=self._playroom,
            reservations=self._reservations,
            feed=self._feed(tournament),
            gallery=self.gallery,
            now=self._now,
            forfeited=self._forfeited,
        )

    def _direct(self, director: Director) -> None:
        tid = director.tournament.tournament_id
        self._directors[tid] = director
        self._paces[tid] = Pace(director.blocks_complete, now=self._now())
        self._nursery.start_soon(self._run, director)
        self._house_wanted.set()

    async def _run(self, director: Director) -> None:
        try:
            await director.run()
        except Exception:
            log.exception("tournament_failed", tournament=director.tournament.name)
            raise
        finally:
            self._house_wanted.set()

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
        self._feed(tournament).changed()

    async def bot_named(self, name: str) -> RegisteredBot:
        """Return the bot of that name. Raises `RefusedRequestError`."""
        bot = await self._store.read(bots.bot_named, name)
        if bot is None:
            fault = f"there is no bot named {shown(name)}; register it first"
            raise RefusedRequestError(Refusal.NOT_FOUND, [fault])
        return bot

    async def _entry(self, tournament: StoredTournament, bot_name: str) -> StoredEntry:
        for entry in await self.entries(tournament):
            if entry.bot_name == bot_name:
                return entry
        fault = f"{shown(bot_name)} is not entered in {tournament.name}"
        raise RefusedRequestError(Refusal.NOT_FOUND, [fault])

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
        nursery.start_soon(organiser.guard_host)
        yield organiser
        nursery.cancel_scope.cancel()


def _not_now(tournament: StoredTournament, done: str, accepted: str) -> RefusedRequestError:
    fault = (
        f"{tournament.name} is {tournament.state.value} and cannot be {done}; "
        f"accepted is one that is {accepted}"
    )
    return RefusedRequestError(Refusal.NOT_NOW, [fault])
