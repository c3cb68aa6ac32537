"""Plays many games in several processes; the games come back in their order.

The processes are spawned, never forked: a fork beside gRPC's threads hangs sooner or later.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Protocol

from euchre_sdk.errors import EuchreError
from euchre_sdk.faults import BotFaultError, Fault
from euchre_sdk.local import PlayedGame

_TARGET = 0.25
"""Seconds of work to hand to a process at once."""
_PATIENCE = 5.0
"""Seconds for a worker to end once it is told to."""
_AHEAD = 2
"""Pieces of work handed out for each process: one to play and one to wait."""

_Piece = tuple[list[PlayedGame], Fault | None, float]
"""The games played, the fault that ended them, and the seconds they took."""

_player: Plays | None = None
"""This process's player, if it is a worker."""


class WorkerError(EuchreError):
    """Other processes cannot play the games, or one of them died."""


class Plays(Protocol):
    """Plays games by their numbers."""

    def play(self, number: int, /) -> PlayedGame:
        """Play the game of this number."""


def play_in_processes(make: Callable[[], Plays], numbers: range, jobs: int) -> Iterator[PlayedGame]:
    """Yield games in the order of their numbers, played in `jobs` new processes.

    `make` is called once in each of them, for what plays there.

    Raises `BotFaultError` for the first fault that ends it, `WorkerError` if a process dies.
    """
    try:
        pickle.dumps(make)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise WorkerError(
            "for more than one job, name the bots as load_bot takes them, or give classes and "
            f"functions of a module that other processes can import: {error}"
        ) from error
    before = set(multiprocessing.active_children())
    with _startable(jobs):
        pool = ProcessPoolExecutor(
            jobs,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_start,
            initargs=(make,),
        )
    try:
        yield from _in_order(pool, numbers, jobs)
    except BrokenProcessPool as error:
        raise WorkerError(
            "a process that played games ended by itself: a bot crashed it, or memory ran out. "
            "Play with --jobs 1 to see more."
        ) from error
    except BaseException:
        _stop(pool, set(multiprocessing.active_children()) - before)
        raise
    pool.shutdown()


def _in_order(pool: ProcessPoolExecutor, numbers: range, jobs: int) -> Iterator[PlayedGame]:
    pending: deque[Future[_Piece]] = deque()
    at, size = numbers.start, 1
    while at < numbers.stop or pending:
        while at < numbers.stop and len(pending) < jobs * _AHEAD:
            piece = range(at, min(at + size, numbers.stop))
            with _startable(jobs), _deaf_to_ctrl_c():  # it may start a process
                pending.append(pool.submit(_play_piece, piece))
            at = piece.stop
        played, fault, seconds = pending.popleft().result()
        yield from played
        if fault is not None:
            raise BotFaultError(fault)
        size = max(1, min(2 * size, int(_TARGET * len(played) / max(seconds, 1e-6))))


@contextmanager
def _startable(jobs: int) -> Iterator[None]:
    """Say in our words that the machine gives no further process, or no memory or files for it."""
    try:
        yield
    except OSError as error:
        raise WorkerError(
            f"{jobs} processes cannot be started here ({error.strerror or error}): "
            "play with fewer --jobs."
        ) from error


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Hold Ctrl-C back, here for a moment, in processes started meanwhile for good.

    The terminal sends it to all of them; only the one in front may answer.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its first start would lift the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop(pool: ProcessPoolExecutor, workers: set[BaseProcess]) -> None:
    """End the workers now: a slow bot may be in the middle of a long game."""
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(_PATIENCE)


def _start(make: Callable[[], Plays]) -> None:
    global _player  # noqa: PLW0603 - an initializer can leave its work nowhere else
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where there are no signal masks
    sys.stdout = sys.stderr  # what bots print is no result
    _player = make()


def _play_piece(numbers: range) -> _Piece:
    assert _player is not None  # the initializer has run
    started = time.perf_counter()
    played: list[PlayedGame] = []
    try:
        for number in numbers:
            played.append(_player.play(number))  # noqa: PERF401 - what came before a fault counts
    except BotFaultError as error:
        return played, error.fault, time.perf_counter() - started
    return played, None, time.perf_counter() - started
