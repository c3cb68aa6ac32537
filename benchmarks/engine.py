"""Decisions a second of a whole fair game loop, beside OpenSpiel's C++ Euchre driven from Python.

Ours: games to 10 under `standard`, three bots that choose uniformly from their private view, every
action checked, the history kept. OpenSpiel: hands of its four-handed `euchre`, every chance
node walked through `chance_outcomes`, uniform choices; once bare (one random source for all seats)
and once asking a bot object for each decision, as our loop does.

Rounds alternate within one process; a figure is the median over the rounds, a ratio the median of
the rounds' ratios. The aims: 1.5 against the bare walk with fast deals, 1.3 with verifiable deals,
a clone for at most five decisions.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import count, repeat
from random import Random
from statistics import median

import click

from benchmarks.harness import Report, as_report, machine
from euchre_sdk import Action, View
from euchre_sdk.game import STANDARD, Deals, Game, Hand, SeededDeals
from euchre_sdk.game.dealing import VerifiableDeals
from euchre_sdk.game.public import Kind

try:
    import pyspiel
except ImportError:
    sys.exit("benchmarks/engine.py compares with OpenSpiel: pip install open_spiel")

EUCHRE = pyspiel.load_game("euchre")
HANDS_A_GAME = 7.4
"""Mean hands of a random game to 10, to give both sides about the same work."""


class Uniform:
    """Chooses uniformly from what it may do."""

    def __init__(self, rng: Random) -> None:
        self._random = rng.random

    def act(self, view: View) -> Action:
        """Return a random legal action."""
        legal = view.legal
        return legal[int(self._random() * len(legal))]

    def act_spiel(self, state: pyspiel.State) -> int:
        """Return a random legal action of an OpenSpiel state."""
        legal = state.legal_actions()
        return int(legal[int(self._random() * len(legal))])


def play_games(games: int, rng: Random, deals: Iterator[Deals]) -> tuple[int, int]:
    """Play games to 10; returns decisions and hands."""
    bots = [Uniform(rng), Uniform(rng), Uniform(rng)]
    decisions = hands = 0
    for _ in range(games):
        game = Game(STANDARD, next(deals))
        while game.result is None:
            hand = game.start_hand()
            view = hand.view
            while view is not None:
                view = hand.apply(bots[view.seat].act(view))
            decisions += len(hand.public.calls) + len(hand.public.plays)
            game.finish_hand()
        hands += game.result.hands
    return decisions, hands


def walk_spiel(hands: int, rng: Random) -> tuple[int, int]:
    """Walk OpenSpiel hands with one random source; returns decisions and hands."""
    random = rng.random
    decisions = 0
    for _ in range(hands):
        state = EUCHRE.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(random() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(random() * len(legal))])
                decisions += 1
    return decisions, hands


def ask_spiel(hands: int, rng: Random) -> tuple[int, int]:
    """Play OpenSpiel hands asking four bot objects; returns decisions and hands."""
    bots = [Uniform(rng) for _ in range(4)]
    random = rng.random
    decisions = 0
    for _ in range(hands):
        state = EUCHRE.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(random() * len(outcomes))][0])
            else:
                state.apply_action(bots[state.current_player()].act_spiel(state))
                decisions += 1
    return decisions, hands


def fast_deals(rng: Random) -> Iterator[Deals]:
    """Return seeded deals, one source for all games of a round, as local series share one."""
    return repeat(SeededDeals(rng.getrandbits(64)))


def verifiable_deals(rng: Random) -> Iterator[Deals]:
    """Return verifiable deals, anew for each game, as in the arena."""
    nonces = (rng.randbytes(32), rng.randbytes(32), rng.randbytes(32))
    for number in count(rng.getrandbits(64)):
        yield VerifiableDeals(number.to_bytes(32, "big"), nonces)


def mid_hand() -> Hand:
    """Return a hand in its third trick, so that there is a history to copy."""
    rng = Random(7)
    while True:
        hand = Hand(STANDARD, SeededDeals(7).first_dealer(STANDARD)[0], STANDARD.deck)
        while (view := hand.view) is not None:
            if view.kind is Kind.PLAY and len(hand.public.plays) >= 7:
                return hand
            hand.apply(view.legal[rng.randrange(len(view.legal))])


def clone_many(times: int, _rng: Random) -> tuple[int, int]:
    """Clone one hand; returns the number of clones twice."""
    hand = mid_hand()
    for _ in range(times):
        hand.clone()
    return times, times


def seconds_each(
    run: Callable[[int, Random], tuple[int, int]], size: int, seed: int
) -> tuple[float, float]:
    """Return CPU seconds for one decision and for one hand."""
    start = time.process_time()
    decisions, hands = run(size, Random(seed))
    spent = time.process_time() - start
    return spent / decisions, spent / hands


@click.command()
@click.option("--rounds", default=11, show_default=True, help="Alternating rounds.")
@click.option("--games", default=400, show_default=True, help="Our games in a round.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(rounds: int, games: int, as_json: bool) -> None:  # noqa: FBT001 - click's way
    """Compare the engine's game loop with OpenSpiel's."""
    hands = int(games * HANDS_A_GAME)
    runs: dict[str, tuple[Callable[[int, Random], tuple[int, int]], int]] = {
        "ours": (lambda n, rng: play_games(n, rng, fast_deals(rng)), games),
        "spiel": (walk_spiel, hands),
        "verifiable": (lambda n, rng: play_games(n, rng, verifiable_deals(rng)), games),
        "spiel_asked": (ask_spiel, hands),
        "clone": (clone_many, games * 20),
    }
    for run, size in runs.values():  # tables, caches and specialised bytecode
        run(max(1, size // 10), Random(0))
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for number in range(rounds):
        for name, (run, size) in runs.items():
            times[name].append(seconds_each(run, size, number))

    def each(name: str) -> list[float]:
        return [decision for decision, _ in times[name]]

    def ratio(above: str, below: str) -> float:
        return median(a / b for a, b in zip(each(above), each(below), strict=True))

    report = Report(
        name="engine",
        compared_with=f"open_spiel {_spiel_version()} (C++ euchre from Python)",
        ratios={
            "decisions_per_second_vs_openspiel": (ratio("spiel", "ours"), ">= 1.5"),
            "verifiable_decisions_per_second_vs_openspiel": (
                ratio("spiel", "verifiable"),
                ">= 1.3",
            ),
            "decisions_per_second_vs_openspiel_asking_bots": (ratio("spiel_asked", "ours"), ""),
            "clone_in_decisions": (ratio("clone", "ours"), "<= 5"),
        },
        figures={
            "us_per_decision": median(each("ours")) * 1e6,
            "us_per_decision_verifiable": median(each("verifiable")) * 1e6,
            "us_per_decision_openspiel": median(each("spiel")) * 1e6,
            "us_per_decision_openspiel_asking_bots": median(each("spiel_asked")) * 1e6,
            "us_per_clone": median(each("clone")) * 1e6,
            "hands_per_second": 1 / median(hand for _, hand in times["ours"]),
        },
        machine=machine(),
    )
    click.echo(as_report(report, as_json=as_json))


def _spiel_version() -> str:
    from importlib.metadata import version  # noqa: PLC0415 - only here

    return version("open_spiel")


if __name__ == "__main__":
    main()
