"""The report of a tournament: what its organiser may want to know and no ranking shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from arena.ratings.partners import BlockScore, PartnerEffect, partner_effects
from arena.store import Store, flights, results, tournaments
from arena.store.tournaments import StoredEntry, StoredTournament


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseTimes:
    """How fast one entry answered, in the games of which flight records are kept."""

    entry: StoredEntry
    answers: int
    median: timedelta
    p95: timedelta
    longest: timedelta


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
    times = await store.read(flights.answer_times, tid)
    known = [_response(entries[entry], np.array(took)) for entry, took in times.items() if took]
    return Report(
        entries=entries,
        effects=partner_effects(scores),
        times=tuple(sorted(known, key=lambda each: each.entry.name)),
    )


def _response(
    entry: StoredEntry, took_us: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> ResponseTimes:
    median, p95, longest = np.quantile(took_us, (0.5, 0.95, 1.0)).tolist()
    return ResponseTimes(
        entry=entry,
        answers=len(took_us),
        median=timedelta(microseconds=median),
        p95=timedelta(microseconds=p95),
        longest=timedelta(microseconds=longest),
    )
