"""`arena tournament report …`: who scores more beside whom, and how fast bots answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from arena.cli_common import (
    arena_options,
    dialled,
    find_token,
    json_option,
    show_json,
    token_option,
)
from euchre_sdk.cli_ranking_screen import table_console
from euchre_sdk.client_dial import Dial

MOST_PAIRS = 10
"""Pairs that are listed; --json has all."""


@click.command()
@click.argument("name")
@json_option
@token_option
@arena_options
def report(name: str, *, as_json: bool, token_file: Path | None, dial: Dial) -> None:
    """Tell what the ranking of tournament NAME does not show.

    The partner effect says whether a bot scores more when a certain other one sits at its table
    than their strengths let expect; response times are those of up to 300 games.
    """
    with dialled(dial, find_token(token_file)) as arena:
        found = arena.get_report(name)
    if as_json:
        show_json(found)
        return
    console = table_console()
    if found.partner_effects:
        console.print(_effects(found.partner_effects[:MOST_PAIRS]))
        console.print(_reading(found.partner_effects), soft_wrap=True)
    else:
        console.print(
            " Nothing can be said yet of who helps whom: it takes four blocks with and one without."
        )
    if found.response_times:
        console.print()
        console.print(_times(found.response_times))


def _effects(effects: Any) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("bot", overflow="fold")
    table.add_column("beside", overflow="fold")
    for head in ("points/hand", "± 95 %", "blocks"):
        table.add_column(head, justify="right")
    table.add_column("")
    for effect in effects:
        table.add_row(
            Text(effect.bot),
            Text(effect.partner),
            f"{effect.points:+.3f}",
            f"{effect.points_error:.3f}",
            f"{effect.blocks:,}",
            "notable" if effect.notable else "",
        )
    return table


def _reading(effects: Any) -> str:
    notable = sum(effect.notable for effect in effects)
    told = "1 pair stands" if notable == 1 else f"{notable} pairs stand"
    nobody = "No pair stands" if not notable else told
    return f" {nobody} out of chance, of {len(effects):,} looked at. The surest are listed."


def _times(times: Any) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("bot", overflow="fold")
    for head in ("answers", "median", "95 %", "longest"):
        table.add_column(head, justify="right")
    for line in times:
        took = (line.median_duration, line.p95_duration, line.longest_duration)
        shown = [f"{each.ToMicroseconds() / 1000:,.1f} ms" for each in took]
        table.add_row(Text(line.bot), f"{line.answers:,}", *shown)
    return table
