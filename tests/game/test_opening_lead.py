"""Who leads to the first trick (rules 2.9, worked cases 6.5)."""

from __future__ import annotations

import pytest

from euchre_sdk.game import PRESETS, SEATS, STANDARD, Action, Hand, RuleSet
from euchre_sdk.game.rules import LeadRule
from tests.game.tables import asked, do, table

LEFT_OF_DEALER = RuleSet(lead_rule=LeadRule.LEFT_OF_DEALER)

# The full table of 2.9. L is the defender at the maker's left, R the one at his right.
COLUMNS = ("nobody", "maker", "L", "R", "maker + L", "maker + R")
LEADERS = """
0 0  1 1 0 0 1 2
0 1  1 2 1 1 2 0
0 2  1 0 2 2 0 1
1 0  2 1 0 0 1 2
1 1  2 2 1 1 2 0
1 2  2 0 2 2 0 1
2 0  0 1 0 0 1 2
2 1  0 2 1 1 2 0
2 2  0 0 2 2 0 1
"""
ROWS = [
    pytest.param(int(d), int(m), alone, int(leader), id=f"A29 A30 dealer {d}, maker {m}: {alone}")
    for d, m, *leaders in (line.split() for line in LEADERS.strip().splitlines())
    for alone, leader in zip(COLUMNS, leaders, strict=True)
]


def opened(dealer: int, maker: int, alone: str, rules: RuleSet = STANDARD) -> Hand:
    """A hand up to the opening lead. `alone` is a column of the table."""
    hand = table({}, turn_up="9H", dealer=dealer, rules=rules)
    while hand.view is not None and hand.view.seat != maker:
        do(hand, f"{hand.view.seat} pass")
    do(hand, f"{maker} order")
    hand.apply(hand.views[dealer].legal[-1])
    if "maker" in alone:
        do(hand, f"{maker} alone")
    else:
        do(hand, f"{maker} dummy")
        hand.apply(Action.keep(hand.views[maker].hand))
    left, right = (maker + 1) % 3, (maker + 2) % 3
    if "L" in alone:
        do(hand, f"{left} alone")
    else:
        do(hand, f"{left} together, {right} {'alone' if 'R' in alone else 'together'}")
    return hand


@pytest.mark.parametrize(("dealer", "maker", "alone", "leader"), ROWS)
def test_the_leader_by_dealer_maker_and_loners(
    dealer: int, maker: int, alone: str, leader: int
) -> None:
    hand = opened(dealer, maker, alone)
    assert asked(hand) == (leader, "play")
    assert hand.public.leader == leader


@pytest.mark.parametrize(
    ("dealer", "maker", "alone", "leader"),
    [
        pytest.param(0, 1, "nobody", 1, id="T47"),
        pytest.param(0, 1, "maker", 2, id="T49"),
        pytest.param(2, 1, "maker", 2, id="T50"),
        pytest.param(0, 1, "L", 1, id="T51 left of the loner sits out, next is the maker"),
        pytest.param(0, 1, "R", 1, id="T52 directly left of the loner"),
        pytest.param(0, 1, "maker + L", 2, id="T53"),
    ],
)
def test_worked_cases_of_the_opening_lead(dealer: int, maker: int, alone: str, leader: int) -> None:
    assert asked(opened(dealer, maker, alone)) == (leader, "play")


@pytest.mark.parametrize("rules", [LEFT_OF_DEALER, PRESETS["pub"]], ids=["A29 option", "A29 pub"])
@pytest.mark.parametrize("alone", COLUMNS)
@pytest.mark.parametrize("maker", SEATS, ids=str)
@pytest.mark.parametrize("dealer", SEATS, ids=str)
def test_left_of_the_dealer_leads_skipping_whoever_sits_out(
    dealer: int, maker: int, alone: str, rules: RuleSet
) -> None:
    hand = opened(dealer, maker, alone, rules)
    out = hand.public.sitting_out
    eldest, middle = (dealer + 1) % 3, (dealer + 2) % 3
    assert asked(hand) == (eldest if out != eldest else middle, "play")


def test_a29_the_lone_defenders_partner_never_leads_nor_plays() -> None:
    hand = opened(0, 1, "L")
    while hand.view is not None:
        assert hand.view.seat != 0
        hand.apply(hand.view.legal[0])
