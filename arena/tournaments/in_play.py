"""A tournament that is being played: what its director and its steward both know."""

from __future__ import annotations

from dataclasses import dataclass, field

import trio

from arena.scheduling import Sitting
from arena.store.games import StoredGame
from arena.store.states import TournamentState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.feed import Feed
from arena.tournaments.pace import Pace
from arena.tournaments.plan import Plan
from arena.tournaments.pseudonyms import Names, seat_names
from arena.tournaments.spec import TournamentSpec
from euchre_sdk.game import SEATS, Seat


@dataclass(slots=True, eq=False, kw_only=True)
class InPlay:
    """One tournament, its entries, and the games of it that run."""

    tournament: StoredTournament
    """As it was when it was taken up."""
    spec: TournamentSpec
    entries: dict[str, StoredEntry]
    """As they stand, by id."""
    plan: Plan
    feed: Feed
    pace: Pace
    state: TournamentState
    running: dict[str, Sitting] = field(default_factory=dict)
    """Games that were ordered and are not over, by id."""
    blocks_complete: int = 0
    """Blocks of which it is stored that they count; `plan` knows a moment before."""
    wake: trio.Event = field(default_factory=trio.Event)
    """Set when there may be something to direct."""

    def changed(self) -> None:
        """Wake the director, and tell whoever follows the tournament."""
        self.wake.set()
        self.feed.changed()

    def seated(self, sitting: Sitting) -> tuple[str, ...]:
        """Return the bots of a sitting, by seat."""
        return tuple(self.entries[entry_id].bot_id for entry_id in sitting.seats)

    def gone(self, sitting: Sitting) -> tuple[Seat, ...]:
        """Return the seats of those who were taken out."""
        return tuple(seat for seat in SEATS if self.entries[sitting.seats[seat]].state.is_out)

    def names(self, game: StoredGame) -> Names:
        """Return what everybody may call the seats of a game."""
        return seat_names(self.tournament, game, self.entries)
