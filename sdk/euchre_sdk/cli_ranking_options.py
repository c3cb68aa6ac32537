"""What the commands that show a ranking have in common."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from enum import Enum
from functools import wraps
from typing import Any

import click

from euchre_sdk.rankings import Ranking


def ranking_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say how a ranking is shown.

    It is called with `leave_out_forfeits` and `wanted`, the names of bots to show.
    """

    @click.option(
        "--forfeits",
        type=click.Choice(["counted", "left-out"]),
        default="counted",
        show_default=True,
        help="Whether forfeits lower the rating of the offender.",
    )
    @click.option(
        "--bot",
        "wanted",
        multiple=True,
        metavar="NAME",
        help="Show this bot wherever it stands; give it once for each bot.",
    )
    @wraps(command)
    def with_choice(*, forfeits: str, **given: Any) -> None:
        command(leave_out_forfeits=forfeits == "left-out", **given)

    return with_choice


def ranking_json(ranking: Ranking) -> str:
    """Return a ranking as one line of JSON: times in seconds, what is not known as null."""
    return json.dumps(asdict(ranking), default=simple, ensure_ascii=False)


def simple(value: object) -> object:
    """Return what stands in JSON for a value that it has no form for."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Enum):
        return value.value
    msg = f"{value!r} has no form in JSON"
    raise TypeError(msg)
