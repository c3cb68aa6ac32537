"""What is rated: one row per finished session or game.

Entries and blocks are named by their ids. Everything per seat stands in seat order (clockwise).
Only what counts is handed over: annulled and void games are no rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Triple: TypeAlias = tuple[int, int, int]
"""One number per seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult:
    """One session, complete or ended by a forfeit.

    Completed hands count whether or not the session was forfeited later; a flagged hand (the one in
    progress when the forfeit fell) does not count.
    """

    block_id: str
    seats: tuple[str, str, str]
    """Entry ids."""
    scheduled: int
    """Hands the session was to have."""
    hands: Triple
    """Hands that count, by who dealt them."""
    points: tuple[Triple, Triple, Triple]
    """Points of each seat in the hands that count, by who dealt: `points[seat][dealer]`."""
    places: Triple
    """1-based; equal totals share the better place; offenders are last."""
    offenders: tuple[int, ...] = ()
    """Seats that forfeited the session."""

    @classmethod
    def of_hands(
        cls,
        *,
        block_id: str,
        seats: tuple[str, str, str],
        scheduled: int,
        hands: Iterable[tuple[int, Triple]],
        places: Triple,
        offenders: tuple[int, ...] = (),
    ) -> SessionResult:
        """Sum up the hands that count, each given as its dealer's seat and the points per seat."""
        dealt = [0, 0, 0]
        points = [[0, 0, 0] for _ in range(3)]
        for dealer, scored in hands:
            dealt[dealer] += 1
            for seat, value in enumerate(scored):
                points[seat][dealer] += value
        return cls(
            block_id=block_id,
            seats=seats,
            scheduled=scheduled,
            hands=_triple(dealt),
            points=(_triple(points[0]), _triple(points[1]), _triple(points[2])),
            places=places,
            offenders=offenders,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """One game to the target: decided, forfeited, or unfinished."""

    block_id: str
    seats: tuple[str, str, str]
    """Entry ids."""
    hands: int
    """Hands that were completed."""
    points: Triple
    """Final score."""
    places: Triple | None
    """1-based; equal scores share the better place. None: unfinished (A19), listed and unrated."""
    offenders: tuple[int, ...] = ()
    """Seats that forfeited the game."""


def _triple(values: list[int]) -> Triple:
    first, second, third = values
    return first, second, third
