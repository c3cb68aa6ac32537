"""Rankings from an arena, as they change."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import cast

import grpc.aio

from euchre.v1 import tournaments_pb2 as pb
from euchre.v1 import tournaments_pb2_grpc
from euchre_sdk.client_dial import Dial, nobody_there, refusal
from euchre_sdk.rankings import Ranking, RankingRow, TournamentState
from euchre_sdk.wire_values import read_duration

_STATES: dict[int, TournamentState] = {
    pb.TOURNAMENT_STATE_CREATED: TournamentState.CREATED,
    pb.TOURNAMENT_STATE_RUNNING: TournamentState.RUNNING,
    pb.TOURNAMENT_STATE_PAUSED: TournamentState.PAUSED,
    pb.TOURNAMENT_STATE_FINISHED: TournamentState.FINISHED,
    pb.TOURNAMENT_STATE_CANCELLED: TournamentState.CANCELLED,
}
_SCHEDULES: dict[int, str] = {
    pb.SCHEDULE_ROUND_ROBIN: "round robin",
    pb.SCHEDULE_ALL_TRIOS: "all trios",
}


async def watch_rankings(
    dial: Dial, tournament: str, token: str | None
) -> AsyncGenerator[Ranking, None]:
    """Yield the ranking now and whenever it changes, until the arena ends the stream.

    Raises `ConnectError`, also when the arena goes away.
    """
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    channel = dial.channel()
    try:
        stub = cast(
            "tournaments_pb2_grpc.TournamentServiceAsyncStub",
            tournaments_pb2_grpc.TournamentServiceStub(channel),
        )
        call = stub.WatchRankings(pb.WatchRankingsRequest(name=tournament), metadata=metadata)
        try:
            async for response in call:
                yield read_rankings(response.rankings)
        except grpc.aio.AioRpcError as error:
            raise refusal(error, dial) or nobody_there(error, dial) from error
        finally:
            call.cancel()
    finally:
        await channel.close()


def read_rankings(message: pb.Rankings) -> Ranking:
    """Return the ranking of a message; what is newer than this package is left out."""
    progress = message.progress
    remaining = progress.HasField("remaining_duration")
    return Ranking(
        tournament=message.tournament,
        schedule=_SCHEDULES.get(message.schedule, "tournament"),
        state=_STATES.get(message.state, TournamentState.UNKNOWN),
        blocks_complete=progress.blocks_complete,
        blocks_total=progress.blocks_total,
        games_running=progress.games_running,
        hands=progress.hands,
        remaining=read_duration(progress.remaining_duration) if remaining else None,
        anchor=message.anchor if message.HasField("anchor") else None,
        rows=tuple(_read_row(row) for row in message.rows),
    )


def _read_row(row: pb.RankingRow) -> RankingRow:
    has, entry = row.HasField, row.entry
    return RankingRow(
        rank=row.rank if has("rank") else None,
        name=entry.name,
        version=entry.version_label if entry.HasField("version_label") else None,
        house=entry.house,
        withdrawn=entry.withdrawn,
        online=row.online,
        elo=row.elo if has("elo") else None,
        elo_error=row.elo_error if has("elo_error") else None,
        points_per_hand=row.points_per_hand if has("points_per_hand") else None,
        points_per_hand_error=row.points_per_hand_error if has("points_per_hand_error") else None,
        blocks=row.blocks,
        hands=row.hands,
        forfeits=row.forfeits,
        not_started=row.not_started,
        faults=row.faults,
        separated=row.separated,
    )
