"""What the author of a connected bot is told of its games, a line each."""

from __future__ import annotations

import logging
from typing import Protocol

from euchre.v1 import play_pb2
from euchre_sdk.bot import GameEnd
from euchre_sdk.game import SEATS, Seat
from euchre_sdk.text import one_line

log = logging.getLogger("euchre_sdk")


class ToldGame(Protocol):
    """What must be known of a game to tell of it."""

    game_id: str
    seat: Seat
    names: tuple[str, str, str] | None
    is_forfeit_told: bool


def tell_forced(game: ToldGame, forced: play_pb2.MoveForced) -> None:
    """Say that the arena acted for the bot; after a forfeit it always does, which is said once."""
    if forced.cause == play_pb2.FORCED_CAUSE_FORFEIT:
        if not game.is_forfeit_told:
            game.is_forfeit_told = True
            log.warning(
                "game %s: the bot's seat is forfeit; the arena answers for it from question %d on",
                *(game.game_id, forced.seq),
            )
        return
    fault = f" (fault {forced.faults} of {forced.fault_limit})" if forced.faults else ""
    log.warning(
        "game %s: the arena answered question %d for the bot%s", game.game_id, forced.seq, fault
    )


def result_line(game: ToldGame, end: GameEnd) -> str:
    """Return a game's result in a line: the bot's place, everybody's points, the hands."""
    if end.places is None:
        place = "no places"
    else:
        own = end.places[game.seat]
        place = f"shared place {own}" if end.places.count(own) > 1 else f"place {own}"
    seats = []
    for seat, points in zip(SEATS, end.score, strict=True):
        name = f" {one_line(game.names[seat])}" if game.names else ""
        seats.append(f"seat {seat}{name} {points}" + (" (you)" if seat == game.seat else ""))
    return f"{place}; points: {', '.join(seats)}; hands: {end.hands}"
