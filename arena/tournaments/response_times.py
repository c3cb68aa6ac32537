"""How fast the entries of a tournament answer, from the times that are stored with every hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from sqlalchemy import Connection, select

from arena.referee import HandRecord
from arena.store.hand_json import decode_hand
from arena.store.tables import games, hands
from arena.store.tournaments import StoredEntry
from euchre_sdk.game import Hand, RuleSet, Seat

MOST_GAMES = 300
"""So many games are looked at, evenly spread over those that were played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseTimes:
    """How fast one entry answered."""

    entry: StoredEntry
    answers: int
    """Answers that were looked at."""
    median: timedelta
    p95: timedelta
    longest: timedelta


def answer_times(c: Connection, tournament_id: str, rules: RuleSet) -> dict[str, list[int]]:
    """Return how long answers of each entry took, in microseconds, by entry id.

    From the departure of the question to the arrival of the answer. Decisions that the arena made
    for a bot are left out, and hands that do not count.
    """
    ids = tuple(
        c.scalars(
            select(games.c.id).where(games.c.tournament_id == tournament_id).order_by(games.c.id)
        )
    )
    some = ids[:: -(-len(ids) // MOST_GAMES) or 1]
    query = (
        select(hands.c.record, *(games.c[f"entry{seat}"] for seat in range(3)))
        .select_from(hands.join(games))
        .where(hands.c.game_id.in_(some), hands.c.void.is_(None))
    )
    times: dict[str, list[int]] = {}
    for row in c.execute(query):
        for seat, took in _answers(rules, decode_hand(row.record)):
            times.setdefault(row[1 + seat], []).append(took)
    return times


def _answers(rules: RuleSet, record: HandRecord) -> Iterator[tuple[Seat, int]]:
    """Yield who gave each answer of a hand, and how long it took."""
    forced = {each.decision for each in record.forced}
    hand = Hand(rules, record.dealer, record.deck)
    for number, (action, took) in enumerate(zip(record.decisions, record.spent_us, strict=True)):
        view = hand.view
        assert view is not None  # the decision was made
        if number not in forced:
            yield view.seat, took
        hand.apply(action)


def response_times(entry: StoredEntry, took_us: list[int]) -> ResponseTimes:
    """Sum up the answers of one entry."""
    median, p95, longest = np.quantile(np.array(took_us), (0.5, 0.95, 1.0)).tolist()
    return ResponseTimes(
        entry=entry,
        answers=len(took_us),
        median=timedelta(microseconds=median),
        p95=timedelta(microseconds=p95),
        longest=timedelta(microseconds=longest),
    )
