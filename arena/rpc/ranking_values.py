"""Rankings as messages: what the table says, and in a blind tournament not of whom."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from arena.ratings import Forfeits, Standing
from arena.rpc.duel_values import write_standing
from arena.rpc.entry_values import write_entry, write_progress
from arena.rpc.policies import SCHEDULE
from arena.rpc.values import TOURNAMENT_STATE, write_time
from arena.store.tournaments import StoredEntry
from arena.tournaments.pseudonyms import is_veiled, name_in_ranking
from arena.tournaments.standings import Corrected, Pair, Rankings, Row
from euchre.v1 import tournaments_pb2 as pb
from euchre_sdk.wire import write_format


def write_rankings(rankings: Rankings, *, online: Callable[[StoredEntry], bool]) -> pb.Rankings:
    """Return the message of a table. `online`: whether the bot of an entry is connected."""
    table = rankings.table
    message = pb.Rankings(
        tournament=rankings.tournament.name,
        state=TOURNAMENT_STATE[rankings.state],
        progress=write_progress(rankings.progress),
        schedule=SCHEDULE[rankings.spec.policy],
        format=write_format(rankings.spec.format),
        compute_time=write_time(rankings.computed),
        revision=rankings.revision,
        rows=[_row(row, online=online(row.entry)) for row in table.rows],
        games_annulled=table.annulled,
        forfeits_left_out=table.forfeits is Forfeits.LEFT_OUT,
        superiorities=map(_pair, table.pairs),
    )
    message.progress.hands = table.hands
    if table.saving_factor is not None:
        message.saving_factor = table.saving_factor
    if is_veiled(rankings.tournament):
        _veil(message, rankings)
        return message
    if table.anchor is not None:
        message.anchor = table.anchor.name
    if table.duel is not None and rankings.spec.duel is not None:
        message.duel.CopyFrom(write_standing(rankings.spec.duel, table.duel))
    return message


def _row(row: Row, *, online: bool) -> pb.RankingRow:
    message = pb.RankingRow(
        entry=write_entry(row.entry),
        not_started=row.not_started,
        faults=row.faults,
        separated=row.separated,
        online=online,
    )
    if row.rank is not None:
        message.rank = row.rank
    if row.superiority is not None:
        message.superiority = row.superiority
    if row.blocks_to_separate is not None:
        message.blocks_to_separate = row.blocks_to_separate
    if row.online_elo is not None:
        message.online_elo = row.online_elo
    if row.standing is not None:
        _write_standing(message, row.standing)
    if row.corrected is not None:
        _write_corrected(message, row.corrected)
    return message


def _write_standing(message: pb.RankingRow, standing: Standing) -> None:
    message.elo = standing.elo
    if standing.elo_error > 0 and isfinite(standing.elo_error):
        message.elo_error = standing.elo_error
    if standing.hands:
        message.points_per_hand = standing.points_per_hand
    if isfinite(standing.points_error):
        message.points_per_hand_error = standing.points_error
    message.blocks = standing.blocks
    message.games = sum(standing.places) + standing.unfinished
    message.hands = standing.hands
    message.places.extend(standing.places)
    message.forfeits = standing.forfeits
    message.unfinished = standing.unfinished
    message.group = standing.group + 1
    message.anchored = standing.anchored
    message.one_sided = standing.one_sided


def _write_corrected(message: pb.RankingRow, corrected: Corrected) -> None:
    message.corrected_elo = corrected.elo
    if corrected.elo_error > 0 and isfinite(corrected.elo_error):
        message.corrected_elo_error = corrected.elo_error
    message.corrected_points_per_hand = corrected.points_per_hand
    if isfinite(corrected.points_error):
        message.corrected_points_per_hand_error = corrected.points_error
    message.saving_factor = corrected.saving_factor


def _pair(pair: Pair) -> pb.PairSuperiority:
    return pb.PairSuperiority(
        first=pair.first,
        second=pair.second,
        likelihood=pair.superiority,
        separated=pair.separated,
    )


def _veil(message: pb.Rankings, rankings: Rankings) -> None:
    """Put pseudonyms in place of all that tells who is who, the order of equal lines too."""
    secret = rankings.tournament.secret
    for line, row in zip(message.rows, rankings.table.rows, strict=True):
        name = name_in_ranking(secret, row.entry.entry_id)
        line.entry.CopyFrom(pb.Entry(entry_id=name, name=name))
        line.online = False
    lines = list(message.rows)
    order = sorted(range(len(lines)), key=lambda at: _place(lines[at]))
    moved = {old: new for new, old in enumerate(order)}
    del message.rows[:]
    message.rows.extend(lines[at] for at in order)
    for pair in message.superiorities:
        pair.first, pair.second = moved[pair.first], moved[pair.second]
        if pair.first > pair.second:
            pair.first, pair.second = pair.second, pair.first
            pair.likelihood = 1.0 - pair.likelihood


def _place(line: pb.RankingRow) -> tuple[bool, int, int, str]:
    """Return where a line stands: group by group, without a result last."""
    return not line.HasField("rank"), line.group, line.rank, line.entry.name
