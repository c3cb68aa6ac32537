"""All tournaments that run: their directors, and what these share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import structlog
import trio

from arena.store import Store, bots, broken_off, tournaments
from arena.store.audit import AuditLine
from arena.store.states import BotState, EntryState, TournamentState
from arena.store.tournaments import StoredTournament
from arena.tournaments.director import Director
from arena.tournaments.feed import Feed
from arena.tournaments.gallery import Gallery
from arena.tournaments.host_guard import HostGuard, keep_guard
from arena.tournaments.in_play import InPlay
from arena.tournaments.names import shown
from arena.tournaments.playroom import Playroom
from arena.tournaments.quarantine import Quarantine
from arena.tournaments.reservations import Reservations

log = structlog.get_logger(__name__)


class Fleet:
    """Runs the directors of all tournaments in a nursery that is given to it."""

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
        self.changing = trio.Lock()
        """Held by whoever changes a tournament: one change at a time."""
        self.guard = HostGuard(games_at_once)
        """Says how many games may run at once; whoever sees a house bot late tells it."""
        self.gallery = Gallery()
        """What spectators may see."""
        self.quarantine = Quarantine(store, playroom, now=now, take_out=self._take_out)
        """Who may not play for now."""
        self._reservations = Reservations(playroom, self.guard)
        self._directors: dict[str, Director] = {}
        self._feeds: dict[str, Feed] = {}
        self._house_wanted = trio.Event()

    def director(self, tournament: StoredTournament) -> Director | None:
        """Return who directs a tournament, or did since the arena started."""
        return self._directors.get(tournament.tournament_id)

    def in_play(self, tournament: StoredTournament) -> InPlay | None:
        """Return what is being played, or was since the arena started."""
        director = self.director(tournament)
        return None if director is None else director.in_play

    def feed(self, tournament: StoredTournament) -> Feed:
        """Return what tells of changes of a tournament."""
        return self._feeds.setdefault(tournament.tournament_id, Feed())

    async def launch(self, tournament: StoredTournament) -> None:
        """Direct a tournament that has just been started."""
        self._direct(await self._director(tournament))

    async def take_up(self) -> None:
        """Go on with what was running when the arena stopped, and end what was being ended."""
        going_on = []
        for tournament in await self._store.read(tournaments.all_tournaments):
            if tournament.state in {TournamentState.RUNNING, TournamentState.PAUSED}:
                going_on.append(await self._director(tournament))
            elif tournament.state is TournamentState.CANCELLED:
                tid = tournament.tournament_id
                await self._store.write(broken_off.give_up_all, tid, now=self._now())
        # Not before all have kept the seats of what goes on, or one would take another's.
        for director in going_on:
            self._direct(director)

    async def take_out_quarantined(self) -> None:
        """Take bots that are in quarantine out of every tournament that has begun."""
        for bot in await self._store.read(bots.all_bots):
            if bot.state is BotState.QUARANTINED:
                await self._take_out(bot.bot_id)

    async def _take_out(self, bot_id: str) -> None:
        async with self.changing:
            for director in tuple(self._directors.values()):
                for entry in director.entries:
                    mine = entry.bot_id == bot_id and not entry.state.is_out
                    if mine and not director.state.over:
                        line = AuditLine(
                            time=self._now(),
                            actor="arena",
                            action="quarantined",
                            subject=f"{director.tournament.name}/{entry.name}",
                        )
                        gone = EntryState.QUARANTINED
                        await director.withdraw(entry.entry_id, gone, line=line)
                        self.feed(director.tournament).changed(results=True)

    def _forfeited(self, bot_id: str, limit: int) -> None:
        self._nursery.start_soon(self.quarantine.judge, bot_id, limit)

    async def guard_host(self) -> None:
        """Let fewer games run while this machine is too slow, until cancelled."""
        raised = self._reservations.raised
        await keep_guard(self.guard, self._store, now=self._now, raised=raised)

    def house_bots(self) -> frozenset[str]:
        """Return the names of the house bots that running tournaments need."""
        return frozenset(
            entry.name
            for director in self._directors.values()
            if not director.state.over
            for entry in director.entries
            if entry.house
        )

    def remarks(self, bot_id: str, label: str) -> list[str]:
        """Return in which tournaments a bot that calls itself that version gets no games."""
        return [
            f"{director.tournament.name} has version {shown(entry.version)} of this bot, and "
            f"version {shown(label)} gets no games of it: connect with that label, or have the "
            "entry withdrawn."
            for director in self._directors.values()
            if not director.state.over
            for entry in director.entries
            if entry.bot_id == bot_id and not entry.state.is_out
            if not entry.house and entry.version is not None and entry.version != label
        ]

    def field_changed(self) -> None:
        """Note that other house bots may be needed."""
        self._house_wanted.set()

    async def wait_house_change(self) -> None:
        """Return when tournaments have begun or ended since the last call."""
        await self._house_wanted.wait()
        self._house_wanted = trio.Event()

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
        directors = [each for each in tuple(self._directors.values()) if not each.state.over]
        plans = [director.in_play.plan for director in directors]
        return sum(plan.total - plan.complete - plan.given_up for plan in plans)

    @property
    def games_limit(self) -> int:
        """How many games may run at once at the moment."""
        return self.guard.limit

    @property
    def games_allowed(self) -> int:
        """How many games may run at once while the machine keeps up."""
        return self.guard.allowed

    async def _director(self, tournament: StoredTournament) -> Director:
        return await Director.take_up(
            tournament,
            store=self._store,
            playroom=self._playroom,
            reservations=self._reservations,
            feed=self.feed(tournament),
            gallery=self.gallery,
            now=self._now,
            forfeited=self._forfeited,
        )

    def _direct(self, director: Director) -> None:
        self._directors[director.tournament.tournament_id] = director
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
