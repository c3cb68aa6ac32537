"""What ratings were, from `euchre.v1` to plain values."""

from __future__ import annotations

from datetime import UTC

from euchre.v1 import tournaments_pb2 as pb
from euchre_sdk.history import RatingPoint, TournamentHistory
from euchre_sdk.wire_rankings import read_state


def read_history(message: pb.TournamentHistory) -> TournamentHistory:
    """Return what a message tells of a bot in one tournament."""
    has = message.HasField
    return TournamentHistory(
        tournament=message.tournament,
        state=read_state(message.state),
        version=message.version_label if has("version_label") else None,
        entries=message.entries,
        created=message.create_time.ToDatetime(UTC),
        ended=message.end_time.ToDatetime(UTC) if has("end_time") else None,
        points=tuple(map(_read_point, message.points)),
    )


def _read_point(point: pb.RatingPoint) -> RatingPoint:
    has = point.HasField
    return RatingPoint(
        blocks=point.blocks_complete,
        time=point.compute_time.ToDatetime(UTC),
        rank=point.rank,
        elo=point.elo,
        elo_error=point.elo_error if has("elo_error") else None,
        points_per_hand=point.points_per_hand if has("points_per_hand") else None,
        points_per_hand_error=(
            point.points_per_hand_error if has("points_per_hand_error") else None
        ),
        anchored=point.anchored,
    )
