"""`arena annul …` and `arena audit`: what does not count any more, and who decided what."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from arena.cli_common import (
    arena_options,
    dialled,
    find_token,
    json_option,
    show_json,
    token_option,
)
from arena.cli_plan import counted
from arena.rpc.client import when
from euchre_sdk.cli_ranking_screen import table_console
from euchre_sdk.client_dial import Dial
from euchre_sdk.text import one_line

_BLOCK = re.compile(r"c\d+b\d+")


@click.command()
@click.argument("tournament")
@click.argument("target", metavar="GAME|BLOCK")
@click.option("--reason", required=True, help="Why, in one line; everybody may read it.")
@click.option(
    "--replay",
    is_flag=True,
    help="Play the block again, with new deals. Only while the tournament is not over.",
)
@json_option
@token_option
@arena_options
def annul(
    tournament: str,
    target: str,
    *,
    reason: str,
    replay: bool,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Strike a game or a block from the results.

    Games of TOURNAMENT are called such as g0123…, blocks such as c1b7. Nothing that was played is
    deleted: its record stays and says so, the ranking is computed without it, and the audit log
    keeps who struck it and why. It cannot be taken back.
    """
    block = target if _BLOCK.fullmatch(target) else None
    with dialled(dial, find_token(token_file)) as arena:
        done = arena.annul_results(
            tournament,
            game_id=None if block else target,
            block_id=block,
            reason=reason,
            replay=replay,
        )
    if as_json:
        show_json(done)
        return
    click.echo(f"{annulled_line(done)}.")
    click.echo(f"The table without it: arena tournament show {tournament}")


def annulled_line(annulment: Any) -> str:
    """Return what was struck, in words without a full stop."""
    what = f"block {annulment.block_id}"
    if annulment.HasField("game_id"):
        what = f"game {annulment.game_id} of {what}"
    elif annulment.attempt > 1 or annulment.replayed:
        what += f", attempt {annulment.attempt}"
    again = "; it is played again" if annulment.replayed else ""
    games = "" if annulment.HasField("game_id") else f" ({counted(annulment.games, 'game')})"
    return f"{what}{games} is annulled{again}: {one_line(annulment.reason)}"


@click.command()
@click.option("--about", help="Only about this tournament and what is in it, or this bot.")
@click.option(
    "--last",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="How many lines, the newest.",
)
@json_option
@token_option
@arena_options
def audit(
    *,
    about: str | None,
    last: int,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Show who decided what, when and why.

    The newest lines, the newest last.
    """
    with dialled(dial, find_token(token_file)) as arena:
        lines = list(islice(arena.audit_lines(about), last))[::-1]
    if as_json:
        show_json(lines)
        return
    table = Table(box=None, header_style="dim")
    for column in ("when", "who", "what"):
        table.add_column(column, no_wrap=True)
    for column in ("about", "why"):
        table.add_column(column, overflow="fold")
    for line in lines:
        at = f"{when(line.decide_time):%Y-%m-%d %H:%M:%S}"
        said = (line.actor, line.action, line.subject, line.reason)
        table.add_row(at, *map(one_line, said))
    table_console().print(table if lines else "Nothing was decided so far.")
