"""How many hands the luck correction saves, whether it favours anybody, and what it costs.

Tables of bots that are no relatives of the house bots (`luck_bots`) play blocks as the arena does:
sessions and their mirrors, fresh deals. Their hands are corrected as in the arena: every block by
coefficients from all others. Saved is the ratio of variances, raw over corrected, of the points of
a seat beyond the two others. Bias is how far corrected means lie from raw ones, in standard errors
of that difference by block. The cost is measured on an arena with three of these bots over gRPC:
CPU of computing, moving and storing baselines, and of correcting, over that of arena and bots.

    python -m benchmarks.luck [--hands 34000] [--long] [--no-cost] [--json]
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the arena; before numpy is imported

import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from arena.luck import (
    BaselineKind,
    HandsPlayed,
    PlayedSession,
    correct,
    model_baselines,
    playouts,
    value_model,
    without_luck,
)
from arena.luck.cards import Floats, Ints, Singles
from arena.luck_worker import HOUSE
from arena.rpc.client import connect
from arena.store.directory import DATABASE
from benchmarks import luck_bots
from benchmarks.harness import Report, as_report, machine
from benchmarks.soak import cpu_seconds, logged
from euchre_sdk.bot import Bot, GameStart
from euchre_sdk.bots import make_bot
from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.game import SEATS, STANDARD, Game, SeededDeals, Session

MODEL, PLAYOUTS = BaselineKind.MODEL, BaselineKind.PLAYOUTS
SESSION = Session(30)
TABLES: dict[str, tuple[type[Bot], type[Bot], type[Bot]]] = {
    "counting pointed daring": (luck_bots.Counting, luck_bots.Pointed, luck_bots.Daring),
    "counting waiting pointed": (luck_bots.Counting, luck_bots.Waiting, luck_bots.Pointed),
    "daring waiting pointed": (luck_bots.Daring, luck_bots.Waiting, luck_bots.Pointed),
    "wandering pointed waiting": (luck_bots.Wandering, luck_bots.Pointed, luck_bots.Waiting),
}
SLOW_SHARE = 0.2
"""Of the hands of other tables, where somebody searches."""
COST_BLOCKS = 40
WAIT = 120.0
"""Seconds for anything at the arena."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What a table played: N hands. Points by position."""

    block: Ints
    owner: Ints
    """(N, 3): which bot was in each position."""
    dealers: Ints
    points: Ints
    terms: dict[BaselineKind, Singles]
    cpu: dict[str, float]
    """Microseconds a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the correction does to one table."""

    factor: float
    worst_bias: float
    """Of the three bots, in standard errors."""
    bias_points: float
    """The same, in points a hand."""
    bias_error: float
    """Its standard error, in points a hand."""
    corrected: Floats
    """(3,): mean points of each bot."""


def play(bots: Sequence[type[Bot]], hands: int, seed: int) -> Played:
    """Play blocks of two mirrored sessions."""
    blocks = max(2, round(hands / (2 * SESSION.hands)))
    made = [bot() for bot in bots]
    rows, decks, played = [], [], []
    begun = time.process_time()
    for number in range(2 * blocks):
        order = (0, 1, 2) if number % 2 == 0 else (2, 1, 0)
        for seat in SEATS:
            hook = getattr(made[order[seat]], "game_started", None)
            if hook is not None:
                names = (bots[0].__name__, bots[1].__name__, bots[2].__name__)
                start = (seed << 32) + 3 * number + seat
                hook(GameStart(seat=seat, rules=STANDARD, format=SESSION, seed=start, names=names))
        game = Game(STANDARD, SeededDeals((seed << 32) + number), SESSION)
        while game.result is None:
            dealer = int(game.dealer)
            hand = game.start_hand()
            while (view := hand.view) is not None:
                hand.apply(made[order[view.seat]].act(view))
            points = game.finish_hand()
            seats = [(dealer + 1 + position) % 3 for position in range(3)]
            owner = [order[seat] for seat in seats]
            rows.append((number // 2, dealer, *owner, *(points[seat] for seat in seats)))
            decks.append(tuple(hand.deck))
            played.append((hand.deck, hand.decisions))
    cpu = {"bots and engine": time.process_time() - begun}
    begun = time.process_time()
    model = model_baselines(value_model(), STANDARD, played)
    cpu["model"] = time.process_time() - begun
    begun = time.process_time()
    again = playouts(STANDARD, decks, value_model(), make_bot(HOUSE).act)
    cpu["playouts"] = time.process_time() - begun
    table = np.array(rows, dtype=np.int64)
    return Played(
        block=table[:, 0],
        dealers=table[:, 1],
        owner=table[:, 2:5],
        points=table[:, 5:],
        terms={MODEL: model, PLAYOUTS: again},
        cpu={name: 1e6 * seconds / len(table) for name, seconds in cpu.items()},
    )


def by_bot(owner: Ints, block: Ints, values: Ints | Floats) -> Floats:
    """Return sums of blocks and bots, (blocks, 3)."""
    total = np.zeros((int(block.max()) + 1, 3))
    np.add.at(total, (block[:, None], owner), values)
    return total


def outcome(played: Played, terms: Singles) -> Outcome:
    """Correct the hands of a table by some baselines."""
    hands = HandsPlayed(block=played.block, points=played.points, terms=terms)
    corrected = correct(hands).points
    moved = by_bot(played.owner, played.block, corrected - played.points)
    n, blocks = len(played.block), len(moved)
    # Differences of a bot to the mean of the three: what all have in common favours nobody.
    moved -= moved.mean(axis=1, keepdims=True)
    bias = moved.sum(axis=0) / n
    error = moved.std(axis=0, ddof=1) * np.sqrt(blocks) / n
    in_errors = np.divide(np.abs(bias), error, out=np.zeros(3), where=error > 0.0)
    worst = int(in_errors.argmax())
    return Outcome(
        factor=variance(played.points) / variance(corrected),
        worst_bias=float(in_errors[worst]),
        bias_points=float(bias[worst]),
        bias_error=float(error[worst]),
        corrected=by_bot(played.owner, played.block, corrected).sum(axis=0) / n,
    )


def variance(points: Ints | Floats) -> float:
    """Return the variance of a seat's points beyond the two others, position means taken off."""
    beyond = 1.5 * points - 0.5 * points.sum(axis=1, keepdims=True)
    return float(beyond.var(axis=0).mean())


def as_sessions(played: Played) -> list[PlayedSession]:
    """Return the hands as the arena has them: for the cost of correcting."""
    seat = (played.dealers[:, None] + 1 + np.arange(3)) % 3
    points = np.zeros_like(played.points)
    np.put_along_axis(points, seat, played.points, axis=1)
    size = SESSION.hands
    return [
        PlayedSession(
            dealers=played.dealers[first : first + size],
            points=points[first : first + size],
            baselines={kind: terms[first : first + size] for kind, terms in played.terms.items()},
        )
        for first in range(0, len(points), size)
    ]


def savings(hands: int) -> tuple[dict[str, tuple[float, str]], dict[str, float]]:
    """Return ratios with aims, and figures, of all tables."""
    ratios: dict[str, tuple[float, str]] = {}
    figures: dict[str, float] = {}
    factors: dict[str, list[float]] = {"model": [], "all": []}
    worst = {"model": 0.0, "all": 0.0}
    for number, (name, bots) in enumerate(TABLES.items()):
        slow = luck_bots.Wandering in bots
        played = play(bots, round(hands * (SLOW_SHARE if slow else 1)), number + 1)
        model, again = played.terms[MODEL], played.terms[PLAYOUTS]
        found = {
            "dummy": outcome(played, model[:, -1:]),
            "deal": outcome(played, model[:, :-1]),
            "model": outcome(played, model),
            "playouts": outcome(played, again),
            "all": outcome(played, np.concatenate([model, again], axis=1)),
        }
        aims = {"model": ">= 1.6", "all": ">= 1.8"}
        for kind, each in found.items():
            ratios[f"{name}: saved by {kind}"] = (each.factor, aims.get(kind, ""))
        raw = by_bot(played.owner, played.block, played.points).sum(axis=0) / len(played.block)
        figures[f"{name}: hands"] = len(played.block)
        for bot, before, after in zip(bots, raw, found["all"].corrected, strict=True):
            figures[f"{name}: {bot.__name__} raw"] = before
            figures[f"{name}: {bot.__name__} corrected"] = after
        for kind, all_of_them in factors.items():
            all_of_them.append(found[kind].factor)
            worst[kind] = max(worst[kind], found[kind].worst_bias)
            figures[f"{name}: bias by {kind}, points"] = found[kind].bias_points
            figures[f"{name}: its standard error"] = found[kind].bias_error
        for what, cost in played.cpu.items():
            figures[f"{name}: CPU of {what}, us a hand"] = cost
        begun = time.process_time()
        without_luck(as_sessions(played), played.block[:: SESSION.hands])
        seconds = time.process_time() - begun
        figures[f"{name}: CPU of correcting, us a hand"] = 1e6 * seconds / len(played.block)
    for kind, all_of_them in factors.items():
        ratios[f"least saved by {kind}"] = (min(all_of_them), "")
        # The largest of twelve standard normal figures is above 3.2 once in sixty times.
        ratios[f"largest bias over error, {kind}"] = (worst[kind], "<= 3.2")
    return ratios, figures


@contextmanager
def arena(directory: Path, correction: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Run an arena on the data of a directory; give its process and address."""
    command = [
        *(sys.executable, "-m", "arena", "serve", "--address", "127.0.0.1:0"),
        *("--data", str(directory / "data"), "--luck-correction", correction),
    ]
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
    try:
        yield process, str(logged(directory, process, "arena_started")["address"])
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    finally:
        process.kill()
        process.wait()


def wait_until(true: Callable[[], bool]) -> None:
    """Wait, and give up some time."""
    until = time.monotonic() + WAIT
    while not true():
        if time.monotonic() > until:
            raise TimeoutError("the arena took too long")
        time.sleep(0.1)


def cost(blocks: int) -> tuple[dict[str, tuple[float, str]], dict[str, float]]:
    """Return CPU of the correction over that of arena and bots, and the figures behind it."""
    with tempfile.TemporaryDirectory(prefix="luck-") as name:
        directory = Path(name)
        hands, playing = played_in_an_arena(directory, blocks)
        by_kind = {
            kind: corrected_in_an_arena(directory, kind, 2 * blocks) for kind in BaselineKind
        }
    model, again = by_kind[MODEL], by_kind[PLAYOUTS]
    ratios = {
        "CPU of the model terms over arena and bots": (model / playing, "<= 0.15"),
        "CPU of all terms over arena and bots": ((model + again) / playing, "<= 1.0"),
    }
    figures = {
        "arena and bots: hands": float(hands),
        "arena and bots: CPU, us a hand": 1e6 * playing / hands,
        "model terms: CPU, us a hand": 1e6 * model / hands,
        "playouts: CPU, us a hand": 1e6 * again / hands,
    }
    return ratios, figures


def played_in_an_arena(directory: Path, blocks: int) -> tuple[int, float]:
    """Play a tournament of three bots over gRPC; return its hands, and the CPU of all."""
    with ExitStack() as stack:
        process, address = stack.enter_context(arena(directory, "off"))
        token = (directory / "data" / "organiser-token").read_text().strip()
        client = stack.enter_context(connect(Dial(address=Address(address)), token=token))
        names = ("Counting", "Pointed", "Daring")
        pids = [process.pid]
        for bot in names:
            given = str(client.register_bot(bot.lower(), None).token)
            command = [
                *(sys.executable, "-m", "euchre_sdk", "connect", address),
                *(f"{luck_bots.__file__}:{bot}", "--games", "8", "--quiet"),
            ]
            known = {key: value for key, value in os.environ.items() if key[:6] != "ARENA_"}
            running = subprocess.Popen(command, env={**known, "EUCHRE_TOKEN": given})
            stack.callback(running.wait)
            stack.callback(running.kill)
            pids.append(running.pid)
        client.create_tournament(
            "luck",
            bots=tuple(name.lower() for name in names),
            policy="all-trios",
            cycles=blocks,
            rules=STANDARD,
            format=SESSION,
            owners_apart=False,
        )
        wait_until(lambda: sum(bot.free_games > 0 for bot in client.list_bots()) == len(names))
        before = sum(map(cpu_seconds, pids))
        client.start_tournament("luck")
        wait_until(lambda: client.get_rankings("luck").progress.blocks_complete == blocks)
        return 2 * blocks * SESSION.hands, sum(map(cpu_seconds, pids)) - before


def corrected_in_an_arena(directory: Path, kind: BaselineKind, games: int) -> float:
    """Return the CPU that an arena takes to correct what was played before, without its start."""
    with arena(directory, kind.value) as (process, _):
        before = cpu_seconds(process.pid)
        database = directory / "data" / DATABASE

        def done() -> bool:
            with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as c:
                query = "SELECT count(*) FROM luck_baselines WHERE kind = ?"
                return int(c.execute(query, [kind.value]).fetchone()[0]) == games

        wait_until(done)
        time.sleep(3.0)  # the table is computed again
        tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
        working = [cpu_seconds(int(pid)) for task in tasks for pid in task.read_text().split()]
        if len(working) != 1:
            raise RuntimeError(f"{len(working)} processes compute for the arena, not one")
        return cpu_seconds(process.pid) - before + working[0] - worker_start()


def worker_start() -> float:
    """Return the CPU of starting the process that computes: paid once, whatever follows."""
    begun = os.times()
    subprocess.run([sys.executable, "-m", "arena.luck_worker"], input=b"", check=True)
    ended = os.times()
    return (
        ended.children_user + ended.children_system - (begun.children_user + begun.children_system)
    )


@click.command()
@click.option("--hands", default=34_000, show_default=True, help="Hands of each fast table.")
@click.option("--long", "is_long", is_flag=True, help="Three times as many.")
@click.option("--cost/--no-cost", "with_cost", default=True, help="Measure the cost, too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def main(*, hands: int, is_long: bool, with_cost: bool, as_json: bool) -> None:
    """Print what the correction saves, how far it is from favouring anybody, and what it costs."""
    ratios, figures = savings(3 * hands if is_long else hands)
    if with_cost:
        more_ratios, more_figures = cost(COST_BLOCKS)
        ratios, figures = ratios | more_ratios, figures | more_figures
    report = Report(
        name="luck",
        compared_with="raw results of the same hands; arena and bots that played them",
        ratios=ratios,
        figures=figures,
        machine=machine("numpy", "scipy"),
    )
    click.echo(as_report(report, as_json=as_json))


if __name__ == "__main__":
    main()
