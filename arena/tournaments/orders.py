"""What a step of the plan is to the store and to the playroom: an offered game, and its order."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from arena.referee import Resumed
from arena.scheduling import Sitting
from arena.store.games import StoredGame
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments import seeds
from arena.tournaments.plan import Step
from arena.tournaments.playroom import GameOrder, SeatOrder
from arena.tournaments.pseudonyms import names_in_game
from arena.tournaments.spec import TournamentSpec, decode_spec


def offered_game(tournament: StoredTournament, step: Step, *, now: datetime) -> StoredGame:
    """Return the game as which a sitting is offered; every offer has an id and deals of its own."""
    sitting, tid = step.sitting, tournament.tournament_id
    blind = decode_spec(tournament.spec).blind
    deal_set = seeds.deal_set_id(tournament.secret, tid, sitting, step.offer, blind=blind)
    return StoredGame(
        game_id=seeds.game_id(tournament.secret, deal_set),
        tournament_id=tid,
        block_id=sitting.block_id,
        attempt=sitting.attempt,
        number=sitting.number,
        offer=step.offer,
        deal_set=deal_set,
        entries=sitting.seats,
        created=now,
    )


def game_order(
    tournament: StoredTournament,
    spec: TournamentSpec,
    entries: Mapping[str, StoredEntry],
    sitting: Sitting,
    game: StoredGame,
    *,
    played: Resumed,
) -> GameOrder:
    """Return the order for a stored game. `entries` by id; `played`: what there is of it so far."""
    names = [entries[entry_id].name for entry_id in sitting.seats]
    if spec.blind:
        names = [*names_in_game(tournament.secret, game.deal_set)]
    first, second, third = (
        _seat(entries[entry_id], name) for entry_id, name in zip(sitting.seats, names, strict=True)
    )
    return GameOrder(
        game_id=game.game_id,
        deal_set=game.deal_set,
        rules=spec.rules,
        format=sitting.format,
        time_control=spec.time_control,
        conduct=spec.conduct,
        seats=(first, second, third),
        seed=seeds.deal_seed(tournament.secret, game.deal_set),
        incarnation=played.incarnation + 1,
        played=played,
    )


def _seat(entry: StoredEntry, name: str) -> SeatOrder:
    return SeatOrder(
        entry_id=entry.entry_id,
        bot_id=entry.bot_id,
        name=name,
        version=None if entry.house else entry.version,
        house=entry.house,
    )
