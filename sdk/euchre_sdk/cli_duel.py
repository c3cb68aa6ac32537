"""`euchre duel`: is one bot stronger than another? As few hands as the answer takes."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from euchre_sdk.cli_duel_options import hypotheses, test_options
from euchre_sdk.cli_duel_screen import DuelScreen, headline, show_duel
from euchre_sdk.cli_group import Whole
from euchre_sdk.cli_play_options import jobs_option, processes, rules_option, seed_option
from euchre_sdk.cli_report import say
from euchre_sdk.cli_sentences import INTERRUPTED
from euchre_sdk.duel.kept import KeptDuel
from euchre_sdk.duel.local import LocalDuel
from euchre_sdk.duel.run import DealsWish, DuelRun, choose_deals
from euchre_sdk.game.rules_file import find_rules
from euchre_sdk.series import SESSION_HANDS
from euchre_sdk.tally import BLOCK


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--local",
    is_flag=True,
    default=True,
    help="Play on this machine. The default: in an arena, its organiser says `arena duel`.",
)
@click.option(
    "--third",
    "thirds",
    multiple=True,
    default=("heuristic",),
    show_default=True,
    metavar="BOT",
    help="Who else sits at the table; give it several times to take them in turn.",
)
@test_options
@click.option(
    "--deals",
    type=click.Choice([wish.value for wish in DealsWish]),
    default=DealsWish.AUTO.value,
    show_default=True,
    help="The same deals for all six seatings, where bots can be kept from remembering them; or "
    "fresh ones.",
)
@click.option(
    "--session",
    type=Whole(1),
    default=SESSION_HANDS,
    show_default=True,
    help="Hands of a session; a block has six.",
)
@rules_option
@seed_option
@jobs_option
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the blocks in this file, and go on with those that are in it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def duel(
    *,
    first: str,
    second: str,
    local: bool,  # noqa: ARG001 - there is no other place yet
    thirds: tuple[str, ...],
    deals: str,
    session: int,
    rules: str,
    seed: int,
    jobs: int,
    state: Path | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Find out whether bot A is stronger than bot B, as early as the results allow.

    \b
    euchre duel my_bot_v2.py my_bot.py               is the new one better?
    euchre duel my_bot_v2.py my_bot.py --elo1 20     by 20 Elo or more?

    Blocks of six sessions, one for each seating, are played until a sequential test decides, or
    until the cap.
    """  # noqa: D301 - click's mark for lines to leave as they are
    wanted = LocalDuel(
        first=first,
        second=second,
        thirds=thirds,
        rules=find_rules(rules),
        hands=session,
        seed=seed,
        test=hypotheses(block_hands=BLOCK * session, **asked),
    )
    choice = choose_deals(wanted, DealsWish(deals))
    wanted = replace(wanted, deals=choice.use)
    run = DuelRun(
        wanted,
        kept=None if state is None else KeptDuel(state, wanted),
        clause=choice.clause,
    )
    return _play(run, jobs=processes(jobs), state=state, as_json=as_json)


def _play(run: DuelRun, *, jobs: int, state: Path | None, as_json: bool) -> int:
    """Play, show it, and return the exit code."""
    output = Console(highlight=False)
    code = 0
    if not as_json:
        say(output, headline(run.view()))
        output.print()
    with redirect_stdout(sys.stderr), DuelScreen(Console(stderr=True, highlight=False)) as screen:
        try:
            screen.show(run.view())
            for _ in run.play(jobs=jobs):
                screen.show(run.view())
        except KeyboardInterrupt:
            code = INTERRUPTED
    view = run.stopped()
    if as_json:
        click.echo(json.dumps(view.to_json(), indent=2))
        return code
    show_duel(output, view)
    for line in run.described:
        say(output, line)
    if code:
        say(output, "Stopped by Ctrl-C." + (" The same command goes on." if state else ""))
    return code
