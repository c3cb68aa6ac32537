"""The benchmark of the luck correction, small."""

from __future__ import annotations

from benchmarks.luck import MODEL, TABLES, by_bot, outcome, play, variance


def test_few_hands_of_unlike_bots_are_saved_by_the_model() -> None:
    bots = TABLES["counting waiting pointed"]
    played = play(bots, 1_200, seed=5)
    assert len(played.block) == 1_200
    assert sorted(played.owner[0].tolist()) == [0, 1, 2]
    found = outcome(played, played.terms[MODEL])
    assert found.factor > 1.6
    assert abs(found.bias_points) < 4 * found.bias_error
    raw = by_bot(played.owner, played.block, played.points).sum(axis=0) / 1_200
    assert abs(found.corrected - raw).max() < 0.1
    assert variance(played.points) > 1.0


def test_a_baseline_that_knows_who_played_shows_as_bias() -> None:
    played = play(TABLES["counting pointed daring"], 1_200, seed=6)
    terms = played.terms[MODEL].copy()
    strong = played.owner == 1  # Pointed makes more than the others
    terms[:, :-1] += strong[:, None]
    assert outcome(played, terms).worst_bias > 10
