"""The `arena` command, which kills itself at an instant that is named in its environment.

`CRASH_AT` names one of `POINTS` and how often it is passed before, such as `a hand stored:3`. The
process then dies by SIGKILL: nothing is flushed, closed or said any more. Nothing else is changed;
without the variable this is the plain command. `CRASH_REVISIONS` names a directory of revisions to
migrate with in place of the shipped ones.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import wraps
from typing import Any

from sqlalchemy import Engine, event

import arena.store.block_attempts
import arena.store.broken_off
import arena.store.games
import arena.store.schema
import arena.store.store
from arena.cli import main
from arena.store.writer import Writer
from arena.tournaments.journal import StoreJournal
from arena.tournaments.organiser import Organiser
from arena.tournaments.steward import Steward

POINT = "CRASH_AT"
REVISIONS = "CRASH_REVISIONS"


def die() -> None:
    """End this process as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


def _before(owner: Any, name: str) -> Callable[[Callable[[], None]], None]:
    """Give a place just before a function or method is called."""

    def install(passed: Callable[[], None]) -> None:
        original = getattr(owner, name)

        @wraps(original)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            passed()
            return original(*args, **kwargs)

        setattr(owner, name, wrapped)

    return install


def _after(owner: Any, name: str) -> Callable[[Callable[[], None]], None]:
    """Give a place just after a function has returned."""

    def install(passed: Callable[[], None]) -> None:
        original = getattr(owner, name)

        @wraps(original)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            value = original(*args, **kwargs)
            passed()
            return value

        setattr(owner, name, wrapped)

    return install


def _after_waiting(owner: Any, name: str) -> Callable[[Callable[[], None]], None]:
    """Give a place just after an async method has returned."""

    def install(passed: Callable[[], None]) -> None:
        original = getattr(owner, name)

        @wraps(original)
        async def wrapped(*args: Any, **kwargs: Any) -> Any:
            value = await original(*args, **kwargs)
            passed()
            return value

        setattr(owner, name, wrapped)

    return install


def _before_commit(passed: Callable[[], None]) -> None:
    """Give the place between the last statement of a group and its commit."""
    original = Writer.work

    @wraps(original)
    def work(self: Writer, engine: Engine) -> None:
        event.listen(engine, "commit", lambda _: passed())
        original(self, engine)

    Writer.work = work  # type: ignore[method-assign]


POINTS: dict[str, Callable[[Callable[[], None]], None]] = {
    "a group before its commit": _before_commit,
    "a group before it is acknowledged": _before(Writer, "_acknowledge"),
    "nonces stored": _after_waiting(StoreJournal, "ready"),
    "a fault stored": _after_waiting(StoreJournal, "fault"),
    "a hand stored": _after_waiting(StoreJournal, "hand"),
    "a game before its end is stored": _before(Steward, "_finish_sitting"),
    "a game ended, its block not yet": _before(arena.store.block_attempts, "end_block"),
    "a block ended": _after_waiting(Steward, "_end"),
    "an offer stored": _after(arena.store.games, "offer_game"),
    "the start counted": _after(arena.store.store, "_count_start"),
    "broken off games given up": _after(arena.store.broken_off, "give_up_broken_off"),
    "a game taken up": _after(arena.store.broken_off, "resumed"),
    "all taken up": _after_waiting(Organiser, "take_up"),
    "the backup begun": _after(arena.store.schema, "make_private"),
    "the backup made": _after(arena.store.schema, "_back_up"),
}
"""Where an arena may die."""


def _revisions(directory: str) -> None:
    from alembic.config import Config  # noqa: PLC0415 - only where it is wanted

    config = Config()
    config.set_main_option("script_location", directory)
    arena.store.schema._config = lambda: config


def prepare() -> None:
    """Do what the environment says."""
    if directory := os.environ.get(REVISIONS):
        _revisions(directory)
    if not (point := os.environ.get(POINT)):
        return
    name, _, times = point.rpartition(":")
    if name not in POINTS:
        return  # a revision that is told where to die
    left = int(times)

    def passed() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            die()

    POINTS[name](passed)


if __name__ == "__main__":
    prepare()
    main(prog_name="arena")
