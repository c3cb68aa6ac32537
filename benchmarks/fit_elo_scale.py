"""Fit the constants of the ratings from house bots' own play: see arena/ratings/elo.py.

Bots of graded strength are made from one house bot that plays a share of its decisions at random.
The same field plays sessions and games to 10, all trios of it. Both models rate it, and the slope
of the games' Elo on the sessions' points is Elo per point a hand. The slope must be the same all
along the range it is stated valid for; the table printed shows how far it is from that.

    python -m benchmarks.fit_elo_scale [--blocks 100] [--bot heuristic] [--json]
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the arena; before numpy is imported

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

import click
import numpy as np

from arena.ratings import (
    GameColumns,
    GameResult,
    Ranking,
    SessionColumns,
    SessionResult,
    rank_games,
    rank_sessions,
)
from arena.ratings.elo import ELO_PER_POINT, VALID_ELO
from arena.scheduling import SESSION_HANDS, EntryId, Trio, seatings
from benchmarks.harness import Report, as_report, machine
from euchre_sdk.bot import Bot
from euchre_sdk.bots import make_bot
from euchre_sdk.game import STANDARD, Action, Format, Game, SeededDeals, Session, ToTarget, View

RANDOM_SHARES = (0.0, 0.1, 0.22, 0.38, 0.6, 0.9)
"""Spread so that neighbours differ by some 100 Elo and the whole field by nearly 600."""


class Graded:
    """A bot that plays a share of its decisions at random."""

    def __init__(self, bot: Bot, share: float, seed: int) -> None:
        self._bot = bot
        self._share = share
        self._random = Random(seed)

    def act(self, view: View) -> Action:
        """Ask the bot, or chance."""
        if self._random.random() < self._share:
            return self._random.choice(view.legal)
        return self._bot.act(view)


@dataclass
class Moments:
    """Running sums over hands."""

    hands: int = 0
    points: int = 0
    squares: int = 0
    difference_squares: int = 0
    by_position: list[int] = field(default_factory=lambda: [0, 0, 0])

    def add(self, dealer: int, points: Sequence[int]) -> None:
        """Take in one hand."""
        self.hands += 1
        self.points += sum(points)
        self.squares += sum(value * value for value in points)
        first, second, third = points
        self.difference_squares += (
            (first - second) ** 2 + (second - third) ** 2 + (third - first) ** 2
        )
        for seat, value in enumerate(points):
            self.by_position[(seat - dealer - 1) % 3] += value


def play(
    game: Game, bots: Sequence[Graded], moments: Moments
) -> list[tuple[int, tuple[int, int, int]]]:
    """Play to the end; return every hand's dealer and points."""
    hands = []
    while game.result is None:
        dealer = game.dealer
        hand = game.start_hand()
        while (view := hand.view) is not None:
            hand.apply(bots[view.seat].act(view))
        points = game.finish_hand()
        moments.add(dealer, points)
        hands.append((int(dealer), points))
    return hands


def field_of(bot: str) -> dict[EntryId, Graded]:
    """Return the graded bots by name."""
    return {
        EntryId(f"{bot} {share:.0%} random"): Graded(make_bot(bot), share, number)
        for number, share in enumerate(RANDOM_SHARES)
    }


def tournament(
    bots: dict[EntryId, Graded], format: Format, blocks: int, moments: Moments
) -> Ranking:
    """Play all trios `blocks` times in blocks of the format, and rate them."""
    sessions: list[SessionResult] = []
    games: list[GameResult] = []
    seed = 0 if isinstance(format, ToTarget) else 1 << 32
    names = list(bots)
    trios: list[Trio] = [(a, b, c) for a, b, c in combinations(names, 3)] * blocks
    for number, trio in enumerate(trios):
        for seats in seatings(trio, format):
            seed += 1
            game = Game(STANDARD, SeededDeals(seed), format)
            hands = play(game, [bots[entry] for entry in seats], moments)
            result = game.result
            assert result is not None
            assert result.places is not None
            if isinstance(format, Session):
                sessions.append(
                    SessionResult.of_hands(
                        block_id=str(number),
                        seats=seats,
                        scheduled=format.hands,
                        hands=hands,
                        places=result.places,
                    )
                )
            else:
                games.append(
                    GameResult(
                        block_id=str(number),
                        seats=seats,
                        hands=result.hands,
                        points=result.score,
                        places=result.places,
                    )
                )
    if isinstance(format, Session):
        return rank_sessions(SessionColumns.of(sessions))
    return rank_games(GameColumns.of(games))


@click.command()
@click.option("--blocks", default=100, show_default=True, help="Blocks of each of the 20 trios.")
@click.option("--bot", default="heuristic", show_default=True, help="House bot to grade.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def main(*, blocks: int, bot: str, as_json: bool) -> None:
    """Print Elo per point a hand and what else the ratings are told about a hand."""
    bots, moments = field_of(bot), Moments()
    by_points = tournament(bots, Session(SESSION_HANDS), 2 * blocks, moments)
    by_places = tournament(bots, ToTarget(), blocks, Moments())
    points = {row.entry: (row.elo - 1500) / ELO_PER_POINT for row in by_points.standings}
    places = {row.entry: row for row in by_places.standings}
    x = np.array([points[name] for name in bots])
    y = np.array([places[name].elo - 1500 for name in bots])
    slope = float(x @ y / (x @ x))
    pairs = [(i, j) for i, j in combinations(range(len(bots)), 2)]
    local = [(y[i] - y[j]) / (x[i] - x[j]) for i, j in zip(range(5), range(1, 6), strict=True)]
    worst = max(abs(slope * (x[i] - x[j]) - (y[i] - y[j])) for i, j in pairs)
    figures = {
        "elo_per_point": slope,
        "elo_per_point_in_use": ELO_PER_POINT,
        "widest_elo_difference": float(np.ptp(y)),
        "stated_valid_elo": VALID_ELO,
        "worst_error_of_a_difference_elo": worst,
        "half_variance_of_a_difference": moments.difference_squares / (6 * moments.hands),
        "variance_of_points": moments.squares / (3 * moments.hands)
        - (moments.points / (3 * moments.hands)) ** 2,
        "points_eldest": moments.by_position[0] / moments.hands,
        "points_middle": moments.by_position[1] / moments.hands,
        "points_dealer": moments.by_position[2] / moments.hands,
        "hands_of_sessions": moments.hands,
    }
    figures |= {f"elo_of {name}": places[name].elo for name in bots}
    figures |= {f"elo_error_of {name}": places[name].elo_error for name in bots}
    figures |= {f"points_of {name}": points[name] for name in bots}
    figures |= {
        f"elo_per_point_between {RANDOM_SHARES[i]:.0%} and {RANDOM_SHARES[i + 1]:.0%}": value
        for i, value in enumerate(local)
    }
    report = Report(
        name="fit_elo_scale",
        compared_with="the constant in use",
        ratios={"elo_per_point_fitted_over_in_use": (slope / ELO_PER_POINT, "")},
        figures=figures,
        machine=machine("numpy", "scipy"),
    )
    click.echo(as_report(report, as_json=as_json))


if __name__ == "__main__":
    main()
