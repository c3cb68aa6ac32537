"""One tournament, and an arena that is killed all the time while it is played.

Every way to die has its turn; which instant it is is drawn from a seed. Between two lives the
database is copied and looked at, so that nothing can be undone unseen.
"""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import grpc

import arena.store.migrations
from arena.referee import TimeControl
from euchre.v1 import matches_pb2, matches_pb2_grpc
from euchre_sdk.game import STANDARD, Session
from tests.crash.arena_process import (
    PATIENCE,
    ArenaProcess,
    BotProcess,
    dialling,
    free_port,
    wait_until,
)
from tests.crash.audit import Audit
from tests.crash.doomed_arena import POINT, REVISIONS

NAMES = ("ada", "bob", "cyd")
HOUSE = ("random@1",)
HANDS = 6
"""Of a session."""
NAME = "storm"
DATABASE = "arena.sqlite3"

POINTS_OF_PLAY = (
    "a group before its commit",
    "a group before it is acknowledged",
    "nonces stored",
    "a fault stored",
    "a hand stored",
    "a game before its end is stored",
    "a game ended, its block not yet",
    "a block ended",
    "an offer stored",
)
POINTS_OF_START = (
    "the start counted",
    "broken off games given up",
    "a game taken up",
    "all taken up",
)
POINTS_OF_MIGRATION = (
    "the backup begun",
    "the backup made",
    "revision 1 begun",
    "revision 1 half done",
    "revision 2 begun",
    "revision 2 done",
)
MOST_PASSED = {"a group before its commit": 60, "a group before it is acknowledged": 60}
"""How often a place may be passed before it kills; elsewhere 6 times."""


@dataclass(slots=True)
class Report:
    """What a campaign has come to."""

    kills: Counter[str] = field(default_factory=Counter)
    """By what the arena was doing."""
    blocks: int = 0
    hands: int = 0
    voids: int = 0
    decks: int = 0
    faults: int = 0
    told: int = 0
    """Results that bots were told and that were found in the records."""
    seconds: float = 0.0

    def table(self) -> str:
        """Return it for people."""
        deaths = [f"  {number:4} {how}" for how, number in sorted(self.kills.items())]
        found = (
            f"{self.blocks} blocks, each of which counts once; {self.hands} hands completed, "
            f"{self.voids} void; {self.decks} decks, no two alike; {self.faults} faults, none "
            f"forgotten; {self.told} results told to bots, all of them in the records."
        )
        return "\n".join([f"{self.kills.total()} deaths in {self.seconds:.0f} s:", *deaths, found])


class Campaign:
    """The data, the bots, and one life of the arena after the other."""

    def __init__(
        self,
        directory: Path,
        *,
        seed: int,
        cycles: int,
        malformed: float,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.directory = directory
        self.tell = tell
        self.address = f"127.0.0.1:{free_port()}"
        self.random = Random(seed)
        self.cycles = cycles
        self.malformed = malformed
        self.audit = Audit()
        self.report = Report()
        self.lives = 0
        self.revisions: Path | None = None
        self.bots: list[BotProcess] = []

    # -- before and after

    @contextmanager
    def running(self) -> Iterator[None]:
        """Set the tournament up, and end whatever still runs afterwards."""
        self.slow = self.directory / "slow"
        self.slow.touch()
        arena = self.life()
        try:
            arena.wait_for_answer()
            for name in NAMES:
                token = arena.ask(lambda client, name=name: client.register_bot(name, None)).token
                bot = BotProcess(
                    self.directory, self.address, name, token, malformed=self.malformed
                )
                self.bots.append(bot)
            arena.ask(self._create)
            arena.ask(lambda client: client.start_tournament(NAME))
            wait_until(lambda: self._count("hands"), "the first hand is played")
            arena.kill()
            arena.wait()
            self.report.kills["begun"] += 1
            yield
        finally:
            for bot in self.bots:
                bot.end()

    def _create(self, client: Any) -> Any:
        return client.create_tournament(
            NAME,
            bots=(*NAMES, *HOUSE),
            policy="round-robin",
            cycles=self.cycles,
            rules=STANDARD,
            format=Session(HANDS),
            owners_apart=False,
            time_control=TimeControl(),
        )

    def life(self, **env: str) -> ArenaProcess:
        """Start the arena once more."""
        assert all(bot.alive for bot in self.bots), "a bot has given up"
        self.lives += 1
        if self.revisions is not None:
            env[REVISIONS] = str(self.revisions)
        return ArenaProcess(self.directory, self.address, self.lives, env)

    def _count(self, table: str, where: str = "1") -> int:
        path = self.directory / "data" / DATABASE
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as c:
            number: int = c.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0]
        c.close()
        return number

    def _died(self, arena: ArenaProcess, how: str, *, status: int = -signal.SIGKILL) -> None:
        """Take note of a death, and look at what it has left behind."""
        got = arena.wait(PATIENCE)
        said = arena.output
        assert got == status, f"{how}: {got}\n{said}"
        assert "Traceback" not in said, f"{how}\n{said}"
        self.report.kills[how] += 1
        self.tell(
            f"{self.report.kills.total():4}  {monotonic() - arena.began:5.1f} s  "
            f"{self._count('hands'):5} hands  {how}"
        )
        copy = self.directory / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for path in (self.directory / "data").glob(f"{DATABASE}*"):
            if not path.name.endswith("-shm"):
                shutil.copy(path, copy)
        self.audit.look(copy / DATABASE)

    # -- ways to die

    def at_any_instant(self) -> None:
        arena = self.life()
        sleep(self.random.uniform(0.0, 3.5))
        arena.kill()
        self._died(arena, "at any instant" if arena.answers else "while it starts")

    def in_play(self) -> None:
        """Die at any instant of what it is there for."""
        arena = self.life()
        arena.wait_for_answer()
        before = self._count("hands")
        sleep(self.random.uniform(0.2, 1.5))
        wait_until(lambda: self._count("hands") > before + 3, "hands are played again")
        arena.kill()
        self._died(arena, "in play")

    def at(self, point: str) -> None:
        """Die at a named place."""
        most = 1 if point in POINTS_OF_START else MOST_PASSED.get(point, 6)
        arena = self.life(**{POINT: f"{point}:{self.random.randrange(most)}"})
        try:
            wait_until(lambda: arena.status is not None, "it dies", patience=60)
        except AssertionError:
            arena.kill()
            self._died(arena, "in play")  # the place was not passed often enough
        else:
            self._died(arena, point)

    def stopping(self) -> None:
        """Die while it stops."""
        arena = self.life()
        arena.wait_for_answer()
        sleep(self.random.uniform(0.0, 1.5))
        arena.kill(signal.SIGTERM)
        sleep(self.random.uniform(0.0, 0.4))
        arena.kill()
        status = arena.wait(PATIENCE)
        self._died(arena, "while it stops" if status else "stopped", status=status)

    def full(self) -> None:
        """Go on after the disk was full, or die while it is."""
        arena = self.life()
        arena.wait_for_answer()
        sleep(self.random.uniform(0.0, 1.0))
        arena.fill_disk(full=True)
        sleep(self.random.uniform(0.3, 2.0))
        if self.random.random() < 0.5:
            before = self._count("hands")
            arena.fill_disk(full=False)
            wait_until(lambda: self._count("hands") > before, "it goes on by itself")
        arena.kill()
        self._died(arena, "the disk is full")

    def locked(self) -> None:
        """Go on after another program held the database, or die while it does."""
        arena = self.life()
        arena.wait_for_answer()
        sleep(self.random.uniform(0.0, 1.0))
        other = sqlite3.connect(
            self.directory / "data" / DATABASE, isolation_level=None, timeout=30
        )
        other.execute("BEGIN IMMEDIATE")
        sleep(self.random.uniform(0.3, 2.0))
        if self.random.random() < 0.5:
            before = self._count("hands")
            other.execute("ROLLBACK")
            wait_until(lambda: self._count("hands") > before, "it goes on by itself")
        arena.kill()
        arena.wait()
        other.close()
        self._died(arena, "the database is locked")

    def migrating(self, points: tuple[str, ...] = POINTS_OF_MIGRATION) -> None:
        """Die at these places of two migrations, one life after the other."""
        self.revisions = _newer_revisions(self.directory / "revisions")
        for point in points:
            arena = self.life(**{POINT: f"{point}:0"})
            wait_until(lambda arena=arena: arena.status is not None, f"it dies: {point}")
            self._died(arena, "while it migrates")

    # -- the whole

    def storm(self, kills: int, *, seconds: float | None = None) -> None:
        """Kill the arena so many times, and stop early if time is up."""
        began = monotonic()
        half = kills // 2
        migrated = False
        for way in self._ways():
            done = self.report.kills.total()
            if done >= kills or (seconds and monotonic() - began > seconds):
                break
            if done >= half and not migrated:
                migrated = True
                self.migrating()
            way()

    def _ways(self) -> Iterator[Any]:
        while True:
            ways = [
                *(self.at_any_instant,) * 5,
                *(self.in_play,) * 4,
                *(self.stopping, self.full, self.locked) * 2,
                *((lambda point=point: self.at(point)) for point in POINTS_OF_PLAY),
                *((lambda point=point: self.at(point)) for point in POINTS_OF_START),
            ]
            self.random.shuffle(ways)
            yield from ways

    def finish(self, *, patience: float = 600.0) -> None:
        """Let the tournament end in peace, stop the arena, and audit all that there is."""
        assert self._count("tournaments", "state = 'running'") == 1, "it was over too soon"
        self.slow.unlink()
        arena = self.life()
        arena.wait_for_answer()
        wait_until(
            lambda: self._count("tournaments", "state = 'finished'"),
            "the tournament ends",
            patience,
        )
        rankings = arena.ask(lambda client: client.get_rankings(NAME))
        records = all_records(self.address)
        (self.directory / "rankings").write_bytes(rankings.SerializeToString())
        (self.directory / "records.json").write_text(
            json.dumps({game: record.decode() for game, record in records.items()})
        )
        arena.kill(signal.SIGTERM)
        self._died(arena, "stopped", status=0)
        del self.report.kills["stopped"]
        assert dialling(self.address) == [], "house bots are left"
        self.audit.conclude(
            rankings, records, told={bot.name: bot.told for bot in self.bots}, report=self.report
        )


def all_records(address: str) -> dict[str, bytes]:
    """Return the records of all matches of the tournament, by game, as anybody may have them."""
    records = {}
    with grpc.insecure_channel(address) as channel:
        matches = matches_pb2_grpc.MatchServiceStub(channel)
        request = matches_pb2.ListMatchesRequest(tournament=NAME)
        while True:
            page = _patiently(matches.ListMatches, request)
            for match in page.matches:
                wanted = matches_pb2.GetMatchRecordRequest(game_id=match.game_id)
                records[match.game_id] = _patiently(matches.GetMatchRecord, wanted).record
            if not page.next_page_token:
                return records
            request.page_token = page.next_page_token


def _patiently(method: Any, request: Any) -> Any:
    """Ask, and ask again later if the arena has answered enough for now."""
    until = monotonic() + PATIENCE
    while True:
        try:
            return method(request)
        except grpc.RpcError as error:
            busy = error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED  # type: ignore[attr-defined]
            if not busy or monotonic() > until:
                raise
            sleep(0.2)


def _newer_revisions(directory: Path) -> Path:
    """Return the shipped revisions with two more, which a newer arena might have."""
    shipped = Path(arena.store.migrations.__path__[0])
    shutil.copytree(shipped, directory)
    head = max((directory / "versions").glob("0*.py")).name[:4]
    for number, text in enumerate((_FIRST, _SECOND), start=1):
        down = head if number == 1 else "9001"
        (directory / "versions" / f"900{number}_newer.py").write_text(
            _HEAD.format(revision=f"900{number}", down=down) + text
        )
    return directory


_HEAD = """
import os
import sqlalchemy as sa
from alembic import op
from tests.crash.doomed_arena import POINT, die

revision, down_revision, branch_labels, depends_on = "{revision}", "{down}", None, None


def at(point):
    if os.environ.get(POINT) == point + ":0":
        die()

"""
_FIRST = """
def upgrade():
    at("revision 1 begun")
    with op.batch_alter_table("hands") as batch:  # copies the whole table
        batch.add_column(sa.Column("remark", sa.Text()))
    op.execute("UPDATE hands SET remark = 'half'")
    at("revision 1 half done")
    op.execute("UPDATE hands SET remark = 'all'")
"""
_SECOND = """
def upgrade():
    at("revision 2 begun")
    op.create_index("ix_hands_remark", "hands", ["remark"])
    at("revision 2 done")
"""
