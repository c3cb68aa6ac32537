"""What a hand scores (rules 2.11, worked cases 6.6)."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from euchre_sdk.game import PRESETS, SEATS, STANDARD, Hand, MakerPlay, RuleSet, Seat
from euchre_sdk.game.compiled import awards
from euchre_sdk.game.hand_state import Points
from euchre_sdk.game.replay import replay_hand

POINTS = RuleSet(
    points_make=11,
    points_march=12,
    points_euchred=13,
    points_alone_march=14,
    points_alone_euchred=15,
    points_lone_defender=16,
    points_lone_defender_march=17,
)
"""Every award differs, so that none can stand for another."""


class How(NamedTuple):
    """What a hand's points depend on."""

    maker: int
    plays: str
    """`alone` or `dummy`."""
    lone_defender: int | None
    tricks: int

    @property
    def is_alone(self) -> bool:
        return self.plays == "alone"


def _how(hand: Hand) -> How | None:
    public = hand.public
    if public.maker is None:
        return None
    won = [trick.winner for trick in public.tricks].count(public.maker)
    lone = None if public.lone_defender is None else int(public.lone_defender)
    plays = "alone" if public.maker_plays is MakerPlay.ALONE else "dummy"
    return How(int(public.maker), plays, lone, won)


def _greedy(hand: Hand, rng: random.Random) -> None:
    """Play on: one seat tries to win every trick, the others give way, so that all ends occur."""
    favourite = rng.choice(SEATS)
    while (view := hand.view) is not None:
        if view.kind.value != "play":
            hand.apply(rng.choice(view.legal))
            continue
        best = max if view.seat is favourite else min
        hand.apply(best(view.legal_cards, key=view.strength))


@pytest.fixture(scope="module")
def played() -> dict[How, Hand]:
    """A hand of each way to end, under the standard rules."""
    rng = random.Random(11)
    found: dict[How, Hand] = {}
    wanted = 3 * 2 * 3 * 6
    for _ in range(40_000):
        deck = list(STANDARD.deck)
        rng.shuffle(deck)
        hand = Hand(STANDARD, rng.choice(SEATS), deck)
        _greedy(hand, rng)
        how = _how(hand)
        if how is not None:
            found.setdefault(how, hand)
        if len(found) == wanted:
            return found
    raise AssertionError(f"only {len(found)} of {wanted} ways to end were met")


def points(hand: Hand, rules: RuleSet) -> Points:
    """The points of the same hand under other awards."""
    again = replay_hand(rules, hand.dealer, hand.deck, hand.decisions)
    assert again.points is not None
    return again.points


ALONE = {False: "maker with the dummy", True: "maker alone"}
LONE = {False: "defenders together", True: "lone defender"}
# The table of 2.11: maker alone, lone defender, maker's tricks, maker, each defender.
TABLE = [
    *(
        (False, False, 5, 3, 0, "A37"),
        (False, False, 4, 1, 0, "A37"),
        (False, False, 3, 1, 0, "A37"),
    ),
    *((False, False, n, 0, 2, "A37") for n in (2, 1, 0)),
    *((False, True, 5, 3, 0, "A35"), (False, True, 4, 1, 0, "A35"), (False, True, 3, 1, 0, "A35")),
    *((False, True, n, 0, 2, "A34") for n in (2, 1)),
    (False, True, 0, 0, 4, "A34"),
    *((True, False, 5, 3, 0, "A32"), (True, False, 4, 1, 0, "A37"), (True, False, 3, 1, 0, "A37")),
    *((True, False, n, 0, 2, "A33") for n in (2, 1, 0)),
    *((True, True, 5, 3, 0, "A32"), (True, True, 4, 1, 0, "A35"), (True, True, 3, 1, 0, "A35")),
    *((True, True, n, 0, 2, "A34") for n in (2, 1)),
    (True, True, 0, 0, 4, "A34"),
]


@pytest.mark.parametrize(
    ("alone", "lone", "tricks", "to_maker", "to_defenders"),
    [
        pytest.param(*row[:5], id=f"{row[5]} {ALONE[row[0]]}, {LONE[row[1]]}, {row[2]} tricks")
        for row in TABLE
    ],
)
def test_the_score_table(
    played: dict[How, Hand],
    *,
    alone: bool,
    lone: bool,
    tricks: int,
    to_maker: int,
    to_defenders: int,
) -> None:
    for how, hand in played.items():
        if (how.is_alone, how.lone_defender is not None, how.tricks) == (alone, lone, tricks):
            expected = tuple(to_maker if s == how.maker else to_defenders for s in SEATS)
            assert hand.points == expected
    assert awards(STANDARD, tricks, maker_alone=alone, lone_defender=lone) == (
        to_maker,
        to_defenders,
    )


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        pytest.param(How(2, "dummy", None, 3), (0, 0, 1), id="T56 three"),
        pytest.param(How(2, "dummy", None, 4), (0, 0, 1), id="T56 four"),
        pytest.param(How(2, "dummy", None, 5), (0, 0, 3), id="T56 five"),
        pytest.param(How(2, "dummy", None, 2), (2, 2, 0), id="T57"),
        pytest.param(How(2, "dummy", None, 0), (2, 2, 0), id="T58"),
        pytest.param(How(0, "dummy", 1, 2), (0, 2, 2), id="T59 A28 the loner takes three"),
        pytest.param(How(0, "dummy", 1, 1), (0, 2, 2), id="T59 A28 the loner takes four"),
        pytest.param(How(0, "dummy", 1, 0), (0, 4, 4), id="T60 A28 the loner takes five"),
        pytest.param(How(0, "dummy", 1, 5), (3, 0, 0), id="T62"),
        pytest.param(How(1, "alone", None, 5), (0, 3, 0), id="T63"),
        pytest.param(How(1, "alone", None, 4), (0, 1, 0), id="T64 four"),
        pytest.param(How(1, "alone", None, 2), (2, 0, 2), id="T64 two"),
    ],
)
def test_worked_cases_of_the_score(played: dict[How, Hand], how: How, expected: Points) -> None:
    assert played[how].points == expected


@pytest.mark.parametrize(
    ("rules", "how", "expected"),
    [
        pytest.param(PRESETS["lone-bonus"], How(1, "alone", None, 5), (0, 4, 0), id="T63 A32"),
        pytest.param(
            RuleSet(points_alone_euchred=4),
            How(1, "alone", None, 2),
            (4, 0, 4),
            id="T64 A33",
        ),
        pytest.param(PRESETS["pub"], How(1, "alone", None, 5), (0, 4, 0), id="A32 pub"),
        pytest.param(PRESETS["pub"], How(0, "alone", 2, 1), (0, 4, 4), id="A34 pub, three or four"),
        pytest.param(PRESETS["pub"], How(0, "dummy", 2, 0), (0, 4, 4), id="A34 pub, five"),
        pytest.param(PRESETS["lone-bonus"], How(1, "dummy", None, 5), (0, 3, 0), id="A37 bonus"),
        pytest.param(PRESETS["short"], How(1, "alone", None, 5), (0, 3, 0), id="A32 short"),
    ],
)
def test_options_of_the_score(
    played: dict[How, Hand], rules: RuleSet, how: How, expected: Points
) -> None:
    maker, defenders = awards(
        rules, how.tricks, maker_alone=how.is_alone, lone_defender=how.lone_defender is not None
    )
    assert tuple(maker if s == how.maker else defenders for s in SEATS) == expected
    # The same hand under these awards; other options of the preset could change its course.
    same = {n: getattr(rules, n) for n in RuleSet.__dataclass_fields__ if n.startswith("points_")}
    assert points(played[how], RuleSet(**same)) == expected


@pytest.mark.parametrize("seat", SEATS, ids=str)
def test_every_award_is_an_option_of_its_own(played: dict[How, Hand], seat: Seat) -> None:
    for how, hand in played.items():
        if how.maker != seat:
            continue
        if how.tricks == 5:
            maker, each = (14 if how.is_alone else 12), 0
        elif how.tricks >= 3:
            maker, each = 11, 0
        elif how.lone_defender is not None:
            maker, each = 0, 17 if how.tricks == 0 else 16
        else:
            maker, each = 0, 15 if how.is_alone else 13
        assert points(hand, POINTS) == tuple(maker if s is seat else each for s in SEATS)
