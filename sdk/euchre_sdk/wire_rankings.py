"""A ranking of `euchre.v1` as plain values."""

from __future__ import annotations

from euchre.v1 import tournaments_pb2 as pb
from euchre_sdk.rankings import Corrected, Pair, Ranking, RankingRow, TournamentState
from euchre_sdk.wire_duels import read_duel
from euchre_sdk.wire_values import read_duration

_STATES: dict[int, TournamentState] = {
    pb.TOURNAMENT_STATE_CREATED: TournamentState.CREATED,
    pb.TOURNAMENT_STATE_RUNNING: TournamentState.RUNNING,
    pb.TOURNAMENT_STATE_PAUSED: TournamentState.PAUSED,
    pb.TOURNAMENT_STATE_FINISHED: TournamentState.FINISHED,
    pb.TOURNAMENT_STATE_CANCELLED: TournamentState.CANCELLED,
}


def read_rankings(message: pb.Rankings) -> Ranking:
    """Return the ranking of a message; what is newer than this package is left out."""
    progress = message.progress
    remaining = progress.HasField("remaining_duration")
    state = read_state(message.state)
    return Ranking(
        tournament=message.tournament,
        schedule=_schedule(message.schedule),
        state=state,
        blocks_complete=progress.blocks_complete,
        blocks_total=progress.blocks_total,
        games_running=progress.games_running,
        hands=progress.hands,
        remaining=read_duration(progress.remaining_duration) if remaining else None,
        anchor=message.anchor if message.HasField("anchor") else None,
        rows=tuple(_read_row(row) for row in message.rows),
        annulled=message.games_annulled,
        forfeits_left_out=message.forfeits_left_out,
        saving_factor=message.saving_factor if message.HasField("saving_factor") else None,
        pairs=tuple(map(_read_pair, message.superiorities)),
        duel=read_duel(message.duel, is_running=not state.is_over)
        if message.HasField("duel")
        else None,
    )


def read_state(number: pb.TournamentState.ValueType) -> TournamentState:
    """Return where a tournament stands."""
    return _STATES.get(number, TournamentState.UNKNOWN)


def _schedule(number: pb.Schedule.ValueType) -> str:
    """Return a schedule in words: the contract's own."""
    if number == pb.SCHEDULE_UNSPECIFIED or number not in pb.Schedule.values():
        return "tournament"
    return pb.Schedule.Name(number).removeprefix("SCHEDULE_").replace("_", " ").lower()


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
        superiority=row.superiority if has("superiority") else None,
        blocks_to_separate=row.blocks_to_separate if has("blocks_to_separate") else None,
        corrected=_read_corrected(row) if has("corrected_elo") else None,
        online_elo=row.online_elo if has("online_elo") else None,
        group=row.group if has("group") else None,
        anchored=row.anchored,
        one_sided=row.one_sided,
        unfinished=row.unfinished,
    )


def _read_corrected(row: pb.RankingRow) -> Corrected:
    def known(field: str) -> float | None:
        return getattr(row, field) if row.HasField(field) else None  # type: ignore[arg-type]

    return Corrected(
        elo=row.corrected_elo,
        elo_error=known("corrected_elo_error"),
        points_per_hand=known("corrected_points_per_hand"),
        points_per_hand_error=known("corrected_points_per_hand_error"),
        saving_factor=known("saving_factor"),
    )


def _read_pair(pair: pb.PairSuperiority) -> Pair:
    return Pair(
        first=pair.first,
        second=pair.second,
        superiority=pair.likelihood,
        separated=pair.separated,
    )
