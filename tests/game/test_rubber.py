"""The match layer: score markers, rubbers (rules §3)."""

from __future__ import annotations

import pytest

from euchre_sdk.game import SEATS, STANDARD, Game, GameResult, RuleSet, SeededDeals
from euchre_sdk.game.game import places
from euchre_sdk.game.hand_state import Points
from euchre_sdk.game.rubber import Rubber, game_value, score_marker
from euchre_sdk.game.rules import TieRule


@pytest.mark.parametrize(
    ("points", "target", "marker"),
    [
        (0, 10, "○○○○○○ ○○○○"),
        (3, 10, "●●●○○○ ○○○○"),
        (7, 10, "●●●●●● ●○○○"),
        (12, 10, "●●●●●● ●●●●"),
        (2, 5, "●●○ ○○"),
        (1, 1, "●"),
        (40, 1000, "40/1000"),
    ],
)
def test_a_score_is_marked_by_two_low_cards(points: int, target: int, marker: str) -> None:
    assert score_marker(points, target) == marker


@pytest.mark.parametrize(
    ("score", "value"),
    [
        ((10, 0, 0), 3),
        ((10, 1, 0), 2),
        ((3, 12, 4), 2),
        ((5, 2, 10), 1),
        ((10, 9, 9), 1),
    ],
)
def test_a_game_is_worth_more_the_less_the_best_loser_has(score: Points, value: int) -> None:
    assert game_value(GameResult(score=score, places=places(score), hands=7), 10) == value


def won(rubber: Rubber, score: Points) -> Game:
    game = rubber.start_game(SeededDeals(1))
    game.add(score)
    rubber.finish_game()
    return game


def test_the_first_to_win_two_games_wins_the_rubber_and_two_points_more() -> None:
    rubber = Rubber(STANDARD)
    won(rubber, (10, 0, 0))
    won(rubber, (2, 10, 4))
    assert (rubber.games_won, rubber.points, rubber.winner) == ((1, 1, 0), (3, 2, 0), None)
    won(rubber, (9, 11, 9))
    assert (rubber.games_won, rubber.points, rubber.winner) == ((1, 2, 0), (3, 5, 0), SEATS[1])
    with pytest.raises(ValueError, match="the rubber is over"):
        rubber.start_game(SeededDeals(1))


def test_a08_the_deal_rotates_on_within_a_rubber() -> None:
    rubber = Rubber(RuleSet(target=1))
    first = won(rubber, (1, 0, 0))
    second = rubber.start_game(SeededDeals(2))
    assert second.first_dealer is first.first_dealer.left


def test_a_shared_or_unfinished_game_counts_for_nobody() -> None:
    rubber = Rubber(RuleSet(tie_rule=TieRule.SHARED))
    won(rubber, (11, 11, 3))
    game = rubber.start_game(SeededDeals(1))
    for _ in range(100):
        game.add((0, 0, 0))
    rubber.finish_game()
    assert (rubber.games_won, rubber.points) == ((0, 0, 0), (0, 0, 0))


def test_one_game_at_a_time() -> None:
    rubber = Rubber(STANDARD)
    with pytest.raises(ValueError, match="no finished game"):
        rubber.finish_game()
    rubber.start_game(SeededDeals(1))
    with pytest.raises(ValueError, match="a game is going on"):
        rubber.start_game(SeededDeals(1))
    with pytest.raises(ValueError, match="no finished game"):
        rubber.finish_game()
