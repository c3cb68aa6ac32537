"""The house bots: pinned versions that never change, and names for the newest of each."""

from __future__ import annotations

from collections.abc import Callable

from euchre_sdk import Bot
from euchre_sdk.bots.heuristic_1 import Heuristic1
from euchre_sdk.bots.monte_carlo_1 import MonteCarlo1
from euchre_sdk.bots.random_1 import Random1

BUILT_IN: dict[str, Callable[[], Bot]] = {
    "random": Random1,
    "random@1": Random1,
    "heuristic": Heuristic1,
    "heuristic@1": Heuristic1,
    "monte_carlo": MonteCarlo1,
    "monte_carlo@1": MonteCarlo1,
}
"""What makes each house bot. A name without a version is the newest of its kind."""


def make_bot(name: str) -> Bot:
    """Return a fresh house bot for one game. Raises `ValueError` for an unknown name."""
    try:
        return BUILT_IN[name]()
    except KeyError:
        raise ValueError(f"no house bot {name!r}: expected one of {', '.join(BUILT_IN)}") from None
