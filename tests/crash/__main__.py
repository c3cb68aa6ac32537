"""`python -m tests.crash`: one tournament whose arena is killed a hundred times, and the audit."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path
from time import monotonic

from tests.crash.campaign import Campaign


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="deaths, at least")
    parser.add_argument("--seed", type=int, default=1, help="draws the instants")
    parser.add_argument("--cycles", type=int, default=0, help="of the schedule; else by the kills")
    parser.add_argument("--keep", action="store_true", help="leave the data where it is")
    arguments = parser.parse_args()
    directory = Path(tempfile.mkdtemp(prefix="crash-"))
    began = monotonic()
    campaign = Campaign(
        directory,
        seed=arguments.seed,
        cycles=arguments.cycles or max(4, arguments.kills // 2),
        malformed=0.001,
        tell=print,
    )
    with campaign.running():
        campaign.storm(arguments.kills)
        campaign.finish()
    report = campaign.report
    report.seconds = monotonic() - began
    if not arguments.keep:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
