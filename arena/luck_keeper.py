"""Keeps baselines of finished games, computed by a process that stands back for everybody."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from enum import Enum, unique
from typing import Protocol

import structlog
import trio
from sqlalchemy import Connection

from arena.errors import ArenaError
from arena.luck import BaselineKind, LuckError, value_model
from arena.luck_worker import LuckJob, read_answer
from arena.store import Store, tournaments
from arena.store.baselines import StoredBaselines, hands_dealt, keep_baselines, kinds_known
from arena.store.hand_json import dealt_and_decided
from arena.tournaments.spec import decode_spec
from euchre_sdk.game import Session
from euchre_sdk.game.rules_file import rules_to_fields

log = structlog.get_logger(__name__)

PERIOD = 2.0
"""Seconds between two looks at what has changed."""
IDLE = 60.0
"""Seconds without work after which the process is ended."""
PAUSE = 30.0
"""Seconds until the next try after something failed."""
LONGEST_ANSWER = 4 * 1024 * 1024
"""Bytes; a session of a thousand hands takes a tenth of it."""


@unique
class LuckCorrection(Enum):
    """What is computed of finished games."""

    OFF = "off"
    MODEL = "model"
    PLAYOUTS = "playouts"

    @property
    def kinds(self) -> frozenset[BaselineKind]:
        """The baselines it takes."""
        if self is LuckCorrection.OFF:
            return frozenset()
        return frozenset({BaselineKind.MODEL} if self is LuckCorrection.MODEL else BaselineKind)


class Watched(Protocol):
    """What tells that results have changed, and is told that more is known of their luck."""

    def results_so_far(self) -> Mapping[str, object]:
        """Return something that changes with the results of each tournament, by its id."""
        ...

    def luck_known(self, tournament_id: str) -> None:
        """Note that results can be corrected by more than before."""
        ...


class WorkerGoneError(ArenaError):
    """The process ended before it answered."""


class LuckWorker:
    """A running process that computes baselines, one game after the other."""

    def __init__(self, process: trio.Process) -> None:
        self._process = process
        self._read = bytearray()

    async def compute(self, job: LuckJob) -> dict[BaselineKind, bytes]:
        """Return the baselines of a game. Raises `LuckError`, `WorkerGoneError`."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            await stdin.send_all(job.to_line())
            while b"\n" not in self._read:
                some = await stdout.receive_some()
                if not some or len(self._read) > LONGEST_ANSWER:
                    raise WorkerGoneError("the process gave no whole answer")
                self._read += some
        except trio.BrokenResourceError as error:
            raise WorkerGoneError("the process ended") from error
        line, _, rest = bytes(self._read).partition(b"\n")
        self._read = bytearray(rest)
        return read_answer(line)


@asynccontextmanager
async def luck_worker() -> AsyncIterator[LuckWorker]:
    """Run the process while the block runs. It gets nothing of the arena's environment."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    process = await trio.lowlevel.open_process(
        [sys.executable, "-m", "arena.luck_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**known, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        start_new_session=True,
    )
    try:
        yield LuckWorker(process)
    finally:
        process.kill()  # it holds nothing that could be lost
        with trio.CancelScope(shield=True):
            await process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    await pipe.aclose()


class LuckKeeper:
    """Looks for finished games of sessions without baselines, has them made, and keeps them."""

    def __init__(self, store: Store, watched: Watched, correction: LuckCorrection) -> None:
        self._store = store
        self._watched = watched
        self._wanted = correction.kinds
        self._version = value_model().version
        self._seen: dict[str, object] = {}
        self._behind: set[str] = set()
        """Tournaments to look at."""
        self._missing: deque[tuple[str, str, frozenset[BaselineKind]]] = deque()
        self._given_up: set[str] = set()
        """Games whose baselines cannot be computed; tried again at the next start."""

    async def run(self) -> None:
        """Keep baselines until cancelled; first those of games that were finished before."""
        if not self._wanted:
            return
        await self.catch_up()
        while True:
            try:
                await self.work_off()
            except (ArenaError, OSError) as error:  # the store has trouble, or there is no process
                log.warning("luck_not_computed", reason=str(error), again_in_s=PAUSE)
                await trio.sleep(PAUSE)
            await trio.sleep(PERIOD)

    async def catch_up(self) -> None:
        """Look at every tournament there is, as at a start."""
        known = await self._store.read(tournaments.all_tournaments)
        self._behind.update(each.tournament_id for each in known)

    async def work_off(self, *, idle: float = IDLE) -> None:
        """Compute all that is missing, and what comes until nothing has come for so long."""
        if not await self._look():
            return
        async with luck_worker() as worker:
            last = trio.current_time()
            while True:
                told = set()
                while self._missing:
                    told.add(await self._compute(worker))
                    last = trio.current_time()
                for tid in told:
                    self._watched.luck_known(tid)
                if await self._look():
                    continue
                if trio.current_time() - last >= idle:
                    return
                await trio.sleep(PERIOD)

    async def _look(self) -> bool:
        """List what is missing of tournaments whose results have changed; tell if anything is."""
        for tid, changes in self._watched.results_so_far().items():
            if self._seen.get(tid) != changes:
                self._seen[tid] = changes
                self._behind.add(tid)
        for tid in sorted(self._behind):
            tournament = await self._store.read(tournaments.tournament_with_id, tid)
            if isinstance(decode_spec(tournament.spec).format, Session):
                known = await self._store.read(kinds_known, tid, version=self._version)
                self._missing.extend(
                    (tid, game, wanted)
                    for game, kinds in known.items()
                    if game not in self._given_up and (wanted := self._wanted - kinds)
                )
            self._behind.discard(tid)
        return bool(self._missing)

    async def _compute(self, worker: LuckWorker) -> str:
        """Have the first missing game computed, and keep it; return its tournament."""
        tid, game, kinds = self._missing.popleft()
        tournament = await self._store.read(tournaments.tournament_with_id, tid)
        hands = await self._store.read(_played, tid, game)
        if hands is None:  # annulled meanwhile
            return tid
        job = LuckJob(
            rules=rules_to_fields(decode_spec(tournament.spec).rules),
            hands=hands,
            kinds=kinds,
        )
        try:
            made = await worker.compute(job)
        except LuckError as error:
            self._given_up.add(game)
            log.warning("luck_not_computed", game_id=game, reason=str(error))
            return tid
        except WorkerGoneError:
            self._given_up.add(game)
            raise
        rows = [
            StoredBaselines(
                game_id=game, kind=kind, version=self._version, hands=len(hands), terms=terms
            )
            for kind, terms in made.items()
        ]
        await self._store.write(keep_baselines, rows)
        log.debug("luck_computed", game_id=game, hands=len(hands))
        return tid


def _played(c: Connection, tournament_id: str, game_id: str) -> list[tuple[str, list[str]]] | None:
    """Return decks and decisions of a rated game; None of any other. For a reader's thread."""
    records = hands_dealt(c, tournament_id, game_id)
    return None if records is None else [dealt_and_decided(record) for record in records]
