"""From results to the table: scale, order, groups, forfeits, and what must not matter."""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf, isfinite, log

import numpy as np
import pytest
from scipy import optimize, stats

from arena.ratings import (
    Comparison,
    Forfeits,
    GameColumns,
    GameResult,
    Meetings,
    Model,
    SessionColumns,
    SessionResult,
    expected_score,
    linear,
    rank_games,
    rank_sessions,
)
from arena.ratings.elo import ELO_PER_LOGIT, ELO_PER_POINT
from arena.ratings.field import USUAL_ELO, USUAL_ENTRIES, with_field_prior
from arena.ratings.linear import SessionBlocks
from arena.ratings.ranking import blocks_to_separate
from arena.ratings.simulation import names, simulate_games, simulate_sessions
from arena.ratings.tally import POINT_VARIANCE

FIELD = "abcdefg"


def session(block, seats, points=(8, 8, 8), **more):
    """A session of 30 hands, `points` for each seat in the ten hands of each dealer."""
    values = {
        "block_id": block,
        "seats": tuple(seats),
        "scheduled": 30,
        "hands": (10, 10, 10),
        "points": tuple((value, value, value) for value in points),
        "places": (1, 2, 3),
        **more,
    }
    return SessionResult(**values)


def block_of(block, seats, points=(8, 8, 8)):
    return [session(block, seats, points), session(block, seats[::-1], points[::-1])]


def game(block, seats, places=(1, 2, 3), **more):
    values = {"block_id": block, "seats": tuple(seats), "hands": 9, "points": (10, 7, 4)}
    return GameResult(**{**values, "places": places, **more})


def rank_of(ranking):
    return {row.entry: row for row in ranking.standings}


def simulated_sessions(seed=4):
    """Return rows, so that they can be re-ordered and re-named."""
    random = np.random.default_rng(seed)
    results = []
    for number in range(30):
        seats = "".join(random.permutation(list(FIELD))[:3])
        points = tuple(int(value) for value in random.integers(3, 13, 3))
        results += block_of(f"b{number}", seats, points)
    return results


def simulated_games(seed=4):
    random = np.random.default_rng(seed)
    results = []
    for number in range(30):
        seats = "".join(random.permutation(list(FIELD))[:3])
        for _ in range(6):
            places = ((1, 2, 3), (2, 1, 3), (1, 2, 2), (3, 2, 1))[random.integers(0, 4)]
            results.append(game(f"b{number}", seats, places))
    return results


KINDS = [
    pytest.param(simulated_sessions, SessionColumns, rank_sessions, id="sessions"),
    pytest.param(simulated_games, GameColumns, rank_games, id="games"),
]


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_results_does_not_matter_at_all(results, columns, rank, seed):
    rows = results()
    mixed = [rows[index] for index in np.random.default_rng(seed).permutation(len(rows))]
    there, back = rank(columns.of(rows), anchor="c"), rank(columns.of(mixed), anchor="c")
    assert there.standings == back.standings
    assert np.array_equal(there.covariance.dense(), back.covariance.dense())


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
def test_names_do_not_matter(results, columns, rank):
    other = dict(zip(FIELD, "zwpqkmb", strict=True))
    renamed = [
        replace(
            row,
            seats=tuple(other[entry] for entry in row.seats),
            block_id=row.block_id[::-1] + row.block_id,
        )
        for row in results()
    ]
    there = rank(columns.of(results()), anchor="c")
    back = rank(columns.of(renamed), anchor=other["c"])
    assert [other[row.entry] for row in there.standings] == [row.entry for row in back.standings]
    for one, two in zip(there.standings, back.standings, strict=True):
        assert two.elo == pytest.approx(one.elo, abs=1e-6)
        assert two.elo_error == pytest.approx(one.elo_error, abs=1e-6)
        assert two.points_error == pytest.approx(one.points_error)
        fitted = {"entry": "", "elo": 0.0, "elo_error": 0.0, "points_error": 0.0}
        assert replace(two, **fitted) == replace(one, **fitted)


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
def test_the_anchor_stands_at_1500_without_error(results, columns, rank):
    ranking = rank(columns.of(results()), anchor="c")
    held = rank_of(ranking)["c"]
    assert (ranking.anchor, held.elo, held.elo_error) == ("c", 1500.0, 0.0)
    assert all(row.anchored for row in ranking.standings)
    assert all(row.elo_error > 0 for row in ranking.standings if row.entry != "c")


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
def test_without_the_anchor_the_mean_stands_at_1500(results, columns, rank):
    ranking = rank(columns.of(results()), anchor="heuristic@1")
    assert ranking.anchor is None
    assert np.mean([row.elo for row in ranking.standings]) == pytest.approx(1500.0)
    assert not any(row.anchored for row in ranking.standings)


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
def test_differences_do_not_depend_on_the_anchor(results, columns, rank):
    one, two = (rank(columns.of(results()), anchor=anchor) for anchor in ("a", None))
    assert [row.entry for row in one.standings] == [row.entry for row in two.standings]
    for first in range(len(FIELD) - 1):
        assert one.compare(first, first + 1).elo_diff == pytest.approx(
            two.compare(first, first + 1).elo_diff
        )
        assert one.compare(first, first + 1).elo_error == two.compare(first, first + 1).elo_error


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
def test_an_error_against_the_anchor_is_that_of_the_comparison_with_it(results, columns, rank):
    ranking = rank(columns.of(results()), anchor="c")
    anchor = [row.entry for row in ranking.standings].index("c")
    for index, row in enumerate(ranking.standings):
        if index != anchor:
            comparison = ranking.compare(index, anchor)
            assert comparison.elo_error == pytest.approx(row.elo_error)
            assert comparison.elo_diff == pytest.approx(row.elo - 1500.0)
            assert comparison.separated == (abs(row.elo - 1500.0) > row.elo_error)
            assert comparison.los == pytest.approx(1 - ranking.compare(anchor, index).los)


def test_known_strengths_are_recovered_from_sessions():
    strength = np.linspace(-0.4, 0.4, 7)
    trios = np.array([[a, b, c] for a in range(7) for b in range(a) for c in range(b)] * 10)
    ranking = rank_sessions(simulate_sessions(trios, strength, seed=1), anchor=names(7)[3])
    assert ranking.model is Model.SESSIONS
    assert [row.entry for row in ranking.standings] == list(names(7))[::-1]
    for row, truth in zip(ranking.standings, strength[::-1], strict=True):
        assert row.elo == pytest.approx(1500 + ELO_PER_POINT * truth, abs=1.5 * row.elo_error + 1)
        assert row.elo_error < 60
    assert all(one is None or one.separated for one in ranking.neighbours())


def test_known_strengths_are_recovered_from_games():
    strength = np.linspace(-1.0, 1.0, 7)
    trios = np.array([[a, b, c] for a in range(7) for b in range(a) for c in range(b)] * 20)
    games = simulate_games(trios, strength, seed=1, ties=(0.02, 0.2, 0.0))
    ranking = rank_games(games, anchor=names(7)[3])
    assert ranking.model is Model.GAMES
    assert [row.entry for row in ranking.standings] == list(names(7))[::-1]
    for row, truth in zip(ranking.standings, strength[::-1], strict=True):
        assert row.elo == pytest.approx(1500 + ELO_PER_LOGIT * truth, abs=1.5 * row.elo_error + 1)
        assert row.elo_error < 40


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        pytest.param(0, 0.5, id="equals"),
        pytest.param(400, 10 / 11, id="400 points are odds of 10 to 1 (definition)"),
        pytest.param(-200, 1 / (1 + 10**0.5), id="200 points are odds of 3.16 to 1"),
    ],
)
def test_expected_score(difference, expected):
    assert expected_score(difference) == pytest.approx(expected)
    assert pytest.approx(log(10) / 400) == 1 / ELO_PER_LOGIT


@pytest.mark.parametrize(
    ("places", "sign"),
    [pytest.param((1, 2, 3), 1, id="only wins"), pytest.param((3, 1, 2), -1, id="only losses")],
)
@pytest.mark.parametrize("blocks", [10, 100])
def test_a_bot_with_only_one_kind_of_result_has_a_finite_rating_and_a_wide_interval(
    places, sign, blocks
):
    results = []
    for block in range(blocks):
        for turn in range(6):
            # a is always the same; b and c share the rest evenly.
            first, second, third = places if turn % 2 else (places[0], places[2], places[1])
            results.append(game(f"b{block}", "abc", (first, second, third)))
    ranking = rank_games(GameColumns.of(results), anchor="b")
    extreme = rank_of(ranking)["a"]
    assert extreme.one_sided
    assert not rank_of(ranking)["b"].one_sided
    assert isfinite(extreme.elo)
    assert 600 < sign * (extreme.elo - 1500) < 2000
    # The data cannot tell 800 from 2000 points; what they can tell is the sign.
    assert 300 < extreme.elo_error < 1500


def test_those_who_only_beat_each_other_inside_two_leagues_are_marked():
    """a and b always stand before c and d: the gap between the pairs is unbounded (Ford 1957)."""
    results = []
    for block, seats in enumerate(("abc", "abd", "bac", "bad", "acd", "adc", "bcd", "bdc")):
        results += [game(f"b{block}", seats, (1, 2, 3))] * 6
    marked = {row.entry: row.one_sided for row in rank_games(GameColumns.of(results)).standings}
    assert marked == {"a": False, "b": False, "c": True, "d": True}


def test_each_group_has_a_main_part_of_its_own():
    """Everybody was ahead of everybody in both groups, so nobody is one-sided."""
    rows = [
        game(f"{trio}{number}", trio, places)
        for trio in ("abc", "abd", "xyz")
        for number, places in enumerate(((1, 2, 3), (3, 1, 2), (2, 3, 1)))
    ]
    ranking = rank_games(GameColumns.of(rows))
    assert {row.group for row in ranking.standings} == {0, 1}
    assert not any(row.one_sided for row in ranking.standings)


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
def test_groups_that_never_met_are_not_comparable(results, columns, rank):
    del results
    if rank is rank_sessions:
        rows = [*block_of("b1", "abc"), *block_of("b2", "bcd"), *block_of("b3", "xyz")]
    else:
        rows = [game("b1", "abc"), game("b2", "bcd"), game("b3", "xyz")]
    ranking = rank(columns.of(rows, entries=["new"]), anchor="y")
    rows = ranking.standings
    assert ["".join(sorted(r.entry for r in rows if r.group == g)) for g in (0, 1)] == [
        "xyz",
        "abcd",
    ]
    assert [row.rank for row in rows] == [1, 2, 3, 1, 2, 3, 4, 1]
    assert [row.anchored for row in rows] == [True] * 3 + [False] * 5
    assert np.mean([row.elo for row in rows[3:7]]) == pytest.approx(1500)
    assert (rows[7].entry, rows[7].elo, rows[7].elo_error) == ("new", 1500, inf)
    with pytest.raises(ValueError, match="never met"):
        ranking.compare(0, 3)
    assert [one is None for one in ranking.neighbours()] == [
        False,
        False,
        True,
        False,
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
def test_a_tournament_that_has_not_begun_has_a_table(results, columns, rank):
    del results
    ranking = rank(columns.of([], entries="cab", not_started={"b": 2}), anchor="a")
    assert [row.entry for row in ranking.standings] == ["a", "b", "c"]
    assert [row.elo for row in ranking.standings] == [1500.0] * 3
    assert [row.elo_error for row in ranking.standings] == [0.0, inf, inf]
    assert [row.not_started for row in ranking.standings] == [0, 2, 0]
    assert [row.points_error for row in ranking.standings] == [inf] * 3


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
def test_one_block_gives_a_wide_interval(results, columns, rank):
    del results
    one_block = {
        rank_sessions: block_of("b1", "abc", (9, 8, 7)),
        rank_games: [game("b1", "abc")] * 6,
    }
    rows = one_block[rank]
    for row in rank(columns.of(rows), anchor="b").standings:
        assert row.entry == "b" or 100 < row.elo_error < 3000


def forfeited_session(block, seats, offender, played=3):
    return session(
        block,
        seats,
        (played, played, played),
        hands=(played, played, played),
        offenders=(seats.index(offender),),
        places=tuple(3 if entry == offender else 1 for entry in seats),
    )


def test_a_forfeited_session_moves_nobody_but_the_offender_and_him_by_the_rule():
    """theta -> (1 - f) theta - f p."""
    rows = [*simulated_sessions(), *(forfeited_session(f"f{i}", "abc", "b") for i in range(4))]
    counted = rank_sessions(SessionColumns.of(rows), anchor="c")
    left_out = rank_sessions(SessionColumns.of(rows), anchor="c", forfeits=Forfeits.LEFT_OUT)
    before, after = rank_of(left_out), rank_of(counted)
    for entry in "acdefg":
        assert after[entry].elo == before[entry].elo
        assert after[entry].elo_error == before[entry].elo_error
    own = sum(30 for row in rows if "b" in row.seats)
    share = 4 * 30 / own
    hands = sum(sum(row.hands) for row in rows)
    mean_points = sum(sum(map(sum, row.points)) for row in rows) / (3 * hands)
    mean = np.mean([row.elo for row in left_out.standings])
    theta = (before["b"].elo - mean) / ELO_PER_POINT
    expected = mean + ELO_PER_POINT * ((1 - share) * theta - share * mean_points)
    assert after["b"].elo == pytest.approx(expected)
    assert after["b"].forfeits == before["b"].forfeits == 4
    assert after["b"].elo_error < before["b"].elo_error


def test_an_anchor_that_forfeits_leaves_everybody_else_where_they_were():
    rows = [*simulated_sessions(), *(forfeited_session(f"f{i}", "abc", "c") for i in range(4))]
    counted = rank_of(rank_sessions(SessionColumns.of(rows), anchor="c"))
    left_out = rank_of(
        rank_sessions(SessionColumns.of(rows), anchor="c", forfeits=Forfeits.LEFT_OUT)
    )
    for entry in "abdefg":
        assert counted[entry].elo == left_out[entry].elo
    assert counted["c"].elo < left_out["c"].elo == 1500


def test_who_forfeits_to_another_group_stays_with_those_it_met():
    rows = [*block_of("b1", "abc"), *block_of("b2", "xyz"), forfeited_session("f", "axb", "x", 0)]
    table = rank_of(rank_sessions(SessionColumns.of(rows), anchor="a"))
    assert table["x"].group == table["y"].group != table["a"].group


def test_points_a_hand_count_forfeited_sessions_as_zero_for_the_offender_alone():
    rows = [*block_of("b1", "abc", (9, 9, 9)), forfeited_session("b2", "abc", "b")]
    points = {row.entry: row for row in rank_sessions(SessionColumns.of(rows)).standings}
    assert points["a"].points_per_hand == pytest.approx((54 + 9) / (60 + 9))
    assert points["b"].points_per_hand == pytest.approx(54 / (60 + 30))
    assert points["b"].hands == points["a"].hands == 69
    apart = rank_sessions(SessionColumns.of(rows), forfeits=Forfeits.LEFT_OUT)
    assert rank_of(apart)["b"].points_per_hand == pytest.approx((54 + 9) / (60 + 9))


def test_a_forfeited_game_moves_nobody_but_the_offender_and_him_downwards():
    lost = [game(f"f{i}", "abc", (1, 3, 2), offenders=(1,)) for i in range(6)]
    rows = [*simulated_games(), *lost]
    counted = rank_games(GameColumns.of(rows), anchor="c")
    left_out = rank_games(GameColumns.of(rows), anchor="c", forfeits=Forfeits.LEFT_OUT)
    without = rank_games(GameColumns.of(simulated_games()), anchor="c")
    before, after = rank_of(left_out), rank_of(counted)
    for entry in "acdefg":
        assert after[entry].elo == before[entry].elo == rank_of(without)[entry].elo
        assert after[entry].elo_error == before[entry].elo_error
    assert after["b"].elo < before["b"].elo - 10
    assert before["b"].elo == rank_of(without)["b"].elo
    assert after["b"].forfeits == 6


@pytest.mark.parametrize(("results", "columns", "rank"), KINDS)
def test_who_only_forfeits_is_last_of_the_group_it_forfeited_to(results, columns, rank):
    rows = results()
    if rank is rank_sessions:
        rows += [forfeited_session(f"f{i}", "axb", "x", played=0) for i in range(3)]
    else:
        rows += [game(f"f{i}", "axb", (1, 3, 2), offenders=(1,)) for i in range(3)]
    ranking = rank(columns.of(rows), anchor="c")
    last = ranking.standings[-1]
    assert (last.entry, last.rank, last.group, last.forfeits) == ("x", 8, 0, 3)
    assert last.one_sided == (rank is rank_games)
    assert isfinite(last.elo)
    assert last.elo < 1500 - 300 * (rank is rank_sessions)
    without = rank(columns.of(results()), anchor="c")
    assert [row.elo for row in ranking.standings[:-1]] == pytest.approx(
        [row.elo for row in without.standings], abs=1e-6
    )


def test_two_offenders_are_both_behind_the_third_and_nothing_is_said_between_them():
    lost = [game(f"f{i}", "abc", (1, 2, 2), offenders=(1, 2)) for i in range(6)]
    rows = [*simulated_games(), *lost]
    before = rank_of(rank_games(GameColumns.of(rows), anchor="a", forfeits=Forfeits.LEFT_OUT))
    after = rank_of(rank_games(GameColumns.of(rows), anchor="a"))
    assert after["b"].elo < before["b"].elo
    assert after["c"].elo < before["c"].elo
    assert after["d"].elo == before["d"].elo


def test_unfinished_games_are_left_out_and_listed():
    rows = [*simulated_games(), *(game(f"u{i}", "abc", None) for i in range(3))]
    ranking = rank_of(rank_games(GameColumns.of(rows), anchor="d"))
    without = rank_of(rank_games(GameColumns.of(simulated_games()), anchor="d"))
    assert [ranking[entry].unfinished for entry in FIELD] == [3, 3, 3, 0, 0, 0, 0]
    for entry in FIELD:
        assert ranking[entry].elo == without[entry].elo
        assert ranking[entry].places == without[entry].places


def test_counts_of_one_table_by_hand():
    rows = [
        game("b1", "abc", (1, 2, 3)),
        game("b1", "abc", (1, 2, 2)),
        game("b1", "cab", (1, 1, 3)),
        game("b2", "abd", (2, 3, 1)),
    ]
    table = rank_of(rank_games(GameColumns.of(rows)))
    assert {entry: row.places for entry, row in table.items()} == {
        "a": (3, 1, 0),
        "b": (0, 2, 2),
        "c": (1, 1, 1),
        "d": (1, 0, 0),
    }
    assert [table[entry].blocks for entry in "abcd"] == [2, 2, 1, 1]
    assert [table[entry].hands for entry in "abcd"] == [36, 36, 27, 9]


def test_the_error_of_points_a_hand_is_that_of_a_mean_of_blocks():
    """With many equal blocks: t(K-1) times the deviation of block means over the root of K."""
    random = np.random.default_rng(0)
    rows, means = [], []
    for block in range(300):
        points = tuple(int(value) for value in random.integers(4, 13, 3))
        rows += block_of(f"b{block:03d}", "abc", points)
        means.append(points[0] / 10)
    table = rank_of(rank_sessions(SessionColumns.of(rows)))
    assert table["a"].points_per_hand == pytest.approx(np.mean(means))
    expected = stats.t.ppf(0.975, 299) * np.std(means, ddof=1) / 300**0.5
    assert table["a"].points_error == pytest.approx(expected, rel=0.02)


def test_the_error_of_points_a_hand_after_two_blocks_by_hand():
    """a makes 0.6 and 1.0 points a hand in its blocks of 60 hands, b and c always 0.8.

    Variance per hand of a: sum (60 x 0.2)^2 over both, 288, times K / (K - 1) = 2, over 120 hands:
    4.8; of b and c 0. Pooled with 4 blocks of the usual 1.2: (4.8 + 4 x 1.2) / (3 + 4) = 9.6/7.
    Moderated: (1 x 4.8 + 4 x 9.6/7) / (1 + 4), with 5 degrees of freedom.
    """
    rows = [*block_of("b1", "abc", (6, 8, 8)), *block_of("b2", "abc", (10, 8, 8))]
    table = rank_of(rank_sessions(SessionColumns.of(rows)))
    variance = (4.8 + 4 * 9.6 / 7) / 5
    expected = stats.t.ppf(0.975, 5) * (variance / 120) ** 0.5
    assert POINT_VARIANCE == 1.2
    assert table["a"].points_error == pytest.approx(expected)


def test_likelihood_of_superiority_of_a_difference_at_the_edge_of_its_interval():
    ranking = rank_sessions(SessionColumns.of(simulated_sessions()))
    for first in range(3):
        comparison = ranking.compare(first, first + 3)
        degrees = 1e6
        quantile = comparison.elo_diff / comparison.elo_error
        # With many degrees of freedom the interval's edge is 1.96 deviations.
        assert comparison.los == pytest.approx(stats.t.cdf(quantile * 1.96, degrees), abs=0.02)
        assert comparison.separated == (comparison.elo_error < comparison.elo_diff)


@pytest.mark.parametrize("kind", ["sessions", "games"])
def test_a_tournament_without_entries_has_an_empty_ranking(
    kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if kind == "sessions":
        ranking = rank_sessions(SessionColumns.of([], entries=[]))
    else:
        ranking = rank_games(GameColumns.of([], entries=[]))
    assert ranking.standings == ()
    assert ranking.neighbours() == ()
    assert capfd.readouterr().err == ""


def test_so_many_more_blocks_separate_two_in_four_cases_of_five():
    compared = Comparison(elo_diff=20.0, elo_error=50.0, los=0.78, separated=False)
    blocks = 30 + blocks_to_separate(compared, 30)
    half_width = 50.0 * (30 / blocks) ** 0.5
    deviation = half_width / 1.96
    power = stats.norm.cdf((20.0 - half_width) / deviation)
    assert power == pytest.approx(0.8, abs=0.002)
    assert blocks_to_separate(replace(compared, elo_diff=0.0), 30) == inf
    assert blocks_to_separate(replace(compared, separated=True), 30) == 0.0


def test_where_results_choose_who_meets_a_narrow_field_is_drawn_together():
    trios = np.array([[0, 1, 2], [1, 2, 3], [3, 0, 1], [2, 0, 3]] * 5)
    games = simulate_games(trios, np.zeros(4), seed=3)
    fixed, chosen = (rank_games(games, meetings=meetings) for meetings in Meetings)
    assert np.std([row.elo for row in chosen.standings]) < np.std(
        [row.elo for row in fixed.standings]
    )
    assert all(
        row.elo_error < 1.05 * rank_of(fixed)[row.entry].elo_error for row in chosen.standings
    )
    of_many = simulate_games(np.tile(trios, (60, 1)), np.array([2.0, 1.0, -1.0, -2.0]), seed=3)
    fixed, chosen = (rank_games(of_many, meetings=meetings) for meetings in Meetings)
    for row in chosen.standings:  # results say far more than any prior
        assert row.elo == pytest.approx(rank_of(fixed)[row.entry].elo, abs=8)


def test_the_width_of_a_field_is_where_the_marginal_likelihood_is_greatest():
    """In the linear model with a known dispersion it is a normal likelihood, written out."""
    n = 8
    random = np.random.default_rng(4)
    trios = np.stack([random.permutation(n)[:3] for _ in range(60)])
    columns = simulate_sessions(trios, random.normal(0, 0.1, n), seed=4)
    blocks = SessionBlocks.of(columns)
    dispersion = 1.5
    first = linear.fit_sessions(blocks, n)
    _, prior = with_field_prior(
        first,
        lambda precision: linear.fit_sessions(blocks, n, precision),
        entries=n,
        dispersion=dispersion,
        elo_per_unit=ELO_PER_POINT,
    )
    # Of theta alone, positions integrated out: precision H / dispersion, estimates without a prior.
    flat = linear.fit_sessions(blocks, n, 1e-6)
    information = np.linalg.inv(flat.inverse[:n, :n]) - 1e-6 * np.eye(n)
    theta = flat.parameters[:n]

    def loss(log_square):
        square = exp(log_square)
        # With theta integrated out: log det (I + square H / d) and the quadratic form.
        inner = np.eye(n) + square * information / dispersion
        form = theta @ information @ np.linalg.solve(inner, theta) / dispersion
        usual = (USUAL_ELO / ELO_PER_POINT) ** 2
        hyper = USUAL_ENTRIES * (log_square + usual / square)
        return np.linalg.slogdet(inner)[1] + form + hyper

    best = optimize.minimize_scalar(loss, bounds=(-9, 0), method="bounded").x
    assert log(dispersion / prior.precision) == pytest.approx(best, abs=0.02)
