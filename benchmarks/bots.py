"""How much stronger the house bots are than one another, in points a hand.

Every deal is played three times, the challenger once at each seat and two alike at the others, so
that cards and positions fall to all alike; the dealer moves on from deal to deal. The deal is the
statistical unit: its three hands make one difference, the challenger's points minus the mean of the
others'. Reported is the mean over deals with its 95 % interval (normal; there are hundreds).

    python -m benchmarks.bots [--deals 3000] [--search-deals 600] [--seed 1] [--json]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, stdev
from time import perf_counter

import click

from benchmarks.harness import Report, as_report, machine
from euchre_sdk.bots import make_bot
from euchre_sdk.game import SEATS, STANDARD, Card, RuleSet, Seat, SeededDeals, Session
from euchre_sdk.game.game import Draw
from euchre_sdk.local import play_game

TWO_SIDED = NormalDist().inv_cdf(0.975)


class OneDeal:
    """The same deck whenever it is asked for."""

    def __init__(self, deck: Sequence[Card], dealer: Seat) -> None:
        self._deck = deck
        self._dealer = dealer

    def first_dealer(self, rules: RuleSet) -> tuple[Seat, Sequence[Draw]]:
        """Return the dealer of the deal."""
        return self._dealer, ()

    def deck(self, rules: RuleSet, hand_number: int, attempt: int) -> Sequence[Card]:
        """Return the deck."""
        return self._deck


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """By how much a challenger leads two others, in points a hand."""

    challenger: str
    others: str
    mean: float
    error: float
    """Half of the 95 % interval's width."""
    points: float
    """The challenger's own points a hand."""
    hands: int
    seconds: float

    @property
    def lowest(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.error


def measure(challenger: str, others: str, deals: int, seed: int) -> Lead:
    """Play `deals` deals in the three seatings."""
    source = SeededDeals(seed)
    differences, own = [], []
    start = perf_counter()
    for number in range(deals):
        deal = OneDeal(source.deck(STANDARD, number, 0), SEATS[number % 3])
        total, taken = 0, 0
        for seat in SEATS:
            bots = [make_bot(challenger if place is seat else others) for place in SEATS]
            seeds = [9 * number + 3 * seat + place for place in SEATS]
            game = play_game(bots, format=Session(1), deals=deal, bot_seeds=seeds, strict=True)
            taken += game.result.score[seat]
            total += sum(game.result.score)
        own.append(taken / 3)
        differences.append((taken - (total - taken) / 2) / 3)
    return Lead(
        challenger=challenger,
        others=others,
        mean=fmean(differences),
        error=TWO_SIDED * stdev(differences) / sqrt(deals),
        points=fmean(own),
        hands=3 * deals,
        seconds=perf_counter() - start,
    )


@click.command()
@click.option("--deals", default=3000, show_default=True, help="Deals against random.")
@click.option("--search-deals", default=600, show_default=True, help="Deals of monte_carlo.")
@click.option("--seed", default=1, show_default=True, help="Decides the deals.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def main(*, deals: int, search_deals: int, seed: int, as_json: bool) -> None:
    """Measure the house bots' leads, each with its interval."""
    leads = {
        "heuristic_over_two_random": measure("heuristic@1", "random@1", deals, seed),
        "monte_carlo_over_two_heuristic": measure(
            "monte_carlo@1", "heuristic@1", search_deals, seed
        ),
    }
    aims = dict(zip(leads, (">= 0.8", ">= 0"), strict=True))
    figures = {}
    for name, lead in leads.items():
        figures[f"{name}_points_a_hand"] = lead.mean
        figures[f"{name}_interval_95"] = lead.error
        figures[f"{name}_hands"] = lead.hands
        figures[f"{lead.challenger}_own_points_a_hand"] = lead.points
        figures[f"{name}_ms_a_hand"] = lead.seconds / lead.hands * 1000
    report = Report(
        name="bots",
        compared_with="two random@1, two heuristic@1 (standard rules, every deal at every seat)",
        ratios={f"{name}_at_least": (lead.lowest, aims[name]) for name, lead in leads.items()},
        figures=figures,
        machine=machine("euchre-sdk"),
    )
    click.echo(as_report(report, as_json=as_json))


if __name__ == "__main__":
    main()
