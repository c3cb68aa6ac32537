"""The complete hand of rules 6.8."""

from __future__ import annotations

import pytest

from euchre_sdk.game import Action, Hand, Kind, TurnUp, parse_cards
from euchre_sdk.game.notation import parse_decisions, show_decisions
from tests.game.tables import do, table

DECISIONS = (
    "1 pass, 2 order, 0 9C, 2 dummy, 2 keep JH JD AH AC KC, 0 together, 1 together, "
    "1 AD, 2 JD, 0 QC, 2 JH, 0 QH, 1 9H, 2 AH, 0 JC, 1 KH, 2 AC, 0 KS, 1 9S, 2 KC, 0 AS, 1 TS"
)


def w1() -> Hand:
    return table(
        {1: "9H KH AD 9S TS", 2: "JH JD AH TC QS", 0: "AS KS QC JC 9C"},
        dummy="KC AC 9D QD TD",
        turn_up="QH",
        stock="JS KD TH",
    )


def before(decision: str) -> str:
    """The decisions up to that one."""
    return DECISIONS[: DECISIONS.index(decision)].rstrip(", ")


def test_w1() -> None:
    hand = do(w1(), DECISIONS)
    assert hand.points == (0, 0, 3)
    public = hand.public
    assert (public.maker, str(public.trump), public.turn_up_state) == (2, "H", TurnUp.TAKEN)
    tricks = [(int(t.leader), " ".join(map(str, t.cards)), int(t.winner)) for t in public.tricks]
    assert tricks == [
        (1, "AD JD QC", 2),
        (2, "JH QH 9H", 2),
        (2, "AH JC KH", 2),
        (2, "AC KS 9S", 2),
        (2, "KC AS TS", 2),
    ]
    assert public.tricks_won == (0, 0, 5)


def test_w1_shows_each_seat_its_own_cards() -> None:
    hand = do(w1(), before("1 AD"))
    assert sorted(hand.views[0].hand) == sorted(parse_cards("AS KS QC JC QH"))
    assert sorted(hand.views[1].hand) == sorted(parse_cards("9H KH AD 9S TS"))
    assert sorted(hand.views[2].hand) == sorted(parse_cards("JH JD AH AC KC"))
    assert [str(view.discard) for view in hand.views] == ["9C", "None", "None"]
    assert sorted(hand.views[2].buried) == sorted(parse_cards("TC QS 9D QD TD"))
    assert hand.view is hand.views[1]
    assert hand.view.kind is Kind.PLAY


def test_w1_is_written_and_read_back() -> None:
    hand = do(w1(), DECISIONS)
    written = show_decisions(hand.decisions)
    assert written.startswith("pass, order, 9C, dummy, keep KC AC JD JH AH, together")
    assert parse_decisions(written) == hand.decisions
    assert hand.decisions[4] == Action.keep(parse_cards("JH JD AH AC KC"))


def test_w1_history_shows_the_public_faces_of_hidden_decisions() -> None:
    hand = do(w1(), before("2 JD"))
    assert ", ".join(f"{seat} {action}" for seat, action in hand.public.history) == (
        "1 pass, 2 order, 0 take, 2 dummy, 2 combine, 0 together, 1 together, 1 AD"
    )


@pytest.mark.parametrize(
    ("until", "view", "voids"),
    [
        ("2 JH", 0, "D"),  # QC on a diamond
        ("2 JH", 2, "D"),  # the left bower is no diamond
        ("2 AH", 1, ""),
        ("2 AC", 0, "DH"),  # JC on a heart
    ],
)
def test_w1_shows_who_is_void(until: str, view: int, voids: str) -> None:
    hand = do(w1(), before(until))
    for watching in hand.views:
        assert "".join(sorted(map(str, watching.voids(hand.views[view].seat)))) == voids
