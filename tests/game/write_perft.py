"""Counts with the naive program how many series of decisions are legal (tests/data/perft).

Run it as `python -m tests.game.write_perft` after the rules themselves have changed, and read the
difference: every number stands for a rule.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

from tests.game import naive_rules

STANDARD: dict[str, object] = {
    "lowest_rank": 9,
    "joker": False,
    "first_dealer": "random",
    "deal_pattern": "3-2",
    "joker_turned_up": "blind",
    "exchange_on_order": "optional",
    "exchange_on_accept": "required",
    "turned_down_suit_allowed": False,
    "stick_the_dealer": False,
    "alone_timing": "after_exchange",
    "maker_alone_allowed": True,
    "defender_alone_allowed": True,
    "lead_rule": "left_of_loner",
    "points_make": 1,
    "points_march": 3,
    "points_euchred": 2,
    "points_alone_march": 3,
    "points_alone_euchred": 2,
    "points_lone_defender": 2,
    "points_lone_defender_march": 4,
}
W1 = (
    "9H KH AD JH JD AH KC AC 9D AS KS QC "  # three each: P1, P2, dummy, P0
    "9S TS TC QS QD TD JC 9C "  # two each
    "QH JS KD TH"  # turn-up and stock
)


class Position(NamedTuple):
    """Where to count from."""

    name: str
    rules: dict[str, object]
    dealer: int
    deck: str
    decisions: str
    depth: int


def shuffled(rules: dict[str, object], seed: int, turn_up: str) -> str:
    """A deck with that turn-up."""
    deck = naive_rules.full_deck({**STANDARD, **rules})
    random.Random(seed).shuffle(deck)
    at = deck.index(turn_up)
    deck[20], deck[at] = deck[at], deck[20]
    return " ".join(deck)


JOKER: dict[str, object] = {"joker": True}
PUB: dict[str, object] = {
    "stick_the_dealer": True,
    "exchange_on_order": "required",
    "lead_rule": "left_of_dealer",
}
ODD: dict[str, object] = {
    "lowest_rank": 7,
    "joker": True,
    "deal_pattern": "2-3-2-3",
    "alone_timing": "with_bid",
    "turned_down_suit_allowed": True,
    "exchange_on_accept": "optional",
    "joker_turned_up": "seen",
}
POSITIONS = (
    Position("W1 bidding", {}, 0, W1, "", 5),
    Position("W1 exchange", {}, 0, W1, "pass, order", 3),
    Position("W1 five of ten", {}, 0, W1, "pass, order, 9C, dummy", 3),
    Position(
        "W1 play",
        {},
        0,
        W1,
        "pass, order, 9C, dummy, keep JH JD AH AC KC, together, together",
        7,
    ),
    Position("W1 two loners", {}, 0, W1, "pass, order, decline, alone, alone", 8),
    Position("W1 second round", {}, 0, W1, "pass, pass, pass", 4),
    Position("W1 stuck dealer", PUB, 0, W1, "pass, pass, pass, pass, pass", 3),
    Position("a joker turned up", JOKER, 1, shuffled(JOKER, 1, "XX"), "", 4),
    Position(
        "a joker played",
        JOKER,
        2,
        shuffled(JOKER, 2, "QS"),
        "pass, pass, order, " + shuffled(JOKER, 2, "QS").split()[9] + ", alone, together, together",
        7,
    ),
    Position("alone with the bid", ODD, 2, shuffled(ODD, 3, "AD"), "", 4),
    Position("alone with the bid, joker up", ODD, 2, shuffled(ODD, 4, "XX"), "", 3),
)


def main() -> None:
    """Write tests/data/perft/positions.txt."""
    blocks = []
    for position in POSITIONS:
        rules = {**STANDARD, **position.rules}
        decisions = [word for word in position.decisions.split(", ") if word]
        counts = [
            naive_rules.count_series(
                rules, position.dealer, position.deck.split(), decisions, depth
            )
            for depth in range(1, position.depth + 1)
        ]
        options = " ".join(f"{k}={str(v).lower()}" for k, v in position.rules.items())
        blocks.append(
            f"position: {position.name}\n"
            f"rules: {options or 'standard=true'}\n"
            f"dealer: {position.dealer}\n"
            f"deck: {position.deck}\n"
            f"decisions: {position.decisions or 'none'}\n"
            f"counts: {' '.join(map(str, counts))}\n"
        )
    path = Path(__file__).parents[1] / "data" / "perft" / "positions.txt"
    path.write_text("\n".join(blocks))


if __name__ == "__main__":
    main()
