"""The life of tournaments, whatever happens in whatever order: Hypothesis writes the script.

Two tournaments share five bots and one arena. Each script runs in one `trio.run` with a clock that
stands still unless the script moves it, so that a failing one fails again.
"""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
import structlog
import trio
import trio.testing
from hypothesis import given, note, settings
from hypothesis import strategies as st

from arena.store import block_attempts, bots, games, open_store, results, tournaments
from arena.store.states import BlockState, EntryState, GameState, TournamentState
from arena.tournaments.errors import RefusedRequestError
from arena.tournaments.organiser import Organiser, open_tournaments
from arena.tournaments.spec import TournamentSpec, decode_spec
from arena.tournaments.tabling import compute_table
from euchre_sdk.game import Session
from tests.arena.fake_playroom import FakePlayroom
from tests.arena.registration import register
from tests.arena.stepped import Cue, SteppedPlayroom, SteppedStore

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path
    from typing import Any

    from arena.store.tournaments import StoredEntry, StoredTournament
    from arena.tournaments.playroom import GameOrder

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
CAPACITY = {"ada": 1, "bob": 2, "cyd": 3, "dot": 2, "eve": 1}
"""How many games each bot takes at once, by id, which is its name."""
FIELD = tuple(CAPACITY)
SPEC = TournamentSpec(format=Session(3), policy="all-trios")
NAMES = ("spring", "summer")
DEADLINE = START + timedelta(hours=3)
PUSHES = 300
"""So many rounds are more than two tournaments need when everybody is here."""
LONGEST_PAUSE = 12
"""Rounds after which paused tournaments go on."""

KINDS = (
    *("go on",) * 8,
    *("miss", "break", "void", "forfeit"),
    *("come",) * 4,
    *("go", "withdraw", "withdraw", "deactivate", "enter"),
    *("start",) * 3,
    *("pause", "pause", "cancel", "cancel", "an hour"),
    *("hold", "hold", "hold", "commit", "commit"),
    "crash",
)
ENDINGS = ("play on", "cancel", "pause")
"""What is done to both tournaments while everybody plays to the end."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens. What `which` and `other` mean depends on the kind."""

    kind: str
    which: int
    other: int
    settles: bool
    """Whether the arena comes to rest before the next step."""


EVERYBODY_PLAYS = [
    *(Step("come", 0, which, settles=False) for which in range(len(FIELD))),
    *(Step("start", which, 0, settles=True) for which in range(len(NAMES))),
]
steps = st.builds(Step, st.sampled_from(KINDS), st.integers(0, 4), st.integers(0, 4), st.booleans())
scripts = st.builds(
    list.__add__,
    st.sampled_from([EVERYBODY_PLAYS, EVERYBODY_PLAYS, []]),
    # A list of any length has five elements on average; those with many are looked for apart.
    st.lists(steps, max_size=10) | st.lists(steps, min_size=25, max_size=50),
)


def now() -> datetime:
    return START + timedelta(seconds=trio.current_time())


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with five bots and two tournaments that have not started."""
    directory = tmp_path_factory.mktemp("template")

    async def fill() -> None:
        async with open_store(directory, now=START, group=timedelta(0)) as store:
            await register(store, FIELD, created=START)
            async with open_tournaments(
                store, FakePlayroom(), now=now, games_at_once=1
            ) as organiser:
                await organiser.create("spring", SPEC, FIELD[:4], seed="7")
                spec = TournamentSpec(format=Session(3), policy="all-trios", deadline=DEADLINE)
                await organiser.create("summer", spec, FIELD[2:], seed="8")

    trio.run(fill, clock=trio.testing.MockClock())
    return directory / "arena.sqlite3"


class World:
    """One database, and the arenas that live on it one after the other."""

    def __init__(self, path: Path, *, games_at_once: int, ending: str) -> None:
        self.path = path
        self.ending = ending
        self.games_at_once = games_at_once
        self.violations: list[str] = []
        self.here: dict[str, int] = {}
        self.deactivated: set[str] = set()
        self.offered: set[str] = set()
        """Deal sets that were ever offered."""
        self.decks: list[tuple[int, ...]] = []
        self.begun: set[str] = set()
        """Attempts of blocks of which anything was ever offered."""
        self.begun_at_pause: dict[str, set[str]] = {}
        """By tournament that is surely paused: which of them there were then."""
        self.stopped: set[str] = set()
        """Tournaments that are surely over."""
        self.life: Life
        """The arena that lives now."""
        self.out: set[tuple[str, str]] = set()
        """Tournament and entry, of those who were surely withdrawn."""

    async def run(self, script: list[Step]) -> None:
        steps = iter(script)
        while await self._live(steps):
            pass

    async def _live(self, steps: Iterator[Step]) -> bool:
        """Let an arena live until the script crashes it, or all is over; return if it crashed."""
        with closing(SteppedStore(self.path, self.violations, self.brought)) as store:
            async with trio.open_nursery() as nursery:
                life = self.life = Life(self, store, nursery)
                nursery.start_soon(store.run)
                nursery.start_soon(life.take_up)
                crashed = await life.follow(steps)
                if not crashed:
                    await life.push()
                nursery.cancel_scope.cancel()
        self.decks += life.playroom.decks
        return crashed

    def ordered(self, order: GameOrder, playroom: SteppedPlayroom) -> None:
        """Look at a game that is about to be played."""
        tid = order.deal_set.split("/")[0]
        if playroom.running >= self.games_at_once:
            self.violations.append("more games run than the arena bears")
        for seat in order.seats:
            if playroom.games_at_once.get(seat.bot_id) and playroom.presence(seat.bot_id) < 1:
                self.violations.append(f"{seat.bot_id} plays more games than it takes")
        if tid in self.stopped or self.life.state_of(tid) is TournamentState.CANCELLED:
            self.violations.append(f"{order.deal_set} is played after the end")
        if order.played.nonces is not None:
            if order.deal_set not in self.offered:
                self.violations.append(f"{order.deal_set} goes on, but was never offered")
            return
        if order.deal_set in self.offered:
            self.violations.append(f"{order.deal_set} is offered twice")
        self.offered.add(order.deal_set)
        if any((tid, seat.entry_id) in self.out for seat in order.seats):
            self.violations.append(f"{order.deal_set} is offered to one who was withdrawn")

    def dealt(self, order: GameOrder) -> None:
        """Look at a hand that is being dealt."""
        tid = order.deal_set.split("/")[0]
        if self.life.state_of(tid) is TournamentState.CANCELLED:
            self.violations.append(f"{order.deal_set} is dealt another hand after it was cancelled")

    def brought(self, query: Callable[..., Any], args: tuple[Any, ...]) -> None:
        """Look at a change that is brought to the store."""
        if query is not games.offer_game:
            return
        tid, block, attempt, *_ = args[0].deal_set.split("/")
        attempt = f"{tid}/{block}/{attempt}"
        cancelled = self.life.state_of(tid) is TournamentState.CANCELLED
        if cancelled and args[0].game_id not in self.life.playroom.told_to_stop:
            self.violations.append(f"{args[0].deal_set} is offered after it was cancelled")
        if attempt not in self.begun_at_pause.get(tid, {attempt}):
            self.violations.append(f"{attempt} is begun while the tournament is paused")
        self.begun.add(attempt)


class Life:
    """One arena, from its start to its crash or to the end of the script."""

    def __init__(self, world: World, store: SteppedStore, nursery: trio.Nursery) -> None:
        self.world = world
        self.store = store
        self.playroom = SteppedPlayroom(ordered=world.ordered, dealt=world.dealt)
        self.playroom.games_at_once = world.here
        self._nursery = nursery
        self._ready = trio.Event()
        self._calls = 0
        self._held_for = 0
        """After so many steps the store goes on, if it is held."""
        self._looked_at = -1
        """What had been committed when it was all looked at last."""
        self._ranked: dict[str, tuple[int, tuple[StoredEntry, ...]]] = {}
        """What there was of each tournament when its table was last computed anew."""
        self.organiser = Organiser(
            store,  # type: ignore[arg-type]
            self.playroom,
            nursery=nursery,
            now=now,
            games_at_once=world.games_at_once,
        )

    def state_of(self, tid: str) -> TournamentState | None:
        """Return what the director of a tournament knows, which counts from that very moment on."""
        director = self.organiser.fleet._directors.get(tid)
        return None if director is None else director.state

    async def take_up(self) -> None:
        await self.organiser.take_up()
        self._ready.set()

    async def follow(self, steps: Iterator[Step]) -> bool:
        for step in steps:
            if step.kind == "crash":
                return True
            self._do(step)
            self._held_for -= 1
            if self._held_for == 0:
                self.store.release()
            if step.settles:
                await self._settle()
            else:
                for _ in range(step.other):
                    await trio.lowlevel.checkpoint()
            assert not self.world.violations
        return False

    async def push(self) -> None:
        """Let everybody come and play on, and see that all ends."""
        self.store.release()
        for push in range(PUSHES):
            await trio.testing.wait_all_tasks_blocked()
            if push == 2 and self.world.ending != "play on":
                for name in NAMES:
                    self._call(getattr(self.organiser, self.world.ending)(name))
                await self._settle()
            if all(each.state.over for each in self._tournaments()) and not self.playroom.running:
                break
            for bot in FIELD:
                # Nobody comes twice: that would wake whoever missed something.
                if bot not in self.world.deactivated and not self.world.here.get(bot):
                    self.playroom.come(bot, CAPACITY[bot])
            for tournament in self._tournaments():
                match tournament.state:
                    case TournamentState.CREATED if self._startable(tournament):
                        self._start(tournament.name)
                    case TournamentState.CREATED:
                        self._call(self.organiser.cancel(tournament.name))
                    case TournamentState.PAUSED if push > LONGEST_PAUSE:
                        self._start(tournament.name)
            for game_id in tuple(self.playroom.waiting):
                self.playroom.cue(game_id, Cue.GO_ON, 0)
        else:
            pytest.fail(f"these never end: {[each.name for each in self._tournaments()]}")
        await self._settle()
        await self._check_the_end()

    def _do(self, step: Step) -> None:
        name, bot = NAMES[step.which % 2], FIELD[step.other]
        match step.kind:
            case "go on" | "miss" | "break" | "void" | "forfeit":
                if waiting := tuple(self.playroom.waiting):
                    game_id = waiting[step.which % len(waiting)]
                    self.playroom.cue(game_id, Cue(step.kind), step.other)
            case "come":
                if bot not in self.world.deactivated:
                    self.playroom.come(bot, CAPACITY[bot])
            case "go":
                self.playroom.come(bot, 0)
            case "start":
                self._start(name)
            case "pause" | "cancel":
                self._call(getattr(self.organiser, step.kind)(name))
            case "withdraw" | "enter" | "deactivate":
                self._call(self._move(step.kind, name, bot))
            case "an hour":
                clock = trio.lowlevel.current_clock()
                assert isinstance(clock, trio.testing.MockClock)
                clock.jump(3600)
            case "hold":
                self.store.held = True
                self._held_for = step.other + 2
            case "commit":
                self.store.commit_one()
            case _:
                pytest.fail(f"no such step: {step.kind}")

    def _start(self, name: str) -> None:
        tournament = self.store.look(tournaments.tournament_named, name)
        self.world.begun_at_pause.pop(tournament.tournament_id, None)
        self._call(self.organiser.start(name))

    async def _move(self, kind: str, name: str, bot: str) -> None:
        """Take a bot in or out."""
        if kind == "withdraw":
            await self.organiser.withdraw(name, bot)
        elif kind == "enter":
            await self.organiser.enter(name, bot, None)
        else:
            await self.store.write(bots.deactivate, bot, now=now())
            self.world.deactivated.add(bot)
            self.playroom.come(bot, 0)
            await self.organiser.withdraw_everywhere(bot)

    def _call(self, request: Coroutine[object, object, object]) -> None:
        """Let an organiser ask for something, and do other things meanwhile."""

        async def call() -> None:
            with closing(request):
                await self._ready.wait()
                with suppress(RefusedRequestError):
                    await request
            self._calls -= 1

        self._calls += 1
        self._nursery.start_soon(call)

    async def _settle(self) -> None:
        """Wait until nothing happens any more; if nothing is under way either, look at it all."""
        await trio.testing.wait_all_tasks_blocked()
        quiet = self._ready.is_set() and not self._calls and self.store.idle
        if quiet and self._looked_at != self.store.committed:
            self._looked_at = self.store.committed
            await self._check()

    def _tournaments(self) -> tuple[StoredTournament, ...]:
        found: tuple[StoredTournament, ...] = self.store.look(tournaments.all_tournaments)
        return found

    def _startable(self, tournament: StoredTournament) -> bool:
        entries = self.store.look(tournaments.entries_of, tournament.tournament_id)
        return len(entries) >= 3

    async def _check(self) -> None:
        """Hold what is in memory against what is stored, and note what is certain from now on."""
        for tournament in self._tournaments():
            tid = tournament.tournament_id
            played = self.store.look(games.games_of, tid)
            blocks = self.store.look(block_attempts.blocks_of, tid)
            complete = [each.block_id for each in blocks if each.state is BlockState.COMPLETE]
            unfinished = [game for game in played if not game.state.over]
            progress = await self.organiser.scoreboard.progress(tournament)
            assert len(set(complete)) == len(complete) == progress.blocks_complete
            assert progress.games_running == len(unfinished)
            assert progress.blocks_complete <= progress.blocks_total
            entries = self.store.look(tournaments.entries_of, tid)
            if self._ranked.get(tid) != (len(complete) // 3, entries):  # ratings take their time
                self._ranked[tid] = len(complete) // 3, entries
                rankings = await self.organiser.scoreboard.rankings(tournament.name)
                assert (rankings.state, rankings.progress) == (tournament.state, progress)
                table = await compute_table(self.store, tournament)  # type: ignore[arg-type]
                # Hands and their faults are counted with the next result.
                assert [replace(row, faults=0) for row in rankings.table.rows] == [
                    replace(row, faults=0) for row in table.rows
                ]
            _check_blocks(blocks, played)
            self._check_entries(tournament)
            if tournament.state.over and not unfinished:
                self.world.stopped.add(tid)
            if tournament.state is TournamentState.PAUSED:
                self.world.begun_at_pause.setdefault(tid, set(self.world.begun))

    def _check_entries(self, tournament: StoredTournament) -> None:
        tid = tournament.tournament_id
        for entry in self.store.look(tournaments.entries_of, tid):
            if entry.state is EntryState.WITHDRAWN:
                self.world.out.add((tid, entry.entry_id))
            elif not tournament.state.over:
                assert entry.bot_id not in self.world.deactivated

    async def _check_the_end(self) -> None:
        for tournament in self._tournaments():
            tid = tournament.tournament_id
            played = self.store.look(games.games_of, tid)
            blocks = self.store.look(block_attempts.blocks_of, tid)
            assert all(game.state.over for game in played)
            assert BlockState.RUNNING not in {block.state for block in blocks}
            rankings = await self.organiser.scoreboard.rankings(tournament.name)
            assert rankings.table == await compute_table(self.store, tournament)  # type: ignore[arg-type]
            rated = self.store.look(results.session_results, tid, SPEC.format)
            complete = [each.block_id for each in blocks if each.state is BlockState.COMPLETE]
            assert Counter(result.block_id for result in rated) == Counter(complete * 2)
            everybody = self.store.look(tournaments.entries_of, tid)
            in_time = tournament.ended is not None and (
                tournament.name != "summer" or tournament.ended < DEADLINE
            )
            if tournament.state is TournamentState.FINISHED and in_time:
                course = decode_spec(tournament.spec).course(tournament, everybody)
                ended = {each.block_id for each in blocks if each.state is not BlockState.FAILED}
                assert ended == {block.id for block in iter(course.next, None)}


def _check_blocks(blocks, played) -> None:
    """Every attempt follows one that failed, and what counts was played once."""
    by_block: dict[str, list[BlockState]] = {}
    for block in blocks:
        by_block.setdefault(block.block_id, []).append(block.state)
        finished = Counter(
            game.number
            for game in played
            if (game.block_id, game.attempt) == (block.block_id, block.attempt)
            and game.state is GameState.FINISHED
        )
        assert set(finished.values()) <= {1}
        assert (len(finished) == 2) <= (block.state is not BlockState.RUNNING)
        assert (block.state is BlockState.COMPLETE) <= (len(finished) == 2)
    for states in by_block.values():
        assert set(states[:-1]) <= {BlockState.FAILED}


@settings(max_examples=60)
@given(script=scripts, games_at_once=st.integers(1, 4), ending=st.sampled_from(ENDINGS))
def test_whatever_happens_a_tournament_ends_and_everything_counts_once(
    script: list[Step],
    games_at_once: int,
    ending: str,
    template: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("life") / "arena.sqlite3"
    shutil.copy(template, path)
    world = World(path, games_at_once=games_at_once, ending=ending)
    with structlog.testing.capture_logs() as logs:
        try:
            trio.run(partial(world.run, script), clock=trio.testing.MockClock())
        finally:
            note("\n".join(str(line) for line in logs))
            shutil.rmtree(path.parent)
    assert not world.violations
    assert len(set(world.decks)) == len(world.decks)
