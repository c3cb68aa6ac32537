"""What the columns refuse, and how rows become columns."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings import GameColumns, GameResult, RatingsError, SessionColumns, SessionResult


def session(**more):
    values = {
        "block_id": "b1",
        "seats": ("a", "b", "c"),
        "scheduled": 3,
        "hands": (1, 1, 1),
        "points": ((1, 0, 2), (0, 1, 0), (0, 0, 0)),
        "places": (1, 2, 3),
    }
    return SessionResult(**{**values, **more})


def game(**more):
    values = {"block_id": "b1", "seats": ("a", "b", "c"), "hands": 9, "points": (10, 7, 7)}
    return GameResult(**{**values, "places": (1, 2, 2), **more})


@pytest.mark.parametrize(
    ("results", "refused"),
    [
        pytest.param([session(seats=("a", "b", "a"))], "meets itself", id="two seats of one"),
        pytest.param(
            [session(), session(seats=("a", "b", "d"))], "more than one trio", id="two trios"
        ),
        pytest.param([session(hands=(2, 1, 1))], "more hands than", id="too many hands"),
        pytest.param([session(hands=(-1, 1, 1))], "negative", id="negative hands"),
        pytest.param([session(hands=(0, 1, 1))], "nobody dealt", id="points of no hand"),
        pytest.param([session(places=(0, 1, 2))], "1, 2 and 3", id="place 0"),
    ],
)
def test_sessions_that_cannot_be_are_refused(results, refused):
    with pytest.raises(RatingsError, match=refused):
        SessionColumns.of(results)


@pytest.mark.parametrize("places", [(1, 1, 2), (2, 2, 3), (1, 3, 3), (1, 2, 4), (0, 1, 2)], ids=str)
def test_places_that_cannot_be_are_refused(places):
    with pytest.raises(RatingsError, match="accepted are"):
        GameColumns.of([game(places=places)])


@pytest.mark.parametrize(
    "places", [(1, 2, 3), (3, 1, 2), (1, 2, 2), (1, 1, 3), (3, 1, 1), (1, 1, 1), None], ids=str
)
def test_places_that_can_be_are_taken(places):
    assert len(GameColumns.of([game(places=places)]).block) == 1


def test_offenders_may_share_the_last_place():
    assert GameColumns.of([game(places=(1, 3, 3), offenders=(1, 2))]).offenders.sum() == 2


def test_columns_of_wrong_length_are_refused():
    good = GameColumns.of([game(), game()])
    with pytest.raises(RatingsError, match=r"hands has the shape \(1,\); accepted is \(2,\)"):
        GameColumns(
            entries=good.entries,
            seats=good.seats,
            block=good.block,
            hands=good.hands[:1],
            points=good.points,
            places=good.places,
            offenders=good.offenders,
        )


def test_seats_of_nobody_and_unsorted_entries_are_refused():
    good = GameColumns.of([game()])
    with pytest.raises(RatingsError) as caught:
        GameColumns(
            entries=("b", "a"),
            seats=good.seats,
            block=good.block,
            hands=good.hands,
            points=good.points,
            places=good.places,
            offenders=good.offenders,
            not_started={"z": 1},
        )
    assert len(caught.value.faults) == 3


def test_hands_are_summed_by_dealer():
    result = SessionResult.of_hands(
        block_id="b",
        seats=("a", "b", "c"),
        scheduled=30,
        hands=[(0, (1, 0, 0)), (1, (0, 2, 0)), (0, (4, 0, 0)), (2, (0, 1, 1))],
        places=(1, 2, 3),
    )
    assert result.hands == (2, 1, 1)
    assert result.points == ((5, 0, 0), (0, 2, 1), (0, 0, 1))


def test_entries_and_blocks_are_numbered_by_name_whatever_the_order_of_rows():
    rows = [game(block_id="b2", seats=("c", "a", "d")), game(block_id="b1")]
    columns = GameColumns.of(rows, entries=["z"])
    assert columns.entries == ("a", "b", "c", "d", "z")
    assert np.array_equal(columns.seats, [[2, 0, 3], [0, 1, 2]])
    assert np.array_equal(columns.block, [1, 0])
