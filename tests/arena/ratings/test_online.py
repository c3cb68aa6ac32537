"""Online Elo: all pairs of a table at once."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from arena.ratings.online import START, K, online_elo


def test_the_order_inside_a_table_does_not_matter():
    luck = random.Random(1)
    blocks = [
        {entry: luck.randrange(60) for entry in luck.sample("abcdefg", 3)} for _ in range(200)
    ]
    expected = online_elo(blocks)
    for order in permutations(range(3)):
        turned = [{list(block)[at]: block[list(block)[at]] for at in order} for block in blocks]
        assert online_elo(turned) == pytest.approx(expected)


def test_what_one_gains_the_others_lose_and_nobody_moves_by_more_than_k():
    before = online_elo([{"a": 9, "b": 5, "c": 1}])
    assert sum(before.values()) == pytest.approx(3 * START)
    assert before["a"] - START == pytest.approx(K / 2)
    luck = random.Random(2)
    blocks: list[dict[str, float]] = []
    for _ in range(100):
        earlier = online_elo(blocks)
        blocks.append({entry: luck.randrange(9) for entry in "abc"})
        later = online_elo(blocks)
        assert max(abs(later[entry] - earlier.get(entry, START)) for entry in "abc") <= K


def test_it_finds_the_order_of_strengths():
    luck = random.Random(3)
    blocks = [
        {entry: luck.gauss(4 * "abcde".index(entry), 8) for entry in luck.sample("abcde", 3)}
        for _ in range(600)
    ]
    found = online_elo(blocks)
    assert sorted(found, key=lambda entry: found[entry]) == list("abcde")
