"""Writes tests/data/dealing_vectors.json with the naive implementation of docs/fair-dealing.md.

Run it as `python -m tests.game.write_dealing_vectors`. The vectors are part of the specification:
they change only with its version.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tests.game import naive_dealing, naive_rules
from tests.game.write_perft import STANDARD

DEAL_SETS = (
    (bytes(32), "t/b/0/1/1"),
    (bytes(range(32)), "spring/5f3a/0/2/1"),
    (b"\xff" * 32, "Frühling/♥/1/0/3"),
)
DECKS = ((9, False), (9, True), (8, False), (7, False), (7, True))
HANDS = ((1, 0, 0), (2, 0, 0), (2, 0, 1), (300, 7, 2), (2**32 - 1, 2**48 - 1, 2**16 - 1))
"""Hand, incarnation, retry."""
NUMBERS = (
    (1, "ff"),
    (2, "00"),
    (3, "ff02"),
    (7, "fcfdfefffb"),
    (24, "f0ef"),
    (26, "ea00"),
    (32, "ff"),
    (33, "e7e8ff20"),
)
"""A bound, and bytes of which none is left over: all but the last are thrown away."""
ATTEMPTS = (
    ((), True),
    (((1, 1, 0), (2, 1, 0), (2, 1, 1)), True),
    (((1, 1, 0), (2, 1, 0), (2, 2, 0), (3, 3, 0)), True),
    (((1, 14, 0), (2, 14, 0)), False),
    (((1, 0, 0),), False),
    (((1, 2, 0),), False),
    (((1, 1, 0), (1, 3, 0)), False),
    (((1, 1, 0), (2, 2, 0), (3, 1, 0)), False),
)
"""Hands of a record, and whether nothing in their incarnations can have been chosen."""
JOINED = ((), ("",), ("61", ""), ("", "61"), ("6161", "c3bc"))
"""Parts, in hexadecimal."""


def vectors() -> dict[str, Any]:
    """The whole file."""
    seeds = []
    for secret, deal_set in DEAL_SETS:
        seed = naive_dealing.seed_of(secret, deal_set)
        commitment = naive_dealing.commitment_of(deal_set, seed).hex()
        seeds.append(
            {
                "secret": secret.hex(),
                "deal_set": deal_set,
                "seed": seed.hex(),
                "commitment": commitment,
            }
        )
    seed = bytes.fromhex(seeds[1]["seed"])
    nonces = [naive_dealing.nonce_of(seed, seat) for seat in range(3)]
    rng = random.Random(7)
    games = [game(seed, nonces, *DECKS[0])]
    for lowest, joker in DECKS[1:]:
        games.append(game(rng.randbytes(32), [rng.randbytes(32) for _ in range(3)], lowest, joker))
    games += tied_games()
    return {
        "about": "Test vectors of docs/fair-dealing.md; bytes are hexadecimal.",
        "joined": [
            {"parts": parts, "joined": naive_dealing.join(*map(bytes.fromhex, parts)).hex()}
            for parts in map(list, JOINED)
        ],
        "numbers": [
            {"below": n, "bytes": text, "number": naive_dealing.draw(iter(bytes.fromhex(text)), n)}
            for n, text in NUMBERS
        ],
        "seeds": seeds,
        "nonces": [
            {"seed": seed.hex(), "seat": seat, "nonce": nonce.hex()}
            for seat, nonce in enumerate(nonces)
        ],
        "attempts": [
            {"hands": [list(hand) for hand in hands], "determined": determined}
            for hands, determined in ATTEMPTS
        ],
        "games": games,
    }


def tied_games() -> list[dict[str, Any]]:
    """Games in which two, and all three, draw the lowest card once, so that some draw again."""
    found: dict[int, dict[str, Any]] = {}
    number = 0
    while len(found) < 2:
        seed = number.to_bytes(32, "big")
        tried = game(seed, [seed] * 3, *DECKS[0])
        again = len(tried["draw_low"]["draws"]) - 3
        if again in (2, 3):
            found.setdefault(again, tried)
        number += 1
    return [found[2], found[3]]


def game(seed: bytes, nonces: list[bytes], lowest: int, joker: bool) -> dict[str, Any]:  # noqa: FBT001
    """The deals of one game."""
    cards = naive_rules.full_deck({**STANDARD, "lowest_rank": lowest, "joker": joker})

    def stream(purpose: str, hand: int = 0, attempt: int = 0) -> Any:
        return naive_dealing.stream(seed, nonces, purpose, hand, attempt)

    dealer, draws = naive_dealing.draw_low(stream("draw"), cards)
    decks = []
    for hand, incarnation, retry in HANDS:
        random_bytes = Counted(stream("deck", hand, incarnation * 2**16 + retry))
        shuffled, cut = naive_dealing.shuffle_and_cut(random_bytes, cards)
        deck = " ".join(shuffled[cut:] + shuffled[:cut])
        row = {"hand": hand, "attempt": [incarnation, retry], "bytes": random_bytes.taken}
        decks.append({**row, "cut": cut, "deck": deck})
    return {
        "seed": seed.hex(),
        "nonces": [nonce.hex() for nonce in nonces],
        "key": naive_dealing.key_of(seed, nonces).hex(),
        "deck_bytes": bytes(islice(stream("deck", 1), 64)).hex(),
        "lowest_rank": lowest,
        "joker": joker,
        "first_dealer": naive_dealing.draw(stream("seat"), 3),
        "draw_low": {"first_dealer": dealer, "draws": [f"{seat} {card}" for seat, card in draws]},
        "decks": decks,
    }


class Counted:
    """Bytes, and how many of them were taken: those thrown away, too."""

    def __init__(self, random_bytes: Iterator[int]) -> None:
        self._bytes = random_bytes
        self.taken = 0

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        self.taken += 1
        return next(self._bytes)


if __name__ == "__main__":
    path = Path(__file__).parents[1] / "data" / "dealing_vectors.json"
    path.write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
