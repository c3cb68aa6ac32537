"""Hand after hand, the end, places (rules 2.12, worked cases 6.7)."""

from __future__ import annotations

import random

import pytest

from euchre_sdk.game import (
    PRESETS,
    SEATS,
    STANDARD,
    Game,
    Hand,
    RuleSet,
    SeededDeals,
    Session,
    ToTarget,
    VerifiableDeals,
)
from euchre_sdk.game.game import MAX_PLAYED_ON, MAX_POINTLESS, is_at_the_bridge, is_won, places
from euchre_sdk.game.hand_state import Points
from euchre_sdk.game.rules import TieRule
from tests.game.tables import do, legal, trump_is

SHARED = RuleSet(tie_rule=TieRule.SHARED)


def game_at(score: Points, rules: RuleSet = STANDARD) -> Game:
    """A game with this score."""
    game = Game(rules, SeededDeals(1), first_dealer=SEATS[0])
    game.score = score
    return game


def pass_out(hand: Hand) -> None:
    """Let everybody pass."""
    while hand.view is not None:
        assert legal(hand)[0] == "pass"
        hand.apply(hand.view.legal[0])


@pytest.mark.parametrize(
    ("before", "won", "after", "places_"),
    [
        pytest.param((9, 8, 8), (1, 0, 0), (10, 8, 8), (1, 2, 2), id="T66 A38"),
        pytest.param((7, 8, 9), (0, 2, 2), (7, 10, 11), (3, 2, 1), id="T67 A31 the higher wins"),
        pytest.param((7, 9, 9), (0, 2, 2), (7, 11, 11), None, id="T68 A31 a tie: play on"),
        pytest.param((9, 9, 9), (3, 0, 0), (12, 9, 9), (1, 2, 2), id="A41 no carry-over"),
        pytest.param((8, 0, 0), (1, 0, 0), (9, 0, 0), None, id="A38 one short"),
        pytest.param((11, 11, 2), (0, 0, 3), (11, 11, 5), None, id="A31 still level"),
        pytest.param((11, 11, 2), (1, 0, 0), (12, 11, 2), (1, 2, 3), id="A31 level no more"),
    ],
)
def test_a_game_ends_when_one_alone_leads_with_the_target(
    before: Points, won: Points, after: Points, places_: Points | None
) -> None:
    game = game_at(before)
    game.add(won)
    assert game.score == after
    assert (None if game.result is None else game.result.places) == places_
    if game.result is not None:
        assert game.result.score == after


@pytest.mark.parametrize(
    ("score", "places_"),
    [
        pytest.param((7, 11, 11), (3, 1, 1), id="A31 shared"),
        pytest.param((10, 10, 10), (1, 1, 1), id="A31 shared by all"),
        pytest.param((7, 10, 11), (3, 2, 1), id="A31 shared, but one is higher"),
    ],
)
def test_top_scorers_may_share_the_win(score: Points, places_: Points) -> None:
    game = game_at((0, 0, 0), SHARED)
    game.add(score)
    assert game.result is not None
    assert game.result.places == places_


@pytest.mark.parametrize("target", [1, 5, 7, 10, 21], ids=lambda n: f"A38 target {n}")
def test_the_target_is_an_option(target: int) -> None:
    rules = RuleSet(target=target)
    assert is_won(rules, (target, 0, 0))
    assert not is_won(rules, (target - 1, 0, 0))
    assert not is_won(rules, (target, target, 0))


def test_a38_presets() -> None:
    assert {name: rules.target for name, rules in PRESETS.items()} == {
        **dict.fromkeys(PRESETS, 10),
        "short": 5,
    }


def test_t36_a17_a_passed_out_hand_scores_nothing_and_the_next_dealer_deals() -> None:
    game = game_at((3, 7, 2))
    hand = game.start_hand()
    pass_out(hand)
    assert game.finish_hand() == (0, 0, 0)
    assert (game.score, game.dealer, game.hand_number) == ((3, 7, 2), 1, 2)
    assert game.start_hand().deck != hand.deck


def test_the_deal_passes_to_the_left_after_every_hand() -> None:
    game = game_at((0, 0, 0))
    dealers = []
    while game.result is None:
        hand = game.start_hand()
        dealers.append(int(hand.dealer))
        while hand.view is not None:
            hand.apply(hand.view.legal[-1])
        game.finish_hand()
    assert dealers == [n % 3 for n in range(len(dealers))]
    assert len(dealers) > 3


def test_a19_a_hundred_passed_hands_end_a_game_unfinished() -> None:
    game = game_at((3, 7, 2))
    for number in range(1, MAX_POINTLESS + 1):
        assert game.result is None, number
        pass_out(game.start_hand())
        game.finish_hand()
    assert MAX_POINTLESS == 100
    assert game.result is not None
    assert game.result.is_unfinished
    assert game.result.places is None
    assert (game.result.score, game.result.hands) == ((3, 7, 2), 100)


def test_a19_a_hand_that_is_played_starts_the_count_anew() -> None:
    game = game_at((0, 0, 0))
    for _ in range(99):
        game.add((0, 0, 0))
    game.add((1, 0, 0))
    for _ in range(99):
        game.add((0, 0, 0))
    assert game.result is None
    game.add((0, 0, 0))
    assert game.result is not None


def test_a19_hands_played_for_nothing_count_as_passed_ones() -> None:
    rules = RuleSet(points_euchred=0)
    game = Game(rules, SeededDeals(1))
    for _ in range(99):
        game.add((0, 0, 0))  # a maker euchred for nothing
    pass_out(game.start_hand())
    game.finish_hand()
    assert game.result is not None
    assert game.result.is_unfinished


def test_a44_players_level_for_a_hundred_hands_share_the_win() -> None:
    game = game_at((0, 9, 9))
    for number in range(MAX_PLAYED_ON + 1):
        assert game.result is None, number
        game.add((0, 2, 2))  # seat 0 makes trump and is euchred, again and again
    assert MAX_PLAYED_ON == 100
    assert game.result is not None
    assert game.result.places == (3, 1, 1)
    assert game.result.hands == MAX_PLAYED_ON + 1


def test_a44_whoever_gets_ahead_while_playing_on_wins_alone() -> None:
    game = game_at((0, 9, 9))
    for _ in range(100):
        game.add((0, 2, 2))
    game.add((0, 1, 0))
    assert game.result is not None
    assert game.result.places == (3, 1, 2)


def test_a_session_has_its_hands_whatever_the_score() -> None:
    game = Game(STANDARD, SeededDeals(2), Session(120))
    for number in range(120):
        assert game.result is None
        game.add((3, 1, 1) if number % 2 else (0, 0, 0))  # neither target nor A19 apply
    assert game.result is not None
    assert (game.result.hands, game.result.places) == (120, (1, 2, 2))


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ((3, 2, 1), (1, 2, 3)),
        ((1, 3, 2), (3, 1, 2)),
        ((5, 5, 1), (1, 1, 3)),
        ((1, 5, 5), (3, 1, 1)),
        ((5, 1, 1), (1, 2, 2)),
        ((4, 4, 4), (1, 1, 1)),
    ],
)
def test_equal_scores_share_the_better_place(score: Points, expected: Points) -> None:
    assert places(score) == expected


def test_t72_a39_a40_all_five_tricks_are_played_and_points_come_after_the_fifth() -> None:
    hand = trump_is("H", {1: "JH JD AH KH QH", 2: "9C TC QC KC AC", 0: "9S TS QS KS AS"})
    hand.public.score = (0, 9, 0)
    for number in range(1, 6):
        assert hand.points is None
        do(hand, f"1 {hand.view.legal[0]}" if hand.view else "")
        for seat in (2, 0):
            do(hand, f"{seat} {legal(hand)[0]}")
        assert hand.public.tricks_won == (0, number, 0)
        if number == 3:
            assert hand.view is not None
            assert hand.view.score == (0, 9, 0)
    assert hand.points == (0, 3, 0)


@pytest.mark.parametrize(
    ("target", "score", "seat"),
    [
        pytest.param(5, (4, 2, 1), 0, id="T73"),
        pytest.param(10, (2, 9, 7), 1, id="the others at most three short"),
        pytest.param(10, (7, 7, 9), 2, id="both three short"),
    ],
)
def test_one_player_is_at_the_bridge(target: int, score: Points, seat: int) -> None:
    rules = RuleSet(target=target)
    assert [is_at_the_bridge(rules, score, s) for s in SEATS] == [s == seat for s in SEATS]


@pytest.mark.parametrize("score", [(9, 8, 0), (9, 9, 0), (8, 0, 0), (10, 0, 0)])
def test_nobody_is_at_the_bridge(score: Points) -> None:
    assert not any(is_at_the_bridge(STANDARD, score, seat) for seat in SEATS)


def test_a43_a_void_hand_is_dealt_anew_by_the_same_dealer() -> None:
    deals = VerifiableDeals(bytes(32), (bytes(32), bytes(32), bytes(32)))
    game = Game(STANDARD, deals, first_dealer=SEATS[2])
    first = game.start_hand()
    for _ in range(8):
        if first.view is not None:
            first.apply(first.view.legal[-1])
    game.void_hand()
    again = game.start_hand(attempt=1)
    assert (again.dealer, again.public.hand_number) == (first.dealer, 1)
    assert again.deck != first.deck
    assert game.score == (0, 0, 0)


def test_a08_games_choose_a_first_dealer_of_their_own_unless_one_is_given() -> None:
    chosen = {Game(STANDARD, SeededDeals(n)).first_dealer for n in range(30)}
    assert chosen == set(SEATS)
    assert Game(STANDARD, SeededDeals(1), first_dealer=SEATS[1]).dealer is SEATS[1]


def test_no_hand_starts_while_one_goes_on_or_after_the_end() -> None:
    game = game_at((0, 0, 0))
    game.start_hand()
    with pytest.raises(ValueError, match="one is going on"):
        game.start_hand()
    with pytest.raises(ValueError, match="no finished hand"):
        game.finish_hand()
    game.void_hand()
    game.add((10, 0, 0))
    with pytest.raises(ValueError, match="the game is over"):
        game.start_hand()


def test_a31_random_games_meet_ties_and_go_on() -> None:
    rng = random.Random(5)
    longer = 0
    for number in range(300):
        game = Game(STANDARD, SeededDeals(number), ToTarget())
        tied = False
        while game.result is None:
            hand = game.start_hand()
            while hand.view is not None:
                hand.apply(rng.choice(hand.view.legal))
            game.finish_hand()
            best = max(game.score)
            tied = tied or (best >= 10 and game.score.count(best) > 1)
        longer += tied
        assert max(game.result.score) >= 10
        assert game.result.places is not None
        assert game.result.places.count(1) == 1
    assert longer > 5
