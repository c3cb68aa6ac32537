"""Options of the commands that play on this machine."""

from __future__ import annotations

import os

import click

from euchre_sdk.cli_group import Whole
from euchre_sdk.game import PRESETS

MOST_JOBS = 256
"""Processes at most: more than any machine has cores for, and fewer than bring one down."""

rules_option = click.option(
    "--rules",
    default="standard",
    show_default=True,
    metavar="PRESET|FILE",
    help=f"Rule set: {', '.join(PRESETS)}, or a TOML or JSON file.",
)
seed_option = click.option(
    "--seed", type=int, default=1, show_default=True, help="Same seed, same result."
)
jobs_option = click.option(
    "--jobs",
    type=Whole(0, MOST_JOBS),
    default=1,
    show_default=True,
    help="Processes to play in; 0 is one for each core. The result is the same.",
)


def processes(jobs: int) -> int:
    """Return in how many processes to play, as `--jobs` says."""
    return jobs or min(os.cpu_count() or 1, MOST_JOBS)
