"""Watching a match while it is played: whole hands, when they are old enough."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import trio

from arena.referee.spectacle import Spectacle
from arena.rpc.match_values import as_running, write_end, write_match
from arena.rpc.play.messages import write_ended
from arena.store import Store, games, hand_records
from arena.store.games import StoredGame
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.gallery import Gallery
from arena.tournaments.spec import decode_spec
from euchre.v1 import matches_pb2

Send = Callable[[matches_pb2.WatchMatchResponse], Awaitable[None]]

SLOW = 5.0
"""Seconds that one step may wait for its reader; who takes longer is told where the match stands
now instead of what it has missed."""
_AT_ONCE = 100
"""Hands that are read from the store together."""


class Spectator:
    """One watcher of one match: told everything from the first hand on, whenever it comes."""

    def __init__(
        self,
        game: StoredGame,
        tournament: StoredTournament,
        entries: Mapping[str, StoredEntry],
        *,
        store: Store,
        gallery: Gallery,
        send: Send,
    ) -> None:
        spec = decode_spec(tournament.spec)
        self._game = game
        self._tournament = tournament
        self._entries = entries
        self._store = store
        self._gallery = gallery
        self._send = send
        self._show = Spectacle(spec.rules, spec.format)
        self._taken = 0
        """Stored hands that were told, void ones counted."""
        self._charged = 0
        """Hand up to which faults were told of deals that the arena did not live to store."""

    async def watch(self) -> None:
        """Tell until the end of the match has been told."""
        await self._send_standing()
        while True:
            game_id = self._game.game_id
            seen = self._gallery.released(game_id, over=self._game.state.over)
            await self._tell_hands(seen.hands)
            if seen.over:
                break
            await self._gallery.wait(game_id, seen, over=self._game.state.over)
        game = await self._store.read(games.game_with_id, game_id)
        assert game is not None  # it was there, and games are kept for ever
        over = write_end(game, self._show.hands)
        await self._send(matches_pb2.WatchMatchResponse(game_over=over))

    async def _tell_hands(self, released: int) -> None:
        """Tell the stored hands up to that number; skip some if the reader is too slow."""
        missed = False
        while self._taken < released:
            limit = min(_AT_ONCE, released - self._taken)
            records = await self._store.read(
                hand_records.hands_of_game, self._game.game_id, skip=self._taken, limit=limit
            )
            if not records:
                break
            never_stored = await self._store.read(hand_records.open_faults, self._game.game_id)
            for record in records:
                number = record.hand_number
                self._show.charge(
                    fault.seat
                    for fault in never_stored
                    if self._charged < fault.hand_number <= number
                )
                self._charged = number
                told = self._show.tell(record)
                self._taken += 1
                if told is None or missed:
                    continue
                started = trio.current_time()
                hand_end = write_ended(told).hand_end
                await self._send(matches_pb2.WatchMatchResponse(hand_end=hand_end))
                missed = trio.current_time() - started > SLOW
        if missed:
            await self._send_standing()

    async def _send_standing(self) -> None:
        """Tell where the match stands after what was told, or skipped."""
        score = self._show.hands, self._show.score
        match = write_match(as_running(self._game), self._tournament, self._entries, score)
        await self._send(matches_pb2.WatchMatchResponse(match=match))
