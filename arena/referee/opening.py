"""The offer of one game: who is ready, and with what randomness it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.referee.clock import NEVER
from arena.referee.outcome import GameOutcome
from arena.referee.outputs import Outputs, Withdrawal, Withdrawn
from arena.referee.termination import Termination

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.referee.outcome import Nonces
    from arena.referee.seating import Sitter
    from arena.referee.setup import DealSource
    from euchre_sdk.game import Seat


class Opening:
    """What has come of an offer so far."""

    __slots__ = ("_sitters", "_source", "until")

    def __init__(self, sitters: Sequence[Sitter], source: DealSource) -> None:
        self._sitters = sitters
        self._source = source
        self.until = NEVER
        """When the offer ends, in nanoseconds."""

    def take(self, seat: Seat, nonce: bytes, arrived: int) -> bool:
        """Take a seat's Ready; return whether it was the last that was missing.

        A second Ready of a seat, and one that came too late, change nothing.
        """
        sitter = self._sitters[seat]
        if sitter.ready or arrived > self.until:
            return False
        sitter.ready = True
        sitter.nonce = nonce
        return not self.absent

    @property
    def absent(self) -> tuple[Seat, ...]:
        """Who is not ready."""
        return tuple(sitter.seat for sitter in self._sitters if not sitter.ready)

    def nonces(self) -> Nonces:
        """Return the nonces of all three, derived from the seed where a bot gives none."""
        first, second, third = (
            self._source.derived_nonce(s.seat) if s.house or s.nonce is None else s.nonce
            for s in self._sitters
        )
        return first, second, third

    def not_started(self) -> GameOutcome:
        """Return the outcome of a game for which somebody was not ready."""
        never = Termination.NOT_STARTED
        return GameOutcome(terminations=(never, never, never), not_ready=self.absent)

    def withdrawn(self) -> Outputs:
        """Take the offer back from all."""
        return [
            Withdrawn(s.seat, Withdrawal.OTHER_NOT_READY if s.ready else Withdrawal.NOT_READY)
            for s in self._sitters
        ]
