"""The deals once more, written down as docs/fair-dealing.md specifies them, sharing no code."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence


def join(*parts: bytes) -> bytes:
    """Each part after its length."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def seed_of(secret: bytes, deal_set: str) -> bytes:
    """The seed of a deal set."""
    return _mac(secret, join(b"euchre seed v1", deal_set.encode()))


def commitment_of(deal_set: str, seed: bytes) -> bytes:
    """What is published of the seed."""
    return hashlib.sha256(join(b"euchre commitment v1", deal_set.encode(), seed)).digest()


def nonce_of(seed: bytes, seat: int) -> bytes:
    """The nonce of a seat that gives none."""
    return _mac(seed, join(b"euchre nonce v1", bytes([seat])))


def key_of(seed: bytes, nonces: Sequence[bytes]) -> bytes:
    """What all bytes of a game are drawn under."""
    return hashlib.sha256(join(b"euchre game v1", seed, *nonces)).digest()


def stream(
    seed: bytes, nonces: Sequence[bytes], purpose: str, hand: int, attempt: int
) -> Iterator[int]:
    """The random bytes of a purpose."""
    key = key_of(seed, nonces)
    block = 0
    while True:
        place = hand.to_bytes(4, "big") + attempt.to_bytes(8, "big") + block.to_bytes(4, "big")
        yield from hashlib.sha256(key + purpose.encode() + place).digest()
        block += 1


def draw(random: Iterator[int], n: int) -> int:
    """A uniform number below n."""
    while True:
        byte = next(random)
        if byte < 256 // n * n:
            return byte % n


def shuffle_and_cut(random: Iterator[int], cards: Sequence[str]) -> tuple[list[str], int]:
    """The shuffled deck, and where to cut it."""
    deck = list(cards)
    for last in reversed(range(1, len(deck))):
        other = draw(random, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck, 4 + draw(random, len(deck) - 7)


def draw_low(random: Iterator[int], cards: Sequence[str]) -> tuple[int, list[tuple[int, str]]]:
    """Who deals first, and the cards drawn for it."""
    spread = [card for card in cards if card != "XX"]
    pack = list(spread)
    drawn: list[tuple[int, str]] = []
    seats = [0, 1, 2]
    while len(seats) > 1:
        if len(pack) < len(seats):
            pack = list(spread)
        this_round = [(seat, pack.pop(draw(random, len(pack)))) for seat in seats]
        drawn += this_round
        heights = ["A789TJQK".index(card[0]) for _, card in this_round]
        seats = [
            seat
            for (seat, _), height in zip(this_round, heights, strict=True)
            if height == min(heights)
        ]
    return seats[0], drawn


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()
