"""The table of a tournament, computed from what is stored and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING

from arena.ratings import Comparison, Forfeits, Standing
from arena.ratings.online import online_elo
from arena.ratings.ranking import blocks_to_separate
from arena.scheduling import BlockId, EntryId, ScheduleError, cycles_over, place_of
from arena.store import Store, block_attempts, games, results, tournaments
from arena.store.states import BlockState
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.duel_standing import DuelStanding, duel_standing
from arena.tournaments.fitting import Asked, ReadBefore, rank
from arena.tournaments.plan import blocks_begun
from arena.tournaments.spec import TournamentSpec, decode_spec
from arena.tournaments.standings import Pair, Row, Table
from euchre_sdk.game import Session

if TYPE_CHECKING:
    from sqlalchemy import Connection

ANCHOR = "heuristic@1"
"""The bot whose rating is 1500 wherever it takes part."""
MOST_BLOCKS = 1_000_000
"""More blocks than that are as good as never."""


async def compute_table(
    store: Store,
    tournament: StoredTournament,
    *,
    rounds: int | None = None,
    forfeits: Forfeits = Forfeits.COUNTED,
    read: ReadBefore | None = None,
    live: bool = False,
) -> Table:
    """Return the table of a tournament as its stored results say; of its first `rounds` only.

    `read`: what was read and fitted of this tournament before, and is kept up to date here. `live`:
    one step from the fit before will do, with its errors.
    """
    entries = await store.read(tournaments.entries_of, tournament.tournament_id)
    spec = decode_spec(tournament.spec)
    make = partial(
        _table,
        tournament=tournament,
        spec=spec,
        entries=entries,
        rounds=rounds,
        forfeits=forfeits,
        read=read or ReadBefore(),
        live=live,
    )
    return await store.read(make)


async def rounds_over(store: Store, tournament: StoredTournament) -> int:
    """Return how many cycles of a tournament are over, with all those before."""
    return await store.read(_rounds_over, tournament)


def _rounds_over(c: Connection, tournament: StoredTournament) -> int:
    tid = tournament.tournament_id
    done = {BlockState.COMPLETE, BlockState.INCOMPLETE}
    over = {
        BlockId(block.block_id) for block in block_attempts.blocks_of(c, tid) if block.state in done
    }
    try:
        course = decode_spec(tournament.spec).course(tournament, tournaments.entries_of(c, tid))
    except ScheduleError:  # too few entries so far
        return 0
    begun = blocks_begun(games.games_of(c, tid))
    course.recall(begun, over)
    for result in results.block_results(c, tid) if course.learns else ():
        course.learn(result)
    return cycles_over(course, begun, over)


def _table(
    c: Connection,
    *,
    tournament: StoredTournament,
    spec: TournamentSpec,
    entries: tuple[StoredEntry, ...],
    rounds: int | None,
    forfeits: Forfeits,
    read: ReadBefore,
    live: bool,
) -> Table:
    counted = results.tally(c, tournament.tournament_id, rounds=rounds)
    asked = Asked(
        tournament_id=tournament.tournament_id,
        format=spec.format,
        policy=spec.policy,
        entries=tuple(sorted(entry.entry_id for entry in entries)),
        anchor=next((each.entry_id for each in entries if each.name == ANCHOR), None),
        rounds=rounds,
        forfeits=forfeits,
        not_started=counted.not_started,
        live=live,
    )
    ranked = rank(c, asked, read)
    ranking, corrected = ranked.ranking, ranked.corrected
    by_id = {entry.entry_id: entry for entry in entries}
    ladder = spec.policy == "ladder"
    online = _online(c, tournament, rounds) if ladder else dict[EntryId, float]()
    rows: list[Row] = []
    above: tuple[Standing, Comparison | None] | None = None
    # Stable: who has played comes first, else in the order of the ranking.
    with_next = zip(ranking.standings, ranking.neighbours(), strict=True)
    for standing, below in sorted(with_next, key=lambda pair: pair[0].blocks == 0):
        played = standing.blocks > 0
        from_above = above[1] if above is not None else None
        rows.append(
            Row(
                rank=standing.rank if played else None,
                entry=by_id[standing.entry],
                standing=standing if played else None,
                superiority=below.los if played and below is not None else None,
                separated=from_above is None or from_above.separated,
                blocks_to_separate=_blocks_missing(above, standing) if played else None,
                corrected=None if corrected is None else corrected.of(standing.entry),
                online_elo=online.get(EntryId(standing.entry)),
                not_started=counted.not_started[standing.entry],
                faults=counted.faults[standing.entry],
            )
        )
        above = standing, below
    held = next((row.entry for row in rows if row.standing and row.standing.anchored), None)
    anchor = None if held is None or ranking.anchor is None else by_id[ranking.anchor]
    return Table(
        rows=tuple(rows),
        anchor=anchor,
        hands=counted.hands,
        annulled=counted.annulled,
        ranking=ranking,
        forfeits=forfeits,
        saving_factor=None if corrected is None else corrected.saving_factor,
        duel=_duel(c, tournament, spec, entries),
        is_live=ranked.is_live,
    )


def _online(
    c: Connection, tournament: StoredTournament, rounds: int | None
) -> Mapping[EntryId, float]:
    """Return the online Elo of everybody in a ladder, block after block by their numbers."""
    played = {
        place_of(result.block_id): result.points
        for result in results.block_results(c, tournament.tournament_id)
        if result.hands
    }
    told = (place for place in sorted(played) if rounds is None or place[0] <= rounds)
    return online_elo(played[place] for place in told)


def _duel(
    c: Connection,
    tournament: StoredTournament,
    spec: TournamentSpec,
    entries: tuple[StoredEntry, ...],
) -> DuelStanding | None:
    """Return where a duel stands; None for other tournaments, and before both bots are entered."""
    if spec.duel is None or not isinstance(spec.format, Session):
        return None
    try:
        duel = spec.duel.duel(entries, spec.format)
    except ScheduleError:
        return None
    tid = tournament.tournament_id
    return duel_standing(
        duel,
        entries,
        results=results.block_results(c, tid),
        blocks=block_attempts.blocks_of(c, tid),
        sessions=results.session_results(c, tid, spec.format),
    )


def _blocks_missing(
    above: tuple[Standing, Comparison | None] | None, standing: Standing
) -> int | None:
    """Return how many blocks of each separate two lines four times in five; None for never."""
    if above is None:
        return None
    upper, compared = above
    if compared is None or compared.separated:
        return None
    missing = blocks_to_separate(compared, min(upper.blocks, standing.blocks))
    return ceil(missing) if missing <= MOST_BLOCKS else None


def with_pairs(table: Table) -> Table:
    """Return a table with every pair compared."""
    ranking = table.ranking
    if ranking is None:
        return table
    at = {row.entry.entry_id: line for line, row in enumerate(table.rows) if row.standing}
    lines = [
        (number, at[standing.entry], standing.group)
        for number, standing in enumerate(ranking.standings)
        if standing.entry in at
    ]
    pairs = []
    for (upper, first, group), (lower, second, other) in combinations(lines, 2):
        if group == other:
            compared = ranking.compare(upper, lower)
            pairs.append(
                Pair(
                    first=first,
                    second=second,
                    superiority=compared.los,
                    separated=compared.separated,
                )
            )
    return replace(table, pairs=tuple(pairs))
