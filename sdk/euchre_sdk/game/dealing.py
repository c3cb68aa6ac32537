"""Deals anyone can verify: commit, reveal, and one shuffle for all (docs/fair-dealing.md).

Before a game the arena commits itself to a secret seed; each bot then gives a nonce of its own;
seed and nonces determine every card. Nobody can bend a deal: the seed was fixed before the nonces
were known, and the nonces were given before the seed was shown. Every function here is a pure
function of its arguments.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain, count
from struct import Struct
from typing import TypeAlias

from euchre_sdk.game.cards import Card
from euchre_sdk.game.rules import FirstDealer, RuleSet
from euchre_sdk.game.suits import SEATS, Seat

Nonces: TypeAlias = tuple[bytes, bytes, bytes]
"""The nonces of seats 0, 1, 2; `SECRET_SIZE` bytes each."""

FIRST_INCARNATION = 1
"""In which the first hands of every game are dealt (docs/fair-dealing.md)."""
SECRET_SIZE = 32
"""Bytes of a seed, a nonce and a commitment."""
SMALLEST_PACKET = 4
"""Cards that a cut leaves in each packet at least (A09)."""

_SEED = b"euchre seed v1"
_COMMITMENT = b"euchre commitment v1"
_NONCE = b"euchre nonce v1"
_FIRST_DEALER, _DRAW, _DECK = b"seat", b"draw", b"deck"
"""Purposes of random bytes, all of one length: so no block's text can be another's."""
_PLACE = Struct(">IQI")
"""Hand number, attempt, number of the block."""
_REMAINDERS = tuple(
    tuple(byte % n if byte < 256 // n * n else None for byte in range(256)) if n else ()
    for n in range(34)
)
"""`_REMAINDERS[n][byte]`: the number from 0 to n − 1 that a byte draws; `None` throws it away."""
_SHUFFLE = tuple(
    tuple((last, _REMAINDERS[last + 1]) for last in range(size - 1, 0, -1)) for size in range(34)
)
"""For each size of a deck its places from the last to the second, each with its draws."""


def derive_seed(secret: bytes, deal_set: str) -> bytes:
    """Return the seed of a deal set, 32 bytes: HMAC-SHA256 of the tournament's secret."""
    return hmac.digest(secret, _join(_SEED, deal_set.encode()), "sha256")


def commitment(deal_set: str, seed: bytes) -> bytes:
    """Return what is published of a seed before the game, 32 bytes: a SHA-256."""
    return sha256(_join(_COMMITMENT, deal_set.encode(), seed)).digest()


def derived_nonce(seed: bytes, seat: Seat) -> bytes:
    """Return the nonce of a seat whose bot gives none: the arena cannot choose it afterwards."""
    return hmac.digest(seed, _join(_NONCE, bytes([seat])), "sha256")


def _join(*parts: bytes) -> bytes:
    """Return parts joined so that no two lists of parts give the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


_SECRET_SIZE_BYTES = SECRET_SIZE.to_bytes(4, "big")
_GAME = _join(b"euchre game v1")
"""How the text that a game's key is the hash of begins; see `_join` for the rest."""


class VerifiableDeals:
    """The deals that a seed and three nonces determine."""

    def __init__(self, seed: bytes, nonces: Nonces) -> None:
        """Raise `ValueError` unless seed and nonces are 32 bytes each."""
        if list(map(len, (seed, *nonces))) != [SECRET_SIZE] * 4:
            msg = f"verifiable deals take a seed and three nonces of {SECRET_SIZE} bytes each"
            raise ValueError(msg)
        self._key = sha256(_SECRET_SIZE_BYTES.join((_GAME, seed, *nonces))).digest()

    def first_dealer(self, rules: RuleSet) -> tuple[Seat, Sequence[tuple[Seat, Card]]]:
        """Return a uniform first dealer, or the draws of the lowest card (A05, A06)."""
        if rules.first_dealer is FirstDealer.DRAW_LOW:
            return draw_for_deal(rules, partial(_uniform, self._bytes(_DRAW, 0, 0)))
        return SEATS[_uniform(self._bytes(_FIRST_DEALER, 0, 0), len(SEATS))], ()

    def deck(self, rules: RuleSet, hand_number: int, attempt: int) -> Sequence[Card]:
        """Return the cut deck of an attempt at a hand (A09); `attempt` has at most 64 bits.

        One stream of bytes shuffles first and cuts then.
        """
        deck = list(rules.deck)
        random = self._bytes(_DECK, hand_number, attempt)
        draw = random.__next__
        for last, row in _SHUFFLE[len(deck)]:  # Fisher-Yates from the bottom
            while (other := row[draw()]) is None:
                pass
            deck[last], deck[other] = deck[other], deck[last]
        cuts = len(deck) - 2 * SMALLEST_PACKET + 1
        cut = SMALLEST_PACKET + _uniform(random, cuts)
        return deck[cut:] + deck[:cut]

    def _bytes(self, label: bytes, hand_number: int, attempt: int) -> Iterator[int]:
        """Return the random bytes of one purpose, without end."""
        return chain.from_iterable(self._blocks(label, hand_number, attempt))

    def _blocks(self, label: bytes, hand_number: int, attempt: int) -> Iterator[bytes]:
        """Return SHA-256 of the game's key, label, hand, attempt and block number, block by block.

        Secret key first, then a text of one length: as unpredictable as an HMAC, at half its cost.
        """
        purpose = self._key + label
        for block in count():
            yield sha256(purpose + _PLACE.pack(hand_number, attempt, block)).digest()


def _uniform(random: Iterator[int], n: int) -> int:
    """Return a uniform number from 0 to n − 1, for n from 1 to 33."""
    row = _REMAINDERS[n]
    for byte in random:
        if (number := row[byte]) is not None:
            return number
    raise AssertionError  # the bytes have no end


def draw_for_deal(
    rules: RuleSet, uniform: Callable[[int], int]
) -> tuple[Seat, Sequence[tuple[Seat, Card]]]:
    """Return who draws the lowest card, and every card drawn on the way (A05, A06).

    `uniform(n)` gives a number from 0 to n − 1. The joker is left out; the ace is low.
    """
    spread = [card for card in rules.deck if not card.is_joker]
    pack, drawn = list(spread), []
    tied: Sequence[Seat] = SEATS
    while True:
        if len(pack) < len(tied):
            pack = list(spread)
        round_ = [(seat, pack.pop(uniform(len(pack)))) for seat in tied]
        drawn += round_
        tied = lowest_of(round_)
        if len(tied) == 1:
            return tied[0], drawn


def lowest_of(draws: Sequence[tuple[Seat, Card]]) -> list[Seat]:
    """Return who drew the lowest card, all of them if several did; the ace is low (A05)."""
    lowest = min(_height(card) for _, card in draws)
    return [seat for seat, card in draws if _height(card) == lowest]


def _height(card: Card) -> int:
    """Return a drawn card's height: ace low, then 7 to king."""
    assert card.rank is not None  # the joker is not drawn
    return (card.rank + 1) % 8
