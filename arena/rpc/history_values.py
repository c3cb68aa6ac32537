"""What ratings were, as messages."""

from __future__ import annotations

from arena.rpc.values import TOURNAMENT_STATE, write_time
from arena.store.history import BotHistory, Moment, RatingPoint
from euchre.v1 import tournaments_pb2 as pb


def write_history(history: BotHistory) -> pb.TournamentHistory:
    """Return the message of what a bot's ratings were in one tournament."""
    tournament = history.tournament
    message = pb.TournamentHistory(
        tournament=tournament.name,
        state=TOURNAMENT_STATE[tournament.state],
        version_label=history.version,
        entries=history.entries,
        create_time=write_time(tournament.created),
        points=[_point(moment, point) for moment, point in history.points],
    )
    if tournament.ended is not None:
        message.end_time.CopyFrom(write_time(tournament.ended))
    return message


def _point(moment: Moment, point: RatingPoint) -> pb.RatingPoint:
    return pb.RatingPoint(
        blocks_complete=moment.blocks,
        compute_time=write_time(moment.time),
        rank=point.rank,
        elo=point.elo,
        elo_error=point.elo_error,
        points_per_hand=point.points_per_hand,
        points_per_hand_error=point.points_error,
        anchored=moment.anchored,
    )
