"""Plays the blocks of a duel on the same deals in all six seatings, with instances that are fresh.

Each seating is a process of its own that has seen nothing, can keep nothing, and is given the deals
once (`euchre_sdk.isolation.fresh`).
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue
from typing import Any

from euchre_sdk.duel.local import BlockResult, LocalDuel
from euchre_sdk.game.rules_file import rules_to_fields
from euchre_sdk.isolation.fresh import FreshInstance, Launcher, NotIsolatedError, RepeatedDeals
from euchre_sdk.isolation.launcher import InstanceEndedError, LocalLauncher
from euchre_sdk.loading import BotLoadError
from euchre_sdk.tally import SEATINGS

_AHEAD = 2
"""Blocks handed out for each launcher: one to play and one to wait."""


def can_be_shut_in(duel: LocalDuel) -> None:
    """Raise `NotIsolatedError` with the reason if these bots cannot be played so here."""
    with LocalLauncher() as launcher, launcher.launch() as instance:
        bots = sorted({duel.first, duel.second, *duel.thirds})
        answer = json.loads(instance.ask(json.dumps({"load": bots})))
        if "error" in answer:
            raise NotIsolatedError(
                f"where it can keep nothing, {str(answer['error']).removesuffix('.')}"
            )


def play_same_deals(
    duel: LocalDuel, *, begin: int, jobs: int
) -> Generator[BlockResult, None, None]:
    """Yield the blocks from number `begin` up to the cap, in order, whoever plays them.

    Raises `NotIsolatedError`, and `BotLoadError` or `InstanceEndedError` for a bot that fails.
    """
    with ExitStack() as all_ended:
        # made here, in the thread that goes on: see `LocalLauncher`
        launchers = [all_ended.enter_context(LocalLauncher()) for _ in range(jobs)]
        numbers = range(begin, duel.test.cap)
        if jobs == 1:
            for number in numbers:
                yield play_block(duel, number, launchers[0])
            return
        free: SimpleQueue[LocalLauncher] = SimpleQueue()
        for launcher in launchers:
            free.put(launcher)
        pool = all_ended.enter_context(ThreadPoolExecutor(jobs))
        for launcher in launchers:
            all_ended.callback(launcher.kill)
        pending: deque[Future[BlockResult]] = deque()
        for number in numbers:
            pending.append(pool.submit(_with_a_free_one, duel, number, free))
            if len(pending) >= jobs * _AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _with_a_free_one(duel: LocalDuel, number: int, free: SimpleQueue[LocalLauncher]) -> BlockResult:
    launcher = free.get()
    try:
        return play_block(duel, number, launcher)
    finally:
        free.put(launcher)


def play_block(duel: LocalDuel, number: int, launcher: Launcher) -> BlockResult:
    """Play one block with a new instance for each seating."""
    deals = RepeatedDeals(duel.numbers(f"deals {number}")[0])
    sessions = []
    for place in range(len(SEATINGS)):
        with launcher.launch() as instance:
            sessions.append(_play_seating(duel, number, place, instance, deals))
    return BlockResult.of(sessions)


def _play_seating(
    duel: LocalDuel, number: int, place: int, instance: FreshInstance, deals: RepeatedDeals
) -> BlockResult:
    bots, names, seating = duel.bots_of(number), duel.names_of(number), SEATINGS[place]
    job = {
        "bots": [bots[bot] for bot in seating],
        "names": [names[bot] for bot in seating],
        "rules": rules_to_fields(duel.rules),
        "hands": duel.hands,
        "deals": deals.dealt_to(instance).seed,
        # by seat, the same where only the first and the second bot have changed places
        "bot_seeds": duel.numbers(f"bots {number} {seating.index(2)}")[:3],
        "first_dealer": duel.first_dealer(number),
    }
    answer = json.loads(instance.ask(json.dumps(job)))
    if "error" in answer:
        raise BotLoadError(str(answer["error"]), traceback=str(answer["traceback"]))
    try:
        return _read(answer, seating, names)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InstanceEndedError(
            "a process gave an answer that is none: a bot broke it."
        ) from error


def _read(
    answer: dict[str, Any], seating: tuple[int, int, int], names: tuple[str, ...]
) -> BlockResult:
    """Return what an instance says it played; what bots share a process with may be anything."""
    points, faults = ([int(n) for n in answer[what]] for what in ("points", "faults"))
    seat_of = [seating.index(bot) for bot in range(3)]
    a, b, c = (points[seat] for seat in seat_of)
    x, y, z = (faults[seat] for seat in seat_of)
    told = [f"{names[seating[int(seat)]]}: {sentence}" for seat, _, sentence in answer["described"]]
    hands = int(answer["hands"])
    if hands < 1:
        raise ValueError(hands)
    return BlockResult(points=(a, b, c), hands=hands, faults=(x, y, z), described=tuple(told))
