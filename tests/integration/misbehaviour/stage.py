"""Plays the cases, all at once, in one arena with a real store and real bot processes."""

from __future__ import annotations

import signal
import weakref
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
import trio
import trio.testing

from arena.errors import ArenaError
from arena.referee import GameOutcome, LinkConduct
from arena.rpc.play.service import PlayService
from arena.rpc.play.settings import PlaySettings
from arena.store import Store, open_store
from arena.tournaments.deal_sets import DealSet
from arena.tournaments.journal import StoreJournal
from tests.integration.misbehaviour.book import GOOD, NOW, Book
from tests.integration.misbehaviour.cases import Case
from tests.integration.misbehaviour.census import census, settled
from tests.integration.misbehaviour.crew import BotProcess, read_transcript, start, start_many
from tests.integration.misbehaviour.evidence import Evidence, Seen, seen_by_game
from tests.integration.raw_bot import Arena, arena

log = structlog.get_logger()
AT_ONCE = 450
"""Games that are played at the same time."""
PROCESSES = 60
"""Processes with one bot each at the same time."""
PATIENCE = 300
"""Seconds after which nothing more is expected to happen, however busy the machine."""


def settings() -> PlaySettings:
    """Return limits under which a whole field may dial at once, and nobody waits long."""
    return PlaySettings(
        games_at_once=2 * AT_ONCE,
        streams=4 * AT_ONCE,
        silent_streams_locally=4 * AT_ONCE,
        hello=timedelta(seconds=60),
        conduct=LinkConduct(
            lost=timedelta(seconds=5),
            banned=timedelta(milliseconds=100),
            reattach_per_minute=100_000,
        ),
    )


@dataclass(slots=True)
class Played:
    """A game as the arena saw it end."""

    case: Case
    outcome: GameOutcome
    game_id: str
    parts: list[weakref.ref[Any]]
    """The game, its table and its links, as long as the arena keeps them."""


@dataclass(slots=True, kw_only=True)
class Report:
    """What is known when everything is over."""

    evidence: dict[str, Evidence]
    """By the name of the case."""
    kept: dict[str, int]
    """Of what the arena has more, or less, than before any bot came."""


class Bots:
    """The processes of all bots, and what those that misbehave have printed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.own: dict[str, BotProcess] = {}
        """By the case, the processes of those that have one to themselves."""
        self.hosts: list[BotProcess] = []
        """Of many bots each; what they do ends no process."""
        self._said: dict[str, list[str]] = {}

    @asynccontextmanager
    async def running(self, address: str, cases: Iterable[Case]) -> AsyncIterator[None]:
        """Have everybody run during the block, and nobody after it."""
        async with trio.open_nursery() as nursery:
            await self._start(nursery, address, cases)
            yield
            nursery.cancel_scope.cancel()

    async def _start(self, nursery: trio.Nursery, address: str, cases: Iterable[Case]) -> None:
        shared = []
        for case in cases:
            options = [*case.options, "--transcript", str(self.transcript(case.name))]
            if case.has_own_process:
                made = await start(nursery, address, options, self._hear)
                self.own[case.name] = made
            else:
                shared.append(options)
        good = [
            [
                *("--token", name, "--label", name, "--games", str(2 * AT_ONCE), "--seed", "1"),
                *("--play", style.value, "--transcript", str(self.transcript(name))),
            ]
            for style, names in GOOD.items()
            for name in names
        ]
        for file, crew in (("good", good), ("bad", shared)):
            path = self.folder / file
            self.hosts.append(await start_many(nursery, address, path, crew, self._hear))

    def transcript(self, bot: str) -> Path:
        """Return where a bot keeps what it receives."""
        return self.folder / f"{bot}.responses"

    def said(self, bot: str) -> list[str]:
        """Return what a bot has printed."""
        return self._said.get(bot, [])

    def _hear(self, line: str) -> None:
        bot, _, said = line.partition(": ")
        self._said.setdefault(bot, []).append(said)


async def read(
    played: Played, book: Book, bots: Bots, seen: dict[str, dict[str, Seen]]
) -> Evidence:
    """Return what the store and the bots know of a game."""
    case, game_id = played.case, played.game_id
    left, right = GOOD[case.style]
    names = {case.seat.left: left, case.seat.left.left: right}
    responses = read_transcript(bots.transcript(case.name))
    process = bots.own.get(case.name)
    return Evidence(
        case=case,
        outcome=played.outcome,
        kept=await book.kept(case, game_id),
        said=bots.said(case.name),
        responses=responses,
        own=seen_by_game(responses).get(game_id, Seen()),
        others={seat: seen[name].get(game_id, Seen()) for seat, name in names.items()},
        left_over=tuple(type(part).__name__ for ref in played.parts if (part := ref())),
        exit_code=None if process is None else process.process.returncode,
    )


async def play_all(folder: Path, cases: tuple[Case, ...]) -> Report:
    """Play all cases at the same time, and return what is known when everything is over."""
    bots = Bots(folder)
    played: list[Played] = []
    async with (
        open_store(folder / "data", now=NOW) as store,
        arena(settings(), DealSet) as a,
    ):
        book = Book(store)
        await book.open(cases)
        before = census(a)
        async with bots.running(a.address, cases):
            await _present(a.play, bots, {case.name for case in cases})
            async with trio.open_nursery() as tables:
                for case in cases:
                    tables.start_soon(_play, case, a, book, store, bots, played)
            await _end(a.play, bots, cases)
        await _quiet(a, bots)
        after = census(a)
        seen = {
            name: seen_by_game(read_transcript(bots.transcript(name)))
            for names in GOOD.values()
            for name in names
        }
        evidence = {each.case.name: await read(each, book, bots, seen) for each in played}
    kept = {name: after.get(name, 0) - before.get(name, 0) for name in before | after}
    return Report(evidence=evidence, kept={name: more for name, more in kept.items() if more})


async def _present(play: PlayService, bots: Bots, names: Iterable[str]) -> None:
    """Wait until everybody is there."""
    absent = {*names, *(name for pair in GOOD.values() for name in pair)}
    with trio.move_on_after(PATIENCE):
        while absent := {name for name in absent if not play.presence(name)}:
            await play.wait_change()
    assert not absent, {name: bots.said(name) for name in absent}


async def _play(
    case: Case, a: Arena, book: Book, store: Store, bots: Bots, played: list[Played]
) -> None:
    """Play one case to its end."""
    order, game = await book.offer(case)
    journal = StoreJournal(store, game.game_id, stored_hand=lambda _: None)
    parts: list[weakref.ref[Any]] = []

    async def watch() -> None:
        """Remember the parts of the running game, and thaw its bot."""
        await trio.lowlevel.checkpoint()
        running = a.play._tables.games.get(game.game_id)
        if running is not None:
            links = (chair.link for chair in running.chairs if chair.link.bot_id == case.name)
            parts.extend(map(weakref.ref, (running, running.table, *links)))
        del running
        if case.row.thaw:
            process = bots.own[case.name]
            await process.stopped()
            process.signal(signal.SIGCONT)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        try:
            with trio.fail_after(PATIENCE):
                outcome = await a.play.play(order, journal)
        except (ArenaError, trio.TooSlowError):
            log.exception("case_failed", case=case.name)  # which leaves it without evidence
        else:
            await book.close(game, outcome)
            played.append(Played(case, outcome, game.game_id, parts))
        nursery.cancel_scope.cancel()


async def _end(play: PlayService, bots: Bots, cases: Iterable[Case]) -> None:
    """See the offenders go by themselves, those that are frozen by the arena; end the others."""
    with waiting_for(play, bots):
        for case in cases:
            process = bots.own.get(case.name)
            if process is not None and case.row.deed == "stop" and not case.row.thaw:
                await process.stopped()
                while play.version(case.name) is not None:
                    await play.wait_change()
                process.signal(signal.SIGKILL)
        good, bad = bots.hosts
        await bad.process.wait()
        for process in bots.own.values():
            await process.process.wait()
        good.process.terminate()
        await good.process.wait()


@contextmanager
def waiting_for(play: PlayService, bots: Bots) -> Iterator[None]:
    """Say which bots have not gone, and what they said, if that takes too long."""
    try:
        with trio.fail_after(PATIENCE):
            yield
    except trio.TooSlowError:
        here = {name: bots.said(name) for name in play._links._links}
        raise AssertionError(f"still here: {here}") from None


async def _quiet(a: Arena, bots: Bots) -> None:
    """Wait until the arena has seen everybody go."""
    with waiting_for(a.play, bots):
        while a.play._links._links or a.play._streams or a.edge._streams:
            with trio.move_on_after(0.2):  # a link that has waited long enough ends unannounced
                await a.play.wait_change()
    await settled(a)
