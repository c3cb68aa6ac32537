"""`arena duel A B`: is one bot of this arena stronger than another?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from arena.cli_common import (
    Refusal,
    arena_options,
    dialled,
    find_token,
    json_option,
    show_json,
    token_option,
)
from arena.cli_types import Clocks, Limits, Rules, Span
from arena.referee import Conduct, TimeControl
from arena.rpc.client import ArenaClient
from arena.rpc.watching import watch_rankings
from arena.tournaments.duel_terms import DuelTerms
from euchre_sdk.cli_duel_options import hypotheses, test_options
from euchre_sdk.cli_duel_screen import DuelScreen, headline, show_duel
from euchre_sdk.cli_ranking_screen import table_console
from euchre_sdk.cli_sentences import INTERRUPTED
from euchre_sdk.client_dial import Dial
from euchre_sdk.client_redial import Redial
from euchre_sdk.errors import EuchreError
from euchre_sdk.game import RuleSet, Session
from euchre_sdk.rankings import Ranking
from euchre_sdk.wire_rankings import read_rankings

HOUSE_THIRDS = ("heuristic@1", "monte_carlo@1")
"""Who sits third if nobody is named: the first of these that is not one of the two."""
_PREFIX = "duel-"


@click.command()
@click.argument("bots", nargs=-1, metavar="A B")
@click.option(
    "--third",
    "thirds",
    multiple=True,
    metavar="BOT",
    help="Who else sits at the table; give it several times to take them in turn. "
    f"[default: {' or '.join(HOUSE_THIRDS)}]",
)
@test_options
@click.option("--show", "shown", metavar="NAME", help="Show a duel that was begun before.")
@click.option("--name", help=f"Name of the tournament. [default: {_PREFIX} and a number]")
@click.option(
    "--hands",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    help="Hands of a session, a multiple of 3; a block has two sessions.",
)
@click.option(
    "--rules", type=Rules(), default="standard", show_default=True, help="A preset or a file."
)
@click.option(
    "--deadline",
    type=Span(),
    default="7d",
    show_default=True,
    help="How long absent bots are waited for, from now.",
)
@click.option("--time", "time_control", type=Clocks(), help="Clocks, as in `tournament create`.")
@click.option("--conduct", type=Limits(), help="Limits, as in `tournament create`.")
@json_option
@token_option
@arena_options
def duel(
    bots: tuple[str, ...],
    *,
    thirds: tuple[str, ...],
    shown: str | None,
    name: str | None,
    hands: int,
    rules: RuleSet,
    deadline: timedelta,
    time_control: TimeControl | None,
    conduct: Conduct | None,
    as_json: bool,
    token_file: Path | None,
    dial: Dial,
    **asked: Any,
) -> None:
    """Find out whether bot A is stronger than bot B.

    It is found out as early as the results allow.

    A duel is a tournament that ends by itself once a sequential test decides, or at its cap. Ctrl-C
    stops watching; the duel goes on, `--show NAME` looks again.
    """
    if shown is not None:
        if bots:
            raise click.UsageError("say which bots are to play, or --show NAME, not both")
        raise click.exceptions.Exit(_watch(dial, shown, as_json=as_json))
    if len(bots) != 2:
        raise click.UsageError(f"two bots play a duel, not {len(bots)}: arena duel A B")
    if hands % 3:
        raise Refusal(
            f"--hands must be a multiple of 3, so that everybody deals as often: {hands}."
        )
    first, second = bots
    test = hypotheses(block_hands=2 * hands, **asked)
    with dialled(dial, find_token(token_file)) as arena:
        name = name or _free_name(arena)
        arena.create_tournament(
            name,
            bots=(first, second, *(thirds or _house_third(bots))),
            policy="duel",
            cycles=1,
            rules=rules,
            format=Session(hands),
            owners_apart=False,  # two versions of one author meet
            deadline=datetime.now(UTC) + deadline,
            time_control=time_control,
            conduct=conduct,
            duel=DuelTerms(
                first=first,
                second=second,
                points0=test.points0,
                points1=test.points1,
                alpha=test.alpha,
                beta=test.beta,
                cap=test.cap,
            ),
        )
        arena.start_tournament(name)
    raise click.exceptions.Exit(_watch(dial, name, as_json=as_json))


def _free_name(arena: ArenaClient) -> str:
    """Return a name that no tournament has."""
    taken = {each.name for each in arena.list_tournaments()}
    return next(name for n in range(1, len(taken) + 2) if (name := f"{_PREFIX}{n}") not in taken)


def _house_third(bots: Iterable[str]) -> tuple[str, ...]:
    return (next(name for name in HOUSE_THIRDS if name not in bots),)


def _watch(dial: Dial, name: str, *, as_json: bool) -> int:
    """Show a duel until it is over, and return the exit code."""
    out = table_console()
    last: Ranking | None = None
    code = 0
    if as_json:
        out.quiet = True
    try:
        with DuelScreen(out, lines=True) as screen:
            redial = Redial(dial, tell=screen.say)
            for rankings in watch_rankings(dial, name, redial=redial):
                last = _duel_of(rankings, name, last, screen.say)
                assert last.duel is not None  # else it was refused
                screen.show(last.duel)
                if last.duel.decision.is_over:  # what was begun ahead is played for nothing
                    break
    except EuchreError as error:
        raise Refusal(str(error)) from error
    except KeyboardInterrupt:
        code = INTERRUPTED
    if last is None or last.duel is None:
        return code
    if as_json:
        show_json({"tournament": name, "state": last.state.value, **last.duel.to_json()})
        return code
    show_duel(out, last.duel)
    out.print(
        f" It goes on in the arena. Look again: arena duel --show {name}"
        if code
        else f" The ratings: arena watch {name}"
    )
    return code


def _duel_of(
    rankings: Any, name: str, before: Ranking | None, say: Callable[[str], None]
) -> Ranking:
    """Return a ranking that has a duel; say what is asked once, and for whom it waits."""
    ranking = read_rankings(rankings)
    if ranking.duel is None:
        raise Refusal(f"{name} is no duel, or a blind one: arena watch {name} shows its table.")
    if before is None:
        say(f" {name}: {headline(ranking.duel)}")
    if ranking.waits_for and (before is None or before.waits_for != ranking.waits_for):
        say(f" It waits for {', '.join(ranking.waits_for)}.")
    return ranking
