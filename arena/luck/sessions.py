"""Sums of corrected points for whole sessions, in the form in which they are rated.

Sessions of which all baselines are known are corrected by all, others by what there is, and those
without any stay as they are: which of them are known hangs on no result, so the sums of all of them
together have the mean of the raw ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.luck.baselines import BaselineKind
from arena.luck.cards import Floats, Ints, Singles
from arena.luck.correction import HandsPlayed, correct
from arena.luck.deals import POSITIONS
from arena.luck.errors import LuckError

SEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlayedSession:
    """The hands of one session that count, in their order. H of them."""

    dealers: Ints
    """(H,): seats."""
    points: Ints | Floats
    """(H, 3): by seat."""
    baselines: Mapping[BaselineKind, Singles]
    """(H, terms, 3) each, by position; kinds that are not known are left out."""

    def __post_init__(self) -> None:
        hands = len(self.dealers)
        for kind, terms in self.baselines.items():
            if terms.shape != (hands, kind.terms, POSITIONS):
                raise LuckError(
                    f"{kind.value} baselines of {terms.shape} for {hands} hands; accepted are "
                    f"{(hands, kind.terms, POSITIONS)}"
                )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WithoutLuck:
    """N sessions without the luck of the cards."""

    points: Floats
    """(N, 3, 3): corrected points of each seat (second axis), by dealer's seat (third)."""
    raw: Floats
    """(N, 3): sums over hands of squares of what a seat made beyond the others, see `factors`."""
    corrected: Floats
    """(N, 3): the same of corrected points."""
    hands: Ints
    """(N,): hands that were corrected."""

    def factors(self, seats: Ints, entries: int) -> tuple[Floats, float]:
        """Return how many times fewer hands each entry needs, and the whole field.

        `seats`: (N, 3) entry numbers. That is the ratio of the variances, raw over corrected, of
        the points of a seat in a hand minus half of those of the two others, which is what ratings
        come from; the mean of each position is taken off. 1 for who played no hand.
        """
        owner = seats.ravel()
        raw = np.bincount(owner, self.raw.ravel(), entries)
        corrected = np.bincount(owner, self.corrected.ravel(), entries)
        each = np.divide(raw, corrected, out=np.ones(entries), where=corrected > 0.0)
        total = float(corrected.sum())
        return each, float(raw.sum()) / total if total > 0.0 else 1.0


def without_luck(sessions: Sequence[PlayedSession], block: Ints) -> WithoutLuck:
    """Correct sessions; `block`: (N,) numbers of their blocks, from 0."""
    total = np.zeros((len(sessions), SEATS, SEATS))
    raw, after = np.zeros((len(sessions), SEATS)), np.zeros((len(sessions), SEATS))
    hands = np.zeros(len(sessions), dtype=np.int64)
    alike: dict[tuple[BaselineKind, ...], list[int]] = defaultdict(list)
    for number, session in enumerate(sessions):
        if len(session.dealers):
            alike[tuple(k for k in BaselineKind if k in session.baselines)].append(number)
    for kinds, members in alike.items():
        some = [sessions[number] for number in members]
        row = np.repeat(np.array(members), [len(each.dealers) for each in some])
        dealers = np.concatenate([each.dealers for each in some])
        points = np.concatenate([each.points for each in some])
        seat = (dealers[:, None] + 1 + np.arange(POSITIONS)) % SEATS  # of each position
        by_position = np.take_along_axis(points, seat, axis=1)
        corrected = by_position.astype(np.float64)
        if kinds:
            terms = [
                np.concatenate([each.baselines[kind] for kind in kinds], axis=1) for each in some
            ]
            played = HandsPlayed(
                block=np.unique(block[row], return_inverse=True)[1],
                points=by_position,
                terms=np.concatenate(terms),
            )
            corrected = correct(played).points
            np.add.at(hands, row, 1)
        np.add.at(total, (row[:, None], seat, dealers[:, None]), corrected)
        np.add.at(raw, (row[:, None], seat), _beyond(by_position) ** 2)
        np.add.at(after, (row[:, None], seat), _beyond(corrected) ** 2)
    return WithoutLuck(points=total, raw=raw, corrected=after, hands=hands)


def _beyond(points: Ints | Floats) -> Floats:
    """Return points minus half of those of the other two, the mean of each position taken off."""
    beyond: Floats = 1.5 * points - 0.5 * points.sum(axis=1, keepdims=True)
    beyond -= beyond.mean(axis=0)
    return beyond
