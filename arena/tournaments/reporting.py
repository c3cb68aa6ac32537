"""The report of a tournament: what its organiser may want to know and no ranking shows."""

from __future__ import annotations

from dataclasses import dataclass

from arena.ratings.partners import BlockScore, PartnerEffect, partner_effects
from arena.store import Store, results, tournaments
from arena.store.tournaments import StoredEntry, StoredTournament
from arena.tournaments.response_times import ResponseTimes, answer_times, response_times
from arena.tournaments.spec import decode_spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is known beside the ranking."""

    entries: dict[str, StoredEntry]
    """By id."""
    effects: tuple[PartnerEffect, ...]
    """Entries by their ids, the surest first."""
    times: tuple[ResponseTimes, ...]
    """By name."""


async def report_on(store: Store, tournament: StoredTournament) -> Report:
    """Return the report of a tournament as it stands."""
    tid = tournament.tournament_id
    entries = {each.entry_id: each for each in await store.read(tournaments.entries_of, tid)}
    scores = [
        BlockScore(
            points={entry: points / block.hands for entry, points in block.points.items()},
            hands=block.hands,
        )
        for block in await store.read(results.block_results, tid)
        if block.hands
    ]
    times = await store.read(answer_times, tid, decode_spec(tournament.spec).rules)
    known = [response_times(entries[entry], took) for entry, took in times.items()]
    return Report(
        entries=entries,
        effects=partner_effects(scores),
        times=tuple(sorted(known, key=lambda each: each.entry.name)),
    )
