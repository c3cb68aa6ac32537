"""What a bot can see for itself of whether the arena deals fairly (docs/fair-dealing.md)."""

from __future__ import annotations

from collections.abc import Iterator

from euchre.v1 import play_pb2
from euchre_sdk.game.dealing import commitment, derived_nonce
from euchre_sdk.game.suits import SEATS, Seat


def start_doubts(seat: Seat, nonce: bytes | None, message: play_pb2.GameStart) -> Iterator[str]:
    """Yield why a start cannot be right; `nonce` is what the bot gave, `None` if that is lost."""
    derived = list(message.nonces_derived)[seat : seat + 1] == [True]  # as those of house bots are
    if nonce is not None and not derived and message.nonces[seat] != nonce:
        yield "the arena plays with another nonce than this bot has given: the deals may be chosen"


def incarnation_doubts(before: int, now: int) -> Iterator[str]:
    """Yield why a game cannot go on with an incarnation; `before` is 0 if none was told."""
    if now < before:
        yield f"the arena goes back to incarnation {now} from {before}: decks may come again"


def seed_doubts(
    offer: play_pb2.GameOffer, start: play_pb2.GameStart | None, message: play_pb2.DealsRevealed
) -> Iterator[str]:
    """Yield why a revealed seed cannot be the one that the offer committed the arena to."""
    if message.deal_set_id != offer.deal_set_id:
        yield "the arena reveals another deal set than it has offered"
    if commitment(offer.deal_set_id, message.seed) != offer.commitment:
        yield "the seed that the arena reveals is not the one that it had committed itself to"
    if start is None:
        return
    for seat, is_derived in zip(SEATS, start.nonces_derived, strict=False):
        if is_derived and start.nonces[seat] != derived_nonce(message.seed, seat):
            yield f"the nonce of seat {seat} was not derived from the seed: it may be chosen"
