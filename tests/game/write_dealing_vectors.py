"""Writes tests/data/dealing_vectors.json with the naive implementation of docs/fair-dealing.md.

Run it as `python -m tests.game.write_dealing_vectors`. The vectors are part of the specification:
they change only with its version.
"""

from __future__ import annotations

import json
import random
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
    return {
        "about": "Test vectors of docs/fair-dealing.md; bytes are hexadecimal.",
        "seeds": seeds,
        "nonces": [
            {"seed": seed.hex(), "seat": seat, "nonce": nonce.hex()}
            for seat, nonce in enumerate(nonces)
        ],
        "games": games,
    }


def game(seed: bytes, nonces: list[bytes], lowest: int, joker: bool) -> dict[str, Any]:  # noqa: FBT001
    """The deals of one game."""
    cards = naive_rules.full_deck({**STANDARD, "lowest_rank": lowest, "joker": joker})

    def stream(purpose: str, hand: int = 0, attempt: int = 0) -> Any:
        return naive_dealing.stream(seed, nonces, purpose, hand, attempt)

    dealer, draws = naive_dealing.draw_low(stream("draw"), cards)
    decks = []
    for hand, incarnation, retry in HANDS:
        random_bytes = stream("deck", hand, incarnation * 2**16 + retry)
        shuffled, cut = naive_dealing.shuffle_and_cut(random_bytes, cards)
        deck = " ".join(shuffled[cut:] + shuffled[:cut])
        decks.append({"hand": hand, "attempt": [incarnation, retry], "cut": cut, "deck": deck})
    return {
        "seed": seed.hex(),
        "nonces": [nonce.hex() for nonce in nonces],
        "lowest_rank": lowest,
        "joker": joker,
        "first_dealer": naive_dealing.draw(stream("seat"), 3),
        "draw_low": {"first_dealer": dealer, "draws": [f"{seat} {card}" for seat, card in draws]},
        "decks": decks,
    }


if __name__ == "__main__":
    path = Path(__file__).parents[1] / "data" / "dealing_vectors.json"
    path.write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
