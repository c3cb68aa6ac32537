"""Verifiable deals: vectors, uniformity, independence (docs/fair-dealing.md)."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_sdk.game import SEATS, STANDARD, Game, RuleSet, SeededDeals, VerifiableDeals
from euchre_sdk.game.dealing import commitment, derive_seed, derived_nonce
from euchre_sdk.game.rules import FirstDealer
from tests import strategies
from tests.game import naive_dealing, write_dealing_vectors

PATH = Path(__file__).parents[1] / "data" / "dealing_vectors.json"
VECTORS: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
THIRTY_TWO = st.binary(min_size=32, max_size=32)


def deals_of(game: dict[str, Any]) -> VerifiableDeals:
    first, second, third = (bytes.fromhex(nonce) for nonce in game["nonces"])
    return VerifiableDeals(bytes.fromhex(game["seed"]), (first, second, third))


def test_the_vectors_are_those_of_the_independent_implementation() -> None:
    assert write_dealing_vectors.vectors() == VECTORS


@pytest.mark.parametrize("row", VECTORS["seeds"], ids=lambda row: row["deal_set"])
def test_seeds_and_commitments_follow_the_vectors(row: dict[str, str]) -> None:
    seed = derive_seed(bytes.fromhex(row["secret"]), row["deal_set"])
    assert seed.hex() == row["seed"]
    assert commitment(row["deal_set"], seed).hex() == row["commitment"]


@pytest.mark.parametrize("row", VECTORS["nonces"], ids=lambda row: f"seat {row['seat']}")
def test_derived_nonces_follow_the_vectors(row: dict[str, Any]) -> None:
    assert derived_nonce(bytes.fromhex(row["seed"]), SEATS[row["seat"]]).hex() == row["nonce"]


@pytest.mark.parametrize(
    "game", VECTORS["games"], ids=lambda game: f"{game['lowest_rank']}, joker {game['joker']}"
)
def test_deals_follow_the_vectors(game: dict[str, Any]) -> None:
    deals = deals_of(game)
    deck = {"lowest_rank": game["lowest_rank"], "joker": game["joker"]}
    rules = RuleSet(**deck)
    assert deals.first_dealer(rules) == (game["first_dealer"], ())
    dealer, draws = deals.first_dealer(RuleSet(first_dealer=FirstDealer.DRAW_LOW, **deck))
    assert dealer == game["draw_low"]["first_dealer"]
    assert [f"{seat} {card}" for seat, card in draws] == game["draw_low"]["draws"]
    for row in game["decks"]:
        incarnation, retry = row["attempt"]
        dealt = deals.deck(rules, row["hand"], incarnation << 16 | retry)
        assert " ".join(map(str, dealt)) == row["deck"]


@settings(max_examples=50)
@given(
    THIRTY_TWO,
    st.tuples(THIRTY_TWO, THIRTY_TWO, THIRTY_TWO),
    strategies.rule_sets(),
    st.integers(1, 2**32 - 1),
    st.integers(0, 2**64 - 1),
)
def test_any_deal_is_that_of_the_independent_implementation(
    seed: bytes, nonces: tuple[bytes, bytes, bytes], rules: RuleSet, hand: int, attempt: int
) -> None:
    cards = [str(card) for card in rules.deck]
    shuffled, cut = naive_dealing.shuffle_and_cut(
        naive_dealing.stream(seed, nonces, "deck", hand, attempt), cards
    )
    dealt = VerifiableDeals(seed, nonces).deck(rules, hand, attempt)
    assert [str(card) for card in dealt] == shuffled[cut:] + shuffled[:cut]


def some_deals(change: int = -1) -> VerifiableDeals:
    """Deals from a fixed seed and nonces, one of which may be changed by a bit."""
    rng = random.Random(77)
    parts = [bytearray(rng.randbytes(32)) for _ in range(4)]
    if change >= 0:
        parts[change][-1] ^= 1
    seed, first, second, third = map(bytes, parts)
    return VerifiableDeals(seed, (first, second, third))


def test_every_deal_of_a_game_differs_from_every_other() -> None:
    deals = some_deals()
    decks = {
        tuple(deals.deck(STANDARD, hand, attempt))
        for hand in range(1, 60)
        for attempt in (0, 1, 1 << 16, 1 << 16 | 1)
    }
    assert len(decks) == 59 * 4


@pytest.mark.parametrize("part", range(4), ids=["seed", "nonce 0", "nonce 1", "nonce 2"])
def test_the_seed_and_each_nonce_change_the_deals(part: int) -> None:
    assert some_deals(part).deck(STANDARD, 1, 0) != some_deals().deck(STANDARD, 1, 0)


def test_nonces_in_another_order_give_other_deals() -> None:
    seed, a, b = bytes(32), bytes([1] * 32), bytes([2] * 32)
    one, other = VerifiableDeals(seed, (a, b, b)), VerifiableDeals(seed, (b, a, b))
    assert one.deck(STANDARD, 1, 0) != other.deck(STANDARD, 1, 0)


def test_parts_are_joined_so_that_none_can_slide_into_another() -> None:
    assert commitment("ab", b"c" * 32) != commitment("abc", b"c" * 31)
    assert derive_seed(b"k" * 32, "a/11/1") != derive_seed(b"k" * 32, "a/1/11")


@pytest.mark.parametrize(
    ("seed", "nonces"),
    [
        (b"short", (bytes(32), bytes(32), bytes(32))),
        (bytes(32), (bytes(32), bytes(31), bytes(32))),
        (bytes(32), (bytes(32), bytes(32))),
    ],
)
def test_other_sizes_are_refused(seed: bytes, nonces) -> None:
    with pytest.raises(ValueError, match="32 bytes each"):
        VerifiableDeals(seed, nonces)


def _chi_square(counts: Counter[Any], cells: int, total: int) -> float:
    expected = total / cells
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + (cells - len(counts)) * expected


SOURCES = [
    pytest.param(some_deals, id="verifiable"),
    pytest.param(lambda: SeededDeals(5), id="seeded"),
]


@pytest.mark.parametrize("make", SOURCES)
def test_every_card_is_equally_likely_at_every_place(make) -> None:
    deals, size, hands = make(), 24, 12_000
    places: list[Counter[Any]] = [Counter() for _ in range(size)]
    following: Counter[Any] = Counter()
    for hand in range(1, hands + 1):
        deck = deals.deck(STANDARD, hand, 0)
        for place, card in zip(places, deck, strict=True):
            place[card] += 1
        following.update(pairwise(deck))
    # Sums of squares with (24 − 1)² and 24 · 23 − 1 degrees of freedom; five standard deviations.
    placed = sum(_chi_square(counts, size, hands) for counts in places) * (size - 1) / size
    freedom = (size - 1) ** 2
    assert abs(placed - freedom) < 5 * (2 * freedom) ** 0.5
    pairs = size * (size - 1)
    # Each deck gives 23 pairs, all different: less spread than independent ones have.
    assert _chi_square(following, pairs, hands * (size - 1)) < pairs + 5 * (2 * pairs) ** 0.5


def test_seeded_deals_repeat_with_their_seed() -> None:
    def first(seed: int) -> list[object]:
        game = Game(STANDARD, SeededDeals(seed))
        return [game.dealer, list(game.start_hand().deck)]

    assert first(3) == first(3)
    assert first(3) != first(4)
