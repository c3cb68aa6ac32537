"""What a duel asks and how sure it shall be, as options of a command."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeVar

import click

from euchre_sdk.cli_group import Whole
from euchre_sdk.duel.effect import elo_of_points, points_of_elo
from euchre_sdk.duel.gsprt import HAND_DEVIATION, LEAST_BLOCKS, SequentialTest, SprtError
from euchre_sdk.text import cut

POINTS = 0.1
"""The lead that is looked for if nothing is said, in points a hand."""
MOST_BLOCKS = 200_000
"""Blocks of a duel at most: the arena's own limit for a schedule."""
_ROOM = 3
"""The cap if nothing is said, in lengths of the fixed test."""

F = TypeVar("F", bound=Callable[..., Any])
if TYPE_CHECKING:
    _FloatType = click.ParamType[float]
else:
    _FloatType = click.ParamType  # generic only in newer releases


class Real(_FloatType):
    """A number, refused in a sentence that says so."""

    name = "X"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        try:
            number = float(str(value))
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            self.fail(f"expected a number, not {cut(str(value), 40)!r}", param, ctx)
        return number


def test_options(command: F) -> F:
    """Give a command the options that `hypotheses` takes."""
    for option in (
        click.option(
            "--cap",
            type=Whole(LEAST_BLOCKS, MOST_BLOCKS),
            help="Blocks after which it ends undecided. "
            f"[default: {_ROOM} times what a test of fixed length takes]",
        ),
        click.option(
            "--beta",
            type=Real(),
            default=0.05,
            show_default=True,
            help="Probability of not finding out that A is stronger, if it is by that much.",
        ),
        click.option(
            "--alpha",
            type=Real(),
            default=0.05,
            show_default=True,
            help="Probability of calling A stronger although it is not.",
        ),
        click.option(
            "--elo1", type=Real(), help="The lead looked for as Elo, instead of --points."
        ),
        click.option("--elo0", type=Real(), help="The lead that is none, as Elo. [default: 0]"),
        click.option(
            "--points",
            type=Real(),
            help=f"The lead looked for, in points a hand. [default: {POINTS:g}, that is "
            f"{elo_of_points(POINTS):.0f} Elo]",
        ),
    ):
        command = option(command)
    return command


def hypotheses(
    *,
    block_hands: int,
    points: float | None,
    elo0: float | None,
    elo1: float | None,
    alpha: float,
    beta: float,
    cap: int | None,
) -> SequentialTest:
    """Return the test that options ask for. Raises `click.UsageError` where they cannot be."""
    if points is not None and elo1 is not None:
        raise click.UsageError("say --points or --elo1, not both")
    points1 = points_of_elo(elo1) if elo1 is not None else POINTS if points is None else points
    points0 = 0.0 if elo0 is None else points_of_elo(elo0)
    try:
        asked = SequentialTest(
            points0=points0,
            points1=points1,
            alpha=alpha,
            beta=beta,
            cap=MOST_BLOCKS,
            block_hands=block_hands,
        )
        most = min(_ROOM * fixed_blocks(asked), MOST_BLOCKS) if cap is None else cap
        return SequentialTest(
            points0=points0,
            points1=points1,
            alpha=alpha,
            beta=beta,
            cap=max(most, LEAST_BLOCKS),
            block_hands=block_hands,
        )
    except SprtError as error:
        raise click.UsageError(str(error)) from error


def fixed_blocks(test: SequentialTest) -> int:
    """Return the blocks that a test of fixed length needs for the same errors, on fresh deals.

    ((z(1-α) + z(1-β)) · deviation / (points1 - points0))², z the quantile of the normal
    distribution; the deviation is that of near-equal bots.
    """
    quantile = NormalDist().inv_cdf
    separated = quantile(1 - test.alpha) + quantile(1 - test.beta)
    deviation = HAND_DEVIATION / math.sqrt(test.block_hands)
    return math.ceil((separated * deviation / (test.points1 - test.points0)) ** 2)
