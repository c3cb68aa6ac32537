"""A store and a playroom whose every step a test decides, for life cycles that come out the same.

The database is real: schema, queries and transactions. Only the writer's thread is left out:
changes wait in a queue as they do there and are committed in the order in which they came; what is
still in the queue when the arena dies is lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import TYPE_CHECKING, Any

import trio
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from arena.referee import GameOutcome, Termination
from arena.store.engine import writing_engine
from arena.store.tables import arena
from euchre_sdk.game import SEATS
from tests.arena.fake_playroom import FakePlayroom

if TYPE_CHECKING:
    from pathlib import Path

    from arena.tournaments.playroom import GameOrder, Journal

ONCE = (
    ("games", "OLD.state NOT IN ('offered', 'running')"),
    ("blocks", "OLD.state <> 'running'"),
    ("tournaments", "OLD.state IN ('finished', 'cancelled')"),
)
"""When a row of a table is over: the database then refuses every further change of it."""


@dataclass(slots=True, eq=False)
class Change:
    """One change that was brought to the store."""

    query: Callable[..., Any]
    done: trio.Event = field(default_factory=trio.Event)
    value: Any = None
    error: Exception | None = None


class SteppedStore:
    """Commits what it is brought at once, or one by one while it is `held`."""

    trouble = None

    def __init__(
        self,
        path: Path,
        violations: list[str],
        brought: Callable[[Callable[..., Any], tuple[Any, ...]], None] = lambda _query, _args: None,
    ) -> None:
        """`brought` is told of every change that is brought, by its query and arguments."""
        self.held = False
        self.committed = 0
        """Changes that were committed."""
        self._told = brought
        self._queue: deque[Change] = deque()
        self._brought = trio.Event()
        self._violations = violations
        self._engine = writing_engine(path, patience_ms=0)
        with self._engine.connect() as c:
            c.exec_driver_sql("COMMIT")
            # processes die here, machines do not
            c.exec_driver_sql("PRAGMA synchronous = OFF")
            c.exec_driver_sql("BEGIN")
            for table, over in ONCE:
                c.exec_driver_sql(
                    f"CREATE TEMP TRIGGER once_{table} BEFORE UPDATE ON {table} WHEN {over} "
                    f"BEGIN SELECT RAISE(ABORT, 'one of the {table} ended twice'); END"
                )
            self.incarnation: int = c.execute(select(arena.c.incarnation)).scalar_one() + 1
            c.execute(update(arena).values(incarnation=self.incarnation))
            c.commit()

    @property
    def idle(self) -> bool:
        """Whether everything that was brought is committed."""
        return not self._queue

    def close(self) -> None:
        self._engine.dispose()

    async def write(self, query, /, *args, **kwargs):
        self._told(query, args)
        change = Change(lambda c: query(c, *args, **kwargs))
        self._queue.append(change)
        self._brought.set()
        await change.done.wait()
        if change.error is not None:
            raise change.error
        return change.value

    async def read(self, query, /, *args, **kwargs):
        await trio.lowlevel.checkpoint()
        value = self.look(query, *args, **kwargs)
        await trio.lowlevel.checkpoint()
        return value

    def look(self, query, /, *args, **kwargs):
        """Return what is stored, now."""
        with self._engine.connect() as c:
            return query(c, *args, **kwargs)

    async def run(self) -> None:
        """Commit until cancelled."""
        while True:
            await self._brought.wait()
            self._brought = trio.Event()
            while self._queue and not self.held:
                self.commit_one()

    def release(self) -> None:
        self.held = False
        self._brought.set()

    def commit_one(self) -> None:
        """Commit the oldest change, if there is one."""
        if not self._queue:
            return
        change = self._queue.popleft()
        self.committed += 1
        try:
            with self._engine.begin() as c:
                change.value = change.query(c)
        except IntegrityError as error:
            self._violations.append(f"the database refused it: {error.orig}")
            change.error = error
        except Exception as error:  # noqa: BLE001 - a refusal is its bringer's
            change.error = error
        change.done.set()


@unique
class Cue(Enum):
    """What happens next in a game that waits for the test."""

    GO_ON = "go on"
    """All who are here are ready; the next hand is played."""
    MISS = "miss"
    """One more is not ready; a game that has begun goes on."""
    BREAK = "break"
    """The playroom fails."""
    VOID = "void"
    """The table gives the game up."""
    FORFEIT = "forfeit"
    """A seat forfeits."""


class SteppedPlayroom(FakePlayroom):
    """Plays on when it is given a cue: one for the offer, one for every hand."""

    def __init__(
        self,
        *,
        ordered: Callable[[GameOrder, SteppedPlayroom], None],
        dealt: Callable[[GameOrder], None] = lambda _: None,
    ) -> None:
        super().__init__()
        self.waiting: dict[str, trio.Event] = {}
        """Games that wait for a cue, by id, in the order in which they began to."""
        self.told_to_stop: set[str] = set()
        """Games that were to end after the hand in progress, begun or not."""
        self._cues: dict[str, tuple[Cue, int]] = {}
        self._ordered = ordered
        self._dealt = dealt

    @property
    def running(self) -> int:
        """How many games there are."""
        return len(self._running)

    def stop_after_hand(self, game_id: str) -> None:
        self.told_to_stop.add(game_id)
        super().stop_after_hand(game_id)

    def cue(self, game_id: str, cue: Cue, seat: int) -> None:
        self._cues[game_id] = (cue, seat)
        self.waiting.pop(game_id).set()

    async def play(self, order: GameOrder, journal: Journal) -> GameOutcome:
        self._ordered(order, self)
        return await super().play(order, journal)

    async def _play(self, order: GameOrder, journal: Journal) -> GameOutcome:
        if order.played.nonces is None:
            cue, which = await self._next_cue(order)
            if order.game_id in self._stopped or cue is Cue.VOID:
                return GameOutcome(terminations=(Termination.VOID,) * 3)
            absent = tuple(
                seat
                for seat in SEATS
                if not self.games_at_once.get(order.seats[seat].bot_id)
                or (cue is Cue.MISS and int(seat) == which % 3)
            )
            if absent:
                return GameOutcome(terminations=(Termination.NOT_STARTED,) * 3, not_ready=absent)
            if cue is Cue.BREAK:
                raise RuntimeError("the table fell over")
        return await super()._play(order, journal)

    async def _before_hand(self, order: GameOrder) -> None:
        cue, which = await self._next_cue(order)
        if cue is Cue.BREAK:
            raise RuntimeError("the table fell over")
        if cue is Cue.VOID:
            self._stopped.add(order.game_id)
        if cue is Cue.FORFEIT:
            self.forfeit(order.game_id, SEATS[which % 3])

    async def _next_cue(self, order: GameOrder) -> tuple[Cue, int]:
        event = self.waiting[order.game_id] = trio.Event()
        try:
            await event.wait()
        finally:
            self.waiting.pop(order.game_id, None)
        return self._cues.pop(order.game_id)
