"""The deal set of an ordered game: its commitment, and the deals once the nonces are known."""

from __future__ import annotations

from arena.tournaments.playroom import GameOrder
from euchre_sdk.game import Seat
from euchre_sdk.game.dealing import Nonces, VerifiableDeals, commitment, derived_nonce


class DealSet:
    """What the referee asks of the randomness of one game. The seed stays in here."""

    __slots__ = ("_seed", "commitment")

    def __init__(self, order: GameOrder) -> None:
        self._seed = order.seed
        self.commitment = commitment(order.deal_set, order.seed)
        """SHA-256 that goes out with the offer."""

    def derived_nonce(self, seat: Seat) -> bytes:
        """Return the nonce of a seat whose bot gives none of its own."""
        return derived_nonce(self._seed, seat)

    def deals(self, nonces: Nonces) -> VerifiableDeals:
        """Return the deals that seed and nonces determine."""
        return VerifiableDeals(self._seed, nonces)
