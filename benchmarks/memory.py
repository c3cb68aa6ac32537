"""Peak memory of a million local hands, and whether it grows.

A process of its own plays the hands (`play_series`, sessions, three `random` bots) and is sampled
from outside: resident memory over time and its peak as the kernel counts it. Compared with two
limits: the peak, and the growth from the first quarter of the run to the last.

    python benchmarks/memory.py [--hands N] [--json]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.harness import Report, as_report, machine, meets

HANDS = 1_000_000
LIMIT_MB = 80.0
"""Peak resident memory that the run may take, in MB of 10⁶ bytes."""
GROWTH_LIMIT_MB = 1.0
"""Growth between the medians of the first and the last quarter that still counts as flat."""
PERIOD = 0.02
"""Seconds between two samples."""
_CHILD = """
import sys
from euchre_sdk import play_series
bots = ("random", "random", "random")
play_series(bots, hands=6000)
print("warm", flush=True)
print(play_series(bots, hands=int(sys.argv[1])).hands)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What one run took."""

    hands: int
    seconds: float
    peak_mb: float
    samples_mb: list[float]

    @property
    def growth_mb(self) -> float:
        """Median of the last quarter of the samples less that of the first."""
        quarter = max(len(self.samples_mb) // 4, 1)
        return median(self.samples_mb[-quarter:]) - median(self.samples_mb[:quarter])


def resident_mb(pid: int) -> float | None:
    """Return the resident memory of a process in MB, `None` once it has ended."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(hands: int) -> Measurement:
    """Play the hands in a fresh process and watch it once it is warm."""
    process = subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(hands)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    started = time.monotonic()
    samples: list[float] = []
    while process.poll() is None:
        now = resident_mb(process.pid)
        if now:
            samples.append(now)
        time.sleep(PERIOD)
    seconds = time.monotonic() - started
    played = int(process.stdout.read() or 0)
    if process.returncode or played < hands:
        sys.exit(f"the run ended with {process.returncode} after {played:,} hands")
    # The only child there was: its peak as the kernel counted it, in KiB.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6
    return Measurement(hands=played, seconds=seconds, peak_mb=peak, samples_mb=samples)


def report(done: Measurement) -> Report:
    """Return what is printed."""
    return Report(
        name="memory of local play",
        compared_with=f"limits: {LIMIT_MB:.0f} MB peak, {GROWTH_LIMIT_MB:.0f} MB of growth",
        ratios={
            "peak_to_limit": (done.peak_mb / LIMIT_MB, "<= 1"),
            "growth_to_limit": (done.growth_mb / GROWTH_LIMIT_MB, "<= 1"),
        },
        figures={
            "hands": done.hands,
            "peak_mb": done.peak_mb,
            "growth_mb": done.growth_mb,
            "samples": len(done.samples_mb),
            "seconds": done.seconds,
        },
        machine=machine("euchre-sdk"),
    )


def main() -> int:
    """Measure, print, and return 1 if a limit is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not Path("/proc/self/statm").exists():
        sys.exit("memory is sampled from /proc, which this system does not have")
    outcome = report(measure(options.hands))
    print(as_report(outcome, as_json=options.json))
    return 0 if all(meets(value, aim) for value, aim in outcome.ratios.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
