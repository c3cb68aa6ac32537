"""How long after a crash bots are asked again: `python -m benchmarks.restart [--json]`.

Thirty streams of the SDK's client play several games each; the arena is killed and started again.
Measured is the time from the arena listening to 95 % of the streams holding a question, which
the clients' back-off (0.1 s doubling to 1 s, with jitter) is a part of. The target is 3 s.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from arena.rpc.client import connect
from euchre_sdk import run
from euchre_sdk.client_dial import Address, Dial
from euchre_sdk.game import STANDARD, Action, Session, View

TARGET = 3.0
"""Seconds."""
SHARE = 0.95
THINKS = 0.2
"""Seconds per decision: as good as always some question is open."""
GAMES = 4
PATIENCE = 120.0


class Slow:
    """Thinks for a while and plays anything."""

    def act(self, view: View) -> Action:
        """Write down that it was asked, and answer."""
        os.write(1, f"{threading.current_thread().name} {time.time()}\n".encode())
        time.sleep(THINKS)
        return random.choice(view.legal)


def play(address: str, names: list[str]) -> None:
    """Play as several bots, in a thread each, until killed. Tokens come in by standard input."""
    for name, token in zip(names, sys.stdin.read().split(), strict=True):
        options: dict[str, Any] = {"arena": address, "token": token, "games": GAMES}
        options["wait_for_arena"] = True
        threading.Thread(target=run, args=(Slow,), kwargs=options, name=name).start()


def serve(directory: Path, address: str) -> tuple[subprocess.Popen[bytes], float, str]:
    """Start the arena; return when it listened, as the log says, and where."""
    log = directory / "arena.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            (
                *(sys.executable, "-m", "arena", "serve"),
                *("--address", address, "--data", str(directory / "data")),
            ),
            stdout=subprocess.DEVNULL,
            stderr=output,
        )
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        for line in log.read_text().splitlines():
            if '"arena_started"' in line and line.endswith("}"):
                said = json.loads(line)
                return (
                    process,
                    datetime.fromisoformat(said["timestamp"]).timestamp(),
                    said["address"],
                )
        time.sleep(0.02)
    raise SystemExit(log.read_text())


def asked_since(outputs: list[Path], instant: float) -> dict[str, float]:
    """Return when each bot was first asked after an instant, in seconds since then."""
    asked: dict[str, float] = {}
    for path in outputs:
        for line in path.read_text().splitlines():
            name, _, at = line.partition(" ")
            if at and float(at) > instant:
                asked.setdefault(name, float(at) - instant)
    return asked


def wait_for(outputs: list[Path], instant: float, count: int) -> list[float]:
    """Return the times of the first `count` bots that were asked after an instant."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        asked = asked_since(outputs, instant)
        if len(asked) >= count:
            return sorted(asked.values())[:count]
        time.sleep(0.05)
    raise SystemExit(f"only {len(asked_since(outputs, instant))} bots were asked in {PATIENCE} s")


def measure(directory: Path, *, streams: int, restarts: int) -> list[float]:
    """Return the seconds of each restart."""
    arena, began, address = serve(directory, "127.0.0.1:0")
    token = (directory / "data" / "organiser-token").read_text().strip()
    names = [f"bot{number:02}" for number in range(streams)]
    with connect(Dial(address=Address(address)), token=token) as client:
        tokens = [client.register_bot(name, None).token for name in names]
        client.create_tournament(
            "restart",
            bots=tuple(names),
            policy="round-robin",
            cycles=5,
            rules=STANDARD,
            format=Session(30),
            owners_apart=False,
        )
        client.start_tournament("restart")
    players, outputs = [], []
    try:
        for first in range(0, streams, 10):
            outputs.append(directory / f"asked{first}")
            with outputs[-1].open("wb") as output:
                player = subprocess.Popen(
                    (sys.executable, __file__, "--play", address, *names[first : first + 10]),
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=subprocess.DEVNULL,
                )
            players.append(player)
            assert player.stdin is not None
            player.stdin.write(" ".join(tokens[first : first + 10]).encode())
            player.stdin.close()
        wait_for(outputs, began, streams)
        took = []
        for _ in range(restarts):
            time.sleep(random.uniform(0.5, 1.5))
            arena.kill()
            arena.wait()
            arena, began, _ = serve(directory, address)
            took.append(wait_for(outputs, began, math.ceil(SHARE * streams))[-1])
        return took
    finally:
        for process in (*players, arena):
            process.kill()
            process.wait()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.restart")
    parser.add_argument("--streams", type=int, default=30)
    parser.add_argument("--restarts", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--play", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.play:
        play(arguments.play[0], arguments.play[1:])
        return
    with tempfile.TemporaryDirectory() as directory:
        took = measure(Path(directory), streams=arguments.streams, restarts=arguments.restarts)
    found = {
        "streams": arguments.streams,
        "seconds": [round(each, 2) for each in took],
        "median_s": round(statistics.median(took), 2),
        "worst_s": round(max(took), 2),
        "target_s": TARGET,
        "load": round(os.getloadavg()[0], 1),
    }
    if arguments.json:
        print(json.dumps(found))
        return
    print(
        f"{arguments.streams} streams, {len(took)} restarts: 95 % are asked again "
        f"{found['median_s']} s (median) and {found['worst_s']} s (worst) after the arena listens; "
        f"the target is {TARGET:g} s. Load of this machine: {found['load']}."
    )


if __name__ == "__main__":
    main()
