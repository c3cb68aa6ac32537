"""`arena tournament …`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from arena.cli_audit import annulled_line
from arena.cli_common import (
    Refusal,
    arena_options,
    dialled,
    find_token,
    json_option,
    show_json,
    token_option,
)
from arena.cli_plan import plan_lines
from arena.cli_report import report
from arena.cli_types import Clocks, Limits, Rules, Span
from arena.referee import Conduct, TimeControl
from arena.rpc.client import policies, when
from arena.rpc.plain import plain
from euchre_sdk.cli_ranking import ranking_notes, ranking_table
from euchre_sdk.cli_ranking_options import ranking_options
from euchre_sdk.cli_ranking_screen import print_ranking, table_console
from euchre_sdk.client_dial import Dial
from euchre_sdk.game import RuleSet, Session, ToTarget
from euchre_sdk.wire_rankings import read_rankings

SWISS_ROUNDS = 5
"""Of a Swiss system, if nothing is said: enough to part the best from the others in any hall."""
MOST_ANNULLED = 10
"""Annulments that `show` lists, the newest."""


@click.group()
def tournament() -> None:
    """Create tournaments and run them."""


@tournament.command()
@click.argument("name")
@click.option("--bot", "bots", multiple=True, help="A bot to enter; give it once for each bot.")
@click.option(
    "--schedule",
    "--format",
    "policy",
    type=click.Choice([name for name in policies() if name != "duel"]),
    default="round-robin",
    show_default=True,
    help="Which trios meet.",
)
@click.option(
    "--cycles",
    "--rounds",
    "cycles",
    type=click.IntRange(1),
    help="Passes of the schedule; rounds of a swiss. [default: 1, of a swiss 5]",
)
@click.option("--newcomer", metavar="BOT", help="The bot that runs a gauntlet; it is entered, too.")
@click.option(
    "--blocks", type=click.IntRange(1), help="Blocks after which a ladder ends. [default: never]"
)
@click.option(
    "--hands",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    help="Hands of a session, a multiple of 3; a block has two sessions.",
)
@click.option("--games", is_flag=True, help="Play games to the target instead of sessions.")
@click.option(
    "--rules", type=Rules(), default="standard", show_default=True, help="A preset or a file."
)
@click.option(
    "--owners-apart/--owners-together",
    default=True,
    show_default=True,
    help="Whether bots of one author never meet.",
)
@click.option(
    "--blind",
    is_flag=True,
    help="Tell nobody who plays before the end, and rank between cycles only.",
)
@click.option(
    "--deadline",
    type=Span(),
    default="7d",
    show_default=True,
    help="How long absent bots are waited for, from now.",
)
@click.option(
    "--time",
    "time_control",
    type=Clocks(),
    help="Seconds a bot has: its bank in a session or game, what each decision adds, the most one "
    "may take. [default: 30+0.1/5]",
)
@click.option(
    "--conduct",
    type=Limits(),
    help="Limits on what bots may get wrong. "
    "[default: faults=3,fault_hands=15,lost=60s,misses=2,forfeits=3,house_limit=10s]",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Public seed of the schedule.")
@json_option
@token_option
@arena_options
def create(
    name: str,
    bots: tuple[str, ...],
    policy: str,
    *,
    cycles: int | None,
    newcomer: str | None,
    blocks: int | None,
    hands: int,
    rules: RuleSet,
    deadline: timedelta,
    time_control: TimeControl | None,
    conduct: Conduct | None,
    seed: int | None,
    games: bool,
    owners_apart: bool,
    blind: bool,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Create a tournament; it starts when you say so."""
    if not games and hands % 3:
        raise Refusal(
            f"--hands must be a multiple of 3, so that everybody deals as often: {hands}."
        )
    if newcomer is not None and newcomer not in bots:
        bots = (*bots, newcomer)
    with dialled(dial, find_token(token_file)) as arena:
        made = arena.create_tournament(
            name,
            bots=bots,
            policy=policy,
            cycles=cycles or (SWISS_ROUNDS if policy == "swiss" else 1),
            newcomer=newcomer,
            blocks=blocks,
            rules=rules,
            format=ToTarget() if games else Session(hands),
            owners_apart=owners_apart,
            blind=blind,
            deadline=datetime.now(UTC) + deadline,
            seed=seed,
            time_control=time_control,
            conduct=conduct,
        )
    if as_json:
        show_json(made)
        return
    click.echo(f"{name} is created: {_entries(made)}.")
    if len(made.entries) < 3:
        click.echo(f"Next: arena tournament enter {name} BOT (three or more)")
    else:
        click.echo(f"Next: arena tournament start {name}")


@tournament.command()
@click.argument("name")
@click.argument("bot")
@click.option("--version", "label", help="The version that plays. [default: what connects first]")
@json_option
@token_option
@arena_options
def enter(
    name: str,
    bot: str,
    label: str | None,
    *,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Enter a bot, after the start where the schedule can."""
    with dialled(dial, find_token(token_file)) as arena:
        entry = arena.enter_tournament(name, bot, label)
    if as_json:
        show_json(entry)
    else:
        click.echo(f"{bot} is entered in {name}.")


@tournament.command()
@click.argument("name")
@click.argument("bot")
@json_option
@token_option
@arena_options
def withdraw(
    name: str,
    bot: str,
    *,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
) -> None:
    """Take a bot out of a tournament. Blocks it has begun are forfeits."""
    with dialled(dial, find_token(token_file)) as arena:
        entry = arena.withdraw_entry(name, bot)
    if as_json:
        show_json(entry)
    else:
        click.echo(f"{bot} is withdrawn from {name}.")


def _changing(verb: str, done: str, following: str) -> None:
    """Add a command that changes where a tournament stands."""

    @tournament.command(verb, help=following.partition("|")[0])
    @click.argument("name")
    @json_option
    @token_option
    @arena_options
    def change(
        name: str,
        *,
        as_json: bool,
        token_file: Path | None,
        dial: Dial,
    ) -> None:
        with dialled(dial, find_token(token_file)) as arena:
            changed = getattr(arena, f"{verb}_tournament")(name)
        if as_json:
            show_json(changed)
        else:
            click.echo(f"{name} {done}.")
            click.echo(following.partition("|")[2].format(name=name))


_changing(
    "start", "is running", "Start a tournament, or go on after a pause.|Next: arena watch {name}"
)
_changing(
    "pause",
    "is paused",
    "Begin no new blocks; running ones finish.|Go on: arena tournament start {name}",
)
_changing(
    "cancel",
    "is cancelled",
    "Stop a tournament for good; results so far stay.|The table: arena tournament show {name}",
)


@tournament.command("list")
@json_option
@arena_options
def list_tournaments(*, as_json: bool, dial: Dial) -> None:
    """List all tournaments, newest first."""
    with dialled(dial) as arena:
        found = arena.list_tournaments()
    if as_json:
        show_json(found)
        return
    table = Table(box=None, header_style="dim")
    table.add_column("tournament", overflow="fold")
    table.add_column("state")
    table.add_column("blocks", justify="right")
    table.add_column("games running", justify="right")
    table.add_column("created")
    for each in found:
        progress = each.progress
        table.add_row(
            each.name,
            plain(each)["state"],
            f"{progress.blocks_complete:,}/{progress.blocks_total:,}",
            f"{progress.games_running:,}",
            f"{when(each.create_time):%Y-%m-%d %H:%M}",
        )
    table_console().print(
        table if found else "No tournaments yet. Next: arena tournament create NAME"
    )


@tournament.command()
@click.argument("name")
@json_option
@arena_options
def show(name: str, *, as_json: bool, dial: Dial) -> None:
    """Show how a tournament is played, its entries and its table."""
    with dialled(dial) as arena:
        found = arena.get_tournament(name)
        rankings = arena.get_rankings(name)
    if as_json:
        show_json({"tournament": plain(found), "rankings": plain(rankings)})
        return
    out = table_console()
    out.print(f"{name} · {plain(found)['state']} · {_entries(found)}")
    for line in plan_lines(found.plan):
        out.print(f"  {line}")
    for annulment in found.annulments[-MOST_ANNULLED:]:
        out.print(f"  {annulled_line(annulment)}", markup=False)
    if (more := len(found.annulments) - MOST_ANNULLED) > 0:
        out.print(f"  and {more:,} more before these: arena audit --about {name}")
    table = read_rankings(rankings)
    out.print()
    out.print(ranking_table(table, width=out.width))
    out.print()
    for note in ranking_notes(table, width=out.width):
        out.print(f" {note}", style="dim")


@tournament.command()
@click.argument("name")
@click.option("--matrix", is_flag=True, help="Compare every pair of bots, too.")
@json_option
@ranking_options
@arena_options
def ranking(
    name: str,
    *,
    matrix: bool,
    as_json: bool,
    leave_out_forfeits: bool,
    wanted: tuple[str, ...],
    dial: Dial,
) -> None:
    """Show the ranking of a tournament as it is."""
    with dialled(dial) as arena:
        rankings = arena.get_rankings(name, leave_out_forfeits=leave_out_forfeits, matrix=matrix)
    if as_json:
        show_json(rankings)
    else:
        print_ranking(read_rankings(rankings), table_console(), wanted)


def _entries(tournament: Any) -> str:
    names = [each.name for each in tournament.entries if not each.withdrawn]
    return f"{len(names)} entries" + (f" ({', '.join(names)})" if 0 < len(names) <= 12 else "")


tournament.add_command(report)
