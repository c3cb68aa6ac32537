"""Who is who in a blind tournament: nobody's name is told before its end.

A name is fresh for each game, so that nobody is recognised in the next one; a ranking has names of
its own. Both are made with the tournament's secret: whoever does not know it can link none of them.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from arena.store import tournaments
from arena.store.games import StoredGame
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.spec import decode_spec
from euchre_sdk.game import SEATS

if TYPE_CHECKING:
    from sqlalchemy import Connection

Names: TypeAlias = tuple[str, str, str]

_IN_GAME = b"euchre pseudonym in a game\0"
_IN_RANKING = b"euchre pseudonym in a ranking\0"


def is_veiled(tournament: StoredTournament) -> bool:
    """Return whether names are still kept back."""
    return not tournament.state.over and decode_spec(tournament.spec).blind


def veiled_bots(c: Connection) -> frozenset[str]:
    """Return the ids of the bots of which nobody may see when they play."""
    return frozenset(
        entry.bot_id
        for tournament in tournaments.unfinished_tournaments(c)
        if is_veiled(tournament)
        for entry in tournaments.entries_of(c, tournament.tournament_id)
    )


def names_in_game(secret: bytes, deal_set: str) -> Names:
    """Return the pseudonyms of the seats of a game. Nothing of who sits there is in them."""
    first, second, third = (_name(secret, _IN_GAME, f"{deal_set}/{int(seat)}") for seat in SEATS)
    return first, second, third


def name_in_ranking(secret: bytes, entry_id: str) -> str:
    """Return the pseudonym of an entry in the ranking."""
    return _name(secret, _IN_RANKING, entry_id)


def seat_names(
    tournament: StoredTournament, game: StoredGame, entries: Mapping[str, StoredEntry]
) -> Names:
    """Return what everybody may call the seats of a game. `entries` by id."""
    if is_veiled(tournament):
        return names_in_game(tournament.secret, game.deal_set)
    first, second, third = (entries[entry_id].name for entry_id in game.entries)
    return first, second, third


def _name(secret: bytes, label: bytes, what: str) -> str:
    return "player-" + hmac.digest(secret, label + what.encode(), "sha256")[:4].hex()
