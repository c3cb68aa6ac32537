"""An arena under hundreds of bots, good and bad ones, and what it costs by the number of streams.

soak   `arena serve` as a process, 300 bots in another one, most of them good, some that try what is
       illegal, send rubbish, answer late, cut their streams, leave, or flood. Afterwards the
       database, the bots and the arena's own counts must tell the same story: no hand and no result
       lost or there twice, no hand void, time-outs of those bots only that provoked them, nothing
       failed; and the arena's memory is flat after the warm-up.
cost   the arena's CPU time for a decision with 3, 30 and 300 streams of good bots, one game each.

    python benchmarks/soak.py [--minutes 30] [--streams 300] [--json]
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import linear_regression, median
from typing import Any

import click
from prometheus_client.parser import text_string_to_metric_families

from arena.referee import FaultKind
from arena.rpc.client import connect
from arena.scheduling import MAX_CYCLES
from arena.store.hand_json import decode_hand
from benchmarks.harness import Report, as_report, machine
from benchmarks.soak_bots import PROVOKED, Account, Habit, SoakBot, habits
from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.game import STANDARD, Session

HANDS = 6
"""Of a session; a block has two."""
STEADY = 0.3
"""Share of a run that is warm-up: connections, caches, the first games."""
SAMPLE = 1.0
"""Seconds between two looks at the arena's memory."""
Samples = dict[tuple[str, tuple[str, ...]], float]


@dataclass(slots=True)
class Run:
    """What one run of an arena showed."""

    seconds: float = 0.0
    """After the warm-up."""
    decisions: float = 0.0
    cpu: float = 0.0
    """Seconds of the arena's CPU time after the warm-up."""
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Seconds since the warm-up, resident MB."""
    first: Samples = field(default_factory=dict)
    last: Samples = field(default_factory=dict)
    bots: dict[str, Any] = field(default_factory=dict)
    exit_code: int = 0
    stopped_in: float = 0.0
    errors: int = 0
    """Lines of the arena's log at level error."""
    stored: dict[str, int] = field(default_factory=dict)

    @property
    def cost_us(self) -> float:
        """Microseconds of the arena's CPU for a decision."""
        return self.cpu * 1e6 / max(self.decisions, 1)

    def delay_ms(self, share: float) -> float:
        """Return the bound below which that share of the arena's own delays lies, after warm-up."""
        name = "arena_own_delay_seconds_bucket"
        bounds = sorted(float(labels[0]) for found, labels in self.last if found == name)
        texts = {float(labels[0]): labels for found, labels in self.last if found == name}
        counts = [self.last[name, texts[b]] - self.first.get((name, texts[b]), 0) for b in bounds]
        wanted = share * counts[-1]
        return 1000 * next(b for b, count in zip(bounds, counts, strict=True) if count >= wanted)

    def total(self, name: str) -> float:
        """Return a counter at the end, over all its labels."""
        return sum(value for (found, _), value in self.last.items() if found == name)


@contextmanager
def served(directory: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, str]]:
    """Run an arena; give its process, its address and that of its metrics."""
    command = [
        *(sys.executable, "-m", "arena", "serve", "--address", "127.0.0.1:0"),
        *("--metrics-address", "127.0.0.1:0", "--data", str(directory / "data")),
        *("--games-at-once", "1000"),
    ]
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
    try:
        yield (
            process,
            logged(directory, process, "arena_started")["address"],
            logged(directory, process, "metrics_served")["address"],
        )
    finally:
        process.kill()
        process.wait()


def logged(directory: Path, process: subprocess.Popen[bytes], event: str) -> dict[str, Any]:
    """Return the first line of the log with that event, once it is there."""
    while process.poll() is None:
        for line in lines(directory):
            if line.get("event") == event:
                return line
        time.sleep(0.05)
    raise RuntimeError((directory / "log").read_text())


def lines(directory: Path) -> Iterator[dict[str, Any]]:
    """Yield the whole lines of the arena's log."""
    with (directory / "log").open(encoding="utf-8") as log:
        for line in log:
            if line.startswith("{") and line.endswith("}\n"):
                yield json.loads(line)


def scrape(address: str) -> Samples:
    """Return what the arena counts now."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=20) as page:
        text = page.read().decode()
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def cpu_seconds(pid: int) -> float:
    """Return how much CPU time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process in MB of 10⁶ bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measured(streams: int, seconds: float, *, bad: float, say: bool = False) -> Run:
    """Run an arena with so many bots for a while, stop it, and look at what it left."""
    run = Run()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        directory = Path(name)
        with served(directory) as (process, address, metrics):
            bots = _register(directory, address, streams)
            command = [sys.executable, __file__, "--role", address, str(bad)]
            client = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            try:
                assert client.stdin is not None
                client.stdin.write(json.dumps(bots) + "\n")
                client.stdin.flush()
                _play(run, process.pid, metrics, seconds, say=say)
                begun = time.monotonic()
                process.send_signal(signal.SIGTERM)
                run.exit_code = process.wait(30)
                run.stopped_in = time.monotonic() - begun
                time.sleep(0.5)  # the bots hear the last words
                client.send_signal(signal.SIGTERM)
                run.bots = json.loads(client.communicate(timeout=60)[0])
            finally:
                client.kill()
                client.wait()
        run.errors = sum(line["level"] == "error" for line in lines(directory))
        run.stored = _account(directory, run.bots, bad=bad, names=[name for name, _ in bots])
    return run


def _register(directory: Path, address: str, streams: int) -> list[tuple[str, str]]:
    """Register bots and start a tournament of theirs; return their names and tokens."""
    token = (directory / "data" / "organiser-token").read_text().strip()
    with connect(Dial(address=Address(address)), token=token) as arena:
        names = [f"bot{number:03}" for number in range(streams)]
        bots = [(name, arena.register_bot(name, None).token) for name in names]
        arena.create_tournament(
            "soak",
            bots=tuple(names),
            policy="round-robin",
            cycles=min(MAX_CYCLES, max(1, 100_000 // streams**2)),
            rules=STANDARD,
            format=Session(HANDS),
            owners_apart=False,
        )
        arena.start_tournament("soak")
    return bots


def _play(run: Run, pid: int, metrics: str, seconds: float, *, say: bool) -> None:
    """Let the bots play for a while, and look at the arena meanwhile."""
    until = time.monotonic() + 30
    while not scrape(metrics)["arena_decisions_total", ()] and time.monotonic() < until:
        time.sleep(0.2)
    time.sleep(seconds * STEADY)
    run.first = scrape(metrics)
    begun, cpu = time.monotonic(), cpu_seconds(pid)
    told = begun
    while (now := time.monotonic()) - begun < seconds * (1 - STEADY):
        run.memory.append((now - begun, resident_mb(pid)))
        if say and now - told > 60:
            told = now
            decisions = scrape(metrics)["arena_decisions_total", ()]
            click.echo(
                f"{now - begun:.0f} s: {decisions:,.0f} decisions, {run.memory[-1][1]:.1f} MB",
                err=True,
            )
        time.sleep(SAMPLE)
    run.last = scrape(metrics)
    run.seconds, run.cpu = time.monotonic() - begun, cpu_seconds(pid) - cpu
    name = ("arena_decisions_total", ())
    run.decisions = run.last[name] - run.first[name]


def _account(
    directory: Path, bots: dict[str, Any], *, bad: float, names: list[str]
) -> dict[str, int]:
    """Compare what the database holds with what the bots heard, and with itself."""
    habit = dict(zip(names, habits(len(names), bad), strict=True))
    with sqlite3.connect(directory / "data" / "arena.sqlite3") as db:
        finished = db.execute(
            "SELECT id, entry0, entry1, entry2, points0, points1, points2, termination0, "
            "termination1, termination2, ended FROM games WHERE state = 'finished'"
        ).fetchall()
        hands: dict[str, list[tuple[int, int, int, int]]] = {}
        for game, *hand in db.execute(
            "SELECT game_id, hand, points0, points1, points2 FROM hands WHERE void IS NULL"
        ):
            hands.setdefault(game, []).append(tuple(hand))
        voids = db.execute("SELECT count(*) FROM hands WHERE void IS NOT NULL").fetchone()[0]
        twice = db.execute(
            "SELECT count(*) FROM (SELECT 1 FROM games WHERE state = 'finished' "
            "GROUP BY tournament_id, block_id, attempt, number HAVING count(*) > 1)"
        ).fetchone()[0]
        named = dict(
            db.execute(
                "SELECT e.id, b.name FROM entries e JOIN bots b ON b.id = e.bot_id"
            ).fetchall()
        )
        late = [
            named[seats[fault.seat]]
            for record, *seats in db.execute(
                "SELECT h.record, g.entry0, g.entry1, g.entry2 "
                "FROM hands h JOIN games g ON g.id = h.game_id WHERE h.faulty"
            )
            for fault in decode_hand(record).faults
            if fault.kind is FaultKind.TIME
        ]
    wrong = unheard = forfeited = 0
    heard = {game: set(who) for game, who in bots["heard"].items()}
    last = max((row[-1] for row in finished), default=0)
    for game, *row in finished:
        seats, points, ends, ended = row[:3], row[3:6], row[6:9], row[9]
        played = sorted(hands.get(game, []))
        forfeited += ends != ["normal"] * 3
        if ends == ["normal"] * 3:
            sums = [sum(hand[seat + 1] for hand in played) for seat in range(3)]
            in_order = [hand[0] for hand in played] == list(range(1, HANDS + 1))
            wrong += not in_order or sums != points
        if ended < last - 2_000_000:  # the last words of the others may have been lost in the stop
            unheard += sum(
                habit[named[seat]] is Habit.GOOD and named[seat] not in heard.get(game, ())
                for seat in seats
            )
    return {
        "games finished": len(finished),
        "of them forfeited": forfeited,
        "results twice": twice,
        "results that differ from their hands": wrong,
        "results a good bot never heard": unheard,
        "results heard twice": bots["heard_twice"],
        "void hands": voids,
        "time-outs": len(late),
        "time-outs not provoked": sum(habit[name] not in PROVOKED for name in late),
    }


async def play_bots(address: str, bad: float) -> None:
    """Be all the bots whose names and tokens come in on one line, until SIGTERM; then account."""
    bots = json.loads(sys.stdin.readline())
    account = Account()
    over = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    tasks = [
        asyncio.create_task(SoakBot(name, token, habit, account, address, seed).live())
        for seed, ((name, token), habit) in enumerate(
            zip(bots, habits(len(bots), bad), strict=True)
        )
    ]
    await over.wait()
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=5)
    sys.stdout.write(
        json.dumps(
            {
                "heard": {game: sorted(who) for game, who in account.heard.items()},
                "heard_twice": account.heard_twice,
                "decisions": account.decisions,
                "misdeeds": account.misdeeds,
                "goodbyes": account.goodbyes,
                "streams": account.streams,
            }
        )
    )


def report(soak: Run, costs: dict[int, Run], streams: int) -> Report:
    """Return what came out."""
    ratios: dict[str, tuple[float, str]] = {}
    figures: dict[str, float] = {}
    least = min(costs, default=0)
    for number, run in costs.items():
        figures[f"{number} streams: arena's CPU us a decision"] = run.cost_us
        figures[f"{number} streams: decisions a second"] = run.decisions / run.seconds
        figures[f"{number} streams: p99 of own delay, at most ms"] = run.delay_ms(0.99)
        if number != least:
            ratios[f"cost of a decision, {number} over {least} streams"] = (
                run.cost_us / costs[least].cost_us,
                "",
            )
    quarter = max(len(soak.memory) // 4, 1)
    megabytes = [size for _, size in soak.memory]
    growth = median(megabytes[-quarter:]) / median(megabytes[:quarter])
    slope, _ = linear_regression(*zip(*soak.memory, strict=True))
    ratios["memory, last quarter over first"] = (growth, "<= 1.1")
    for name in (
        "results twice",
        "results that differ from their hands",
        "results a good bot never heard",
        "results heard twice",
        "void hands",
        "time-outs not provoked",
    ):
        ratios[name] = (soak.stored[name], "<= 0")
    ratios["errors in the log"] = (soak.errors, "<= 0")
    ratios["exit code"] = (abs(soak.exit_code), "<= 0")
    figures |= {
        "soak: minutes after warm-up": soak.seconds / 60,
        "soak: decisions": soak.decisions,
        "soak: decisions a second": soak.decisions / soak.seconds,
        "soak: arena's CPU us a decision": soak.cost_us,
        "soak: arena's CPU, cores": soak.cpu / soak.seconds,
        "soak: median of own delay, at most ms": soak.delay_ms(0.5),
        "soak: p99 of own delay, at most ms": soak.delay_ms(0.99),
        "soak: memory at the end, MB": megabytes[-1],
        "soak: growth of memory, MB an hour": slope * 3600,
        "soak: faults": soak.total("arena_faults_total"),
        "soak: streams opened": soak.total("arena_streams_opened_total"),
        "soak: seconds to stop": soak.stopped_in,
        **{f"soak: {name}": soak.stored[name] for name in soak.stored if name not in ratios},
        **{f"soak: misdeeds {name}": n for name, n in sorted(soak.bots["misdeeds"].items())},
    }
    return Report(
        name=f"soak, {streams} streams",
        compared_with="what the bots did, and itself",
        ratios=ratios,
        figures=figures,
        machine={**machine("grpcio", "protobuf", "trio"), "load": f"{os.getloadavg()[0]:.1f}"},
    )


@click.command(help=__doc__)
@click.option("--minutes", default=0.5, show_default=True, help="Of the soak, warm-up included.")
@click.option("--streams", default=300, show_default=True)
@click.option("--bad", default=0.3, show_default=True, help="Share of bots that misbehave.")
@click.option("--cost-seconds", default=10.0, show_default=True, help="Of each cost; 0: none.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def main(minutes: float, streams: int, bad: float, cost_seconds: float, *, as_json: bool) -> None:
    """Soak, measure costs, and print what came out."""
    counts = [number for number in (3, 30, streams) if cost_seconds]
    costs = {number: measured(number, cost_seconds, bad=0.0) for number in counts}
    soak = measured(streams, minutes * 60, bad=bad, say=True)
    click.echo(as_report(report(soak, costs, streams), as_json=as_json))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--role"]:  # the process of the bots
        asyncio.run(play_bots(sys.argv[2], float(sys.argv[3])))
    else:
        main()
