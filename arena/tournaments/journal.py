"""What the referee puts down about one game, in the store."""

from __future__ import annotations

from collections.abc import Callable

from arena.referee import Fault, Forfeit, GameOutcome, HandRecord, Nonces
from arena.store import Store, games, hand_records


class StoreJournal:
    """Keeps the facts of one game durably, and says so by returning."""

    def __init__(self, store: Store, game_id: str, *, stored_hand: Callable[[str], None]) -> None:
        self._store = store
        self._game_id = game_id
        self._stored_hand = stored_hand

    async def ready(self, nonces: Nonces) -> None:
        """Keep the nonces with which all three became ready."""
        await self._store.write(games.keep_ready, self._game_id, nonces)

    async def fault(self, hand_number: int, fault: Fault) -> None:
        """Keep one fault of a hand that is not over."""
        await self._store.write(
            hand_records.keep_fault,
            self._game_id,
            hand_number=hand_number,
            fault=fault,
        )

    async def forfeit(self, forfeit: Forfeit) -> None:
        """Keep that a seat has forfeited."""
        await self._store.write(games.keep_forfeit, self._game_id, forfeit)

    async def hand(self, record: HandRecord) -> None:
        """Keep one hand, completed or void."""
        await self._store.write(hand_records.keep_hand, self._game_id, record)
        self._stored_hand(self._game_id)

    async def over(self, outcome: GameOutcome) -> None:
        """Keep how the game ended; that its block goes on or is complete is kept after it."""
        await self._store.write(games.keep_outcome, self._game_id, outcome)
