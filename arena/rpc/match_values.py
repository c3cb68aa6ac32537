"""A match as everybody may see it, as a message of `euchre.v1`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arena.referee import GameOutcome, Termination, Triple
from arena.referee.outputs import GameEnded
from arena.rpc.play.messages import TERMINATION, write_game_over
from arena.rpc.values import write_time
from arena.store.games import StoredGame
from arena.store.states import GameState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.pseudonyms import is_veiled, seat_names
from euchre.v1 import matches_pb2, play_pb2

MATCH_STATE = {
    GameState.RUNNING: matches_pb2.MATCH_STATE_RUNNING,
    GameState.FINISHED: matches_pb2.MATCH_STATE_FINISHED,
    GameState.VOID: matches_pb2.MATCH_STATE_VOID,
}
"""Games that were never begun are no matches."""

NO_HANDS = (0, (0, 0, 0))
"""Hands and points of a game that has none yet."""


def write_match(
    game: StoredGame,
    tournament: StoredTournament,
    entries: Mapping[str, StoredEntry],
    score: tuple[int, Triple],
) -> matches_pb2.Match:
    """Return a match; `score`: its hands and points so far, as far as they may be seen."""
    hands, points = score
    points = game.points or points
    names = seat_names(tournament, game, entries)
    message = matches_pb2.Match(
        game_id=game.game_id,
        tournament=tournament.name,
        state=matches_pb2.MATCH_STATE_VOID if game.annulled else MATCH_STATE[game.state],
        hands=hands,
        start_time=write_time(game.created),
    )
    if not is_veiled(tournament):  # the schedule would tell who plays in the block
        message.block = int(game.block_id.partition("b")[2])
        message.block_id = game.block_id
    if game.ended is not None:
        message.end_time.CopyFrom(write_time(game.ended))
    for seat in range(3):
        entry = message.seats.add(name=names[seat], points=points[seat])
        if game.annulled:
            entry.termination = TERMINATION[Termination.ANNULLED]
            continue
        if game.terminations is not None:
            entry.termination = TERMINATION[game.terminations[seat]]
        if game.places is not None and game.state is GameState.FINISHED and not game.unfinished:
            entry.place = game.places[seat]
    return message


def as_running(game: StoredGame) -> StoredGame:
    """Return a game without what is stored of its end."""
    return replace(
        game,
        state=GameState.RUNNING,
        terminations=None,
        points=None,
        places=None,
        unfinished=False,
        ended=None,
        annulled=False,
    )


def write_end(game: StoredGame, hands: int) -> play_pb2.GameOver:
    """Return how a match ended, after so many hands that count."""
    void = Termination.VOID
    outcome = GameOutcome(
        terminations=game.terminations or (void, void, void),
        points=game.points or (0, 0, 0),
        places=game.places or (1, 1, 1),
        unfinished=game.unfinished,
    )
    over = write_game_over(GameEnded(outcome)).game_over
    over.hands = hands
    return over
